package ops

import (
	"strconv"
	"strings"
	"unicode"
)

// maxProblems bounds Details.Problems: enough to repair any honest input at once.
const maxProblems = 50

// maxSegmentBytes bounds one path segment, since the name of an unknown field is
// the caller's text.
const maxSegmentBytes = 64

// problems collects violations and knows the place that is being looked at.
type problems struct {
	list []Problem
	path []string
	// clean masks names that the caller made up; nil when nothing does.
	clean func(string) string
}

// push enters an object member.
func (p *problems) push(name string) { p.path = append(p.path, name) }

// pushIndex enters a list item.
func (p *problems) pushIndex(i int) { p.path = append(p.path, strconv.Itoa(i)) }

// pop leaves the member or item entered last.
func (p *problems) pop() { p.path = p.path[:len(p.path)-1] }

// full reports whether no further problem would be kept.
func (p *problems) full() bool { return len(p.list) >= maxProblems }

// add records a problem at the current place.
func (p *problems) add(rule, message string) {
	if p.full() {
		return
	}
	p.list = append(p.list, Problem{Path: p.pointer(), Rule: rule, Message: message})
}

// pointer is the JSON pointer of the current place.
func (p *problems) pointer() string {
	var b strings.Builder
	for _, name := range p.path {
		if p.clean != nil { // before it is cut: what is left of a secret is not known again
			name = p.clean(name)
		}
		b.WriteString("/" + pointerSegment(name))
	}
	return b.String()
}

// covers reports whether a recorded problem lies at path, above it or below it.
func (p *problems) covers(path string) bool {
	for _, q := range p.list {
		if q.Path == path || q.Path == "" || strings.HasPrefix(path, q.Path+"/") || strings.HasPrefix(q.Path, path+"/") {
			return true
		}
	}
	return false
}

// pointerSegment escapes a name for a JSON pointer and bounds it.
func pointerSegment(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if len(name) > maxSegmentBytes {
		name = cutAtRune(name, maxSegmentBytes) + "…"
	}
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, name)
	return escapeSegment(name)
}

// escapeSegment escapes a name for a JSON pointer (RFC 6901).
func escapeSegment(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
