package scanbench

import "strings"

// Worst is a text that is as hard as possible for a scanner.
type Worst struct{ Name, Text string }

// worstSize is the largest text that the server takes.
const worstSize = 200 << 10

// WorstCases are hostile texts of the largest size: one construct that rules look at, over and over.
func WorstCases() []Worst {
	keywords := "password secret token api_key access_key client_secret auth bearer credential passphrase private_key aws github slack stripe "
	pieces := map[string]string{
		"all key words": keywords, "key words with values": "password: Xk2#9fLq secret=abc token: def key=",
		"sk- repeated": "sk-", "ghp_ repeated": "gh" + "p_", "://a: repeated": "://a:",
		"://a:b@ repeated": "://a:b@c.", "cookie: repeated": "cookie:",
		"cookie pairs":       "cookie: session=a; token=b; ",
		"password: repeated": "password: ", "password= repeated": "password=", "password is": "password is ",
		"eyJ repeated": "eyJ", "eyJ dots": "eyJhbGciOiJIUzI1NiJ9.", "BEGIN repeated": "-----BEGIN PRIVATE KEY-----",
		"AKIA ids": "AK" + "IA2E3F4G5H6I7J2K3L ", "mnemonic": "mnemonic ",
		"seed words": "mnemonic abandon ability able about above absent absorb abstract absurd abuse access ",
		"percent":    "%41", "double percent": "%2541", "entities": "&#x41;", "backslashes": "\\",
		"backslash quotes": "\\\\\\\"", "quotes": "\"", "sum of strings": "\"a\" + ",
		"kind: secret": "kind: Secret\ndata:\n  a: b\n", "table heads": "|password|\n|---|\n",
		"table": "|password|secret|token|\n|---|---|---|\n|a|b|c|\n", "curl": "curl -u a:b ",
		"authorization": "authorization: ",
		"bearer":        "bearer ", "vendors": "twitter=adafruit=heroku=discord=",
		"base64 words": "cGFzc3dvcmQ6IHBhc3N3b3Jk ", "hex bytes": "67 68 70 5f ", "hex run": "6768705f",
		"zero width": "p\u200Ba\u200Bs\u200Bs", "full width": "ｐａｓｓ", "line ends": "a1B2c3D4e5F6g7H8\n",
		"dump": "00000000: 6768 705f 6768 705f 6768 705f 6768 705f  x\n", "commas": ",password,",
		"foreign":    "密码是パスワード",
		"one letter": "a", "digits": "1234567890", "spaces": " ", "newlines": "\n", "pass=": "pass=",
		"key:value": "key:\"", "://": "://", "@tcp(": "u:p@tcp(", ":5432:": ":5432:a:b:c",
		"T3BlbkFJ": "T3Blbk" + "FJ", "Q~": "a8Q~", "-us1": "-us1", "xoxb-": "xo" + "xb-1",
		"combining": "a\u0301\u0301\u0301", "tags": "\U000E0041",
	}
	var out []Worst
	for name, piece := range pieces {
		out = append(out, Worst{name, strings.Repeat(piece, worstSize/len(piece)+1)[:worstSize]})
	}
	image := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAZkR3x9Lm2Qp7Tt0Vb4Ny", worstSize/44)
	return append(out, Worst{"key words and a base64 run", keywords + image[:worstSize-len(keywords)]}, Worst{"one base64 run of text", strings.Repeat("cGFzc3dvcmQ6IHBh", worstSize/16)})
}
