package public

import (
	"regexp"
	"strings"
)

// codeOpen begins a block of code. It can be scrolled with the keyboard, for which it must be reachable.
const (
	codeOpen = `<pre tabindex="0"><code>`
	codeShut = "</code></pre>\n"
)

// fenceMark is the mark with which fenced code begins; the zero value is none.
type fenceMark struct {
	char   byte
	length int
	indent int
	// language is the first word behind the mark, where it is harmless.
	language string
}

var languageWord = regexp.MustCompile(`^[A-Za-z0-9+#.-]{1,30}$`)

// openFence reads the line with which fenced code begins.
func openFence(line string) (fenceMark, bool) {
	f := fenceMark{indent: indent(line)}
	text := strings.TrimLeft(line, " \t")
	if f.indent >= 4 || text == "" || text[0] != '`' && text[0] != '~' {
		return fenceMark{}, false
	}
	f.char = text[0]
	for f.length < len(text) && text[f.length] == f.char {
		f.length++
	}
	info := strings.TrimSpace(text[f.length:])
	if f.length < 3 || f.char == '`' && strings.Contains(info, "`") {
		return fenceMark{}, false
	}
	if word, _, _ := strings.Cut(info, " "); languageWord.MatchString(word) {
		f.language = word
	}
	return f, true
}

// closedBy reports whether a line ends the code.
func (f fenceMark) closedBy(line string) bool {
	text := strings.TrimSpace(line)
	return indent(line) < 4 && len(text) >= f.length && strings.Trim(text, string(f.char)) == ""
}

func (m *markdown) fencedCode(out *strings.Builder, lines []string, fence fenceMark) int {
	n := 1
	for n < len(lines) && !fence.closedBy(lines[n]) {
		n++
	}
	code := make([]string, 0, n)
	for _, line := range lines[1:n] {
		code = append(code, outdent(line, fence.indent))
	}
	open := codeOpen
	if fence.language != "" {
		open = `<pre tabindex="0" data-language="` + escape(fence.language) + `"><code>`
	}
	m.element(out, open, codeShut, func() { m.put(out, escape(joinCode(code))) })
	return min(n+1, len(lines))
}

func (m *markdown) indentedCode(out *strings.Builder, lines []string) int {
	n, last := 0, 0
	for ; n < len(lines) && (blank(lines[n]) || indent(lines[n]) >= 4); n++ {
		if !blank(lines[n]) {
			last = n + 1
		}
	}
	code := make([]string, 0, last)
	for _, line := range lines[:last] {
		code = append(code, outdent(line, 4))
	}
	m.element(out, codeOpen, codeShut, func() { m.put(out, escape(joinCode(code))) })
	return last
}

func joinCode(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
