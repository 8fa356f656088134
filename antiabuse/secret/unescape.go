package secret

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescape resolves HTML entities, percent escapes and the escapes of string literals, and says how many it resolved.
func unescape(s string) (string, spans, int) {
	e := splicer{src: s}
	n := 0
	for i := 0; i < len(s); {
		next := strings.IndexAny(s[i:], "&%\\=")
		if next < 0 {
			break
		}
		i += next
		with, size := escape(s[i:])
		if size == 0 {
			i++
			continue
		}
		e.replace(i, i+size, with)
		i += size
		n++
	}
	return e.finish(), e.cuts, n
}

// escape reads the escape at the start of s; size is 0 when there is none.
func escape(s string) (with string, size int) {
	switch s[0] {
	case '%':
		if len(s) >= 3 && hexSet.has(s[1]) && hexSet.has(s[2]) {
			return character(s[1:3], 16), 3
		}
	case '&':
		return entity(s)
	case '=': // quoted-printable
		if len(s) >= 3 && (s[1:3] == "3D" || s[1:3] == "2E" || s[1:3] == "5F" || s[1:3] == "2D") {
			return character(s[1:3], 16), 3
		}
		if strings.HasPrefix(s, "=\n") && !member(s, len("=\n")) {
			return "", 2
		}
	case '\\':
		return backslash(s)
	}
	return "", 0
}

func entity(s string) (string, int) {
	const longest = 10
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 2 {
		return "", 0
	}
	if with := html.UnescapeString(s[:end+1]); with != s[:end+1] {
		return with, end + 1
	}
	return "", 0
}

func backslash(s string) (string, int) {
	n := 1
	for n < len(s) && n < 8 && s[n] == '\\' {
		n++
	}
	if n == len(s) {
		return "", 0
	}
	rest := s[n:]
	switch c := rest[0]; {
	case c == '"' || c == '\'' || c == '/' || c == '`':
		return rest[:1], n + 1
	case c == 'n' || c == 'r' || c == 't':
		return "\n", n + 1
	case c == 'u' && len(rest) >= 5 && hexSet.run(rest, 1, 4) == 4:
		return character(rest[1:5], 16), n + 5
	case c == 'u' && len(rest) >= 4 && rest[1] == '{':
		if digits := hexSet.run(rest, 2, 6); digits > 0 && len(rest) > digits+2 && rest[digits+2] == '}' {
			return character(rest[2:2+digits], 16), n + digits + 3
		}
	case c == 'x' && hexSet.run(rest, 1, 2) == 2:
		return character(rest[1:3], 16), n + 3
	case c >= '0' && c <= '7' && octalSet.run(rest, 0, 3) == 3:
		return character(rest[:3], 8), n + 3
	case n > 1:
		return "", n
	}
	return "", 0
}

// character is the one with a number, nothing for what is no ASCII text.
func character(number string, base int) string {
	n, err := strconv.ParseUint(number, base, 32)
	if err != nil || n >= utf8.RuneSelf {
		return " "
	}
	if n < ' ' {
		return "\n"
	}
	return string(rune(n))
}
