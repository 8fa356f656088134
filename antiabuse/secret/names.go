package secret

import (
	"slices"
	"strings"
)

// stemKind says what a word announces.
type stemKind int

const (
	stemPassword stemKind = iota + 1 // a password or secret, whatever stands around
	stemPass                         // "pass" as a word of its own
	stemKey                          // needs a word that says what the key is for
	stemToken                        // the same
	stemForeign                      // a password in a language other than English
)

// stem is a word that announces a credential.
type stem struct {
	text string
	kind stemKind
}

// stems are the English ones, then those of other languages.
var stems = append([]stem{
	{"password", stemPassword},
	{"passwd", stemPassword},
	{"passphrase", stemPassword},
	{"passcode", stemPassword},
	{"passwort", stemPassword},
	{"passord", stemPassword},
	{"pwd", stemPassword},
	{"pword", stemPassword},
	{"psw", stemPassword},
	{"secret", stemPassword},
	{"credential", stemPassword},
	{"creds", stemPassword},
	{"pass", stemPass},
	{"pw", stemPass},
	{"key", stemKey},
	{"token", stemToken},
}, foreignStems()...)

// spellings are the literals for a stem that is too short to be one.
var spellings = map[string][]string{"pw": {"pw=", "pw:", "pw =", "pw\"", "pw'", "_pw", "-pw", "dbpw", "bindpw", "rootpw", "userpw", "adminpw", "userpw"}}

// strength is how much a name says about its value.
type strength int

const (
	disarmed strength = iota // the value is something else: an ID, a length, a file
	faint                    // may be a credential
	strong                   // is one
)

func wordList(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

var (
	// weakening words behind a stem make its value something about the credential.
	weakening = wordList(`id ids name names url uri urls file files filename path paths dir hash hashes hashed
		ref refs reference type types length len size count counts ttl expiry expires expiration expire expired
		policy policies
		field fields column label hint reset rotation manager arn version digest checksum fingerprint prefix
		suffix index format min max input endpoint endpoints var salt exists enabled disabled required valid
		invalid error errors
		store provider providers alias kind usage limit limits budget bucket bytes chars generator validator
		strength rules rule protected less free changed updated created at date time age modified algorithm alg
		method mode
		engine backend class object list array map pair pairs status state verified needed auth stream space
		pattern regex regexp mask template placeholder getter setter func function handler callback helper util
		utils
		encoder encoding encoded decode decoder cost price per rate ring pass words vault location source owner
		scope scopes event events press up down code codes board bindings binding frame frames word stroke strokes
		board
		ization izer izers ize ized izing ism uri issuer audience kid curve bits`)
	// harmless words behind "key" and "token" leave it what it is.
	harmless = wordList(`value val base b64 base64 hex prod live dev staging test old current default raw plain text env str string secret a b c main backup primary secondary production sandbox admin root the here is`)
	// disarming words in front of a stem make it something else.
	disarming = wordList(`public pub primary foreign idempotency cache cached encrypted sealed sort partition
		hash routing next page pagination continuation cancellation cancel csrf xsrf shard row lookup dedup dedupe
		sitemap map json
		ssh_public known translation i18n group grouping composite candidate natural surrogate unique object s3
		index hot arrow function lock mutex state feature config setting settings registry metric tag label
		sorting
		stop start end eos bos pad unk mask special input output max min total num count prompt completion new
		first last lexer parser current prev previous continue sync cursor resume anti request ct push verify
		verification kafka message redis
		websocket no not without forgot forgotten reset any every each device track join invite turn on hotkey short
			shortcut enter return escape arrow ctrl alt shift tab press dict column cell field attr property foreign fk
			pk display`)
	// alsoOwner are disarming words that can own a password all the same.
	alsoOwner = wordList(`new first last current redis kafka user config json key`)
	// purposes in front of "key" and "token" make it a credential.
	purposes = wordList(`api access secret private signing sign encryption encrypt decryption master account auth
		authentication authorization app application service storage subscription license shared admin root client
		consumer
		hmac jwt webhook aes rsa crypto crypt cipher session deploy deployment oauth oauth2 bearer refresh bot
		personal user integration security sas iam vault registry publish upload write read server project
		team org organization ci cd build release host instance connection db database cloud ingest ingestion sdk
		rest backend internal production prod staging dev live test x license licence functions function developer
		dev partner
		pat id wallet fernet cookie data event rw ro web site login agent runner hub pypi npm git smtp mail email
			sms chat search maps geo pay payment checkout merchant gateway`)
	glued = []string{"api", "access", "secret", "private", "auth", "client", "app", "master", "account", "signing", "encryption", "bot", "refresh", "bearer", "session", "shared", "storage", "subscription", "license", "consumer", "service", "admin", "user", "primaryaccess", "id"}
)

// splitName appends the pieces of an identifier, cut at its signs and humps, in lower case: "AWS_secretKey" is aws, secret, key.
func splitName(out []string, name string) []string {
	start := 0
	for i := range len(name) + 1 {
		cut := i == len(name) || !alnum.has(name[i]) && name[i] < 0x80
		hump := !cut && i > start && name[i] >= 'A' && name[i] <= 'Z' && (name[i-1] < 'A' || name[i-1] > 'Z' ||
			i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z')
		if !cut && !hump {
			continue
		}
		if i > start {
			out = append(out, strings.ToLower(name[start:i]))
		}
		start = i
		if cut {
			start++
		}
	}
	return out
}

// weigh says how much a name says about its value. before is the word in front of it, for names of several words such
// as "API key". What stands before a dot is context: it can say what a key is for, not that it is none.
func weigh(name, before string) strength {
	dot := strings.LastIndexByte(name, '.') + 1
	var buffers [2][8]string // enough for most names without an allocation
	words, context := splitName(buffers[0][:0], name[dot:]), splitName(buffers[1][:0], name[:dot])
	at, kind, prefix := lastStem(words)
	if at < 0 {
		return disarmed
	}
	for _, w := range words[at+1:] {
		if weakening[w] || (kind == stemKey || kind == stemToken) && !harmless[w] && digitsIn(w) == 0 {
			return disarmed
		}
	}
	earlier := words[:at]
	if before != "" && at == 0 {
		earlier = []string{before}
	}
	purpose := slices.Contains(glued, prefix)
	for _, w := range earlier {
		if disarming[w] && (kind == stemKey || kind == stemToken || !alsoOwner[w] && !purposes[w]) {
			return disarmed
		}
		k, _ := stemOf(w)
		purpose = purpose || purposes[w] || k == stemPassword || k == stemPass
	}
	purpose = purpose || slices.ContainsFunc(context, func(w string) bool { return purposes[w] })
	named := before == "" && len(earlier) > 0
	switch {
	case kind == stemPassword, kind == stemForeign, kind == stemPass, purpose:
		return strong
	case kind == stemToken && named && prefix == "":
		return strong // of some vendor
	case kind == stemKey && named, len(earlier) == 0 && kind == stemToken, prefix != "" && kind == stemToken:
		return faint
	default:
		return disarmed
	}
}

// lastStem is the last word of a name that announces something, -1 without one.
func lastStem(words []string) (at int, kind stemKind, prefix string) {
	for i, w := range slices.Backward(words) {
		if k, glue := stemOf(w); k != 0 {
			return i, k, glue
		}
	}
	return -1, 0, ""
}

// stemOf finds a stem that ends a word, and what is glued in front of it: "apikey" is api and key.
func stemOf(word string) (stemKind, string) {
	word = strings.TrimRight(word, digitChars)
	for _, s := range stems[:firstForeign] {
		rest, ok := strings.CutSuffix(word, s.text)
		if !ok {
			rest, ok = strings.CutSuffix(word, s.text+"s")
		}
		if !ok || s.kind == stemPass && rest != "" && !slices.Contains(passOwners, rest) {
			continue
		}
		if s.kind == stemKey && rest != "" && !slices.Contains(glued, rest) {
			continue // monkey
		}
		return s.kind, rest
	}
	return 0, ""
}

// firstForeign is where the stems begin that stand in texts of other languages only.
const firstForeign = 16

var passOwners = []string{"db", "user", "root", "admin", "bind", "my", "mysql", "pg", "smtp", "mail", "email", "ftp", "ssh", "sudo", "login", "http", "proxy", "key", "store", "auth", "bind", "ldap", "wifi", "redis", "rpc", "basic", "vnc", "imap", "pop", "sasl"}
