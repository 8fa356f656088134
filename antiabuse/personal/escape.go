package personal

import (
	"strconv"
	"strings"

	"interai/antiabuse/finding"
)

// entities are the named characters of HTML that hide a mail address, a phone number or a travel document.
var entities = []struct {
	name string
	is   byte
}{
	{"&commat;", '@'}, {"&period;", '.'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&plus;", '+'}, {"&nbsp;", ' '}, {"&hyphen;", '-'}, {"&lowbar;", '_'}, {"&colon;", ':'}, {"&shy;", 0}, {"&quot;", '"'},
}

// decodeEscapes answers the text as it reads once its escapes are taken off (of HTML, of URLs and of JSON), with the place
// in the text of each of its bytes, and of its end. ok is false when there is nothing to decode.
func decodeEscapes(b *finding.Budget, text string) (view string, places []int, ok bool) {
	if !strings.Contains(text, "%") && !strings.Contains(text, "&") && !strings.Contains(text, `\u00`) {
		return "", nil, false
	}
	var out []byte
	b.Work += len(text)
	for i := 0; i < len(text); {
		size, c := escape(text[i:])
		if size == 0 {
			size, c = 1, text[i]
		} else if out == nil {
			out = append(make([]byte, 0, len(text)), text[:i]...)
			places = make([]int, i, len(text)+1)
			for k := range places {
				places[k] = k
			}
		}
		if size > 1 && !b.Decode(1) {
			return "", nil, false
		}
		if out != nil && c != 0 {
			out, places = append(out, c), append(places, i)
		}
		i += size
	}
	if out == nil {
		return "", nil, false
	}
	return string(out), append(places, len(text)), true
}

// escape is the length of the escape that a text begins with, and the character of ASCII that it stands for.
func escape(s string) (size int, c byte) {
	switch s[0] {
	case '%':
		return numbered(s, 1, 3, 16, "")
	case '\\':
		if strings.HasPrefix(s, `\u00`) {
			return numbered(s, 4, 6, 16, "")
		}
	case '&':
		if strings.HasPrefix(s, "&#") {
			return entityNumber(s)
		}
		for _, entity := range entities {
			if strings.HasPrefix(s, entity.name) {
				return len(entity.name), entity.is
			}
		}
	}
	return 0, 0
}

// entityNumber reads &#64; and &#x40;.
func entityNumber(s string) (size int, c byte) {
	const longest = 10
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 0 {
		return 0, 0
	}
	from, base := len("&#"), 10
	if end > from && s[from]|0x20 == 'x' {
		from, base = from+1, 16
	}
	return numbered(s, from, end, base, ";")
}

// numbered reads a number at from to to, which must stand for a printable character or a line end.
func numbered(s string, from, to, base int, closing string) (size int, c byte) {
	if len(s) < to || from >= to {
		return 0, 0
	}
	n, err := strconv.ParseUint(s[from:to], base, 8)
	if err != nil || n > '~' || n < ' ' && n != '\n' && n != '\r' && n != '\t' {
		return 0, 0
	}
	return to + len(closing), byte(n)
}
