package ops

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// DefaultMaxNesting bounds the depth of objects and lists in an input.
const DefaultMaxNesting = 64

// maxNumberBytes bounds a number literal: beyond it no reader keeps its meaning.
// maxExponent is more than any such literal of a double needs.
const (
	maxNumberBytes = 400
	maxExponent    = 1000
)

// scanner reads JSON text byte by byte. Its methods return false when the text
// cannot be read further; the reason is then recorded as a problem.
type scanner struct {
	data     []byte
	pos      int
	depth    int
	deepest  int // how deep the text may be nested; 0 = DefaultMaxNesting
	problems problems
	stopped  bool
}

// broken records that the text is not JSON and stops the reading.
func (s *scanner) broken() bool {
	if !s.stopped {
		s.problems.add("json", "is not valid JSON from here on")
	}
	s.stopped = true
	return false
}

// peek skips white space and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return s.data[s.pos]
		}
	}
	return 0
}

// take consumes the byte c after white space.
func (s *scanner) take(c byte) bool {
	if s.peek() != c || s.pos >= len(s.data) {
		return s.broken()
	}
	s.pos++
	return true
}

// literal consumes a word such as null.
func (s *scanner) literal(word string) bool {
	if len(s.data)-s.pos < len(word) || string(s.data[s.pos:s.pos+len(word)]) != word {
		return s.broken()
	}
	s.pos += len(word)
	return true
}

// enter opens an object or list and bounds the nesting.
func (s *scanner) enter() bool {
	s.depth++
	s.pos++
	if deepest := cmp.Or(s.deepest, DefaultMaxNesting); s.depth > deepest {
		s.problems.add("depth", fmt.Sprintf("is nested too deeply: at most %d levels", deepest))
		s.stopped = true
		return false
	}
	return true
}

// more steps to the next item before closing; first is true for the first item.
// It returns item = false when the container ended.
func (s *scanner) more(first bool, closing byte) (item, ok bool) {
	c := s.peek()
	if c == closing && s.pos < len(s.data) {
		s.pos++
		s.depth--
		return false, true
	}
	if first {
		return true, true
	}
	if !s.take(',') {
		return false, false
	}
	if s.peek() == closing {
		return false, s.broken()
	}
	return true, true
}

// number consumes a number literal by the JSON grammar.
func (s *scanner) number() (string, bool) {
	start := s.pos
	if s.at('-') {
		s.pos++
	}
	switch {
	case s.at('0'):
		s.pos++
	case !s.digits():
		return "", s.broken()
	}
	if s.at('.') {
		s.pos++
		if !s.digits() {
			return "", s.broken()
		}
	}
	if s.at('e') || s.at('E') {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		if !s.digits() {
			return "", s.broken()
		}
	}
	return string(s.data[start:s.pos]), true
}

// inRange returns the value of a number literal; ok is false if a double cannot hold
// it, be it too large or so small that only zero would be left. A literal that reads
// as zero but has a vast exponent is refused too: a decimal type, such as the one in
// which PostgreSQL keeps numbers, would write all of its places out, or give up.
func inRange(text string) (value float64, ok bool) {
	if len(text) > maxNumberBytes {
		return 0, false
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	mantissa := text
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent, err := strconv.Atoi(text[i+1:])
		if err != nil || max(exponent, -exponent) > maxExponent {
			return 0, false
		}
		mantissa = text[:i]
	}
	return value, value != 0 || !strings.ContainsAny(mantissa, "123456789")
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.data) && s.data[s.pos] == c }

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}

// text consumes a string. Bytes that are not UTF-8, lone surrogates and NUL are
// problems of the current place, since PostgreSQL stores none of them; the
// reading goes on behind the string.
func (s *scanner) text() (string, bool) {
	if !s.take('"') {
		return "", false
	}
	start := s.pos
	var out []byte
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		switch {
		case c == '"':
			out = append(out, s.data[start:s.pos]...)
			s.pos++
			return s.checked(out), true
		case c == '\\':
			out = append(out, s.data[start:s.pos]...)
			var ok bool
			if out, ok = s.escape(out); !ok {
				return "", s.broken()
			}
			start = s.pos
		case c < 0x20:
			return "", s.broken()
		default:
			s.pos++
		}
	}
	return "", s.broken()
}

// checked reports unstorable characters of a scanned string.
func (s *scanner) checked(out []byte) string {
	if !utf8.Valid(out) {
		s.problems.add("utf8", "is not valid UTF-8")
	}
	if slices.Contains(out, 0) {
		s.problems.add("nul", "must not contain the NUL character")
	}
	return string(out)
}

// escape decodes the escape at pos. A lone surrogate becomes a byte that is not
// UTF-8, which checked reports.
func (s *scanner) escape(out []byte) ([]byte, bool) {
	if s.pos+1 >= len(s.data) {
		return out, false
	}
	c := s.data[s.pos+1]
	s.pos += 2
	switch c {
	case '"', '\\', '/':
		return append(out, c), true
	case 'b':
		return append(out, '\b'), true
	case 'f':
		return append(out, '\f'), true
	case 'n':
		return append(out, '\n'), true
	case 'r':
		return append(out, '\r'), true
	case 't':
		return append(out, '\t'), true
	case 'u':
		return s.unicode(out)
	default:
		return out, false
	}
}

// unicode decodes the four digits behind \u, and the second half of a pair.
func (s *scanner) unicode(out []byte) ([]byte, bool) {
	r, ok := s.hex4()
	if !ok {
		return out, false
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r), true
	}
	if s.pos+1 < len(s.data) && s.data[s.pos] == '\\' && s.data[s.pos+1] == 'u' {
		mark := s.pos
		s.pos += 2
		low, ok := s.hex4()
		if !ok {
			return out, false
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return utf8.AppendRune(out, pair), true
		}
		s.pos = mark
	}
	return append(out, 0xff), true
}

func (s *scanner) hex4() (rune, bool) {
	if s.pos+4 > len(s.data) {
		return 0, false
	}
	var r rune
	for _, c := range s.data[s.pos : s.pos+4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	s.pos += 4
	return r, true
}
