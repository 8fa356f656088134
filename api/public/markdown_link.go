package public

import (
	"net/url"
	"strings"
	"unicode"

	"interai/store"
)

// bracket takes the beginning of a link or of an image.
func (s *span) bracket(mark byte, width int) {
	if len(s.brackets) >= maxOpenBrackets {
		s.at += width
		return
	}
	s.flush()
	s.brackets = append(s.brackets, len(s.nodes))
	s.nodes = append(s.nodes, node{html: s.text[s.at : s.at+width], mark: mark, at: s.at + width})
	s.at += width
	s.plain = s.at
}

// inLink reports whether the span stands between the brackets of what may become a link.
func (s *span) inLink() bool { return len(s.brackets) > 0 }

// shut takes the end of a link or of an image: its text has been read, its address follows, or is defined elsewhere.
func (s *span) shut(rest string) {
	if len(s.brackets) == 0 {
		s.at++
		return
	}
	opener := s.brackets[len(s.brackets)-1]
	s.brackets = s.brackets[:len(s.brackets)-1]
	begin := s.nodes[opener]
	address, width, ok := s.address(s.text[begin.at:s.at], rest[1:])
	if !ok {
		s.at++
		return
	}
	s.flush()
	text := s.render(opener + 1)
	if begin.mark == '!' {
		// A picture of somebody else's would tell its owner who reads here: it is a link like any other.
		text = "image: " + strip(text)
	}
	s.nodes = s.nodes[:opener]
	s.add(node{html: anchor(address, text)})
	s.at += 1 + width
	s.plain = s.at
	if begin.mark == '[' {
		s.brackets = nil // no link contains a link; what waits is text
	}
}

// address reads what follows the text of a link: (address "title"), [name], [] or nothing. Width is how much of rest it is.
func (s *span) address(text, rest string) (address string, width int, ok bool) {
	if strings.HasPrefix(rest, "(") {
		if address, width, ok = inlineAddress(rest); ok {
			return address, width, true
		}
	}
	name := text
	if strings.HasPrefix(rest, "[") {
		inner, _, found := strings.Cut(rest[1:min(len(rest), 250)], "]")
		if found && !strings.Contains(inner, "[") {
			width = len(inner) + 2
			if inner != "" {
				name = inner
			}
		}
	}
	if len(name) > 200 {
		return "", 0, false
	}
	address, ok = s.references[referenceName(name)]
	return address, width, ok
}

// inlineAddress reads (address "title").
func inlineAddress(rest string) (address string, width int, ok bool) {
	rest = rest[:min(len(rest), 2*maxLinkBytes)]
	i := 1 + len(rest[1:]) - len(strings.TrimLeft(rest[1:], " \n"))
	begin, depth := i, 0
	if strings.HasPrefix(rest[i:], "<") {
		inner, _, found := strings.Cut(rest[i+1:], ">")
		if !found || strings.Contains(inner, "\n") {
			return "", 0, false
		}
		address, i = inner, i+len(inner)+2
	} else {
		for i < len(rest) && rest[i] > ' ' && (rest[i] != ')' || depth > 0) {
			switch rest[i] {
			case '(':
				depth++
			case ')':
				depth--
			case '\\':
				i++
			}
			i++
		}
		i = min(i, len(rest))
		address = unescapeMarks(rest[begin:i])
	}
	after := strings.TrimLeft(rest[i:], " \n")
	if after != "" && strings.IndexByte(`"'`, after[0]) >= 0 && len(after) < len(rest[i:]) { // a title, which nobody is shown
		end := strings.IndexByte(after[1:], after[0])
		if end < 0 {
			return "", 0, false
		}
		after = strings.TrimLeft(after[end+2:], " \n")
	}
	if !strings.HasPrefix(after, ")") {
		return "", 0, false
	}
	return address, len(rest) - len(after) + 1, true
}

func unescapeMarks(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(punctuation, text[i+1]) >= 0 {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// anchor is a link around rendered text, or the text alone when the address is none that a reader may be led to. Those
// who wrote the address are not vouched for, and learn nothing of who followed it.
func anchor(address, text string) string {
	if own, ok := ownAddress(address); ok {
		return `<a href="` + escape(own) + `">` + text + `</a>`
	}
	clean, ok := webAddress(address)
	if !ok {
		return text
	}
	return `<a href="` + escape(clean) + `" rel="nofollow ugc noopener noreferrer">` + text + `</a>`
}

// ownAddress is the page of an object of this server: by its ID, as a URI or as a path.
func ownAddress(address string) (string, bool) {
	id := strings.TrimPrefix(strings.TrimPrefix(address, "interai://"), "content/")
	if id == address {
		id = strings.TrimPrefix(address, "/")
	}
	if _, err := store.ParseID(id); err != nil {
		return "", false
	}
	return "/" + id, true
}

// webAddress is an address of the web or of a mailbox in its safe form.
func webAddress(address string) (string, bool) {
	if len(address) > maxLinkBytes || strings.ContainsFunc(address, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Cf) }) {
		return "", false
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.User != nil {
		return "", false
	}
	switch parsed.Scheme {
	case "http", "https":
		return parsed.String(), parsed.Host != ""
	case "mailto":
		return parsed.String(), parsed.Opaque != ""
	}
	return "", false
}
