package secret

import "strings"

// jwt judges a JSON web token: header and payload decode to JSON, a signature follows.
func (s *scan) jwt(start, _ int) {
	const longest = 3200
	if start > 0 && (base64ur.has(s.text[start-1]) && !escaped(s.text, start)) {
		return
	}
	parts := [3]int{}
	i := start
	for part := range parts {
		n := base64ur.run(s.text, i, longest)
		parts[part] = n
		i += n
		if part < 2 {
			if n < 10 || i >= len(s.text) || s.text[i] != '.' {
				return
			}
			i++
		}
	}
	const signature = 20
	if parts[2] < signature || !s.budgetWork(i-start) {
		return
	}
	token := s.text[start:i]
	header, ok := decodeBase64(token[:parts[0]])
	if !ok || !strings.HasPrefix(header, "{\"") || exampleLike(token[:min(len(token), 100)]) {
		return
	}
	if payload, ok := decodeBase64(token[parts[0]+1 : parts[0]+1+parts[1]]); !ok ||
		!strings.HasPrefix(strings.TrimSpace(payload), "{") && !strings.Contains(header, "\"enc\"") {
		return
	} else if strings.Contains(payload, "John Doe") && strings.Contains(payload, "1234567890") {
		return // the sample of jwt.io with another key
	}
	s.report("json_web_token", "JWT", Structural, start, i)
}

// budgetWork counts the bytes of a long match.
func (s *scan) budgetWork(n int) bool {
	s.budget.Work += n
	return true
}

// escaped reports whether the letter before i belongs to an escape such as \n.
func escaped(text string, i int) bool {
	return i > 1 && text[i-2] == '\\' && strings.IndexByte("nrtbf", text[i-1]) >= 0
}
