package secret

import "strings"

// name is the identifier at whose words the pass has arrived.
type name struct {
	start, end int
	kind       stemKind
	known      bool
}

const (
	maxNameBefore = 50 // of a name, before the word that announces
	maxNameAfter  = 40
)

// word collects the words of one identifier: it is judged when the next one begins.
func (s *scan) word(id, start, end int) bool {
	st := &stems[id]
	for st.kind == stemPass && !alnum.has(s.text[end-1]) {
		end-- // the sign of a spelling
	}
	from := start - nameSet.runBack(s.text, start, maxNameBefore)
	to := end + nameSet.run(s.text, end, maxNameAfter)
	if st.kind == stemForeign {
		if start > 0 && alnum.has(s.text[start]) && alnum.has(s.text[start-1]) || alnum.has(s.text[end-1]) &&
			end < len(s.text) && alnum.has(s.text[end]) {
			return true // a part of another word
		}
		from, to = start, end+foreignTail(s.text, end)
	}
	for to > end && (s.text[to-1] == '.' || s.text[to-1] == '-') {
		to--
	}
	if s.name.known && from < s.name.end {
		switch {
		case st.kind == stemForeign && start <= s.name.start:
			s.name.start, s.name.kind = start, st.kind
		case s.name.kind != stemForeign && st.kind < s.name.kind:
			s.name.kind = st.kind
		}
		s.name.end = max(s.name.end, to)
		return true
	}
	ok := s.settle()
	s.name = name{start: from, end: to, kind: st.kind, known: true}
	return ok
}

// foreignTail is how far an ending goes on behind a word of another language.
func foreignTail(text string, i int) int {
	const longest = 10
	n := 0
	for n < longest && i+n < len(text) {
		c, next := text[i+n], i+n+1
		switch {
		case c == 0xD0 || c == 0xD1: // Cyrillic
			n += 2
		case c >= 'a' && c <= 'z' && next < len(text) && text[i] != ' ':
			n++
		case (c == 0xC3 || c == 0xC4 || c == 0xC5) && next < len(text):
			n += 2
		default:
			return n
		}
	}
	return min(n, len(text)-i)
}

// settle judges the identifier that was collected last.
func (s *scan) settle() bool {
	n := s.name
	s.name = name{}
	if !n.known || n.end <= s.judged {
		return true
	}
	if !s.pay(maxLook) {
		return false
	}
	text := s.text[n.start:n.end]
	if s.resource(n.start) || strings.HasPrefix(text, "secrets.") || len(text) >= 16 && knotted(text) &&
		churn(text) >= 0.3 {
		return true // the name of a resource or of a stored secret, or no name but a value
	}
	power := strong
	if n.kind != stemForeign {
		power = weigh(text, s.wordBefore(n.start))
		if power == faint && n.kind == stemToken && strings.HasPrefix(text, "--") {
			power = strong // an option of a command
		}
	}
	if power == disarmed {
		return true
	}
	if n.end+1 < len(s.text) && s.text[n.end] == '[' && !quotes.has(s.text[n.end+1]) {
		return true // an element of something
	}
	s.table(n)
	v, ok := s.value(n.start, n.end)
	if ok && s.assigned(n, power, v) {
		return true
	}
	if power == strong {
		s.prose(n, ok && !v.loose)
	}
	return true
}

// resource reports whether the name is a part of a resource name such as arn:aws:secretsmanager:….
func (s *scan) resource(start int) bool {
	const longest = 120
	from := start
	for from > 0 && start-from < longest && s.text[from-1] > ' ' && !quotes.has(s.text[from-1]) {
		from--
	}
	return strings.Contains(s.text[from:start], "arn:") || strings.Contains(s.text[from:start], "urn:")
}

// wordBefore is the word in front of i on the same line, in lower case, for names of two words.
func (s *scan) wordBefore(i int) string {
	if i < 2 || s.text[i-1] != ' ' {
		return ""
	}
	const longest = 16
	n := alnum.runBack(s.text, i-1, longest)
	return strings.ToLower(s.text[i-1-n : i-1])
}

// assigned judges a value that a name has and reports whether it settled the matter.
func (s *scan) assigned(n name, power strength, v value) bool {
	var buffer [3]value
	for _, c := range v.cuts(buffer[:0], s.text) {
		text := s.text[c.start:c.end]
		if !v.quoted && strings.ContainsAny(text, "([{") {
			continue // an expression
		}
		if publicKey(text) {
			continue // a rule of its own flags it
		}
		switch {
		case power == strong && (likely(text) || n.kind == stemPassword && s.pair(text) || coded(text)):
			if v.loose && !chance(text) {
				continue
			}
			s.report("named_secret", placeholderFor(s.text[n.start:n.end]), Contextual, c.start, c.end)
		case power == faint && chance(text) && len(text) >= 20:
			s.report("named_value", placeholderFor(s.text[n.start:n.end]), Weak, c.start, c.end)
		default:
			continue
		}
		s.judged = max(s.judged, c.end)
		return true
	}
	return false
}

// publicKey reports whether v is of a kind that stands in public pages or works for tests only.
func publicKey(v string) bool {
	for _, p := range []string{
		"AIza", "pk_live_", "pk_test_", "sk_test_", "rk_test_", "phc_", "AKIA", "ASIA",
		"pk.eyJ", "6Le", "G-", "UA-", "GTM-", "pub_", "pk-lf-",
	} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	return false
}

// pair judges "user:password" and "user/password" behind a word such as "credentials".
func (s *scan) pair(v string) bool {
	if never(v) {
		return false
	}
	for _, sep := range []string{":", "/", "%"} {
		if user, pass, ok := strings.Cut(v, sep); ok && len(user) >= 2 && nameSet.run(user, 0,
			len(user)) == len(user) && !strings.HasPrefix(pass, "/") && likely(pass) {
			return true
		}
	}
	return false
}

// coded reports whether v is base64 of something that looks like a secret.
func coded(v string) bool {
	const longest = 200
	if len(v) < 12 || len(v) > longest {
		return false
	}
	plain, ok := decodeBase64(v)
	return ok && printable(plain) && !never(plain) && (likely(plain) || likely(strings.TrimSpace(afterColon(plain))))
}

func afterColon(v string) string {
	_, after, _ := strings.Cut(v, ":")
	return after
}

// placeholderFor makes a placeholder's name of an identifier.
func placeholderFor(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; alnum.has(c) {
			b.WriteByte(c)
		} else {
			b.WriteByte('_')
		}
	}
	if out := strings.Trim(strings.ToUpper(b.String()), "_"); out != "" && len(out) <= maxNameAfter {
		return out
	}
	return "SECRET"
}
