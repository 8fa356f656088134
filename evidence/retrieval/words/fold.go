package words

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// punctuation folds the many forms of quotes and hyphens into one of each. A long dash between two clauses is not a
// hyphen and stays: it must never tie two words together.
var punctuation = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "‛", "'", "`", "'", "´", "'", "ʼ", "'", "′", "'",
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "″", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "−", "-", "﹣", "-",
)

// Fold answers the text in compatibility form (NFKC) with one form of each quote and hyphen, without characters that
// nobody sees. Case stays: it shows where an identifier has its parts. Bytes that are no UTF-8 are dropped.
func Fold(text string) string {
	if plain(text) {
		return text
	}
	text = norm.NFKC.String(strings.ToValidUTF8(text, " "))
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
	return norm.NFKC.String(punctuation.Replace(text))
}

// plain reports whether there is nothing to fold: most technical text is ASCII, and the check costs little.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 || text[i] == '`' {
			return false
		}
	}
	return true
}
