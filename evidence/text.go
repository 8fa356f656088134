package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// lineEnds are the many ways to end a line.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// prose is text as it is stored: NFC, one kind of line end, no control characters but tab and line feed.
func prose(text string) string {
	if isPlain(text) {
		return text
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, lineEnds.Replace(text)))
}

// isPlain reports whether a text is printable ASCII, tabs and line feeds: its own normal form.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// line is text of one line: as prose, with blanks folded and trimmed.
func line(text string) string { return strings.Join(strings.Fields(prose(text)), " ") }

// visible reports whether a text has a character that a reader sees: no blank, no format character, none that is
// ignored where it cannot be shown (Unicode's Default_Ignorable_Code_Point).
func visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		const blankBraille = '\u2800'
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != blankBraille &&
			!unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	})
}

// Longest texts, in characters of their normal form: normalisation may make three characters of one, so the bounds
// of the schemas are held again behind it.
const (
	maxTitle      = 300
	maxSummary    = 300
	maxChangeNote = 2000
	maxName       = 200
	maxClaim      = 1000
	maxTag        = 60
	maxUsageType  = 60
	maxUsageNote  = 4000
	maxRationale  = 8000
)

// line is a text of one line with at most the given number of characters.
func (p *problems) line(path, text string, most int) string {
	return p.atMost(path, line(text), most)
}

// prose is a text with at most the given number of characters.
func (p *problems) prose(path, text string, most int) string {
	return p.atMost(path, prose(text), most)
}

func (p *problems) atMost(path, normal string, most int) string {
	if utf8.RuneCountInString(normal) > most {
		p.addf(path, "max", "must have at most %d characters after normalisation", most)
	}
	return normal
}
