package secret

import "strings"

// shape is what the judge sees of a value.
type shape struct {
	n                           int
	lower, upper, digits, other int
	telling                     int // signs that stand in passwords and hardly in names
	churn                       float64
}

// look takes the measure of a value.
func look(v string) shape {
	s := shape{n: len(v), churn: churn(v)}
	for i := range len(v) {
		switch c := v[i]; {
		case c >= 'a' && c <= 'z':
			s.lower++
		case c >= 'A' && c <= 'Z':
			s.upper++
		case c >= '0' && c <= '9':
			s.digits++
		default:
			s.other++
			if strings.IndexByte("-_./:,@=", c) < 0 {
				s.telling++
			}
		}
	}
	return s
}

func (s shape) kinds() int {
	n := 0
	for _, count := range []int{s.lower, s.upper, s.digits, s.other} {
		if count > 0 {
			n++
		}
	}
	return n
}

// churn is the share of neighbours of different kinds (lower case, upper case, digits, signs). A capital before lower
// case begins a word and does not count. Names and words are below .25, values drawn by chance from several kinds
// above .35.
func churn(v string) float64 {
	if len(v) < 2 {
		return 0
	}
	kindOf := func(c byte) int {
		switch {
		case c >= 'a' && c <= 'z':
			return 0
		case c >= 'A' && c <= 'Z':
			return 1
		case c >= '0' && c <= '9':
			return 2
		}
		return 3
	}
	changes := 0
	for i := 1; i < len(v); i++ {
		before, now := kindOf(v[i-1]), kindOf(v[i])
		starts := before == 1 && now == 0 && (i == 1 || kindOf(v[i-2]) != 1)
		if before != now && !starts {
			changes++
		}
	}
	return float64(changes) / float64(len(v)-1)
}

// maxJudged bounds what is judged of one value.
const maxJudged = 512

// never reports whether a value is none whatever stands before it.
func never(v string) bool {
	return v == "" || reference(v) || exampleLike(v) || call(v) || codedPlaceholder(v)
}

// codedPlaceholder reports whether v is base64 of what is no secret itself: "cGFzc3dvcmQ=" in a manifest of a manual.
func codedPlaceholder(v string) bool {
	const longest = 64
	if len(v) < 6 || len(v) > longest || anyBase64.run(v, 0, len(v)) != len(v) {
		return false
	}
	plain, ok := decodeBase64(v)
	if !ok || !printable(plain) {
		return false
	}
	plain = strings.TrimSpace(plain)
	return len(plain) >= 4 && (commonPasswords[strings.ToLower(plain)] || reference(plain) || exampleLike(plain))
}

// call reports whether v is an expression of a program.
func call(v string) bool {
	v = strings.TrimLeft(v, "+&*!")
	if strings.HasSuffix(v, "()") || strings.Contains(v, "::") || strings.Contains(v, "->") ||
		strings.Contains(v, "):") {
		return true
	}
	open := strings.IndexByte(v, '(')
	if open > 1 && nameSet.run(v, 0, open) == open && !mixed(v[:open]) {
		return true
	}
	bracket := strings.IndexByte(v, '[')
	return bracket > 1 && nameSet.run(v, 0, bracket) == bracket && strings.HasSuffix(v, "]") && !mixed(v)
}

// likely reports whether a value right behind a word such as "password" looks like a real one. People choose
// passwords, so words with signs and digits count too.
func likely(v string) bool {
	v = clip(v)
	return len(v) >= 8 && likelyShape(v) && !never(v)
}

func likelyShape(v string) bool {
	s := look(v)
	switch {
	case s.lower+s.upper == 0:
		return false
	case s.digits == 0:
		return chanceLetters(v, s)
	case s.telling > 0 && s.kinds() >= 3:
		return entropy(v) >= 2.7
	case wordy(v):
		return false
	case s.kinds() >= 3:
		return entropy(v) >= 2.5 && (s.churn >= 0.15 || s.n >= 16)
	default:
		return s.n >= 10 && entropy(v) >= 2.8 && s.churn >= 0.2
	}
}

// chance reports whether a value looks drawn by chance, whatever stands before it.
func chance(v string) bool {
	v = clip(v)
	return len(v) >= 8 && chanceShape(v) && !never(v)
}

func chanceShape(v string) bool {
	s := look(v)
	switch {
	case s.lower+s.upper == 0 || s.digits == 0 && s.n < 20:
		return false
	case s.digits == 0:
		return chanceLetters(v, s)
	case wordy(v):
		return false
	case s.kinds() == 4 && s.telling > 0:
		return s.churn >= 0.3 && entropy(v) >= 2.9
	case s.kinds() >= 3:
		return s.n >= 12 && s.churn >= 0.3 && entropy(v) >= 3
	default:
		return s.n >= 20 && s.churn >= 0.25 && entropy(v) >= 3
	}
}

// chosen reports whether a value that a sentence names looks like a password rather than like a product or a version.
func chosen(v string) bool {
	v = clip(v)
	s := look(v)
	return s.n >= 8 && s.digits > 0 && s.kinds() >= 3 && (s.churn >= 0.35 || s.churn >= 0.25 &&
		knotted(longestPiece(v))) && !wordy(v) && !never(v)
}

// longestPiece is the longest run of letters and digits of v.
func longestPiece(v string) string {
	best := ""
	for i := 0; i < len(v); {
		n := alnum.run(v, i, len(v))
		if n > len(best) {
			best = v[i : i+n]
		}
		i += n + 1
	}
	return best
}

// knotted reports whether v has letters of both cases and digits in more than one place, or digits all over, as names hardly
// have.
func knotted(v string) bool {
	groups, lower, upper := 0, false, false
	for i := range len(v) {
		c := v[i]
		lower, upper = lower || c >= 'a' && c <= 'z', upper || c >= 'A' && c <= 'Z'
		if digit.has(c) && (i == 0 || !digit.has(v[i-1])) {
			groups++
		}
	}
	return len(v) >= 8 && groups >= 2 && lower && upper || len(v) >= 12 && groups >= 3
}

// chanceLetters judges values without digits by how letters follow each other.
func chanceLetters(v string, s shape) bool {
	if s.telling > 0 && s.upper > 0 && s.lower > 0 && s.n >= 10 && s.churn >= 0.3 {
		return true
	}
	if s.upper > 0 && s.lower > 0 {
		return s.n >= 12 && s.churn >= 0.2 && familiar(v) < 0.6
	}
	return s.n >= 16 && s.n <= 64 && s.other == 0 && familiar(v) < 0.4 && entropy(v) >= 3
}

func clip(v string) string { return v[:min(len(v), maxJudged)] }

// wordy reports whether v is made of words, numbers and short suffixes as names are: "postgres-15", "eu-west-1",
// "SHA256", "camelCaseName2".
func wordy(v string) bool {
	v = strings.TrimLeft(v, "!&*+")
	pieces, letters, odd := 0, 0, 0
	for i := 0; i < len(v); {
		if !alnum.has(v[i]) {
			if strings.IndexByte("-_./:, ", v[i]) < 0 {
				return false
			}
			i++
			continue
		}
		end := i
		for end < len(v) && alnum.has(v[end]) {
			end++
		}
		p, n, ok := words(v[i:end])
		if !ok || knotted(v[i:end]) {
			odd++
		}
		if !hasLower(v[i:end]) {
			n = 3 * p // acronyms
		}
		pieces += p
		letters += n
		i = end
	}
	return pieces > 0 && odd == 0 && letters >= 3*pieces
}

// words splits a piece of letters and digits at its humps and says how many words it has, how many letters they have
// together, and whether every one is a word with at most a short number behind or before it.
func words(v string) (pieces, letters int, ok bool) {
	ok = true
	for i := 0; i < len(v); {
		start := i
		i += digit.run(v, i, len(v))
		before := i - start
		word := i
		for i < len(v) && !digit.has(v[i]) && (i == word || v[i] >= 'a' || v[i-1] < 'a') {
			i++
		}
		n := i - word
		switch {
		case n == 0 && start == 0:
			return 0, 0, before <= 10 // a number alone
		case n == 0:
			ok = ok && before <= 4
			continue
		case before > 4, n > 3 && familiar(v[word:i]) < 0.5 && !acronym(v[word:i]):
			ok = false
		}
		pieces++
		letters += n
	}
	return pieces, letters, ok
}

// acronym reports whether v is a few capitals.
func acronym(v string) bool { return len(v) <= 5 && upperSet.run(v, 0, len(v)) == len(v) }

func hasLower(v string) bool {
	for i := range len(v) {
		if v[i] >= 'a' && v[i] <= 'z' {
			return true
		}
	}
	return false
}
