package claimkey

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// chunk adds what is read together: words of prose in lower case, identifiers as they are written.
func (s *scanner) chunk(text string, capitals bool) {
	bare := strings.TrimSuffix(text, "()")
	switch {
	case bare != text, strings.Contains(text, "://"), strings.HasPrefix(text, "-") && !signed(text):
		s.named(bare)
	case !hasDigit(text):
		s.lettered(text, capitals)
	default:
		s.numbered(text)
	}
}

// named adds an identifier whose case matters.
func (s *scanner) named(text string) {
	if strings.ToLower(text) != text {
		text = "`" + text + "`" // so that the normal form reads as itself
	}
	s.tokens = append(s.tokens, token{text: text, class: classIdentifier})
}

// lettered adds a chunk without digits: a name of code, or words that hyphens join.
func (s *scanner) lettered(text string, capitals bool) {
	lower := strings.ToLower(text)
	unit := units[text]
	switch {
	case unit != "" && len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].class == classNumber:
		s.tokens = append(s.tokens, token{text: unit, class: classNumber}) // bits and bytes differ in case only
	case lower == "node.js":
		s.tokens = append(s.tokens, token{text: "nodejs"})
	case strings.ContainsAny(text, "_@\\=>") || strings.Contains(text, "::"):
		s.named(text)
	case strings.Contains(text, ".") && !abbreviation(text):
		s.named(text)
	case strings.ContainsAny(text, "./:"):
		s.tokens = append(s.tokens, token{text: lower, class: classIdentifier})
	case text == "A" && len(s.tokens) > 0 && !capitals:
		s.tokens = append(s.tokens, token{text: "a", class: classIdentifier}) // a name, not the article
	default:
		for part := range strings.SplitSeq(lower, "-") {
			s.tokens = append(s.tokens, token{text: part})
		}
	}
}

// abbreviation reports whether dots stand between single letters, as in "U.S".
func abbreviation(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if utf8.RuneCountInString(part) > 1 {
			return false
		}
	}
	return true
}

// numbered adds a chunk with digits: a number, a number with its unit, a version, or a name such as p53. The case of
// a single letter behind a number matters (5m, 5M).
func (s *scanner) numbered(text string) {
	if version, ok := strings.CutPrefix(strings.ToLower(text), "v"); ok && numeric(version) {
		text = version
	}
	sign := ""
	if signed(text) {
		sign, text = strings.TrimPrefix(text[:1], "+"), text[1:]
		if sign == "" {
			sign = "+"
		}
	}
	if value := strings.ReplaceAll(text, ",", ""); numeric(value) {
		s.tokens = append(s.tokens, token{text: sign + value, class: classNumber})
		return
	}
	if value, unit := measured(text); unit != "" {
		s.tokens = append(s.tokens, token{text: sign + value, class: classNumber}, token{text: unit, class: classNumber})
		return
	}
	if strings.ContainsAny(text, "_@\\=>") || strings.Contains(text, "::") {
		s.named(sign + text)
		return
	}
	if value := strings.TrimRightFunc(text, unicode.IsLetter); utf8.RuneCountInString(text[len(value):]) == 1 && numeric(value) {
		s.named(sign + text)
		return
	}
	s.tokens = append(s.tokens, token{text: sign + strings.ToLower(text), class: classIdentifier})
}

// measured cuts a number from the unit behind it.
func measured(text string) (value, unit string) {
	at := strings.IndexFunc(text, unicode.IsLetter)
	if at <= 0 {
		return "", ""
	}
	value = strings.ReplaceAll(text[:at], ",", "")
	unit, known := units[text[at:]]
	if !known || !numeric(value) {
		return "", ""
	}
	return value, unit
}

// numeric reports whether a text is digits with dots or hyphens inside: a number, a version, a range, a date.
func numeric(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && text[0] >= '0' && text[0] <= '9' && r >= '0' && r <= '9' &&
		strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != '-' && r != ':' && r != '/' }) < 0
}

func hasDigit(text string) bool { return strings.IndexFunc(text, unicode.IsNumber) >= 0 }
