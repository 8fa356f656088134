package public

import (
	"fmt"
	"strconv"
	"strings"
)

// marker is what an item of a list begins with.
type marker struct {
	ordered bool
	char    byte // the bullet, or what stands behind the number
	start   int
	// width is how many bytes of the line belong to the marker and the blanks before it; column is where the content
	// of the item begins.
	width, column int
}

// same reports whether two items are of one list.
func (k marker) same(other marker) bool { return k.ordered == other.ordered && k.char == other.char }

// listMarker reads the beginning of an item: a bullet, or a number with a full stop or a bracket.
func listMarker(line string) (marker, bool) {
	before := indent(line)
	text := strings.TrimLeft(line, " ")
	if before >= 4 || text == "" || rule(line) {
		return marker{}, false
	}
	k := marker{char: text[0], width: len(line) - len(text) + 1}
	if !strings.ContainsRune("-*+", rune(text[0])) {
		digits := 0
		for digits < len(text) && digits <= 9 && text[digits] >= '0' && text[digits] <= '9' {
			digits++
		}
		if digits == 0 || digits > 9 || digits == len(text) || text[digits] != '.' && text[digits] != ')' {
			return marker{}, false
		}
		start, err := strconv.Atoi(text[:digits])
		if err != nil {
			return marker{}, false
		}
		k = marker{ordered: true, char: text[digits], start: start, width: len(line) - len(text) + digits + 1}
	}
	rest := line[k.width:]
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return marker{}, false
	}
	k.column = k.width + 1
	// Up to four blanks behind a marker belong to it; more are code inside of the item.
	if blanks := indent(rest); !blank(rest) && blanks >= 1 && blanks <= 4 {
		k.column = k.width + blanks
	}
	return k, true
}

// list renders the items that begin at the first of lines and have its sort of marker.
func (m *markdown) list(out *strings.Builder, lines []string, depth int) int {
	first, _ := listMarker(lines[0])
	var items [][]string
	n, loose := 0, false
	for n < len(lines) {
		k, ok := listMarker(lines[n])
		if !ok || !k.same(first) {
			break
		}
		item, taken, apart := listItem(lines[n:], k, depth)
		items = append(items, item)
		n += taken
		_, more := listMarkerAt(lines, n)
		loose = loose || apart || more && blank(lines[n-1])
	}
	open, shut := "<ul>\n", "</ul>\n"
	if first.ordered {
		open, shut = "<ol>\n", "</ol>\n"
		if first.start != 1 {
			open = fmt.Sprintf("<ol start=\"%d\">\n", first.start)
		}
	}
	m.element(out, open, shut, func() {
		for _, item := range items {
			m.element(out, "<li>", "</li>\n", func() { m.item(out, item, loose, depth) })
		}
	})
	return n
}

func listMarkerAt(lines []string, n int) (marker, bool) {
	if n >= len(lines) {
		return marker{}, false
	}
	return listMarker(lines[n])
}

// listItem collects the lines of one item without their indentation. It answers how many lines they are, blank ones
// behind the item included, and whether blank lines stand between its parts.
func listItem(lines []string, k marker, depth int) (item []string, taken int, apart bool) {
	item = []string{outdent(strings.Repeat(" ", k.width)+lines[0][k.width:], k.column)}
	waiting := 0
	for taken = 1; taken < len(lines); taken++ {
		line := lines[taken]
		switch {
		case blank(line):
			waiting++
			continue
		case indent(line) >= k.column:
			line = outdent(line, k.column)
		case waiting > 0 || interrupts(line, depth):
			return item, taken, apart
		default: // it lazily goes on with a paragraph
			if _, isItem := listMarker(line); isItem {
				return item, taken, apart
			}
		}
		for ; waiting > 0; waiting-- {
			item = append(item, "")
			apart = true
		}
		item = append(item, line)
	}
	return item, taken, apart
}

// item renders the inside of an item: in a list whose items stand close together the first paragraph has no element.
func (m *markdown) item(out *strings.Builder, lines []string, loose bool, depth int) {
	for mark, sign := range map[string]string{"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "} {
		if rest, isTask := strings.CutPrefix(lines[0], mark); isTask {
			lines[0] = sign + rest
			break
		}
	}
	if loose {
		m.blocks(out, lines, depth+1)
		return
	}
	n := 0
	for n < len(lines) && indent(lines[n]) < 4 && (n == 0 && !startsBlock(lines[0]) || n > 0 && !interrupts(lines[n], depth+1)) {
		n++
	}
	if n > 0 {
		m.inline(out, strings.TrimSpace(strings.Join(lines[:n], "\n")))
		m.put(out, "\n")
	}
	m.blocks(out, lines[n:], depth+1)
}

// startsBlock reports whether the first line of an item begins a block that is no paragraph.
func startsBlock(line string) bool { return interrupts(line, 0) }
