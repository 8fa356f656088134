package evidence

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	inert "interai/antiabuse/markdown"
	"interai/antiabuse/text"
)

// prose is text as it is stored: in its one normal form, without anything invisible.
func prose(in string) string {
	out, _ := text.Normalise(in)
	return out
}

// line is text of one line: as prose, with blanks folded and trimmed.
func line(in string) string {
	out, _ := text.Line(in)
	return out
}

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
func (p *problems) line(path, in string, most int) string {
	out, report := text.Line(in)
	p.note(path, report.Labels)
	return p.atMost(path, out, most)
}

// prose is a text with at most the given number of characters.
func (p *problems) prose(path, in string, most int) string {
	out, report := text.Normalise(in)
	p.note(path, report.Labels)
	return p.atMost(path, out, most)
}

func (p *problems) atMost(path, normal string, most int) string {
	if utf8.RuneCountInString(normal) > most {
		p.addf(path, "max", "must have at most %d characters after normalisation", most)
	}
	return normal
}

// markdown is a text whose markup is inert: what could be active in it is plain text by then.
func (p *problems) markdown(path, in string) string {
	out, report := text.Normalise(in)
	p.note(path, report.Labels)
	if err := inert.Check(out); err != nil {
		p.addf(path, "markdown", "%s", err)
		return out
	}
	made, err := inert.Defuse(out)
	var limit *inert.LimitError
	switch {
	case errors.As(err, &limit), errors.Is(err, inert.ErrActive):
		p.addf(path, "markdown", "%s", err)
		return out
	case err != nil:
		p.addf(path, "markdown", "cannot be made inert")
		return out
	}
	p.note(path, made.Labels)
	for _, change := range made.Changed {
		p.warn(path, change.Rule)
	}
	return made.Text
}

// note keeps what the normal form of a text has left out of it, or what stands out in it.
func (p *problems) note(path string, labels []string) {
	for _, label := range labels {
		if !slices.Contains(p.labels, label) {
			p.labels = append(p.labels, label)
		}
		p.warn(path, label)
	}
}

// warn tells the author once of each thing that was changed in a text.
func (p *problems) warn(path, what string) {
	warning := path + ": " + strings.ReplaceAll(what, "_", " ")
	if len(p.warnings) < maxWarnings && !slices.Contains(p.warnings, warning) {
		p.warnings = append(p.warnings, warning)
	}
}

// maxWarnings bounds what an answer says about changed texts.
const maxWarnings = 20
