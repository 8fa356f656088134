package public

import (
	"html"
	"strings"
)

// Bounds of one rendering. The text is somebody else's, so nothing in it may cost more than its length.
const (
	// maxNesting is how deep quotations and lists are followed; what is deeper is shown as it stands.
	maxNesting = 12
	// maxHTMLBytes is how much HTML one text may become; references make much of little.
	maxHTMLBytes = 2 << 20
	// maxLinkBytes is the longest address that becomes a link.
	maxLinkBytes = 2048
	// maxReferences is how many link definitions a text may have.
	maxReferences = 500
	// headingShift puts the headings of a text below those of the page.
	headingShift = 2
)

// markdown renders the Markdown of others (CommonMark's core, with the tables, strike-through, task lists and bare
// links of GitHub's dialect) to HTML that it writes itself: every character of the text is escaped, and only elements
// named in this package leave it. Raw HTML is shown as text, images as links, and links lead to web addresses, mail
// addresses and objects of this server only.
type markdown struct {
	references map[string]string
	spent      int
	cut        bool
}

// renderMarkdown answers the HTML of a text, and whether it was cut because it would have become too large.
func renderMarkdown(text string) (rendered string, cut bool) {
	m := &markdown{references: map[string]string{}}
	lines := m.define(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"))
	var out strings.Builder
	m.blocks(&out, lines, 0)
	return out.String(), m.cut
}

// spend counts HTML that is about to be written, and reports whether there is room for it.
func (m *markdown) spend(n int) bool {
	m.spent += n
	if m.spent > maxHTMLBytes {
		m.cut = true
	}
	return !m.cut
}

// put writes HTML while there is room.
func (m *markdown) put(out *strings.Builder, parts ...string) {
	for _, part := range parts {
		if m.spend(len(part)) {
			out.WriteString(part)
		}
	}
}

// element writes an element around what inner writes. It is closed even where the text was cut.
func (m *markdown) element(out *strings.Builder, open, shut string, inner func()) {
	if !m.spend(len(open) + len(shut)) {
		return
	}
	out.WriteString(open)
	inner()
	out.WriteString(shut)
}

// define takes the definitions of links ("[name]: address") out of the lines; those inside of fenced code stay.
func (m *markdown) define(lines []string) []string {
	kept := make([]string, 0, len(lines))
	var fence fenceMark
	for _, line := range lines {
		if fence.length > 0 {
			if fence.closedBy(line) {
				fence = fenceMark{}
			}
			kept = append(kept, line)
			continue
		}
		if opened, ok := openFence(line); ok {
			fence = opened
		} else if name, address, ok := definition(line); ok && len(m.references) < maxReferences {
			if _, twice := m.references[name]; !twice {
				m.references[name] = address
			}
			line = ""
		}
		kept = append(kept, line)
	}
	return kept
}

// definition reads "[name]: address", with an optional title that nobody is shown.
func definition(line string) (name, address string, ok bool) {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || !strings.HasPrefix(rest, "[") {
		return "", "", false
	}
	name, rest, found := strings.Cut(rest[1:], "]:")
	fields := strings.Fields(rest)
	if !found || name == "" || len(name) > 200 || strings.ContainsAny(name, "[]") || len(fields) == 0 {
		return "", "", false
	}
	return referenceName(name), strings.Trim(fields[0], "<>"), true
}

// referenceName folds the name of a reference as its uses are folded.
func referenceName(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

func escape(text string) string { return html.EscapeString(text) }
