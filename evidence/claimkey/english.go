package claimkey

import "strings"

// anglicise writes English in one way: contractions in full, numbers in digits, units by their symbols, one spelling.
// It replaces whole words only, from reviewed lists: whoever adds one must be sure that no claim changes.
func anglicise(tokens []token) []token {
	out := make([]token, 0, len(tokens)+4)
	for _, t := range tokens {
		switch {
		case t.text == "k8s":
			out = append(out, token{text: spellings[t.text]})
		case t.class != classWord:
			out = append(out, t)
		case strings.Contains(t.text, "'"):
			out = expand(out, t)
		default:
			out = replace(out, t)
		}
		out = measure(out)
	}
	return out
}

// expand writes a contraction in full. "'s" and "'d" stay: they can mean several things.
func expand(out []token, t token) []token {
	if whole, ok := irregular[t.text]; ok {
		return add(out, whole)
	}
	for _, c := range contractions {
		if head, ok := strings.CutSuffix(t.text, c.tail); ok && head != "" && !strings.Contains(head, "'") {
			return append(out, token{text: head}, token{text: c.word})
		}
	}
	return append(out, t)
}

func replace(out []token, t token) []token {
	switch {
	case irregular[t.text] != "":
		return add(out, irregular[t.text])
	case numerals[t.text] != "":
		return append(out, token{text: numerals[t.text], class: classNumber})
	case spellings[t.text] != "":
		return append(out, token{text: spellings[t.text]})
	}
	return append(out, token{text: respell(t.text)})
}

func add(out []token, phrase string) []token {
	for word := range strings.FieldsSeq(phrase) {
		out = append(out, token{text: word})
	}
	return out
}

// measure folds the unit behind a number at the end of a sequence, and the zeros that add nothing to a number with a
// unit. Without a unit they stay: Python 3.10 is not Python 3.1.
func measure(tokens []token) []token {
	n := len(tokens)
	if n >= 3 && tokens[n-1].text == "cent" && tokens[n-2].text == "per" && tokens[n-3].class == classNumber {
		tokens, n = append(tokens[:n-2], token{text: "%"}), n-1
	}
	if n < 2 || tokens[n-2].class != classNumber || !numeric(strings.TrimLeft(tokens[n-2].text, "+-")) {
		return tokens
	}
	last := &tokens[n-1]
	if symbol, known := unitWords[last.text]; known && last.class != classIdentifier {
		last.text, last.class = symbol, classNumber
	}
	if last.class != classNumber || !symbols[last.text] {
		return tokens
	}
	if whole, fraction, ok := strings.Cut(tokens[n-2].text, "."); ok && digits(fraction) {
		fraction = strings.TrimRight(fraction, "0")
		tokens[n-2].text = strings.TrimSuffix(whole+"."+fraction, ".")
	}
	return tokens
}

// contractions are regular: the rest of the word stands in front of the apostrophe.
var contractions = []struct{ tail, word string }{
	{"n't", "not"}, {"'re", "are"}, {"'ve", "have"}, {"'ll", "will"}, {"'m", "am"},
}

var irregular = map[string]string{
	"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "dont": "do not",
	"doesnt": "does not", "isnt": "is not", "arent": "are not", "let's": "let us",
}

var numerals = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
	"nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15",
	"sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30",
	"forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
}

// units are the symbols that are read behind the digits without a blank. Bits and bytes differ in their case only.
var units = map[string]string{
	"ns": "ns", "us": "us", "µs": "us", "μs": "us", "ms": "ms", "sec": "sec", "secs": "sec", "s": "sec", "min": "min", "mins": "min",
	"h": "h", "hr": "h", "hrs": "h", "kB": "kB", "KB": "kB", "MB": "MB", "GB": "GB", "TB": "TB", "PB": "PB", "KiB": "KiB",
	"MiB": "MiB", "GiB": "GiB", "TiB": "TiB", "kb": "kb", "mb": "mb", "gb": "gb", "Mb": "Mb", "Gb": "Gb", "Hz": "hz", "kHz": "khz",
	"MHz": "mhz", "GHz": "ghz", "mg": "mg", "kg": "kg", "g": "g", "ml": "ml", "mm": "mm", "cm": "cm", "km": "km", "nm": "nm",
	"px": "px", "rpm": "rpm", "fps": "fps", "rps": "rps", "qps": "qps",
}

// unitWords are units as words behind a number.
var unitWords = map[string]string{
	"percent": "%", "%": "%", "nanosecond": "ns", "nanoseconds": "ns", "microsecond": "us", "microseconds": "us", "µs": "us", "μs": "us",
	"millisecond": "ms", "milliseconds": "ms", "msec": "ms", "msecs": "ms", "ms": "ms", "ns": "ns", "us": "us",
	"second": "sec", "seconds": "sec", "sec": "sec", "secs": "sec", "minute": "min", "minutes": "min", "min": "min", "mins": "min",
	"s": "sec", "hour": "h", "hours": "h", "h": "h", "hr": "h", "hrs": "h", "mg": "mg", "kg": "kg", "milligrams": "mg", "kilograms": "kg",
}

// symbols are the symbols that unitWords and units come to.
var symbols = symbolsOf(units, unitWords)

func symbolsOf(tables ...map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, table := range tables {
		for _, symbol := range table {
			out[symbol] = true
		}
	}
	return out
}
