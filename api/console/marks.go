package console

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"interai/store"
)

// textView is one text of a case by its path, in segments.
type textView struct {
	Path     string
	Segments []segment
}

// marks is how many findings stand in the text.
func (v *textView) marks() int {
	n := 0
	for _, segment := range v.Segments {
		n += min(segment.No, 1)
	}
	return n
}

// segment is a part of a text; No is the number of the finding that stands there, 0 for none.
type segment struct {
	Text, Rule string
	No         int
}

// maskSign is what stands in a masked text in place of a value.
var maskSign = regexp.MustCompile(`\[([a-z_]{1,40}):([a-z0-9_]{1,80})\]`)

// maxMarks bounds the marks of one text.
const maxMarks = 500

// marked are masked texts with the places of findings: where a value was replaced, its sign; in a text that nothing was
// replaced in, the place itself.
func marked(texts []store.MaskedText, findings []store.CaseFinding) []textView {
	out := make([]textView, 0, len(texts))
	for _, text := range texts {
		view := textView{Path: visible(text.Path)}
		at := numbersAt(text.Path, findings)
		if blocked := slices.ContainsFunc(at, func(no int) bool { return isMasked(&findings[no-1]) }); blocked {
			view.Segments = bySigns(text.Text, at, findings)
		} else {
			view.Segments = byPlaces(text.Text, at, findings)
		}
		out = append(out, view)
	}
	return out
}

// isMasked reports whether a case has a sign in place of a finding's value: whatever the finding is about what a value is,
// and not about what a text says.
func isMasked(f *store.CaseFinding) bool {
	return blocks(f) || f.Action == "flag" && f.Kind != "disallowed"
}

func blocks(f *store.CaseFinding) bool { return f.Action == "reject" || f.Action == "redact" }

// numbersAt are the numbers, from 1, of the findings at a path, in the order of their places.
func numbersAt(path string, findings []store.CaseFinding) []int {
	var out []int
	for i := range findings {
		if findings[i].Path == path {
			out = append(out, i+1)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := &findings[a-1], &findings[b-1]
		return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
	})
	return out
}

// bySigns marks the signs of masked values. Each is that of the next finding of its rule; findings that overlap have one
// sign together.
func bySigns(text string, at []int, findings []store.CaseFinding) []segment {
	var out []segment
	end := 0
	for _, m := range maskSign.FindAllStringSubmatchIndex(text, maxMarks) {
		rule := text[m[4]:m[5]]
		i := slices.IndexFunc(at, func(no int) bool { return findings[no-1].Rule == rule && isMasked(&findings[no-1]) })
		if i < 0 {
			continue
		}
		out = plain(out, text[end:m[0]])
		out = append(out, segment{Text: text[m[0]:m[1]], Rule: rule, No: at[i]})
		at, end = slices.Delete(slices.Clone(at), i, i+1), m[1]
	}
	return plain(out, text[end:])
}

// byPlaces marks findings by their lines and columns, in a text that is as it was sent.
func byPlaces(text string, at []int, findings []store.CaseFinding) []segment {
	var out []segment
	end := 0
	for i, no := range at {
		f := &findings[no-1]
		start, stop, ok := place(text, f)
		if !ok || start < end || i >= maxMarks {
			continue
		}
		out = plain(out, text[end:start])
		out = append(out, segment{Text: visible(text[start:stop]), Rule: f.Rule, No: no})
		end = stop
	}
	return plain(out, text[end:])
}

// place is where a finding stands, as byte offsets; lines and columns are in characters from 1.
func place(text string, f *store.CaseFinding) (start, end int, ok bool) {
	for line := f.Line; line > 1; line-- {
		next := strings.IndexByte(text[start:], '\n')
		if next < 0 {
			return 0, 0, false
		}
		start += next + 1
	}
	start, ok = forward(text, start, f.Column-1)
	if !ok {
		return 0, 0, false
	}
	end, ok = forward(text, start, f.Length)
	return start, end, ok && end > start
}

// forward is the offset some characters on.
func forward(text string, at, characters int) (int, bool) {
	for ; characters > 0; characters-- {
		if at >= len(text) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at, true
}

func plain(out []segment, text string) []segment {
	if text == "" {
		return out
	}
	return append(out, segment{Text: visible(text)})
}
