// Package claimkey owns when two wordings are the same claim. It is pure, and it errs on the side of two claims:
// a wrong merge moves evidence to a statement nobody made.
package claimkey

import (
	"crypto/sha256"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Version names the rules below; a key is only compared with keys of the same version.
const Version = 1

// Key is the SHA-256 of a normal form.
type Key [32]byte

// Of answers the normal form of a claim's text, and its key. Equal keys mean the same statement about the same
// subject in the same language; the caller compares those.
func Of(text string) (normalForm string, key Key) {
	normalForm = Normalise(text)
	return normalForm, sha256.Sum256([]byte(normalForm))
}

// punctuation folds the many forms of quotes and dashes into one of each.
var punctuation = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "‛", "'", "`", "'", "´", "'",
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "−", "-",
)

// Normalise folds what never changes a statement: compatibility forms (NFKC), case, blanks, invisible characters,
// the forms of quotes and dashes, and the full stop at the end. Words, numbers and negations stay.
func Normalise(text string) string {
	text = norm.NFKC.String(text)
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	text = strings.Join(strings.Fields(punctuation.Replace(text)), " ")
	// Folding may open further compatibility forms; once more makes the function idempotent.
	text = norm.NFKC.String(text)
	return strings.TrimRight(text, ". ")
}

// minSelfContained is how many words a statement needs to say by itself what it is about.
const minSelfContained = 4

// SelfContained reports whether a normal form needs no subject beside it: at least four words, and none that points
// at something unnamed in front.
func SelfContained(normalForm string) bool {
	words := strings.Fields(normalForm)
	if len(words) < minSelfContained {
		return false
	}
	switch strings.Trim(words[0], `"',;:!?`) {
	case "it", "its", "this", "that", "these", "those", "they", "their", "we", "our":
		return false
	}
	return true
}
