package retrieval

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a run of characters that belong together as people write identifiers: letters, digits and underscores
// with single connectors between them.
type token struct {
	text string // folded, with its case
	lead string // "--", "-" or "." in front of a flag or a name such as .net
	tail string // "++" or "#" behind the name of a language
	run  bool   // a run of a script without blanks between words
}

// maxTokenBytes bounds what is read of a token: what is longer is data, not a name.
const maxTokenBytes = 256

// connectors tie the parts of an identifier together when a letter or digit stands on both sides.
var connectors = []string{"::", "->", ".", "/", "-", "@", ":", "'"}

// tokens walks over the tokens of a folded text.
func tokens(text string) iter.Seq[token] {
	return func(yield func(token) bool) {
		for at := 0; at < len(text); {
			r, size := utf8.DecodeRuneInString(text[at:])
			if !wordly(r) {
				at += size
				continue
			}
			var found token
			end := at
			if unspaced(r) {
				end += length(text[at:min(len(text), at+maxTokenBytes)], unspaced)
				found = token{text: text[at:end], run: true}
			} else {
				end += identifier(text[at:])
				found = token{text: shortened(text[at:end]), lead: leading(text[:at], r), tail: trailing(text[end:])}
				end += len(found.tail)
			}
			if !yield(found) {
				return
			}
			at = end
		}
	}
}

// shortened is the start of a token that is too long, in whole characters.
func shortened(text string) string {
	if len(text) <= maxTokenBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxTokenBytes], "")
}

// wordly reports whether a character is part of words: a letter with its marks, a digit, an underscore.
func wordly(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// spaced are the characters of words that stand between blanks.
func spaced(r rune) bool { return wordly(r) && !unspaced(r) }

// unspaced reports whether a character is of a script that is written without blanks between words.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// length is how many bytes at the start of a text are of one class.
func length(text string, class func(rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !class(r) }); end >= 0 {
		return end
	}
	return len(text)
}

// identifier is the length of the token at the start of a text, which begins with a character of a word.
func identifier(text string) int {
	end := length(text, spaced)
	for end < maxTokenBytes {
		if group := thousands(text[:end], text[end:]); group > 0 {
			end += group
			continue
		}
		connector := connection(text[end:])
		if connector == 0 {
			break
		}
		end += connector + length(text[end+connector:], spaced)
	}
	return end
}

// connection is the length of a connector at the start of a text that has a word behind it.
func connection(text string) int {
	for _, connector := range connectors {
		if rest, ok := strings.CutPrefix(text, connector); ok {
			if r, _ := utf8.DecodeRuneInString(rest); spaced(r) {
				return len(connector)
			}
			return 0
		}
	}
	return 0
}

// thousands is the length of ",000" behind a number.
func thousands(before, after string) int {
	if len(after) < 4 || after[0] != ',' || !digits(after[1:4]) || !digits(before[max(0, len(before)-1):]) {
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(after[4:]); wordly(r) {
		return 0
	}
	number := before[strings.LastIndexAny(before, "./-@:'>_")+1:]
	if head, _, _ := strings.Cut(number, ","); !digits(head) || len(head) > 3 {
		return 0
	}
	return 4
}

// leading is the mark in front of a flag (--no-verify, -v) or of a name that begins with a dot.
func leading(before string, first rune) string {
	if !unicode.IsLetter(first) {
		return ""
	}
	for _, lead := range []string{"--", "-", "."} {
		rest, ok := strings.CutSuffix(before, lead)
		if !ok {
			continue
		}
		if r, _ := utf8.DecodeLastRuneInString(rest); rest == "" || unicode.IsSpace(r) || strings.ContainsRune("\"'(,[{=|", r) {
			return lead
		}
		return ""
	}
	return ""
}

// trailing is the mark behind names such as c++ and c#.
func trailing(after string) string {
	for _, tail := range []string{"++", "#"} {
		if rest, ok := strings.CutPrefix(after, tail); ok {
			if r, _ := utf8.DecodeRuneInString(rest); !wordly(r) && r != '+' {
				return tail
			}
		}
	}
	return ""
}

// digits reports whether a text is a number without anything else.
func digits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
