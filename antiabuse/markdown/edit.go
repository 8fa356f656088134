package markdown

import (
	"cmp"
	"slices"
	"strings"
)

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	with       string
	rule       string
	// parts says that what stands to the left and right must not grow together.
	parts bool
}

// apply makes all edits that do not overlap, from left to right, and counts them by their rules. One inside of another
// is left for the next pass.
func apply(text string, edits []edit, changed map[string]int) string {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	var out strings.Builder
	out.Grow(len(text) + 4*len(edits))
	done := 0
	for _, e := range edits {
		if e.start < done || e.end > len(text) || e.start >= e.end {
			continue
		}
		out.WriteString(text[done:e.start])
		if e.parts {
			e.with = apart(text, e)
		}
		out.WriteString(e.with)
		changed[e.rule]++
		done = e.end
	}
	out.WriteString(text[done:])
	return out.String()
}

// apart pads a replacement with a blank wherever it would join two characters that were apart.
func apart(text string, e edit) string {
	before := e.start > 0 && !isBlank(text[e.start-1])
	after := e.end < len(text) && !isBlank(text[e.end])
	if e.with == "" {
		if before && after {
			return " "
		}
		return ""
	}
	with := e.with
	if before && text[e.start-1] != '[' {
		with = " " + with
	}
	if after && text[e.end] != ']' {
		with += " "
	}
	return with
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// openBracket is how a bracket at a place is escaped. A backslash before it, be it at the end of the line before, would
// make the backslash of an escape its object.
func openBracket(text string, at int) string {
	if strings.HasSuffix(strings.TrimRight(text[max(0, at-maxBlanks):at], " \t\r\n>"), `\`) {
		return "&#91;"
	}
	return `\[`
}

// maxBlanks is how far openBracket looks back.
const maxBlanks = 64
