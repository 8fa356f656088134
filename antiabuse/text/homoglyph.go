package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"interai/antiabuse/finding"
)

// minMixed is the length from which a word of two scripts is no longer a unit, a variable or a formula such as "Δt".
const minMixed = 4

// alike are scripts whose letters can pass for Latin ones.
var alike = []*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic}

// greekLookalikes are the Greek letters that can pass for Latin ones; others in a Latin word are notation.
const greekLookalikes = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχγϲϳ"

// MixedScript reports whether a word of the token has Latin letters and letters that pass for Latin ones: the mark of
// a package or host name that imitates another one.
func MixedScript(token string) bool {
	if ASCII(token) {
		return false
	}
	letters, latin, other := 0, false, false
	mixed := func() bool { return letters >= minMixed && latin && other }
	for _, r := range token {
		if !unicode.IsLetter(r) {
			if mixed() {
				return true
			}
			letters, latin, other = 0, false, false
			continue
		}
		letters++
		latin = latin || unicode.Is(unicode.Latin, r)
		if unicode.In(r, alike...) {
			other = other || !unicode.Is(unicode.Greek, r) || strings.ContainsRune(greekLookalikes, r)
		}
	}
	return mixed()
}

// Homoglyphs labels the words of s that mix scripts, at most a report's worth of them.
func Homoglyphs(s string) []finding.Finding {
	var found []finding.Finding
	for i := 0; i < len(s) && len(found) < maxReported; {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !tokenRune(r) {
			i += size
			continue
		}
		start := i
		for i < len(s) && tokenRune(r) {
			i += size
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if MixedScript(s[start:i]) {
			found = append(found, finding.Finding{
				Rule: Homoglyph, Kind: finding.Disallowed, Action: finding.Label, Start: start, End: i,
				Hint: "a word mixes letters of scripts that look alike",
			})
		}
	}
	return found
}

func tokenRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./@", r)
}
