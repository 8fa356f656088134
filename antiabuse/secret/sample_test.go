package secret

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

// draw draws n characters of a class.
func draw(r *rand.Rand, class string, n int) string {
	chars := classes[class]
	b := make([]byte, n)
	for i := range b {
		b[i] = chars[r.IntN(len(chars))]
	}
	return string(b)
}

// drawPassword draws a password as a manager makes it: letters, digits and a few signs.
func drawPassword(r *rand.Rand, n int) string {
	b := []byte(draw(r, "alnum", n))
	for range 3 {
		b[1+r.IntN(n-2)] = "!#%*+-=?@^_"[r.IntN(11)]
	}
	b[0], b[n-1] = upperChars[r.IntN(26)], digitChars[r.IntN(10)]
	return string(b)
}

// drawPlainPassword draws a password that needs no quoting.
func drawPlainPassword(r *rand.Rand, n int) string {
	b := []byte(draw(r, "alnum", n))
	b[0], b[1], b[2], b[n-1] = upperChars[r.IntN(26)], lowerChars[r.IntN(26)], digitChars[r.IntN(10)], digitChars[r.IntN(10)]
	return string(b)
}

// expand fills the runs of a template of a family with drawn characters.
func expand(r *rand.Rand, template string) string {
	template = strings.ReplaceAll(template, "{interai}", "\x00")
	segments, err := parseSegments(strings.ReplaceAll(template, "{ghcrc:", "{alnum:"))
	if err != nil && !strings.Contains(template, "\x00") {
		panic(err)
	}
	if strings.Contains(template, "\x00") {
		body := draw(r, "alnum", 12) + "_" + draw(r, "alnum", 43)
		return "iai_" + body + checksum62(body)
	}
	var b strings.Builder
	for _, s := range segments {
		if s.literal != "" {
			b.WriteString(s.literal)
			continue
		}
		b.WriteString(draw(r, s.class, s.least+r.IntN(s.most-s.least+1)))
	}
	out := b.String()
	if strings.Contains(template, "{ghcrc:") {
		out += checksum62(out[4:])
	}
	return out
}

// drawGitHub draws a token with a right checksum.
func drawGitHub(r *rand.Rand) string { return expand(r, "gh"+"p_{ghcrc:30}") }

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
