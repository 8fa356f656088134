package public

import "strings"

// maxColumns is how many columns a table may have; what has more is shown as text.
const maxColumns = 50

// table renders a table, a heading and a line of dashes and then rows, and answers how many lines it has taken: 0 when
// the lines are none.
func (m *markdown) table(out *strings.Builder, lines []string) int {
	if len(lines) < 2 || !strings.Contains(lines[0], "|") || indent(lines[1]) >= 4 {
		return 0
	}
	head, aligned := cells(lines[0]), alignments(lines[1])
	if len(aligned) == 0 || len(aligned) != len(head) || len(head) > maxColumns {
		return 0
	}
	n := 2
	for n < len(lines) && strings.Contains(lines[n], "|") && !interrupts(lines[n], maxNesting) {
		n++
	}
	m.element(out, "<div class=\"scroll\" tabindex=\"0\"><table>\n", "</table></div>\n", func() {
		m.element(out, "<thead>\n", "</thead>\n", func() { m.row(out, head, aligned, "th") })
		m.element(out, "<tbody>\n", "</tbody>\n", func() {
			for _, line := range lines[2:n] {
				// Cells that are missing are not made up: a wide heading over many short rows would become huge.
				found := cells(line)
				m.row(out, found[:min(len(found), len(head))], aligned, "td")
			}
		})
	})
	return n
}

func (m *markdown) row(out *strings.Builder, texts, aligned []string, name string) {
	m.element(out, "<tr>", "</tr>\n", func() {
		for i, text := range texts {
			open := "<" + name + ">"
			if aligned[i] != "" {
				open = "<" + name + ` class="` + aligned[i] + `">`
			}
			m.element(out, open, "</"+name+">", func() { m.inline(out, text) })
		}
	})
}

// cells cuts a row at its bars, but for those behind a backslash.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = line[:len(line)-1]
	}
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}

// alignments reads the line below a heading; nil when it is another line.
func alignments(line string) []string {
	if !strings.Contains(line, "-") || strings.Trim(line, " \t|:-") != "" {
		return nil
	}
	var out []string
	for _, cell := range cells(line) {
		left, right := strings.HasPrefix(cell, ":"), strings.HasSuffix(cell, ":")
		dashes := strings.Trim(cell, ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return nil
		}
		switch {
		case left && right:
			out = append(out, "centre")
		case right:
			out = append(out, "right")
		default:
			out = append(out, "")
		}
	}
	return out
}
