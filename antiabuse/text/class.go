package text

import "unicode"

// kind of a character, by what becomes of it.
type kind int

const (
	ordinary    kind = iota
	invalid          // no character, or one that PostgreSQL refuses
	newline          // a line end of any kind
	control          // moves cursors and writes logs
	zeroWidth        // invisible without a use in text
	joiner           // ZWJ and ZWNJ
	bidiControl      // reorders what the reader sees
	tag              // invisible ASCII
	selector         // variation selectors
	mark             // combining
	toASCII          // canonically equal to an ASCII character
	unusual          // private use or unassigned
)

// joiningScripts need joiners inside words.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer,
	unicode.Myanmar, unicode.Tibetan,
}

// common are the blocks that texts are mostly made of: letters, ideographs and signs without a combining mark,
// control or unassigned code point among them.
func common(r rune) bool {
	switch {
	case r < 0x300:
		return r >= 0xA1 && r != 0xAD
	case r < 0x530:
		return r >= 0x400 && (r < 0x483 || r > 0x489)
	case r < 0x4E00:
		return r >= 0x2010 && r <= 0x2027 || r >= 0x3001 && r <= 0x3029 || r >= 0x3041 && r <= 0x3096 ||
			r >= 0x30A1 && r <= 0x30FF
	default:
		return r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3
	}
}

// class says what becomes of a character that is not printable ASCII.
func class(r rune) kind {
	if common(r) {
		return ordinary
	}
	switch {
	case r == 0 || r == unicode.ReplacementChar:
		return invalid
	case r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
		return newline
	case r == '\t' || r >= ' ' && r < 0x7F:
		return ordinary
	case r < 0xA0:
		return control
	case r == zwj || r == zwnj:
		return joiner
	case r == 0x061C || r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069:
		return bidiControl
	case zero(r):
		return zeroWidth
	case r >= 0xE0000 && r <= cancelTag:
		return tag
	case r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF:
		return selector
	case asciiFor(r) != "":
		return toASCII
	case unicode.Is(unicode.M, r):
		return mark
	case !unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cf):
		return unusual
	default:
		return ordinary
	}
}

// zero reports whether r is invisible and of no use in text: zero width spaces, joiners of other kinds, fillers.
func zero(r rune) bool {
	switch r {
	case 0x200B, 0xFEFF, 0xAD, 0x180E, 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0, 0xFFF9, 0xFFFA, 0xFFFB:
		return true
	}
	return r >= 0x2060 && r <= 0x2065 || r >= 0x206A && r <= 0x206F
}

// asciiFor is the ASCII character to which Unicode's canonical forms turn r, if any.
func asciiFor(r rune) string {
	switch r {
	case 0x212A:
		return "K"
	case 0x037E:
		return ";"
	case 0x1FEF:
		return "`"
	}
	return ""
}

// emoji reports whether r is a pictograph or a part of one.
func emoji(r rune) bool {
	return r >= 0x2190 && (r >= 0x1F000 && r <= 0x1FAFF || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r))
}

// controlEnd is the end of the terminal sequence that the control at i begins, or of the control alone.
func controlEnd(s string, r rune, end int) int {
	const csi, esc = 0x9B, 0x1B
	if r == esc && end < len(s) && s[end] == ']' {
		return oscEnd(s, end)
	}
	if r == esc && end < len(s) && s[end] == '[' {
		r, end = csi, end+1
	}
	if r != csi {
		return end
	}
	at := end
	for at < len(s) && s[at] >= ' ' && s[at] <= '?' {
		at++
	}
	if at < len(s) && s[at] >= '@' && s[at] <= '~' {
		return at + 1
	}
	return end
}

// oscEnd is the end of an operating system command (ECMA-48, 8.3.89) whose ] stands at i, or i when it has no end.
func oscEnd(s string, i int) int {
	for at := i + 1; at < len(s); at++ {
		switch c := s[at]; {
		case c == 0x07:
			return at + 1
		case c == 0x1B && at+1 < len(s) && s[at+1] == '\\':
			return at + 2
		case c < ' ' || c >= 0x7F:
			return i
		}
	}
	return i
}
