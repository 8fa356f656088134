package public

import (
	"fmt"
	"strings"
)

// blocks renders lines as a sequence of blocks.
func (m *markdown) blocks(out *strings.Builder, lines []string, depth int) {
	for i := 0; i < len(lines) && !m.cut; {
		line := lines[i]
		switch {
		case blank(line):
			i++
		case indent(line) >= 4:
			i += m.indentedCode(out, lines[i:])
		default:
			i += m.block(out, lines[i:], depth)
		}
	}
}

// block renders the block that begins at the first of lines, which is not blank and not indented, and answers how many
// lines it has taken.
func (m *markdown) block(out *strings.Builder, lines []string, depth int) int {
	line := lines[0]
	if fence, ok := openFence(line); ok {
		return m.fencedCode(out, lines, fence)
	}
	if level, text, ok := heading(line); ok {
		m.heading(out, level, text)
		return 1
	}
	if rule(line) {
		m.put(out, "<hr>\n")
		return 1
	}
	if depth < maxNesting {
		if quoted(line) {
			return m.quote(out, lines, depth)
		}
		if _, ok := listMarker(line); ok {
			return m.list(out, lines, depth)
		}
	}
	if n := m.table(out, lines); n > 0 {
		return n
	}
	return m.paragraph(out, lines, depth)
}

// interrupts reports whether a line ends a paragraph before it.
func interrupts(line string, depth int) bool {
	if blank(line) || rule(line) {
		return true
	}
	if _, ok := openFence(line); ok {
		return true
	}
	if _, _, ok := heading(line); ok {
		return true
	}
	if depth >= maxNesting {
		return false
	}
	marker, ok := listMarker(line)
	return quoted(line) || ok && (!marker.ordered || marker.start == 1) && !blank(line[marker.width:])
}

func (m *markdown) paragraph(out *strings.Builder, lines []string, depth int) int {
	n := 1
	level := 0
	for n < len(lines) {
		if level = underline(lines[n]); level > 0 || interrupts(lines[n], depth) {
			break
		}
		n++
	}
	text := make([]string, n)
	for i := range n {
		text[i] = strings.TrimLeft(lines[i], " \t")
	}
	joined := strings.TrimRight(strings.Join(text, "\n"), " \t")
	if level > 0 {
		m.heading(out, level, joined)
		return n + 1
	}
	m.element(out, "<p>", "</p>\n", func() { m.inline(out, joined) })
	return n
}

// underline is the level of a heading that is underlined with a line, 0 for none.
func underline(line string) int {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "" || indent(line) >= 4:
		return 0
	case strings.Trim(trimmed, "=") == "":
		return 1
	case strings.Trim(trimmed, "-") == "":
		return 2
	}
	return 0
}

func (m *markdown) heading(out *strings.Builder, level int, text string) {
	level = min(level+headingShift, 6)
	m.element(out, fmt.Sprintf("<h%d>", level), fmt.Sprintf("</h%d>\n", level), func() { m.inline(out, text) })
}

// heading reads "## text ##".
func heading(line string) (level int, text string, ok bool) {
	if indent(line) >= 4 {
		return 0, "", false
	}
	line = strings.TrimSpace(line)
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, "", false
	}
	text = strings.TrimSpace(line[level:])
	if closing := strings.TrimRight(text, "#"); closing == "" || strings.HasSuffix(closing, " ") {
		text = strings.TrimSpace(closing)
	}
	return level, text, true
}

// rule reports whether a line is a thematic break.
func rule(line string) bool {
	text := strings.TrimSpace(line)
	if indent(line) >= 4 || text == "" || strings.IndexByte("-*_", text[0]) < 0 {
		return false
	}
	marks := 0
	for i := range len(text) {
		switch text[i] {
		case text[0]:
			marks++
		case ' ', '\t':
		default:
			return false
		}
	}
	return marks >= 3
}

func quoted(line string) bool {
	return indent(line) < 4 && strings.HasPrefix(strings.TrimLeft(line, " "), ">")
}

// quote renders a quotation: lines that begin with ">", and lines that lazily go on with its last paragraph.
func (m *markdown) quote(out *strings.Builder, lines []string, depth int) int {
	var inner []string
	n := 0
	for ; n < len(lines); n++ {
		if quoted(lines[n]) {
			rest := strings.TrimLeft(lines[n], " ")[1:]
			inner = append(inner, strings.TrimPrefix(rest, " "))
			continue
		}
		if interrupts(lines[n], depth) || blank(inner[len(inner)-1]) {
			break
		}
		inner = append(inner, lines[n])
	}
	m.element(out, "<blockquote>\n", "</blockquote>\n", func() { m.blocks(out, inner, depth+1) })
	return n
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// indent is how many columns of blanks a line begins with; a tab goes on to the next multiple of four.
func indent(line string) int {
	columns := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns
		}
	}
	return columns
}

// outdent takes columns of blanks off a line.
func outdent(line string, columns int) string {
	taken := 0
	for taken < columns && line != "" {
		switch line[0] {
		case ' ':
			taken++
		case '\t':
			width := 4 - taken%4
			if taken += width; taken > columns {
				return strings.Repeat(" ", taken-columns) + line[1:]
			}
		default:
			return line
		}
		line = line[1:]
	}
	return line
}
