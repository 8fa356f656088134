package text

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// compose brings s to NFC. Composition can leave more marks on a base than there were, so they are counted once more.
func compose(s string, report *Report) string {
	report.Work += len(s)
	done := norm.NFC.QuickSpanString(s)
	if done == len(s) {
		return s
	}
	report.Work += len(s)
	return cutMarks(rewrite(norm.NFC, s, done, &report.Map), report)
}

// rewrite brings s to a form, piece by piece, so that the way back is known. The first done bytes are in it already.
func rewrite(form norm.Form, s string, done int, m *Map) string {
	e := editor{src: s}
	for i := done; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			i++ // plain ASCII is in every form
			continue
		}
		end := i + form.NextBoundaryInString(s[i:], true)
		if piece := s[i:end]; !form.IsNormalString(piece) {
			e.replace(i, end, form.String(piece))
		}
		i = end
	}
	return e.finish(m)
}

func cutMarks(s string, report *Report) string {
	e := editor{src: s}
	marks := 0
	for i, r := range s {
		switch k := class(r); {
		case r < utf8.RuneSelf:
			marks = 0
		case k == mark:
			marks++
			if marks > maxMarks {
				report.label(TooManyMarks)
				e.replace(i, i+utf8.RuneLen(r), "")
			}
		case k != selector && k != joiner && k != bidiControl:
			marks = 0
		}
	}
	return e.finish(&report.Map)
}
