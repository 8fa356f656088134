// Package text owns the one normal form in which texts are stored, compared and scanned: what is invisible is deleted,
// what could deceive a reader or a terminal too, and the rest is NFC. It also folds texts for comparison and finds
// words that mix scripts. It knows nothing of Markdown and stores nothing.
//
// Start reading at [Normalise].
package text

import (
	"slices"
	"unicode/utf8"

	"interai/antiabuse/finding"
)

// Labels that a report can carry: what was taken out of a text, or stands out in it.
const (
	HiddenTextRemoved = "hidden_text_removed"
	BidiRemoved       = "bidi_removed"
	ControlsRemoved   = "control_characters_removed"
	TooManyMarks      = "too_many_marks"
	UnusualCharacters = "unusual_characters"
	Homoglyph         = "homoglyph"
)

// Rules of the findings that a report can carry: constructs without an innocent origin.
const (
	RuleTags      = "unicode_tags"
	RuleSelectors = "variation_selectors"
	RuleInvalid   = "invalid_utf8"
	RuleNUL       = "nul_byte"
)

// maxReported bounds the findings of one report; one is enough to refuse a text.
const maxReported = 16

// Report says what Normalise did to a text.
type Report struct {
	// Labels are sorted and unique.
	Labels []string
	// Findings are what the text must be refused for. Offsets are those of the text as it was given.
	Findings []finding.Finding
	// Map leads from the normal form back to the text as it was given.
	Map Map
	// Work counts bytes looked at: tests hold it to be linear in the input.
	Work int
}

func (r *Report) label(name string) {
	if !slices.Contains(r.Labels, name) {
		r.Labels = append(r.Labels, name)
	}
}

func (r *Report) refuse(rule string, start, end int, hint string) {
	if len(r.Findings) < maxReported {
		r.Findings = append(r.Findings, finding.Finding{
			Rule: rule, Kind: finding.Disallowed, Action: finding.Reject, Start: start, End: end, Hint: hint,
		})
	}
}

// Normalise returns the normal form of s, which is valid UTF-8 in NFC and has no invisible characters, and what was
// done. A text of printable ASCII comes back as it is. Normalise(Normalise(s)) is Normalise(s).
func Normalise(s string) (string, Report) {
	plain := plainPrefix(s)
	if plain == len(s) {
		return s, Report{Work: plain}
	}
	return normalise(s, plain)
}

// normalise handles a text whose first plain bytes are plain.
func normalise(s string, plain int) (string, Report) {
	report := Report{Work: plain}
	f := filter{editor: editor{src: s}, report: &report}
	f.run(plain)
	out := f.finish(&report.Map)
	out = compose(out, &report)
	slices.Sort(report.Labels)
	return out, report
}

// plainPrefix is the length of the printable ASCII, tabs and line feeds at the start of s. A text that is nothing else
// needs no work.
func plainPrefix(s string) int {
	for i := range len(s) {
		if c := s[i]; c >= 0x7F || c < ' ' && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(s)
}

// ASCII reports whether s has no byte above 0x7F.
func ASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
