package claimkey

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"interai/evidence/retrieval/words"
)

// class says how a token takes part in a comparison.
type class byte

const (
	classWord       class = iota // carries meaning, and is stemmed
	classNumber                  // a number, a range, a version, a unit of measurement
	classIdentifier              // a name of something made: code, paths, flags, genes
	classNegation                // turns a statement round
	classQuantity                // quantifiers, modals, comparisons
	classLink                    // conjunctions, and the tenses of "to be" and "to have"
	classRole                    // who does what to whom, when and where: prepositions, pronouns, question words
	classFiller                  // changes no truth
	classMark                    // punctuation that changes no truth between the same words
	classSymbol                  // any other sign
)

// content reports whether a token says what a claim is about.
func (c class) content() bool { return c == classWord || c == classNumber || c == classIdentifier }

// token is a part of a sentence.
type token struct {
	text  string // in normal form
	stem  string // what keys are made of
	class class
}

// maxPasses bounds how often a text is read until its normal form reads as itself. Nearly every text needs one; odd
// sequences of signs and marks need some.
const maxPasses = 8

// tokenise is the normal form of a text as tokens. A full stop or an exclamation mark at the end is none.
func tokenise(text, language string) []token {
	tokens := pass(text, language)
	for range maxPasses {
		form := normal(tokens)
		again := pass(form, language)
		if normal(again) == form {
			break
		}
		tokens = again
	}
	return tokens
}

// pass reads a text once.
func pass(text, language string) []token {
	s := scanner{english: language == words.English}
	for text != "" {
		prose, code, rest := codeSpan(text)
		s.prose(words.Fold(powers(prose)))
		if code != "" {
			s.code(code)
		}
		text = rest
	}
	tokens := s.tokens
	if s.english {
		tokens = anglicise(tokens)
	}
	for len(tokens) > 0 && ending(tokens[len(tokens)-1].text) {
		tokens = tokens[:len(tokens)-1]
	}
	for i := range tokens {
		tokens[i].classify(s.english)
	}
	telling(tokens)
	return tokens
}

// powers writes superscripts behind a word or a number as powers, since folding makes plain digits of them: 10² is not 102.
func powers(text string) string {
	var b strings.Builder
	last := ' '
	for _, r := range text {
		if superscript(r) && (unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')') {
			b.WriteByte('^')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func superscript(r rune) bool { return strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", r) }

// telling makes signs of those marks that say something where they stand: a comma behind an answer ("no, they are"), a
// mark behind a preposition is meant itself ("split at ;"), and so is one before another sign (.*).
func telling(tokens []token) {
	for i := range tokens {
		t := &tokens[i]
		if t.class != classMark || strings.ContainsAny(t.text, `"'`) {
			continue
		}
		behind := i > 0 && (tokens[i-1].text == "no" || beforeSigns[tokens[i-1].text])
		before := i+1 < len(tokens) && (tokens[i+1].text == t.text ||
			tokens[i+1].class == classSymbol && !strings.ContainsAny(tokens[i+1].text, "([{"))
		if behind || before {
			t.class = classSymbol
		}
	}
}

// beforeSigns are words that no punctuation follows.
var beforeSigns = set("of at by for with between into from to as than")

// ending reports whether a sign at the end of a sentence says nothing.
func ending(text string) bool { return text == "." || text == "!" }

// codeSpan cuts a text at its first code span, which backticks enclose as in Markdown.
func codeSpan(text string) (prose, code, rest string) {
	start := strings.IndexByte(text, '`')
	if start < 0 {
		return text, "", ""
	}
	fence := len(text) - start - len(strings.TrimLeft(text[start:], "`"))
	inner := text[start+fence:]
	end := strings.Index(inner, text[start:start+fence])
	if end < 0 || strings.TrimSpace(inner[:end]) == "" {
		return text[:start] + `"`, "", inner // a lonely backtick is a quote
	}
	return text[:start], inner[:end], strings.TrimLeft(inner[end:], "`")
}

// scanner cuts folded prose into tokens.
type scanner struct {
	tokens  []token
	english bool
}

// code adds a code span: one token, written as it is. Backticks show in the normal form where the same letters in
// prose would read otherwise.
func (s *scanner) code(span string) {
	span = strings.TrimSuffix(strings.Join(strings.Fields(foldCode(span)), " "), "()")
	if span == "" {
		return
	}
	if !s.literal(span) {
		span = "`" + span + "`"
	}
	s.tokens = append(s.tokens, token{text: span, class: classIdentifier})
}

// literal reports whether code reads the same in prose, wherever it stands.
func (s *scanner) literal(span string) bool {
	bare := scanner{}
	bare.prose(words.Fold(span))
	tokens := bare.tokens
	if s.english {
		tokens = anglicise(tokens)
	}
	return len(tokens) == 1 && tokens[0].text == span && tokens[0].class != classNumber && unitWords[span] == "" &&
		units[span] == "" && classOf(span, false) == classWord
}

// foldCode folds what nobody sees in code, and nothing else.
func foldCode(span string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || r == '`' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(span, " "))
}

func (s *scanner) prose(text string) {
	capitals := strings.ToUpper(text) == text // who shouts has no identifiers with capitals
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			at += size
			continue
		}
		first := at == 0 || unicode.IsSpace(rune(text[at-1])) || strings.IndexByte(`("'[{=`, text[at-1]) >= 0
		if end := chunk(text[at:], first); end > 0 {
			s.chunk(text[at:at+end], capitals)
			at += end
			continue
		}
		s.tokens = append(s.tokens, token{text: string(unicode.ToLower(r))})
		at += size
	}
}

// chunk is the length of the run of characters at the start of a text that are read together: a word or number with
// single connectors inside, an address, a flag, a signed number. It is 0 for a sign.
func chunk(text string, first bool) int {
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case wordly(r):
	case first && signed(text):
		return 1 + run(text[1:])
	case first && flag(text):
		start := len(text) - len(strings.TrimLeft(text, "-"))
		return start + run(text[start:])
	default:
		return 0
	}
	if n := run(text); !strings.HasPrefix(text[n:], "://") {
		return n
	}
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	return len(strings.TrimRight(text[:end], `.,;:!?)'"]}`))
}

// signed reports whether a text begins with a number that has a sign.
func signed(text string) bool {
	return len(text) > 1 && (text[0] == '-' || text[0] == '+') && text[1] >= '0' && text[1] <= '9'
}

// flag reports whether a text begins with a flag of a command.
func flag(text string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "-")
	r, _ := utf8.DecodeRuneInString(name)
	return name != text && unicode.IsLetter(r)
}

// connectors stand inside of a chunk between two characters of words.
var connectors = []string{"::", "->", "=", ".", ",", "/", "-", "@", ":", "\\", "'"}

// run is the length of words with single connectors between them.
func run(text string) int {
	end := span(text)
	for {
		connected := 0
		for _, connector := range connectors {
			rest, ok := strings.CutPrefix(text[end:], connector)
			if n := span(rest); ok && n > 0 && (connector != "," || number(text[:end], rest[:n])) {
				connected = len(connector) + n
				break
			}
		}
		if connected == 0 {
			break
		}
		end += connected
	}
	if strings.HasPrefix(text[end:], "()") {
		end += 2
	}
	return end
}

// number reports whether a comma between two runs separates thousands.
func number(before, after string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsDigit(r) && len(after) == 3 && digits(after)
}

// span is how many bytes at the start of a text are of words.
func span(text string) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !wordly(r) }); end >= 0 {
		return end
	}
	return len(text)
}

func wordly(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// digits reports whether a text is a whole number.
func digits(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
