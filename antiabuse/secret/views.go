package secret

import (
	"interai/antiabuse/finding"
	"interai/antiabuse/text"
)

// views scans a text as it is written, or without what is invisible in it when it is not plain ASCII; then with its
// pieces joined, with its escapes resolved, and decoded.
func (e *Engine) views(b *finding.Budget, given string, found *[]finding.Finding) {
	base, back := plainView(b, given)
	s := &scan{engine: e, budget: b, text: base, back: back, found: found, noHead: -1}
	if !s.run() || b.Full() {
		return
	}
	s.runs(base, back, false)
	s.dumps(base, back)
	if joined, joints, m := join(base); len(joints) > 0 && !b.Full() && !b.Exceeded() {
		b.Work += len(joined)
		through := under(back, m)
		j := &scan{engine: e, budget: b, text: joined, back: through, found: found, joints: joints, formal: true}
		if !j.run() {
			return
		}
		j.runs(joined, through, true)
	}
	current, through := base, back
	for range maxUnescaped {
		plain, m, decoded := unescape(current)
		if decoded == 0 || b.Full() || !b.Decode(decoded) {
			return
		}
		b.Work += len(plain)
		current, through = plain, under(through, m)
		u := &scan{engine: e, budget: b, text: current, back: through, found: found, noHead: -1}
		if !u.run() || b.Full() {
			return
		}
		u.runs(current, through, false)
	}
}

// maxUnescaped is how often escapes are resolved: JSON in JSON in a URL is no accident any more.
const maxUnescaped = 2

// plainView is the text as it is searched, and the way back from it.
func plainView(b *finding.Budget, given string) (string, func(int, int) (int, int)) {
	if text.ASCII(given) {
		return given, func(start, end int) (int, int) { return start, end }
	}
	normal, report := text.Normalise(given)
	compatible, m := text.Compatible(normal)
	b.Work += report.Work + len(normal)
	return compatible, func(start, end int) (int, int) {
		start, end = m.Span(start, end)
		return report.Map.Span(start, end)
	}
}

// under puts the way back of a view under that of a view of it.
func under(outer func(int, int) (int, int), m spans) func(int, int) (int, int) {
	return func(start, end int) (int, int) { return outer(m.span(start, end)) }
}
