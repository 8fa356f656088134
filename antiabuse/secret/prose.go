package secret

import "strings"

const (
	proseWindow = 110 // bytes behind a word in which a sentence may name the value
	proseWords  = 14
)

// copulas are the words that stand between a name and its value in sentences.
var copulas = wordList(`is are was were be as equals to set use using with now becomes became = : := -> =>
	ist lautet war sei heisst est sera était es era fue será é foi será è era sarà jest to był brzmi är on oli je byl bu idi это был`)

// foreignCopulas join name and value in languages that write no blanks, or stand outside ASCII.
var foreignCopulas = []string{"是", "为", "為", "は", "が", "를", "을", "는", "은", "이", "가", "é ", "è ", "está", "هي", "هو", "—", "–", "»", "это", "là", "είναι", "→"}

// prose looks for a value in the sentence around a strong name: "the password for the admin account is …", and the
// other way round, "use … as the password". A valued name has something behind a separator.
func (s *scan) prose(n name, valued bool) {
	if !s.pay(proseWindow) {
		return
	}
	end := s.sentenceEnd(n.end, valued)
	joined := n.kind == stemForeign && n.end < len(s.text) && s.text[n.end] >= 0x80
	hashed := false
	for at, words := n.end, 1; at < end && words <= proseWords; words++ {
		start, stop := token(s.text, at, end)
		if start == stop || s.newItem(at, start, stop) {
			break
		}
		joined = joined || foreignJoin(s.text[at:start])
		from, to := unwrap(s.text, start, stop)
		word, wrapped := s.text[from:to], from > start
		at = stop
		hashed = hashed || words > 8 || aboutHashes(word)
		switch {
		case copula(s.text[start:stop]):
			joined = true
			continue
		case digitsIn(word) == 0 && len(word) < 12: // an ordinary word
		case (joined || wrapped || words == 1) && (!hashed || !isHex(word)) && drawn(word, words),
			(joined || wrapped) && words <= 6 && n.kind != stemKey && n.kind != stemToken && spoken(word):
			s.report("secret_in_prose", "PASSWORD", Contextual, from, to)
			s.judged = max(s.judged, to)
			return
		}
		if s.text[stop-1] == '.' && to == stop-1 && len(word) > 1 {
			break // the end of the sentence
		}
	}
	s.proseBefore(n)
}

// sentenceEnd is how far a sentence about a name goes: to the end of the paragraph, or of the line when the name has
// a value of its own, so that the next line is about something else.
func (s *scan) sentenceEnd(i int, valued bool) int {
	end := min(len(s.text), i+proseWindow)
	stop := "\n\n"
	if valued {
		stop = "\n"
	}
	if n := strings.Index(s.text[i:end], stop); n >= 0 {
		return i + n
	}
	return end
}

// newItem reports whether the token at [start, stop) begins a line with an item of a list or a key of its own.
func (s *scan) newItem(at, start, stop int) bool {
	return strings.IndexByte(s.text[at:start], '\n') >= 0 &&
		(s.text[stop-1] == ':' || s.text[start] == '-' || s.text[start] == '|')
}

// drawn reports whether a word of a sentence looks drawn by chance; the nearer to the name, the less it takes.
func drawn(word string, words int) bool {
	const near = 8
	return plainValue(word) && !hashedPair(word) && (chance(word) || words <= near && chosen(word))
}

// copula reports whether a word joins a name and its value.
func copula(word string) bool {
	const longest = 12
	if strings.HasSuffix(word, ":") {
		return true
	}
	return len(word) <= longest && copulas[strings.ToLower(strings.TrimRight(word, "`*\"'"))]
}

// spoken reports whether v is a password as people choose them: it has digits, and signs that names have not.
func spoken(v string) bool {
	s := look(v)
	return s.telling > 0 && s.digits > 0 && s.lower+s.upper > 2 && s.n >= 8 && s.n <= 40 && likely(v) && plainValue(v)
}

// plainValue reports whether v has nothing of an expression of a program, and is no rest of a URI.
func plainValue(v string) bool {
	return v != "" && v[0] != '@' && v[0] != '.' && !strings.ContainsAny(v, "()[]{}<>|\\\"'`;")
}

// aboutHashes reports whether a word says that hex digits behind it are a commit or a digest.
func aboutHashes(word string) bool {
	lower := strings.ToLower(word)
	return len(word) <= maxNameAfter && (strings.Contains(lower, "commit") || strings.Contains(lower, "digest") ||
		strings.Contains(lower, "hash") || strings.Contains(lower, "sha") || strings.Contains(lower, "checksum") ||
		strings.Contains(lower, "revision") || strings.Contains(lower, "derived"))
}

func isHex(v string) bool { return hexSet.run(v, 0, len(v)) == len(v) }

// proseBefore looks for "… as the password" and "(…) is the password".
func (s *scan) proseBefore(n name) {
	start := max(0, n.start-proseWindow)
	if i := strings.LastIndexByte(s.text[start:n.start], '\n'); i >= 0 {
		start += i + 1
	}
	between := s.text[start:n.start]
	cut := max(strings.LastIndex(between, " as "), strings.LastIndex(between, " is the "), strings.LastIndex(between, " als "), strings.LastIndex(between, " comme "), strings.LastIndex(between, " como "), strings.LastIndex(between, " come "))
	if cut < 0 || len(between)-cut > 40 {
		return
	}
	from := start + strings.LastIndexAny(between[:cut], " \t") + 1
	if f, t := unwrap(s.text, from, start+cut); t > f && plainValue(s.text[f:t]) && (chance(s.text[f:t]) ||
		f > from && chosen(s.text[f:t]) || f > from && spoken(s.text[f:t])) {
		s.report("secret_in_prose", "PASSWORD", Contextual, f, t)
	}
}

// token is the next run of visible ASCII at or behind i.
func token(text string, i, limit int) (start, end int) {
	for i < limit && (text[i] <= ' ' || text[i] >= 0x7F) {
		i++
	}
	start = i
	for i < len(text) && i-start < maxJudged && text[i] > ' ' && text[i] < 0x7F {
		i++
	}
	return start, i
}

// unwrap strips quotes, emphasis and punctuation around a token.
func unwrap(text string, start, end int) (from, to int) {
	for start < end && strings.IndexByte("\"'`*_([{<:=,", text[start]) >= 0 {
		start++
	}
	for end > start && strings.IndexByte("\"'`*_)]}>.,;:", text[end-1]) >= 0 {
		end--
	}
	return start, end
}

func foreignJoin(gap string) bool {
	for _, c := range foreignCopulas {
		if strings.Contains(gap, c) {
			return true
		}
	}
	return false
}
