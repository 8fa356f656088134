package secret

import "strings"

// manifest judges the values of a Kubernetes Secret: base64 under data, plain text under stringData.
func (s *scan) manifest(start, end int) {
	const before, after = 600, 1200
	from, limit := max(0, start-before), min(len(s.text), end+after)
	if i := strings.Index(s.text[end:limit], "\n---"); i >= 0 {
		limit = end + i
	}
	if i := strings.LastIndex(s.text[from:start], "\n---"); i >= 0 {
		from += i
	}
	if !s.pay(limit - from) {
		return
	}
	inside := false
	for i := from; i < limit; {
		line, next := s.line(i)
		trimmed := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch {
		case strings.HasPrefix(trimmed, "data:"), strings.HasPrefix(trimmed, "stringData:"), strings.HasPrefix(trimmed, "\"data\""):
			inside = true
		case inside && (trimmed == "" || !indented):
			inside = false
		case inside:
			s.manifestLine(i, line)
		}
		if next <= i {
			return
		}
		i = next
	}
}

// manifestLine judges one "key: value" of a Secret's data.
func (s *scan) manifestLine(at int, line string) {
	key, v, ok := strings.Cut(line, ":")
	if !ok {
		return
	}
	from := at + len(key) + 1
	from += scalarGap.run(s.text, from, len(v))
	n := anyBase64.run(s.text, from, maxValue)
	value := s.text[from : from+n]
	if n < 8 || reference(value) {
		return
	}
	plain, ok := decodeBase64(value)
	name := strings.ToLower(strings.Trim(key, " \t\"'"))
	if ok && printable(plain) && !exampleLike(plain) &&
		!commonPasswords[strings.ToLower(strings.TrimSpace(plain))] && (likely(strings.TrimSpace(plain)) ||
		weigh(name, "") == strong && len(plain) >= 8 && digitsIn(plain) > 0) {
		s.report("kubernetes_secret", "BASE64_OF_VALUE", Contextual, from, from+n)
	}
}

// appPassword judges four groups of four letters, as mail providers give out.
func (s *scan) appPassword(_, end int) {
	const window = 60
	limit := min(len(s.text), end+window)
	for i := end; i < limit; i++ {
		if s.text[i] < 'a' || s.text[i] > 'z' || alnum.has(s.text[i-1]) {
			continue
		}
		groups, at := 0, i
		var letters strings.Builder
		for groups < 4 && lowerSet.run(s.text, at, 5) == 4 {
			letters.WriteString(s.text[at : at+4])
			groups++
			if at += 4; groups < 4 && at < len(s.text) && (s.text[at] == ' ' || s.text[at] == '-') {
				at++
			}
		}
		if groups == 4 && familiar(letters.String()) < 0.55 {
			s.report("app_password", "APP_PASSWORD", Structural, i, at)
			return
		}
		i += max(0, lowerSet.run(s.text, i, 16)-1)
	}
}
