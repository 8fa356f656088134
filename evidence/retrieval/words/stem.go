package words

import (
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// English is the subtag of the language that technical text is mostly written in.
const English = "en"

// Undetermined is the subtag of a text whose language nobody has said (BCP 47).
const Undetermined = "und"

// stemmers are Snowball's, by primary subtag.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"ar": arabic.Stem, "da": danish.Stem, "de": german.Stem, English: english.Stem, "es": spanish.Stem,
	"fi": finnish.Stem, "fr": french.Stem, "ga": irish.Stem, "hu": hungarian.Stem, "it": italian.Stem,
	"nb": norwegian.Stem, "nl": dutch.Stem, "nn": norwegian.Stem, "no": norwegian.Stem, "pt": portuguese.Stem,
	"ro": romanian.Stem, "ru": russian.Stem, "sv": swedish.Stem, "ta": tamil.Stem, "tr": turkish.Stem,
}

// maxStemmed is the length in bytes above which a run of letters is no word of any language that has a stemmer.
const maxStemmed = 64

// Base is the primary subtag of a language tag in lower case, Undetermined if there is none.
func Base(tag string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	if base == "" {
		return Undetermined
	}
	return strings.ToLower(base)
}

// Known reports whether words of a language, a primary subtag, can be stemmed.
func Known(language string) bool { return stemmers[language] != nil }

// Stem is the stem of a word in lower case. A word of another language, and what is no word at all, is its own stem.
func Stem(language, word string) string {
	stem := stemmers[language]
	if stem == nil || len(word) > maxStemmed || !letters(word) {
		return word
	}
	env := snowballstem.NewEnv(word)
	stem(env)
	if stemmed := env.Current(); stemmed != "" {
		return stemmed
	}
	return word
}

// letters reports whether a word is written in letters and apostrophes only.
func letters(word string) bool {
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' {
			return false
		}
	}
	return word != ""
}
