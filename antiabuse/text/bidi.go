package text

import (
	"unicode"
	"unicode/utf8"
)

// maxBidiDepth is how deep bidirectional controls may nest in a line that keeps them.
const maxBidiDepth = 16

// keepsBidi reports whether the line around i may keep its bidirectional controls: it has letters that run from right
// to left, the controls are balanced, and there is no code on the line. A line is judged once.
func (f *filter) keepsBidi(i int) bool {
	if i < f.lineEnd {
		return f.bidi
	}
	f.bidi, f.lineEnd = judgeBidi(f.src, f.lineStart)
	f.report.Work += f.lineEnd - f.lineStart
	return f.bidi
}

// judgeBidi judges the line that begins at start and returns where it ends.
func judgeBidi(s string, start int) (keeps bool, end int) {
	var stack []rune
	balanced, code, leftwards := true, false, false
	end = start
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if r >= ' ' && r < 0x7F {
			code = code || r == '`'
			end++
			continue
		}
		k := class(r)
		if k == newline {
			break
		}
		end += size
		switch k {
		case bidiControl:
			stack, balanced = nest(stack, r, balanced)
		case toASCII:
			code = code || asciiFor(r) == "`"
		default:
			leftwards = leftwards || rightToLeft(r)
		}
	}
	return balanced && len(stack) == 0 && leftwards && !code, end
}

// nest opens or closes an embedding or isolate. Overrides never pass: they make text read otherwise than it is.
func nest(stack []rune, r rune, balanced bool) ([]rune, bool) {
	const lre, rle, pdf, lro, rlo, lri, fsi, pdi = 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2068, 0x2069
	top := len(stack) - 1
	switch {
	case !balanced || r == lro || r == rlo || top+1 >= maxBidiDepth:
		return nil, false
	case r == lre || r == rle:
		return append(stack, pdf), true
	case r >= lri && r <= fsi:
		return append(stack, pdi), true
	case r == pdf || r == pdi:
		if top < 0 || stack[top] != r {
			return nil, false
		}
		return stack[:top], true
	default: // single marks
		return stack, true
	}
}

func rightToLeft(r rune) bool {
	return r >= 0x590 && unicode.IsLetter(r) &&
		unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam)
}
