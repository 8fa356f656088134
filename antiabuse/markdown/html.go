package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// maxTagBytes bounds a tag that may stay: <details> and its like, nothing inside.
const maxTagBytes = 16

// plainTag is the length of the tag that a text begins with, if it is one of the few that may stay: they set or fold text
// and take no attribute here. It is 0 for all others.
func plainTag(s string) int {
	end := strings.IndexByte(s[:min(len(s), maxTagBytes)], '>')
	if end < 0 || s[0] != '<' {
		return 0
	}
	name := strings.TrimPrefix(s[1:end], "/")
	if len(name) == end-1 { // an opening tag
		name = strings.TrimRight(strings.TrimSuffix(name, "/"), " ")
	}
	switch strings.ToLower(name) {
	case "br", "sub", "sup", "kbd", "details", "summary":
		return end + 1
	}
	return 0
}

// opensTag reports whether a "<" at the beginning of s may begin a tag, a comment, a declaration or an instruction.
func opensTag(s string) bool {
	if len(s) < 2 || s[0] != '<' {
		return false
	}
	c := s[1]
	return c == '/' || c == '!' || c == '?' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// block deals with a block of HTML. One that begins with a tag that may stay is read as HTML until it ends: all others
// in it are escaped. A comment goes. All other blocks are closed by escaping what opens them.
func (v *view) block(n *ast.HTMLBlock) {
	if n.Lines().Len() == 0 {
		return
	}
	start := n.Lines().At(0).Start
	end := n.Lines().At(n.Lines().Len() - 1).Stop
	if n.HasClosure() {
		end = max(end, n.ClosureLine.Stop)
	}
	lead := strings.IndexByte(v.source[start:end], '<')
	if lead < 0 {
		return
	}
	start += lead
	opening := v.source[start:end]
	switch {
	case plainTag(opening) > 0:
		v.others(start, end)
	case strings.HasPrefix(opening, "<!--"):
		v.comment(start, end)
	default:
		v.openings = append(v.openings, edit{start: start, end: start + 1, with: "&lt;", rule: RuleHTML})
		v.followers(n)
	}
}

// others escapes all tags of a block but those that may stay.
func (v *view) others(start, end int) {
	for at := start; at < end; at++ {
		next := strings.IndexByte(v.source[at:end], '<')
		if next < 0 {
			return
		}
		at += next
		rest := v.source[at:end]
		switch {
		case strings.HasPrefix(rest, "<!--") && strings.Contains(rest[len("<!"):], "-->"):
			closing := at + len("<!") + strings.Index(rest[len("<!"):], "-->") + len("-->")
			v.edits = append(v.edits, edit{start: at, end: closing, rule: RuleComment, parts: true})
			at = closing - 1
		case opensTag(rest) && plainTag(rest) == 0:
			v.edits = append(v.edits, edit{start: at, end: at + 1, with: "&lt;", rule: RuleHTML})
		}
	}
}

// comment removes a comment that is a block, or opens it for all to see if it has no end.
func (v *view) comment(start, end int) {
	const opening = "<!"
	closing := strings.Index(v.source[start+len(opening):end], "-->")
	if closing < 0 {
		v.openings = append(v.openings, edit{start: start, end: start + 1, with: "&lt;", rule: RuleHTML})
		return
	}
	v.edits = append(v.edits, edit{start: start, end: start + len(opening) + closing + len("-->"), rule: RuleComment, parts: true})
}

// followers escapes what would open the next block of HTML at the beginning of a line of a block that is closed, so that
// many of them take one pass. Lines of code are not touched.
func (v *view) followers(n *ast.HTMLBlock) {
	fence := ""
	for i := 1; i < n.Lines().Len(); i++ {
		segment := n.Lines().At(i)
		line := strings.TrimLeft(v.source[segment.Start:segment.Stop], " ")
		marks := fenceOf(line)
		switch {
		case fence != "" && strings.HasPrefix(marks, fence):
			fence = ""
		case fence == "" && marks != "":
			fence = marks
		case fence == "" && opensTag(line) && plainTag(line) == 0:
			at := segment.Stop - len(line)
			v.openings = append(v.openings, edit{start: at, end: at + 1, with: "&lt;", rule: RuleHTML})
		}
	}
}

// fenceOf is the run of marks that opens or closes a block of code.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if run := len(line) - len(strings.TrimLeft(line, mark)); run >= 3 {
			return line[:run]
		}
	}
	return ""
}

// maxMarkerBytes bounds what is taken for a marker.
const maxMarkerBytes = 64

// isMarker reports whether a text begins with a name in angle brackets, be it in bars or after a slash.
func isMarker(s string) bool {
	s = s[:min(len(s), maxMarkerBytes)]
	end := strings.IndexByte(s, '>')
	if end < 0 {
		return false
	}
	name := s[1:end]
	if inner, ok := strings.CutPrefix(name, "|"); ok {
		return strings.HasSuffix(inner, "|")
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "/"), "/")
	for i := range len(name) {
		letter := name[i]|0x20 >= 'a' && name[i]|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789_-.:", rune(name[i]))) {
			return false
		}
	}
	return name != ""
}
