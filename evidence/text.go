package evidence

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// prose is text as it is stored: NFC, one kind of line end, no control characters but tab and line feed.
func prose(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text))
}

// line is text of one line: as prose, with blanks folded and trimmed.
func line(text string) string { return strings.Join(strings.Fields(prose(text)), " ") }
