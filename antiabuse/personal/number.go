package personal

import (
	"slices"
	"strings"
)

// Bounds of a number with its groups.
const (
	maxDigits = 19
	maxGroups = 8
	// maxNumberBytes is how far the groups of one number may reach.
	maxNumberBytes = 64
)

// run is a number with what stands between its groups.
type run struct {
	digits [maxDigits + 1]byte
	n      int
	// shape has a 9 for each digit and one byte for each separator: a blank for all kinds of blanks, or what it is.
	shape [2 * maxDigits]byte
	m     int
}

func (r *run) text() string { return string(r.digits[:r.n]) }

func (r *run) form() string { return string(r.shape[:r.m]) }

// separator is the length of what may stand between two groups of digits at i, and what it counts as.
func separator(s string, i int) (size int, kind byte) {
	if i >= len(s) {
		return 0, 0
	}
	switch c := s[i]; c {
	case ' ', '+':
		return 1, ' '
	case '-', '.', '_', '/':
		return 1, c
	case '%':
		if strings.HasPrefix(s[i:], "%20") {
			return len("%20"), ' '
		}
	case 0xC2, 0xE2:
		for _, wide := range []string{"\u00a0", "\u2009", "\u202f", "\u2007"} {
			if strings.HasPrefix(s[i:], wide) {
				return len(wide), ' '
			}
		}
		for _, dash := range []string{"\u2010", "\u2011", "\u2012", "\u2013", "\u2212"} {
			if strings.HasPrefix(s[i:], dash) {
				return len(dash), '-'
			}
		}
	}
	return 0, 0
}

// number looks at the group of digits that begins at i, and at the groups after it.
func (s *scan) number(i int) {
	if s.escapedAt(i) {
		return
	}
	if i < s.until {
		return
	}
	if kinds[s.before(i)] == letter {
		s.token(i)
		return
	}
	if s.international(i) || s.address(i) || s.coordinates(i) || s.national(i) {
		return
	}
	if !s.begins(i) {
		return
	}
	s.groups(i)
	s.mixed(i)
}

// escapedAt reports whether the digits at i are the number of an escaped at sign, which the decoded view shows.
func (s *scan) escapedAt(i int) bool {
	return s.before(i) == '%' || i > 1 && s.text[i-2:i] == "&#"
}

// begins reports whether a number begins at i: digits that follow a dot or a dash after digits are the rest of one.
func (s *scan) begins(i int) bool {
	switch c := s.before(i); {
	case isAlnum(c):
		return false
	case c == '-' || c == '.' || c == '_' || c == ',' || c == ':':
		return i < 2 || !isDigit(s.text[i-2])
	}
	return true
}

// ends reports whether a number ends at i.
func (s *scan) ends(i int) bool {
	switch c := s.behind(i); {
	case isAlnum(c):
		return false
	case c == '-' || c == '_':
		return !isAlnum(s.behind(i + 1))
	case c == '.' || c == ',' || c == ':' || c == '/':
		return !isDigit(s.behind(i + 1))
	}
	return true
}

// groups tries all numbers that begin at i and end with a group, the longest last: a card is no longer than its groups.
func (s *scan) groups(i int) {
	var r run
	end := i
	for range maxGroups {
		for end < len(s.text) && isDigit(s.text[end]) {
			if r.n >= maxDigits {
				return
			}
			r.digits[r.n], r.shape[r.m] = s.text[end], '9'
			r.n, r.m, end = r.n+1, r.m+1, end+1
		}
		if r.n >= 9 && (s.ends(end) || r.n >= 13 && s.behind(end) == '/') && s.whole(&r, i, end) {
			s.until = end
			return
		}
		size, kind := separator(s.text, end)
		if size == 0 || end+size >= len(s.text) || !isDigit(s.text[end+size]) || end-i > maxNumberBytes {
			break
		}
		r.shape[r.m] = kind
		r.m++
		end += size
	}
	s.b.Work += end - i
}

// whole reports whether a number is personal data as a whole.
func (s *scan) whole(r *run, start, end int) bool {
	if r.n >= 12 && s.card(r, start, end) {
		return true
	}
	digits, form := r.text(), ""
	for k := range digitIDs {
		id := &digitIDs[k]
		if id.length != r.n || !id.valid(digits) || sampleIDs[digits] {
			continue
		}
		if form == "" {
			form = r.form()
		}
		if !matches(form, id.shapes) || id.words != 0 && !s.says(id.words, start, end) {
			continue
		}
		s.reject(id.rule, start, end, "leave the identity number out; where a value is needed, use a documented sample")
		return true
	}
	return s.sin(r, digits, start, end) || s.imei(r, start, end)
}

func matches(form string, shapes []string) bool {
	return len(shapes) == 0 || slices.Contains(shapes, form)
}

// sin is the Canadian number after its short name in small letters, which is a word of mathematics as well: it must be
// the name of the value.
func (s *scan) sin(r *run, digits string, start, end int) bool {
	if r.n != 9 || !validSIN(digits) || !strings.ContainsAny(s.text[max(0, start-4):start], ":=") {
		return false
	}
	if !strings.HasSuffix(strings.TrimRight(s.text[max(0, start-24):start], " :=\"'"), "sin") {
		return false
	}
	s.reject("ca_sin", start, end, "leave the identity number out; where a value is needed, use a documented sample")
	return true
}
