package text

import (
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks may stand on one base: more than any script needs, fewer than it takes to
// paint over the lines around.
const maxMarks = 8

const (
	blackFlag = 0x1F3F4
	cancelTag = 0xE007F
	keycap    = 0x20E3
	zwnj, zwj = 0x200C, 0x200D
)

// filter deletes and replaces single characters in one pass over the text.
type filter struct {
	editor

	report    *Report
	previous  rune // the last rune that was kept
	base      rune // the last rune that was kept and is no combining mark
	marks     int  // combining marks since then
	lineStart int
	lineEnd   int  // end of the line for which bidi holds; 0 when none was judged
	bidi      bool // the line may keep its bidirectional controls
}

func (f *filter) run(from int) {
	if from > 0 { // what was skipped is printable ASCII
		f.previous, f.base = rune(f.src[from-1]), rune(f.src[from-1])
		for i := from; i > 0 && f.lineStart == 0; i-- {
			if f.src[i-1] == '\n' {
				f.lineStart = i
			}
		}
	}
	for i := from; i < len(f.src); {
		if c := f.src[i]; c >= ' ' && c < 0x7F {
			f.previous, f.base, f.marks = rune(c), rune(c), 0
			i++
			continue
		}
		i = f.step(i)
	}
	f.report.Work += len(f.src) - from
}

// step handles what begins at i and returns where the next begins.
func (f *filter) step(i int) int {
	r, size := utf8.DecodeRuneInString(f.src[i:])
	end := i + size
	switch class(r) {
	case invalid:
		return f.invalid(i, end, r, size)
	case newline:
		return f.newline(i, end, r)
	case control:
		end = controlEnd(f.src, r, end)
		f.drop(i, end, ControlsRemoved)
	case zeroWidth:
		f.drop(i, end, HiddenTextRemoved)
	case joiner:
		if !f.joins(end) {
			f.drop(i, end, HiddenTextRemoved)
		} else {
			f.previous = r
		}
	case bidiControl:
		if !f.keepsBidi(i) {
			f.drop(i, end, BidiRemoved)
		} else {
			f.previous = r
		}
	case tag:
		return f.tags(i)
	case selector:
		return f.selectors(i)
	case mark:
		f.mark(i, end, r)
	case toASCII:
		f.replace(i, end, asciiFor(r))
		f.previous, f.base, f.marks = rune(asciiFor(r)[0]), rune(asciiFor(r)[0]), 0
	case unusual:
		f.report.label(UnusualCharacters)
		f.keep(r)
	case ordinary:
		f.keep(r)
	}
	return end
}

func (f *filter) keep(r rune) { f.previous, f.base, f.marks = r, r, 0 }

func (f *filter) drop(start, end int, label string) {
	f.report.label(label)
	f.replace(start, end, "")
}

func (f *filter) invalid(i, end int, r rune, size int) int {
	switch {
	case r == 0:
		f.report.refuse(RuleNUL, i, end, "remove the NUL byte")
		f.replace(i, end, "")
	case size == 1:
		f.report.refuse(RuleInvalid, i, end, "send valid UTF-8")
		f.replace(i, end, string(utf8.RuneError))
		f.keep(utf8.RuneError)
	default: // the replacement character itself, as text
		f.keep(r)
	}
	return end
}

// newline makes every kind of line end a line feed.
func (f *filter) newline(i, end int, r rune) int {
	if r == '\r' && end < len(f.src) && f.src[end] == '\n' {
		end++
	}
	if r != '\n' {
		f.replace(i, end, "\n")
	}
	f.keep('\n')
	f.lineStart = end
	return end
}

// joins reports whether a joiner between f.base and what begins at next shapes text: it stands between emoji or inside
// a word of a script that needs it.
func (f *filter) joins(next int) bool {
	if f.previous == zwj || f.previous == zwnj {
		return false
	}
	for range maxMarks { // what is deleted does not come between
		r, size := utf8.DecodeRuneInString(f.src[next:])
		if class(r) == zeroWidth {
			next += size
			continue
		}
		return emoji(f.base) && emoji(r) || unicode.In(f.base, joiningScripts...) && unicode.IsLetter(r) &&
			unicode.In(r, joiningScripts...)
	}
	return false
}

func (f *filter) mark(i, end int, r rune) {
	f.marks++
	if f.marks > maxMarks {
		f.drop(i, end, TooManyMarks)
		return
	}
	f.previous = r
}

// tags keeps the tags of a flag of a region and refuses all others: they spell out ASCII that nobody sees.
func (f *filter) tags(i int) int {
	end, n, cancelled := i, 0, false
	letters := true
	for end < len(f.src) {
		r, size := utf8.DecodeRuneInString(f.src[end:])
		if class(r) != tag || cancelled {
			break
		}
		cancelled = r == cancelTag
		if low := r - 0xE0000; !cancelled {
			letters = letters && (low >= 'a' && low <= 'z' || low >= '0' && low <= '9')
			n++
		}
		end += size
	}
	if f.previous == blackFlag && cancelled && letters && n >= 2 && n <= 6 {
		f.keep(cancelTag)
		return end
	}
	f.report.refuse(RuleTags, i, end, "remove the invisible tag characters (U+E0000 to U+E007F)")
	f.drop(i, end, HiddenTextRemoved)
	return end
}

// selectors keeps one variation selector that has something to select and refuses long runs of the supplementary
// ones, which can hide any bytes behind one visible character.
func (f *filter) selectors(i int) int {
	end, n, supplementary := i, 0, false
	first, firstEnd := rune(0), 0
	for end < len(f.src) {
		r, size := utf8.DecodeRuneInString(f.src[end:])
		if class(r) != selector {
			break
		}
		end += size
		n++
		if n == 1 {
			first, firstEnd = r, end
		}
		supplementary = supplementary || r >= 0xE0100
	}
	if n > 2 && supplementary {
		f.report.refuse(RuleSelectors, i, end, "remove the run of invisible variation selectors")
	}
	if !f.selects(first, firstEnd) {
		firstEnd = i
	} else {
		f.previous = first
	}
	if firstEnd < end {
		f.drop(firstEnd, end, HiddenTextRemoved)
	}
	return end
}

func (f *filter) selects(r rune, end int) bool {
	switch {
	case class(f.previous) == selector:
		return false
	case r >= 0xE0100:
		return unicode.Is(unicode.Han, f.previous)
	case f.previous == '#' || f.previous == '*' || f.previous >= '0' && f.previous <= '9':
		next, _ := utf8.DecodeRuneInString(f.src[end:])
		return next == keycap
	default:
		return f.previous > 0xA0
	}
}
