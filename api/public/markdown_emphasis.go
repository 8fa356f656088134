package public

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// run takes a run of marks, and decides by its neighbours what it may do (CommonMark, section 6.2).
func (s *span) run(rest string) {
	mark := rest[0]
	length := 0
	for length < len(rest) && rest[length] == mark {
		length++
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	after, _ := utf8.DecodeRuneInString(rest[length:])
	blankBefore, blankAfter := s.at == 0 || unicode.IsSpace(before), length == len(rest) || unicode.IsSpace(after)
	signBefore, signAfter := isSign(before), isSign(after)
	left := !blankAfter && (!signAfter || blankBefore || signBefore)
	right := !blankBefore && (!signBefore || blankAfter || signAfter)
	n := node{mark: mark, count: length, opens: left, closes: right}
	switch {
	case mark == '_':
		n.opens, n.closes = left && (!right || signBefore), right && (!left || signAfter)
	case mark == '~' && length > 2:
		n.opens, n.closes = false, false
	}
	s.flush()
	s.nodes = append(s.nodes, n)
	s.at += length
	s.plain = s.at
}

func isSign(r rune) bool { return r != utf8.RuneError && (unicode.IsPunct(r) || unicode.IsSymbol(r)) }

// floors are the nodes below which no run of a mark can open emphasis: what was looked through once in vain is not
// looked through again, so that the work stays in proportion to the text.
type floors map[floor]int

type floor struct {
	mark  byte
	count int // modulo 3, which the rule of three looks at
	opens bool
}

// emphasise pairs the runs of the nodes from one on, each end with the nearest beginning before it.
func (s *span) emphasise(from int) {
	lowest := floors{}
	open := []int{} // runs that may begin something
	for i := from; i < len(s.nodes); i++ {
		n := &s.nodes[i]
		if n.mark != '*' && n.mark != '_' && n.mark != '~' {
			continue
		}
		for n.closes && n.count > 0 {
			key := floor{n.mark, n.count % 3, n.opens}
			at := s.opener(open, n, lowest[key])
			if at < 0 {
				lowest[key] = len(open)
				break
			}
			s.pair(&s.nodes[open[at]], n)
			open = open[:at+1] // what stands between the two begins nothing any more
			if s.nodes[open[at]].count == 0 {
				open = open[:at]
			}
			for k, v := range lowest {
				lowest[k] = min(v, len(open))
			}
		}
		if n.opens && n.count > 0 {
			open = append(open, i)
		}
	}
}

// opener finds the run that n ends, as a place in open; -1 for none.
func (s *span) opener(open []int, n *node, lowest int) int {
	for i := len(open) - 1; i >= lowest; i-- {
		o := &s.nodes[open[i]]
		if o.mark != n.mark || n.mark == '~' && o.count != n.count {
			continue
		}
		// The rule of three: runs that could be both do not pair to a multiple of three, unless both are one.
		if (o.closes || n.opens) && n.mark != '~' && (o.count+n.count)%3 == 0 && (o.count%3 != 0 || n.count%3 != 0) {
			continue
		}
		return i
	}
	return -1
}

// pair makes emphasis of the marks of two runs: strong of two on each side, else simple; struck out of tildes.
func (s *span) pair(opener, closer *node) {
	name, used := "em", 1
	switch {
	case closer.mark == '~':
		name, used = "del", closer.count
	case opener.count >= 2 && closer.count >= 2:
		name, used = "strong", 2
	}
	opener.count -= used
	closer.count -= used
	// Marks are used from the inside: those that are left stand outside of the tags.
	opener.between = "<" + name + ">" + opener.between
	closer.before += "</" + name + ">"
}

// strip is a rendered text without its tags, for a text that cannot have any.
func strip(rendered string) string {
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(rendered, "<")
		b.WriteString(text)
		if !found {
			return b.String()
		}
		_, rendered, _ = strings.Cut(rest, ">")
	}
}
