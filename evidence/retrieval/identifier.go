package retrieval

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"interai/evidence/retrieval/words"
)

// name is an identifier that has parts, or that must not be taken apart: the forms in which it is looked up.
type name struct {
	// whole is the identifier as it is written, in lower case.
	whole string
	// others are further forms: joined without connectors, or a version without its last number.
	others []string
	// prose says that hyphens or slashes join words of a language, as in population-based.
	prose bool
}

// reading is what a token says.
type reading struct {
	names []name
	// words are the parts in lower case, from left to right. A plain word has no name and one part.
	words []string
	// exact is set where the parts are no words of a language: nothing is stemmed.
	exact bool
	// apart is set where each part is a word with a place of its own (bigrams).
	apart bool
}

const (
	// maxJoined is the number of parts above which nobody writes the parts without a connector.
	maxJoined = 4
	// maxParts bounds what one token can become.
	maxParts = 32
	// shortName is the length in letters up to which "c++" and "c#" mean nothing without the mark.
	shortName = 2
)

// read takes a token apart.
func (t token) read() reading {
	switch {
	case t.run:
		return reading{words: bigrams(t.text), exact: true, apart: true}
	case t.tail != "" && len(t.text) <= shortName:
		return reading{names: []name{{whole: strings.ToLower(t.text) + t.tail}}, exact: true}
	}
	if versions := version(strings.ToLower(t.text)); versions != nil {
		return reading{names: []name{{whole: versions[0], others: versions[1:]}}, exact: true}
	}
	text := strings.ReplaceAll(t.text, ",", "")
	if word, ok := contraction(strings.ToLower(text)); ok {
		return reading{words: []string{word}}
	}
	return t.compound(text)
}

// compound takes an identifier apart at its connectors, and each segment of it where its writing has a joint.
func (t token) compound(text string) reading {
	var r reading
	segments := split(text)
	var inner []name
	for _, segment := range segments {
		parts := joints(segment)
		if len(parts) > 1 && len(segments) > 1 {
			inner = append(inner, named(strings.ToLower(strings.Trim(segment, "_")), parts))
		}
		r.words = append(r.words, parts...)
	}
	if len(r.words) == 0 {
		return reading{} // nothing but underscores
	}
	whole := strings.ToLower(text)
	if trimmed := strings.Trim(whole, "_"); !dunder(whole) {
		whole = trimmed
	}
	if t.lead != "" || t.tail != "" {
		r.names = append(r.names, name{whole: t.lead + whole + t.tail})
	}
	if len(r.words) > 1 || len(r.words) == 1 && r.words[0] != whole {
		r.names = append(r.names, named(whole, r.words))
	}
	if prose := t.lead == "" && hyphenated(text, len(r.words)); prose {
		for i := range r.names {
			r.names[i].prose = true
		}
	}
	r.names = append(r.names, inner...)
	if len(r.words) > maxParts {
		r.words = r.words[:maxParts]
	}
	return r
}

// hyphenated reports whether nothing but hyphens, slashes and apostrophes makes the parts of a text.
func hyphenated(text string, parts int) bool {
	segments := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '/' || r == '\'' })
	return len(segments) == parts && len(segments) > 1
}

// named is an identifier with its joined form, by which all writings of it meet: user_name, userName, user-name.
func named(whole string, parts []string) name {
	n := name{whole: whole}
	if len(parts) <= maxJoined {
		joined := strings.Join(parts, "")
		for _, form := range []string{joined, words.Stem(words.English, joined)} {
			if form != whole && !slices.Contains(n.others, form) {
				n.others = append(n.others, form)
			}
		}
	}
	return n
}

// split cuts an identifier at its connectors.
func split(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !wordly(r) })
}

// joints cuts a segment in lower-case parts where its writing changes: at underscores, before a capital, before the
// last capital of an acronym, between letters and digits.
func joints(segment string) []string {
	var parts []string
	for run := range strings.SplitSeq(segment, "_") {
		characters := []rune(run)
		start := 0
		for i := 1; i < len(characters); i++ {
			if joint(characters, start, i) {
				parts = append(parts, strings.ToLower(string(characters[start:i])))
				start = i
			}
		}
		if start < len(characters) {
			parts = append(parts, strings.ToLower(string(characters[start:])))
		}
	}
	return parts
}

// joint reports whether a part that began at start ends before i. What would stand alone as a single letter is no
// part: iOS, mTLS, IPv6, p53.
func joint(characters []rune, start, i int) bool {
	before, at := characters[i-1], characters[i]
	if i-start < 2 {
		return false
	}
	switch {
	case unicode.IsLower(before) && unicode.IsUpper(at):
		return true
	case unicode.IsUpper(before) && unicode.IsUpper(at):
		return capitalised(characters[i+1:])
	case unicode.IsDigit(before) != unicode.IsDigit(at):
		return alike(characters[start:i], before) && i+1 < len(characters) && unicode.IsDigit(at) == unicode.IsDigit(characters[i+1])
	}
	return false
}

// capitalised reports whether what follows a capital makes it the first letter of a word, as in HTTPServer; the
// plural of an acronym, as in APIs, does not.
func capitalised(rest []rune) bool {
	lower := 0
	for lower < len(rest) && unicode.IsLower(rest[lower]) {
		lower++
	}
	return lower >= 2 || lower == 1 && len(rest) > 1 && unicode.IsUpper(rest[1])
}

// alike reports whether the last two characters of a part are of the class of the last.
func alike(part []rune, last rune) bool {
	return len(part) >= 2 && unicode.IsDigit(part[len(part)-2]) == unicode.IsDigit(last)
}

// dunder reports whether an identifier is one of Python's special names, such as __init__.
func dunder(text string) bool {
	return len(text) > 4 && strings.HasPrefix(text, "__") && strings.HasSuffix(text, "__")
}

// version answers the forms of a version or a decimal: as written without "v", without what follows the numbers, and
// the first two numbers. It is nil for anything else.
func version(text string) []string {
	numbered, ok := strings.CutPrefix(text, "v")
	if numbered == "" || numbered[0] < '0' || numbered[0] > '9' {
		return nil
	}
	end := length(numbered, func(r rune) bool { return r >= '0' && r <= '9' || r == '.' })
	numbers := strings.Split(strings.TrimRight(numbered[:end], "."), ".")
	if len(numbers) < 2 && (!ok || end < len(numbered)) {
		return nil
	}
	if rest := numbered[end:]; rest != "" && rest[0] != '-' {
		return nil
	}
	forms := []string{numbered}
	for _, form := range []string{strings.Join(numbers, "."), strings.Join(numbers[:min(2, len(numbers))], ".")} {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// contraction answers a word that English writes with an apostrophe: the owner without "'s", or the word as it is.
func contraction(text string) (string, bool) {
	head, tail, ok := strings.Cut(text, "'")
	if !ok || length(head, unicode.IsLetter) != len(head) {
		return "", false
	}
	switch tail {
	case "s":
		return head, true
	case "t", "re", "ve", "ll", "d", "m":
		return text, true
	}
	return "", false
}

// bigrams cuts a run of a script without blanks in pairs of neighbouring characters.
func bigrams(run string) []string {
	characters := clusters(strings.ToLower(run))
	if len(characters) == 1 {
		return characters
	}
	pairs := make([]string, 0, len(characters))
	for i := 1; i < len(characters); i++ {
		pairs = append(pairs, characters[i-1]+characters[i])
	}
	return pairs
}

// clusters are the characters of a text with the marks that belong to them.
func clusters(text string) []string {
	var out []string
	for text != "" {
		_, size := utf8.DecodeRuneInString(text)
		size += length(text[size:], unicode.IsMark)
		out, text = append(out, text[:size]), text[size:]
	}
	return out
}
