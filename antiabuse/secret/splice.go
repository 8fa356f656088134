package secret

import "sort"

// spans lead from offsets of an edited text back to those of its source.
type spans []cut

// cut says that from out on the text is that of the source from in on; a whole cut stands for one decoded piece.
type cut struct {
	out, in int
	whole   bool
}

func (m spans) span(start, end int) (int, int) {
	from := m.at(start)
	if end <= start {
		return from, from
	}
	i := sort.Search(len(m), func(i int) bool { return m[i].out >= end }) - 1
	if i < 0 {
		return from, end
	}
	to := m[i].in + end - m[i].out
	if i+1 < len(m) && (m[i].whole || to > m[i+1].in) {
		to = m[i+1].in
	}
	return from, max(from, to)
}

func (m spans) at(offset int) int {
	i := sort.Search(len(m), func(i int) bool { return m[i].out > offset }) - 1
	switch {
	case i < 0:
		return offset
	case m[i].whole:
		return m[i].in
	default:
		return m[i].in + offset - m[i].out
	}
}

// splicer makes an edited copy of a text.
type splicer struct {
	src    string
	out    []byte
	copied int
	cuts   spans
}

// replace puts with in the place of src[start:end]; calls come in the order of the text.
func (e *splicer) replace(start, end int, with string) {
	if e.out == nil {
		e.out = make([]byte, 0, len(e.src))
	}
	e.out = append(e.out, e.src[e.copied:start]...)
	if with != "" {
		e.cuts = append(e.cuts, cut{out: len(e.out), in: start, whole: true})
		e.out = append(e.out, with...)
	}
	e.cuts = append(e.cuts, cut{out: len(e.out), in: end})
	e.copied = end
}

func (e *splicer) finish() string {
	if e.out == nil {
		return e.src
	}
	return string(append(e.out, e.src[e.copied:]...))
}
