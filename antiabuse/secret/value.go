package secret

import "strings"

// value is where the value of a name stands.
type value struct {
	start, end int
	quoted     bool
	loose      bool // nothing but a blank stands between name and value
}

const (
	maxGap   = 48  // between the end of a name and its value
	maxValue = 512 // of a value
	maxHops  = 3   // names of types and functions between name and value
)

var (
	closers = setOf("\"'`*_)]}\\")
	openers = setOf("\"'`*\\([{")
	// separators between name and value, longest first.
	separators = []string{"::=", ":==", "===", ":=", "=>", "->", "==", "?=", "+=", "||", "??", ":-", "=", ":", "|", ">", ",", "(", "→", "⇒", "➜", "👉", "—", "–", "=", "："}
)

// value finds the value of the name at [start, end).
func (s *scan) value(start, end int) (value, bool) {
	if start > 1 && s.text[start-1] == '/' && s.text[start-2] == '<' {
		return value{}, false // a closing tag
	}
	limit := min(len(s.text), end+maxGap)
	i := end + closers.run(s.text[:limit], end, 4)
	marked := i
	i = s.blanks(i, limit)
	if sep := s.separator(i, limit); sep > 0 {
		return s.valueAt(i+sep, s.text[i:i+sep], maxHops)
	}
	if i < limit && s.text[i] == '-' && i+1 < limit && blank.has(s.text[i+1]) && i > marked {
		return s.valueAt(i+1, "-", 0)
	}
	if word := s.valueWord(i, limit); word > 0 {
		return s.valueAt(word, "=", 1)
	}
	if i == marked || i >= limit {
		return value{}, false
	}
	v := s.take(i)
	v.loose = !v.quoted && !s.takesBlank(start)
	return v, v.end > v.start
}

// takesBlank reports whether the name at start is one whose value follows after a blank: an option of a command, an
// instruction of a Dockerfile, a line of a netrc file.
func (s *scan) takesBlank(start int) bool {
	line := s.text[max(0, start-80):start]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	trimmed := strings.TrimRight(line, " \t$")
	switch {
	case s.text[start] == '-' || strings.HasSuffix(line, "-"):
		return true
	case strings.Contains(line, "machine ") || strings.Contains(line, "login "):
		return true
	}
	last := strings.ToLower(trimmed[strings.LastIndexByte(trimmed, ' ')+1:])
	return last == "env" || last == "arg" || last == "setx" || last == "setenv" || last == "set" || last == "config"
}

func (s *scan) blanks(i, limit int) int { return i + blank.run(s.text[:limit], i, maxGap) }

// separator is the length of the separator at i, 0 without one.
func (s *scan) separator(i, limit int) int {
	for _, sep := range separators {
		if strings.HasPrefix(s.text[i:limit], sep) {
			return len(sep)
		}
	}
	return 0
}

// valueWord finds forms such as `name="password" value="…"` and "name: PASSWORD, value: …" and returns where the value
// begins, 0 when there is none.
func (s *scan) valueWord(i, limit int) int {
	i += valueGap.run(s.text[:limit], i, 24)
	rest := strings.ToLower(s.text[i:min(limit, i+12)])
	for _, word := range []string{"defaultvalue", "default", "value", "val"} {
		if strings.HasPrefix(rest, word) {
			at := i + len(word)
			at += closers.run(s.text[:limit], at, 2)
			at = s.blanks(at, limit)
			if sep := s.separator(at, limit); sep > 0 && s.text[at] != ',' && s.text[at] != '(' {
				return at + sep
			}
		}
	}
	return 0
}

// valueAt reads the value that begins somewhere behind a separator at i.
func (s *scan) valueAt(i int, sep string, hops int) (value, bool) {
	limit := min(len(s.text), i+maxGap)
	at := s.blanks(i, limit)
	if sep != "(" && sep != "," {
		at = s.nextLine(at, limit, sep)
	}
	if word := s.valueWord(at, min(len(s.text), at+maxGap)); word > 0 && hops > 0 {
		return s.valueAt(word, "=", hops-1)
	}
	v := s.take(at)
	if (sep == "(" || sep == ",") && !v.quoted {
		return value{}, false
	}
	if hops > 0 && !v.quoted {
		if next := s.hop(v); next > 0 {
			return s.valueAt(next, "=", hops-1)
		}
	}
	return v, v.end > v.start
}

// nextLine passes to the next line when the value does not stand on this one: block scalars, fences, list items.
func (s *scan) nextLine(at, limit int, sep string) int {
	if sep == "|" || at >= limit {
		return at
	}
	start := at
	for range 2 {
		at += blockSet.run(s.text[:limit], at, 4)
		at = s.blanks(at, limit)
		if at >= limit || s.text[at] != '\n' && s.text[at] != '\r' {
			if start < limit && space.has(s.text[start]) {
				return at
			}
			return start
		}
		at += nextLineSet.run(s.text[:limit], at, maxGap)
		start = at
		if strings.HasPrefix(s.text[at:limit], "```") {
			end := strings.IndexByte(s.text[at:limit], '\n')
			if end < 0 {
				return at
			}
			return at + end + 1
		}
	}
	return start
}

// hop is where the value of a declaration or call begins whose type or function stands where a value was expected:
// `password: str = "…"`, `secret = decode("…")`, `key = env.KEY || "…"`.
func (s *scan) hop(v value) int {
	const longest = 40
	i := v.start
	end := i + typeSet.run(s.text, i, longest)
	if end == i || digitsIn(s.text[i:end]) > 2 {
		return 0
	}
	limit := min(len(s.text), end+8)
	at := s.blanks(end, limit)
	for _, sep := range []string{":=", "||", "??", "=", "("} {
		if strings.HasPrefix(s.text[at:limit], sep) && !strings.HasPrefix(s.text[at:], "==") {
			next := s.blanks(at+len(sep), min(len(s.text), at+8))
			if next < len(s.text) && (quotes.has(s.text[next]) || sep == "=") {
				return next
			}
		}
	}
	if at > end && at < len(s.text) && quotes.has(s.text[at]) {
		return at
	}
	return 0
}

func digitsIn(v string) int {
	n := 0
	for i := range len(v) {
		if digit.has(v[i]) {
			n++
		}
	}
	return n
}

// take reads the value at i: behind an opening quote up to the closing one, else up to a blank.
func (s *scan) take(i int) value {
	limit := min(len(s.text), i+12)
	start := i + openers.run(s.text[:limit], i, 6)
	if start+1 < len(s.text) && (s.text[start+1] == '"' || s.text[start+1] == '\'') &&
		strings.IndexByte("brfuL@N", s.text[start]) >= 0 {
		start += 2 // prefixes of string literals
	}
	if strings.HasPrefix(s.text[start:], "<![CDATA[") {
		start += len("<![CDATA[")
	}
	v := value{start: start, end: start}
	stop := byte(0)
	if start > i && quotes.has(s.text[start-1]) {
		v.quoted, stop = true, s.text[start-1]
	}
	limit = min(len(s.text), start+maxValue)
	for v.end < limit {
		c := s.text[v.end]
		if c <= ' ' || c >= 0x7F || c == stop && v.quoted {
			break
		}
		v.end++
	}
	return v
}

// cuts appends the readings of where a value ends, the longest first.
func (v value) cuts(out []value, text string) []value {
	all := text[v.start:v.end]
	if i := strings.Index(all, "..."); i >= 0 && i < 80 || strings.Contains(all, "***") ||
		strings.HasPrefix(text[v.end:], "…") {
		return nil // an excerpt or a mask
	}
	add := func(n int) {
		for n > 0 && strings.IndexByte("\"'`,;:)]}>\\*|.", all[n-1]) >= 0 {
			n--
		}
		if n > 0 && (len(out) == 0 || v.start+n != out[len(out)-1].end) {
			out = append(out, value{start: v.start, end: v.start + n, quoted: v.quoted})
		}
	}
	if v.quoted || strings.IndexByte(all, '"') < 0 {
		add(len(all))
	}
	if i := strings.IndexAny(all, "\"'`,;|<>)}\\"); i > 0 {
		add(i)
	}
	if i := strings.IndexAny(all, "&,;|<\"'"); i > 0 {
		add(i)
	}
	return out
}
