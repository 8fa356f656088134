package text

import (
	"slices"
	"sort"
)

// anchor says that from the offset out of the edited text on, bytes are those from the offset in of the source. A whole
// anchor stands for a piece that was rewritten: it has no inner correspondence.
type anchor struct {
	out, in int
	whole   bool
}

// Map leads from offsets of an edited text to those of its source. The zero Map is that of a text that was not edited.
type Map struct {
	layers [][]anchor // the first edit first
}

// add puts an edit of the already edited text on top.
func (m *Map) add(anchors []anchor) {
	if len(anchors) > 0 {
		m.layers = append(m.layers, anchors)
	}
}

// Span is the range of the source from which the range [start, end) of the edited text came.
func (m *Map) Span(start, end int) (int, int) {
	for _, v := range slices.Backward(m.layers) {
		start, end = back(v, start, false), back(v, end, true)
	}
	return start, max(start, end)
}

// back leads one offset through one layer. The end of a range follows the byte before it, so that a range never takes
// in what was deleted behind it.
func back(anchors []anchor, offset int, end bool) int {
	i := sort.Search(len(anchors), func(i int) bool {
		if end {
			return anchors[i].out >= offset
		}
		return anchors[i].out > offset
	}) - 1
	if i < 0 {
		return offset
	}
	a := anchors[i]
	last := i+1 == len(anchors)
	switch {
	case a.whole && end && !last:
		return anchors[i+1].in
	case a.whole:
		return a.in
	case last:
		return a.in + offset - a.out
	default:
		return min(a.in+offset-a.out, anchors[i+1].in)
	}
}

// editor makes an edited copy of a text with the way back. It copies nothing before the first edit.
type editor struct {
	src     string
	out     []byte
	copied  int // src up to here is in out, or was left out
	anchors []anchor
}

// replace puts with in the place of src[start:end]. Calls come in the order of the text.
func (e *editor) replace(start, end int, with string) {
	if e.out == nil {
		e.out = make([]byte, 0, len(e.src)+len(with))
	}
	e.out = append(e.out, e.src[e.copied:start]...)
	if with != "" {
		e.anchors = append(e.anchors, anchor{out: len(e.out), in: start, whole: true})
		e.out = append(e.out, with...)
	}
	if n := len(e.anchors); with == "" && n > 0 && e.anchors[n-1].out == len(e.out) {
		e.anchors[n-1].in = end // one anchor for neighbouring deletions
	} else {
		e.anchors = append(e.anchors, anchor{out: len(e.out), in: end})
	}
	e.copied = end
}

// finish returns the edited text and puts the way back into m.
func (e *editor) finish(m *Map) string {
	if e.out == nil {
		return e.src
	}
	e.out = append(e.out, e.src[e.copied:]...)
	m.add(e.anchors)
	return string(e.out)
}
