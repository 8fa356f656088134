package personal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// firstIdeograph is where scripts begin that are written without blanks between words.
const firstIdeograph = 0x2E80

// maxWordBytes bounds a word that is looked up.
const maxWordBytes = 32

// classes is a set of classes.
type classes uint64

func set(of ...class) (out classes) {
	for _, c := range of {
		out |= 1 << c
	}
	return out
}

func (s classes) has(c class) bool { return s>>c&1 == 1 }

// wordTable knows the words that say what stands near them.
type wordTable struct {
	words   map[string]classes
	regions map[string]string
	// lengths is by first letter which lengths words have: most words of a text are none of ours.
	lengths [256]uint64
	// ideographs are by their first character.
	ideographs map[rune][]string
}

func newWordTable() (*wordTable, error) {
	t := &wordTable{words: map[string]classes{}, regions: phoneRegions(), ideographs: map[rune][]string{}}
	for c, list := range vocabulary() {
		for word := range strings.SplitSeq(list, ",") {
			word = strings.TrimSpace(word)
			if word == "" || len(word) > 2*maxWordBytes {
				return nil, fmt.Errorf("a word of class %d is empty or too long: %q", c, word)
			}
			t.add(word, c)
		}
	}
	return t, nil
}

func (t *wordTable) add(word string, c class) {
	t.words[word] |= set(c)
	first, _ := utf8.DecodeRuneInString(word)
	if first >= firstIdeograph {
		t.ideographs[first] = append(t.ideographs[first], word)
		return
	}
	for part := range strings.FieldsSeq(word) {
		t.lengths[part[0]] |= 1 << min(len(part), 63)
	}
	if lead, _, ok := strings.Cut(word, " "); ok {
		t.words[lead] |= set(pairFirst)
	}
}

// of is what a word is said of, in small letters.
func (t *wordTable) of(word string) classes {
	var buffer [maxWordBytes]byte
	if len(word) > maxWordBytes {
		return 0
	}
	if word == "SIN" { // in small letters it is a word of mathematics
		return set(sinWord)
	}
	if t.lengths[lower(word[0])]>>len(word)&1 == 0 && word[0] < utf8.RuneSelf {
		return 0
	}
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return t.words[strings.ToLower(word)]
		}
		buffer[i] = lower(word[i])
	}
	return t.words[string(buffer[:len(word)])]
}

func lower(c byte) byte {
	if isUpper(c) {
		return c | 0x20
	}
	return c
}

// among are the classes of all words of a short text.
func (t *wordTable) among(text string) (of classes) {
	previous := ""
	for i := 0; i < len(text); {
		if text[i] == '\\' {
			i += 1 + lineEnd(text[i:])
			continue
		}
		end, isWord := wordEnd(text, i)
		if !isWord {
			if r, _ := utf8.DecodeRuneInString(text[i:]); r >= firstIdeograph {
				of |= t.ideograph(text[i:])
			}
			i = end
			continue
		}
		word := text[i:end]
		says := t.of(word)
		if previous != "" && len(word) <= maxWordBytes {
			of |= t.words[previous+" "+strings.ToLower(word)]
		}
		previous = ""
		if says.has(pairFirst) {
			previous = strings.ToLower(word)
		}
		of |= says
		i = end
	}
	return of
}

// ideograph is what the longest word that a text begins with is said of.
func (t *wordTable) ideograph(text string) (of classes) {
	first, _ := utf8.DecodeRuneInString(text)
	longest := 0
	for _, word := range t.ideographs[first] {
		if len(word) > longest && strings.HasPrefix(text, word) {
			longest, of = len(word), t.words[word]
		}
	}
	return of
}

// wordEnd is the end of the word that begins at i, or of the one character that is no word. A capital letter after a
// small one begins another word, as in phoneNumber.
func wordEnd(text string, i int) (end int, isWord bool) {
	small := false
	for end = i; end < len(text); {
		c := text[end]
		if c < utf8.RuneSelf {
			if kinds[c] != letter || small && isUpper(c) {
				break
			}
			small = !isUpper(c)
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		if r >= firstIdeograph || !unicode.IsLetter(r) {
			break
		}
		small = unicode.IsLower(r)
		end += size
	}
	if end > i {
		return end, true
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return i + size, false
}

// word takes note of the word at i and follows up on it.
func (s *scan) word(i int) int {
	end, _ := wordEnd(s.text, i)
	word := s.text[i:end]
	of := s.e.words.of(word)
	if s.pair != "" && len(word) <= maxWordBytes {
		of |= s.e.words.words[s.pair+" "+strings.ToLower(word)]
		s.pair = ""
	}
	if of.has(pairFirst) {
		s.pair = strings.ToLower(word)
	}
	if of != 0 {
		s.note(of, i, end)
		if of.has(phoneWord) {
			s.regions = s.e.words.regions[strings.ToLower(word)]
		}
	}
	if len(word) >= minStreetBytes && isStreetName(word) {
		s.street(i, end)
	}
	return end
}

// ideographs takes note of what is written without blanks.
func (s *scan) ideographs(i, size int) int {
	if of := s.e.words.ideograph(s.text[i:]); of != 0 {
		s.note(of, i, i+size)
		if of.has(phoneWord) {
			for _, word := range s.e.words.ideographs[firstRune(s.text[i:])] {
				if strings.HasPrefix(s.text[i:], word) {
					s.regions = s.e.words.regions[word]
				}
			}
		}
	}
	return i + size
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// note remembers where a word ended and looks for what some words announce.
func (s *scan) note(of classes, start, end int) {
	for c := range classCount {
		if of.has(c) {
			s.last[c] = end
		}
	}
	switch {
	case of.has(birthWord):
		s.birth(start, end)
	case of.has(healthWord):
		s.health(start, end)
	case of.has(streetWord):
		s.street(start, end)
	case of.has(atWord):
		s.obfuscated(start, end)
	}
}
