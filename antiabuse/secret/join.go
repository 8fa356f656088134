package secret

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// join puts together what was broken over lines or written as a sum of strings: token characters, a line end or
// quotes with an operator, token characters. The joints are places in the joined text.
func join(s string) (string, []int, spans) {
	e := splicer{src: s}
	var joints []int
	removed := 0
	for i := 1; i < len(s); {
		end := 0
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			end = pictureJoint(s, i)
		case c == '"' || c == '\'' || c == '`' || c == '\n' || c == '\\':
			end = jointAt(s, i)
		}
		if end == 0 {
			i++
			continue
		}
		e.replace(i, end, "")
		removed += end - i
		joints = append(joints, end-removed)
		i = end
	}
	if len(joints) == 0 {
		return "", nil, nil
	}
	return e.finish(), joints, e.cuts
}

var tokenSet = setOf(alnumChars + "_-+/=.~")

// jointAt is where the next piece begins when a token goes on behind what stands at i, else 0.
func jointAt(s string, i int) int {
	if !tokenSet.has(s[i-1]) {
		return 0
	}
	var end int
	if s[i] == '\n' || s[i] == '\\' {
		end = lineJoint(s, i)
	} else {
		end = sumJoint(s, i)
	}
	if end == 0 || end >= len(s) || !tokenSet.has(s[end]) {
		return 0
	}
	return end
}

// pictureJoint passes over pictures inside a token.
func pictureJoint(s string, i int) int {
	const most = 4
	if !tokenSet.has(s[i-1]) {
		return 0
	}
	for range most {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r < 0x2190 || !unicode.In(r, unicode.So, unicode.Sk, unicode.Mn) && (r < 0x1F000 || r > 0x1FAFF) &&
			r != 0x200D {
			return 0
		}
		if i += size; i < len(s) && tokenSet.has(s[i]) {
			return i
		}
		if i >= len(s) {
			return 0
		}
	}
	return 0
}

// sumJoint passes over a closing quote, an operator or blanks, and an opening quote.
func sumJoint(s string, i int) int {
	const longest = 40
	limit := min(len(s), i+longest)
	at := i + 1
	gap := sumGap.run(s[:limit], at, longest)
	if at += gap; gap == 0 || at >= limit || !quotes.has(s[at]) {
		return 0
	}
	return at + 1
}

// lineJoint passes over a line end with what may stand at the start of the next line, when the line ends in what looks
// like the middle of a token.
func lineJoint(s string, i int) int {
	const longest, run = 24, 12
	at := i
	if s[at] == '\\' {
		at++
		if at < len(s) && s[at] == 'n' {
			return 0
		}
	}
	if at >= len(s) || s[at] != '\n' {
		return 0
	}
	n := tokenSet.runBack(s, i, 80)
	piece := s[i-n : i]
	if n < run && !strings.ContainsAny(piece, "_-") || wordy(piece) && churn(piece) < 0.25 ||
		look(piece).kinds() < 2 {
		return 0
	}
	limit := min(len(s), at+longest)
	next := at + lineGap.run(s[:limit], at, longest)
	if member(s, next) {
		return 0
	}
	return next
}

// member reports whether a line that begins at i goes on with a name and a colon: it is a member of its own, and no rest of
// the line before.
func member(s string, i int) bool {
	i += blank.run(s, i, maxNameBefore)
	end := i + tokenSet.run(s, i, maxNameAfter)
	return end > i && end < len(s) && s[end] == ':'
}
