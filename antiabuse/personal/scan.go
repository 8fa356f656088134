package personal

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"interai/antiabuse/finding"
)

// Bounds of one scan.
const (
	// near is how far before a number a word may stand that says what it is, and after how far behind it.
	near, after = 80, 40
	// nearInTable is how far the heading of a column may be above its cells.
	nearInTable = 600
	// maxHits bounds what is kept of one text: far more than are needed to refuse it.
	maxHits = 64
)

// hit is a finding together with what the other hits around it need to know.
type hit struct {
	finding.Finding

	// key tells one address or number from another, whatever its spelling.
	key string
}

// scan is one pass over one text.
type scan struct {
	e    *Engine
	b    *finding.Budget
	text string
	own  []string
	hits []hit
	// last is where the last word of each class ended, and regions where the last word for phones is at home.
	last    [classCount]int
	regions string
	// until is the end of the number that was understood last: no other one begins in it.
	until int
	// followed and row are what is known of the place that was asked for last.
	followed struct {
		at int
		of classes
	}
	row struct {
		at      int
		isTable bool
	}
	// pair is the first word of two that belong together.
	pair string
}

func newScan(e *Engine, b *finding.Budget, text string, own []string) *scan {
	s := &scan{e: e, b: b, text: text, own: own}
	s.followed.at, s.row.at = -1, -1
	for i := range s.last {
		s.last[i] = -nearInTable - 1
	}
	return s
}

// kinds of bytes at which the scanner stops.
const (
	skipped = iota
	letter
	digit
	at
	angle
	beyondASCII
	backslash
)

var kinds = func() (table [256]byte) {
	for c := range table {
		switch {
		case c >= utf8.RuneSelf:
			table[c] = beyondASCII
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			table[c] = letter
		case c >= '0' && c <= '9':
			table[c] = digit
		}
	}
	table['@'], table['<'], table['\\'] = at, angle, backslash
	return table
}()

// run passes over the text once.
func (s *scan) run() {
	s.b.Work += len(s.text)
	for i := 0; i < len(s.text) && len(s.hits) < maxHits && !s.b.Exceeded(); {
		switch kinds[s.text[i]] {
		case letter:
			i = s.word(i)
		case digit:
			s.number(i)
			for i++; i < len(s.text) && kinds[s.text[i]] == digit; i++ {
			}
		case at:
			s.mail(i, 1)
			i++
		case angle:
			if i+1 < len(s.text) && s.text[i+1] == '<' {
				i = s.mrz(i)
			} else {
				i++
			}
		case beyondASCII:
			i = s.rune(i)
		case backslash:
			i += 1 + lineEnd(s.text[i:])
		default:
			i++
		}
	}
}

// rune goes on at a character beyond ASCII.
func (s *scan) rune(i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	switch {
	case r == '＠':
		s.mail(i, size)
		return i + size
	case r >= firstIdeograph && unicode.IsLetter(r):
		return s.ideographs(i, size)
	case unicode.IsLetter(r):
		return s.word(i)
	}
	return i + size
}

// found adds a hit.
func (s *scan) found(h hit) {
	if len(s.hits) < maxHits {
		s.hits = append(s.hits, h)
	}
}

// reject adds a hit that must not be stored; hint says what to do.
func (s *scan) reject(rule string, start, end int, hint string) {
	s.found(hit{Finding: finding.Finding{Rule: rule, Kind: finding.Personal, Action: finding.Reject, Start: start, End: end, Hint: hint}})
}

// flag adds a hit that a moderator looks at.
func (s *scan) flag(rule string, start, end int) {
	s.found(hit{Finding: finding.Finding{Rule: rule, Kind: finding.Personal, Action: finding.Flag, Start: start, End: end}})
}

// says reports whether a word of one of the classes stands near a place: before it, in the heading of a table above it,
// or right after it.
func (s *scan) says(of classes, start, end int) bool {
	above := false
	for rest := of; rest != 0; rest &= rest - 1 {
		distance := start - s.last[bits.TrailingZeros64(uint64(rest))]
		if distance <= near {
			return true
		}
		above = above || distance <= nearInTable
	}
	if above && s.inTable(start) {
		return true
	}
	return s.follows(end)&of != 0
}

// follows are the classes of the words right after a place.
func (s *scan) follows(end int) classes {
	if s.followed.at != end {
		text := s.text[end:min(len(s.text), end+after)]
		s.b.Work += len(text)
		s.followed.at, s.followed.of = end, s.e.words.among(text)
	}
	return s.followed.of
}

// inTable reports whether a place is in a row of cells, or below a heading that is a list of names.
func (s *scan) inTable(at int) bool {
	const row = 120
	if s.row.at == at {
		return s.row.isTable
	}
	line := s.text[max(0, at-row):min(len(s.text), at+row)]
	bars := strings.Count(line, "|") + strings.Count(line, "\t")
	commas := strings.Count(line, ",") + strings.Count(line, ";")
	s.b.Work += len(line)
	s.row.at, s.row.isTable = at, bars >= 2 || commas >= 3
	return s.row.isTable
}

// lineEnd is 1 when a text begins with the two signs of an escaped line end or tab, as in strings of programs.
func lineEnd(s string) int {
	if len(s) > 1 && s[0] == '\\' && (s[1] == 'n' || s[1] == 't' || s[1] == 'r') {
		return 1
	}
	return 0
}

// before and behind are the bytes around a place, or 0. The letter of an escaped line end is a blank.
func (s *scan) before(i int) byte {
	if i <= 0 {
		return 0
	}
	if i > 1 && lineEnd(s.text[i-2:i]) == 1 {
		return ' '
	}
	return s.text[i-1]
}

func (s *scan) behind(i int) byte {
	if i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

func isAlnum(c byte) bool { return kinds[c] == letter || kinds[c] == digit }

func isDigit(c byte) bool { return kinds[c] == digit }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
