package personal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Distances at which words belong together.
const (
	// nearName is how far a name may be from what is said of its bearer.
	nearName = 100
	// nearHome is how far from a street the word may stand that makes it a home.
	nearHome = 80
	// minStreetBytes is how long a word is that ends in a word for streets.
	minStreetBytes = 7
	// maxDateBytes is how far a date may reach.
	maxDateBytes = 64
)

// birthDatePattern is a full date after a word for birth: of figures, or with the name of a month.
const birthDatePattern = `^[^0-9\n]{0,24}?(?:(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[./-] ?[0-9]{1,2}[./-] ?(?:[0-9]{4}|[0-9]{2})` +
	`|[0-9]{1,2}(?:st|nd|rd|th|er|\.)? (?:of |de |di )?\p{L}{3,12}\.?,? (?:de |del )?(?:19|20)[0-9]{2}|\p{L}{3,12}\.? [0-9]{1,2}(?:st|nd|rd|th)?,? (?:19|20)[0-9]{2}` +
	`|(?:19|20)[0-9]{2} ?[年년] ?[0-9]{1,2} ?[月월] ?[0-9]{1,2} ?[日일])`

// birth flags a date of birth beside a name.
func (s *scan) birth(start, end int) {
	if !s.pay(maxDateBytes) {
		return
	}
	place := s.e.birthDate.FindStringIndex(s.text[end:min(len(s.text), end+maxDateBytes)])
	if len(place) == 2 && s.nameNear(start, end+place[1]) {
		s.flag(ruleBirth, start, end+place[1])
	}
}

// health flags what is said of somebody's health: a name before it, in the same sentence.
func (s *scan) health(start, end int) {
	from := max(0, start-nearName)
	if !s.b.Call(nearName) {
		return
	}
	sentence := s.text[from:start]
	for _, mark := range []string{"\n", "? ", "! ", "; "} {
		if at := strings.LastIndex(sentence, mark); at >= 0 {
			sentence = sentence[at+len(mark):]
		}
	}
	if fullName(sentence) {
		s.flag("health", start-len(sentence), end)
	}
}

// nameNear reports whether a full name stands near a place, or a key that announces one.
func (s *scan) nameNear(start, end int) bool {
	from, to := max(0, start-nearName), min(len(s.text), end+nearName/2)
	return s.b.Call(to-from) && (fullName(s.text[from:start]) || fullName(s.text[end:to]))
}

// fullName reports whether two words with capital letters follow each other that may be a person's.
func fullName(text string) bool {
	previous, previousEnd := "", 0
	for word, start := range capitals(text) {
		low := strings.ToLower(word)
		small := commonWords[low] || roles[low]
		if previous != "" && !small {
			between := text[previousEnd:start]
			if between == " " || between == "-" || between == ", " || between == "," || between == ". " || between == ";" || between == " | " || between == `","` {
				return true
			}
		}
		previous, previousEnd = "", 0
		if !small {
			previous, previousEnd = low, start+len(word)
		}
	}
	return false
}

// capitals yields the words of a text that begin with a capital letter and go on with small ones, and where they begin.
func capitals(text string) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) {
				i += size
				continue
			}
			end, small := i+size, true
			for end < len(text) {
				next, n := utf8.DecodeRuneInString(text[end:])
				if !unicode.IsLetter(next) {
					break
				}
				small = small && unicode.IsLower(next)
				end += n
			}
			if unicode.IsUpper(r) && small && !yield(text[i:end], i) {
				return
			}
			i = end
		}
	}
}

// isStreetName knows words such as Lindenstraße and Kerkstraat.
func isStreetName(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	if !unicode.IsUpper(r) {
		return false
	}
	for _, end := range [...]string{"straße", "strasse", "str", "weg", "platz", "allee", "gasse", "damm", "ufer", "straat", "laan", "plein", "gracht", "gatan", "vägen", "gata", "veien", "gade", "vej", "katu", "tie"} {
		if strings.HasSuffix(word, end) && len(word) > len(end)+2 {
			return true
		}
	}
	return false
}

// street looks at a word for streets: with a number of a house beside it, it is an address. One that is somebody's home
// is flagged; a company's is not.
func (s *scan) street(start, end int) {
	const line = 40
	from, to := max(0, start-line), min(len(s.text), end+line)
	left := s.text[from:start]
	left = left[strings.LastIndexByte(left, '\n')+1:]
	right, _, _ := strings.Cut(s.text[end:to], "\n")
	first, last, ok := houseNumber(left, right)
	if !ok || !s.b.Call(2*line) {
		return
	}
	first, last = start-len(left)+first, end+last
	if first > start {
		first = start
	}
	if !s.isHome(first, last) {
		return
	}
	s.flag(ruleAddress, first, last)
}

// houseNumber finds the number of a house right or left of a word for streets, with no more than a name between them, and
// answers from where and until where the address goes: right of it up to a postal code and a town.
func houseNumber(left, right string) (first, last int, ok bool) {
	const beside, away, name = 3, 32, " ,.'-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZéèêàçäöüß"
	first = len(left)
	digits := strings.IndexAny(right, "0123456789")
	number := strings.LastIndexAny(left, "0123456789")
	switch {
	case digits > 0 && digits <= beside && strings.Trim(right[:digits], " .,") == "":
		last, ok = digits, true
	case number >= 0 && len(left)-number <= away && isHouse(left[number+1:]) && strings.Trim(left[number+1:], name) == "" && strings.Count(left[number:], " ") <= 5:
		for number > 0 && isDigit(left[number-1]) {
			number--
		}
		return number, townAfter(right), true
	case digits > 0 && digits <= away && !strings.ContainsAny(right[:digits], "+;:!?<>(){}[]=\"`") && hasCapital(right[:digits]):
		last, ok = digits, true
	}
	for ok && last < len(right) && isDigit(right[last]) {
		last++
	}
	return first, last + townAfter(right[last:]), ok
}

// hasCapital reports whether the name of a street may be in a text.
func hasCapital(s string) bool { return strings.ContainsFunc(s, unicode.IsUpper) }

// isHouse reports whether the number before a text is one of a house: a letter may belong to it, more make it a word.
func isHouse(behind string) bool {
	behind = strings.TrimPrefix(behind, ",")
	return strings.HasPrefix(behind, " ") || len(behind) > 1 && behind[1] == ' '
}

// townAfter is the length of a postal code and a town that follow on the line.
func townAfter(s string) int {
	end := strings.IndexAny(s, ".;\"'|<>()+@\n")
	if end < 0 {
		end = len(s)
	}
	if !strings.ContainsAny(s[:end], "0123456789") {
		return 0
	}
	words := strings.Fields(s[:end])
	if len(words) > 3 {
		return strings.Index(s, words[2]) + len(words[2])
	}
	return len(strings.TrimRight(s[:end], " ,"))
}

// isHome reports whether an address is where somebody lives: a word says so, or a name stands before it and no company.
func (s *scan) isHome(start, end int) bool {
	if !s.b.Call(nearHome) {
		return false
	}
	behind := s.follows(end)
	if start-s.last[companyWord] <= nearHome || behind.has(companyWord) {
		return start-s.last[homeWord] <= nearHome/2
	}
	if start-s.last[homeWord] <= nearHome || start-s.last[hostileWord] <= nearHome || behind&set(homeWord, hostileWord) != 0 {
		return true
	}
	return fullName(s.text[max(0, start-nearName*3/5):start]) || start-s.last[addressKey] <= nearHome/2 && s.nameNear(start, end)
}
