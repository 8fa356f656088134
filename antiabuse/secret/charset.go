package secret

import "math"

// set is a set of ASCII characters.
type set [2]uint64

func setOf(chars string) set {
	var s set
	for i := range len(chars) {
		s[chars[i]>>6&1] |= 1 << (chars[i] & 63)
	}
	return s
}

func (s set) has(c byte) bool { return c < 0x80 && s[c>>6]>>(c&63)&1 == 1 }

// run is how many bytes of text, from i on and at most limit, are in the set.
func (s set) run(text string, i, limit int) int {
	n := 0
	for n < limit && i+n < len(text) && s.has(text[i+n]) {
		n++
	}
	return n
}

// runBack is the same before i.
func (s set) runBack(text string, i, limit int) int {
	n := 0
	for n < limit && i-n > 0 && s.has(text[i-n-1]) {
		n++
	}
	return n
}

const (
	lowerChars  = "abcdefghijklmnopqrstuvwxyz"
	upperChars  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digitChars  = "0123456789"
	alnumChars  = lowerChars + upperChars + digitChars
	base58Chars = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
)

// classes are the character classes that the patterns of families name.
var classes = map[string]string{
	"alnum": alnumChars, "alpha": lowerChars + upperChars, "lower": lowerChars, "upper": upperChars,
	"digits": digitChars,
	"hex":    digitChars + "abcdef", "HEX": digitChars + "ABCDEF", "Hex": digitChars + "abcdefABCDEF",
	"lownum": lowerChars + digitChars, "UPNUM": upperChars + digitChars, "b32": upperChars + "234567",
	"word": alnumChars + "_", "b64": alnumChars + "+/", "b64url": alnumChars + "-_", "b64dot": alnumChars + "-_.=",
	"b58":    base58Chars,
	"b64pct": alnumChars + "%", "b64any": alnumChars + "+/=-_", "b64tilde": alnumChars + "-_.~",
	"bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "low58": "abcdefghijkmnopqrstuvwxyz123456789",
	"ah": "abcdefgh0123456789",
}

var (
	alnum     = setOf(alnumChars)
	digit     = setOf(digitChars)
	hexSet    = setOf(classes["Hex"])
	base64Set = setOf(alnumChars + "+/")
	base64ur  = setOf(alnumChars + "-_")
	nameSet   = setOf(alnumChars + "_-.")
	blank     = setOf(" \t")
	space     = setOf(" \t\r\n")
	quotes    = setOf("\"'`")
)

// Sets of what stands between and inside the parts of constructs, named for where they are used.
var (
	dumpGap      = setOf(": ")
	snakeSet     = setOf(lowerChars + digitChars + "_")
	constantSet  = setOf(upperChars + "_")
	shellSet     = setOf(alnumChars + "_:.[]'\"->")
	lowerSet     = setOf(lowerChars)
	headerName   = setOf(alnumChars + "-_")
	headerClose  = setOf("\"'`*]\\ \t)")
	headerSign   = setOf(":=,>(")
	csvHead      = setOf(alnumChars + "_- ,'\"")
	headerOpen   = setOf("\"'`*\\ \t([f")
	schemeGap    = setOf(" \t\"'`:=\\*")
	headerValue  = setOf(alnumChars + "-_.~+/=:!$%#@&^*")
	cookieClose  = setOf("s\"'`*]\\ \t)")
	cookieGap    = setOf(" ;:,\"'\\")
	cookieValue  = setOf(alnumChars + "_-.%+/=:|~")
	fieldGap     = setOf(" \t\r\n:\"'={")
	anyBase64    = setOf(alnumChars + "+/=-_")
	literalGap   = setOf(" \t'\"`=")
	sumGap       = setOf(" \t\r\n+.&,\\|~<>")
	lineGap      = setOf("\r\n \t>#*|/\"'")
	upperSet     = setOf(upperChars)
	memberGap    = setOf(": \"\t\n")
	seedGap      = setOf(" ,\n\"'0123456789.)\t-")
	scalarGap    = setOf(" \"'\t")
	byteGap      = setOf(" :,\\\n")
	octalSet     = setOf("01234567")
	signatureSet = setOf(alnumChars + "%-_+/")
	valueGap     = setOf(" \t\r\n,\"'\\-;/>")
	blockSet     = setOf("|>-+*`_")
	nextLineSet  = setOf("\r\n \t>#")
	typeSet      = setOf(alnumChars + "_.:&*?<>[]")
)

// entropy is Shannon's, in bits for a byte.
func entropy(s string) float64 {
	if s == "" {
		return 0
	}
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range &counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
