package public

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxOpenBrackets is how many brackets may wait for their end at once.
const maxOpenBrackets = 50

// inline renders the text of a paragraph, a heading or a cell.
func (m *markdown) inline(out *strings.Builder, text string) {
	s := &span{markdown: m, text: text, unclosed: map[int]bool{}}
	for s.at < len(text) && !m.cut {
		s.next()
	}
	s.flush()
	m.put(out, s.render(0))
}

// node is a rendered piece of a text, or a run of marks of which nobody knows yet what they do.
type node struct {
	html string
	// mark is '*', '_' or '~' for a run, '[' or '!' for a bracket, 0 for a piece; count is how many marks of a run are left.
	mark            byte
	count           int
	opens, closes   bool
	before, between string // tags that a run has become, on its left and on its right
	at              int    // of a bracket: where its text begins
}

// span is one text on its way.
type span struct {
	*markdown

	text     string
	at       int
	plain    int // where the text that is not yet written begins
	nodes    []node
	size     int   // of the nodes in bytes
	brackets []int // of nodes
	// unclosed are lengths of runs of grave accents that are known to have no end further on.
	unclosed map[int]bool
}

// flush writes the text that waits, up to the place where the span is.
func (s *span) flush() {
	if s.plain < s.at {
		s.add(node{html: escape(s.text[s.plain:s.at])})
	}
	s.plain = s.at
}

// replace writes HTML in place of the next n bytes.
func (s *span) replace(n int, rendered string) {
	s.flush()
	s.add(node{html: rendered})
	s.at += n
	s.plain = s.at
}

// add takes a rendered piece, and gives the whole up once its pieces are too large together.
func (s *span) add(n node) {
	s.nodes = append(s.nodes, n)
	if s.size += len(n.html); s.size > maxHTMLBytes {
		s.cut = true
	}
}

// next takes what stands at the place where the span is.
func (s *span) next() {
	rest := s.text[s.at:]
	switch rest[0] {
	case '\\':
		s.backslash(rest)
	case '`':
		s.code(rest)
	case '<':
		s.angle(rest)
	case '&':
		s.entity(rest)
	case '*', '_', '~':
		s.run(rest)
	case '!':
		if strings.HasPrefix(rest, "![") {
			s.bracket('!', 2)
			return
		}
		s.at++
	case '[':
		s.bracket('[', 1)
	case ']':
		s.shut(rest)
	case '\n':
		s.newline()
	case 'h', 'H':
		s.bare(rest)
	default:
		s.at++
	}
}

const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

func (s *span) backslash(rest string) {
	switch {
	case len(rest) > 1 && rest[1] == '\n':
		s.replace(2, "<br>\n")
	case len(rest) > 1 && strings.IndexByte(punctuation, rest[1]) >= 0:
		s.replace(2, escape(rest[1:2]))
	default:
		s.at++
	}
}

// newline breaks the line where two blanks stand before it.
func (s *span) newline() {
	if strings.HasSuffix(s.text[s.plain:s.at], "  ") {
		s.replace(1, "<br>\n")
		return
	}
	s.at++
}

// code renders a code span: as many grave accents at its end as at its beginning.
func (s *span) code(rest string) {
	length := 0
	for length < len(rest) && rest[length] == '`' {
		length++
	}
	end := -1
	if !s.unclosed[length] {
		end = closing(rest[length:], length)
	}
	if end < 0 {
		s.unclosed[length] = true
		s.at += length
		return
	}
	text := strings.ReplaceAll(rest[length:length+end], "\n", " ")
	if len(text) > 2 && text[0] == ' ' && text[len(text)-1] == ' ' && !blank(text) {
		text = text[1 : len(text)-1]
	}
	s.replace(length+end+length, "<code>"+escape(text)+"</code>")
}

// closing finds a run of exactly length grave accents, -1 for none.
func closing(text string, length int) int {
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '`')
		if next < 0 {
			return -1
		}
		i += next
		run := 0
		for i+run < len(text) && text[i+run] == '`' {
			run++
		}
		if run == length {
			return i
		}
		i += run
	}
	return -1
}

var (
	angleLink  = regexp.MustCompile(`^<((?:https?://|mailto:)[^\s<>]+)>`)
	angleMail  = regexp.MustCompile(`^<([A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,255})>`)
	bareLink   = regexp.MustCompile(`^(?i:https?://)[^\s<>"'\x60]+`)
	entityText = regexp.MustCompile(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
)

// angle renders <https://…> and <name@host>; other tags are text.
func (s *span) angle(rest string) {
	if found := angleLink.FindStringSubmatch(rest[:min(len(rest), maxLinkBytes)]); found != nil {
		s.replace(len(found[0]), anchor(found[1], escape(found[1])))
		return
	}
	if found := angleMail.FindStringSubmatch(rest); found != nil {
		s.replace(len(found[0]), anchor("mailto:"+found[1], escape(found[1])))
		return
	}
	s.at++
}

func (s *span) entity(rest string) {
	if found := entityText.FindString(rest); found != "" {
		s.replace(len(found), escape(html.UnescapeString(found)))
		return
	}
	s.at++
}

// bare renders an address that stands in the text by itself, without the marks behind it that belong to the sentence.
func (s *span) bare(rest string) {
	before, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	found := bareLink.FindString(rest[:min(len(rest), maxLinkBytes)])
	if found == "" || len(found) == maxLinkBytes || unicode.IsLetter(before) || unicode.IsDigit(before) || s.inLink() {
		s.at += max(1, len(found))
		return
	}
	for {
		shorter := strings.TrimRight(found, "?!.,:*_~;]|")
		if strings.HasSuffix(shorter, ")") && strings.Count(shorter, ")") > strings.Count(shorter, "(") {
			shorter = shorter[:len(shorter)-1]
		}
		if shorter == found {
			break
		}
		found = shorter
	}
	s.replace(len(found), anchor(found, escape(found)))
}

// render joins the nodes from one on.
func (s *span) render(from int) string {
	s.emphasise(from)
	var b strings.Builder
	for _, n := range s.nodes[from:] {
		b.WriteString(n.before)
		if n.mark == '*' || n.mark == '_' || n.mark == '~' {
			b.WriteString(strings.Repeat(string(n.mark), n.count))
		} else {
			b.WriteString(n.html)
		}
		b.WriteString(n.between)
	}
	return b.String()
}
