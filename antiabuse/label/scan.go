package label

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"interai/antiabuse/finding"
)

const (
	// firstIdeograph is where scripts begin that are written without blanks between words.
	firstIdeograph = 0x2E80
	// maxWordBytes bounds a word that is looked up.
	maxWordBytes = 48
)

// place is where a word of a class stood last.
type place struct{ start, end, sentence int }

// scan is one pass over one text.
type scan struct {
	text  string
	words *vocabulary
	found []finding.Finding
	work  int

	last     [classCount]place
	sentence int
	// begins says that the next word is the first of its sentence.
	begins bool
	// pair is the word before, when it belongs to the next one, and pairStart where it began.
	pair      string
	pairStart int
	// discusses says that the text is about attacks: what it quotes is then an example.
	discusses, asked bool
	// commands is how many of them were looked at.
	commands int
}

func newScan(text string) *scan {
	s := &scan{text: text, words: words(), begins: true}
	for i := range s.last {
		s.last[i] = place{sentence: -1}
	}
	return s
}

// run passes over the words of the text once.
func (s *scan) run() {
	for i := 0; i < len(s.text); {
		c := s.text[i]
		switch {
		case isWordByte(c):
			i = s.word(i)
		case c < utf8.RuneSelf:
			s.punctuation(i)
			i++
			if c == '\\' && i < len(s.text) && strings.IndexByte("ntr", s.text[i]) >= 0 { // a line end in a string of a program
				i++
				s.sentence++
				s.begins = true
			}
		default:
			i = s.beyond(i)
		}
	}
	s.work += len(s.text)
}

// punctuation ends sentences: a mark and a blank, or an empty line.
func (s *scan) punctuation(i int) {
	c := s.text[i]
	next := byte('\n')
	if i+1 < len(s.text) {
		next = s.text[i+1]
	}
	if (c == '.' || c == '!' || c == '?') && (next == ' ' || next == '\n') || c == '\n' && next == '\n' {
		s.sentence++
		s.begins = true
	}
	if c != ' ' {
		s.pair = ""
	}
	if c == '(' && next == ')' && i > 0 && s.text[i-1] == ':' {
		s.forkBomb(i)
	}
}

// beyond goes on at a character beyond ASCII.
func (s *scan) beyond(i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	switch {
	case r >= firstIdeograph && unicode.IsLetter(r):
		word, of := s.words.ideograph(s.text[i:])
		s.work += maxWordBytes
		if of != 0 {
			s.note(of, i, i+len(word))
			return i + len(word)
		}
	case unicode.IsLetter(r):
		return s.word(i)
	case r == '。' || r == '！' || r == '？':
		s.sentence++
		s.begins = true
	}
	return i + size
}

func isWordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}

// word takes note of the word at i.
func (s *scan) word(i int) int {
	end := i
	for end < len(s.text) {
		if s.text[end] < utf8.RuneSelf {
			if !isWordByte(s.text[end]) {
				break
			}
			end++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[end:])
		if r >= firstIdeograph || !unicode.In(r, unicode.L, unicode.Mn) {
			break
		}
		end += size
	}
	if end-i > maxWordBytes {
		s.pair, s.begins = "", false
		return end
	}
	word := s.words.fold(s.text[i:end])
	of := s.words.of[word]
	start := i
	if s.pair != "" {
		if both := s.words.of[s.pair+" "+word]; both != 0 {
			of |= both
			start = s.pairStart
		}
		s.pair = ""
	}
	if of != 0 {
		s.note(of, start, end)
		if of.has(pairFirst) {
			s.pair, s.pairStart = word, i
		}
	}
	s.begins = false
	return end
}

// note remembers where a word of some classes stood, and tries the rules that it may complete.
func (s *scan) note(of classes, start, end int) {
	of = s.implied(s.negated(of, start), start, end)
	for c := range classCount {
		if of.has(c) {
			s.last[c] = place{start: start, end: end, sentence: s.sentence}
		}
	}
	if of.has(commandWord) {
		s.command(start, end)
	}
	for k := range phrases {
		if of&phrases[k].all != 0 {
			s.phrase(&phrases[k])
		}
	}
}

// negated turns verbs round: who is told not to ignore something is told to heed it, and the other way.
func (s *scan) negated(of classes, start int) classes {
	const adjacent = 12
	not := s.last[notWord]
	isNear := not.sentence == s.sentence && start-not.end <= adjacent
	switch {
	case of&set(ignoreWord, overrideWord) != 0 && isNear:
		return of &^ set(ignoreWord, overrideWord)
	case of.has(followWord) && isNear:
		return of | set(ignoreWord)
	case of.has(notWord) && s.last[followWord].sentence == s.sentence && start-s.last[followWord].end <= adjacent:
		return of | set(ignoreWord)
	}
	return of
}

// implied adds what a word is by its place: a model that is spoken to, a rating that is asked for.
func (s *scan) implied(of classes, start, end int) classes {
	const adjacent, reach = 12, 30
	if of.has(modelWord) {
		attention := s.last[attentionWord]
		behind, _, _ := strings.Cut(s.text[end:min(len(s.text), end+reach)], "\n")
		s.work += reach
		if attention.sentence == s.sentence && start-attention.end <= reach || strings.Contains(strings.TrimSuffix(behind, ":"), ": ") {
			of |= set(addressedModel)
		}
	}
	if of.has(revealWord) && s.begins {
		of |= set(revealOrder)
	}
	order := s.last[orderWord]
	if of.has(rateVerb) || of.has(rateWord) && (s.begins || order.sentence == s.sentence && start-order.end <= adjacent || s.follows(start, "please", "and", "then", "to")) {
		of |= set(imperativeRate)
	}
	return of
}

// follows reports whether one of some words stands right before a place.
func (s *scan) follows(start int, words ...string) bool {
	before := strings.ToLower(strings.TrimRight(s.text[max(0, start-len("please  ")):start], " ,"))
	for _, word := range words {
		if rest, ok := strings.CutSuffix(before, word); ok && (rest == "" || !isWordByte(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// phrase gives a label when all words of a phrase stand close together in one sentence.
func (s *scan) phrase(p *phrase) {
	start, latest, end := len(s.text), 0, 0
	for c := range classCount {
		at := s.last[c]
		if p.none.has(c) && at.sentence == s.sentence {
			return
		}
		if !p.all.has(c) {
			continue
		}
		if at.sentence != s.sentence && (!p.across || at.sentence < 0) {
			return
		}
		start, latest, end = min(start, at.start), max(latest, at.start), max(end, at.end)
	}
	if end-start > p.within || p.none != 0 && s.announces(end, p.none) || s.isExample(latest) {
		return
	}
	s.add(p.rule, p.action, start, end)
}

// announces reports whether one of the words that would excuse a phrase stands right behind it.
func (s *scan) announces(end int, of classes) bool {
	const behind = 60
	rest := s.text[end:min(len(s.text), end+behind)]
	s.work += len(rest)
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if s.words.of[s.words.fold(word)]&of != 0 {
			return true
		}
	}
	return false
}

// isExample reports whether a place is quoted in a text that is about attacks.
func (s *scan) isExample(start int) bool {
	if !s.asked {
		low := strings.ToLower(s.text)
		s.work += len(s.text)
		for _, word := range []string{"prompt injection", "prompt-injection", "jailbreak", "adversarial", "red team", "red-team", "guardrail", "injection attack", "prompt-injektion", "инъекци", "提示注入", "プロンプトインジェクション"} {
			s.discusses = s.discusses || strings.Contains(low, word)
		}
		s.asked = true
	}
	if !s.discusses {
		return false
	}
	const around = 48
	before := strings.TrimRight(s.text[max(0, start-around):start], " ")
	line := before[strings.LastIndexByte(before, '\n')+1:]
	for _, mark := range []string{`"`, "“", "„", "«", "`", "'", "「"} {
		if strings.Contains(line, mark) {
			return true
		}
	}
	return false
}
