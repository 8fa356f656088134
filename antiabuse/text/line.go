package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Line is the normal form of a text that is one line, such as a title or a tag: trimmed, every run of blanks and line
// ends one space, and no controls at all.
func Line(s string) (string, Report) {
	out, report := Normalise(s)
	if lineLike(out) {
		return out, report
	}
	var b strings.Builder
	b.Grow(len(out))
	for _, r := range out {
		switch {
		case unicode.IsSpace(r):
			if b.Len() > 0 && b.String()[b.Len()-1] != ' ' {
				b.WriteByte(' ')
			}
		case class(r) == bidiControl:
			report.label(BidiRemoved)
		default:
			b.WriteRune(r)
		}
	}
	report.Map = Map{} // a line is stored whole; nothing points into it
	line, again := Normalise(strings.TrimRight(b.String(), " "))
	for _, label := range again.Labels {
		report.label(label)
	}
	return line, report
}

// lineLike reports whether s is a trimmed line of printable ASCII with single spaces.
func lineLike(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7F || s[i] == ' ' && (i == 0 || i+1 == len(s) || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// Fold is the form in which texts are compared, never stored: compatibility characters as their plain ones, and
// case folded.
func Fold(s string) string {
	if folded(s) {
		return s
	}
	if ASCII(s) {
		return strings.ToLower(s)
	}
	// Folding can undo the normal form and the other way round; twice is stable (Unicode, D145).
	fold := cases.Fold()
	return norm.NFKC.String(fold.String(norm.NFKC.String(fold.String(norm.NFD.String(s)))))
}

func folded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 'A' && c <= 'Z' || c >= 0x80 {
			return false
		}
	}
	return true
}

// Compatible is s with compatibility characters, such as full-width letters, as their plain ones, and the way back. It
// is a view to search in.
func Compatible(s string) (string, Map) {
	var m Map
	done := norm.NFKC.QuickSpanString(s)
	if done == len(s) {
		return s, m
	}
	out := rewrite(norm.NFKC, s, done, &m)
	return out, m
}
