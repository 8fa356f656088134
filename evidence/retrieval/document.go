package retrieval

import (
	"slices"
	"strconv"
	"strings"
)

// AnalyzerVersion names the rules of the analyzer. Documents that another version has analysed are analysed again.
const AnalyzerVersion = 1

// Weight says in which part of a document a lexeme stands, as PostgreSQL's setweight does: A title, B summary, tags
// and names, C claims, D body.
type Weight byte

// Document is what the index holds of a text.
type Document struct {
	// Lexemes are sorted by text.
	Lexemes []Lexeme
	// Length is the number of words that count for the normalisation of length: function words and the whole forms
	// of identifiers do not.
	Length int
}

// Lexeme is one entry of the index.
type Lexeme struct {
	Text      string
	Positions []Position
}

// Position is one place where a lexeme stands. At counts words from 1.
type Position struct {
	At     uint16
	Weight Weight
}

// What a tsvector of PostgreSQL can hold (its documentation, section 12.11), and what we put into one.
const (
	// maxPosition is the last position that PostgreSQL tells from others.
	maxPosition = 16_383
	// maxPositions is how many positions of one lexeme PostgreSQL keeps.
	maxPositions = 255
	// maxLexemeBytes cuts runs of letters that nobody types; PostgreSQL allows 2 KB.
	maxLexemeBytes = 64
	// maxVectorBytes stays below PostgreSQL's megabyte.
	maxVectorBytes = 900_000
	// lexemeOverhead is what PostgreSQL needs for a lexeme beside its text: an entry, a count, an alignment.
	lexemeOverhead = 8
	// positionBytes is what it needs for a position.
	positionBytes = 2
)

// TSVector is the document as the text of a tsvector: every lexeme quoted, with its positions and weights.
func (d Document) TSVector() string {
	var b strings.Builder
	for i, lexeme := range d.Lexemes {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quote(lexeme.Text))
		for j, position := range lexeme.Positions {
			b.WriteByte(":,"[min(j, 1)])
			b.WriteString(strconv.Itoa(int(position.At)))
			if position.Weight != 'D' { // the weight that PostgreSQL does not write
				b.WriteByte(byte(position.Weight))
			}
		}
	}
	return b.String()
}

// quote is a lexeme as tsvector and tsquery read it, whatever it holds: between apostrophes, with apostrophes and
// backslashes doubled. PostgreSQL has no text with a zero byte, so neither has a lexeme.
func quote(lexeme string) string {
	return "'" + quoting.Replace(strings.ToValidUTF8(lexeme, "")) + "'"
}

var quoting = strings.NewReplacer(`'`, `''`, `\`, `\\`, "\x00", "")

// builder collects the lexemes of a document within the bounds.
type builder struct {
	positions map[string][]Position
	at        int
	length    int
	bytes     int
}

// next moves on to the following word.
func (b *builder) next() { b.at = min(b.at+1, maxPosition) }

// add notes that a lexeme stands at the present word. What does not fit is left out.
func (b *builder) add(text string, weight Weight) {
	text = cut(text)
	if text == "" {
		return
	}
	positions, known := b.positions[text]
	if n := len(positions); n > 0 && int(positions[n-1].At) == b.at {
		positions[n-1].Weight = min(positions[n-1].Weight, weight) // 'A' is the heaviest
		return
	}
	size := positionBytes
	if !known {
		size += lexemeOverhead + len(text)
	}
	if len(positions) >= maxPositions || b.bytes+size > maxVectorBytes {
		return
	}
	b.bytes += size
	b.positions[text] = append(positions, Position{At: uint16(max(b.at, 1)), Weight: weight})
}

func (b *builder) document() Document {
	d := Document{Length: b.length}
	for text, positions := range b.positions {
		d.Lexemes = append(d.Lexemes, Lexeme{Text: text, Positions: positions})
	}
	slices.SortFunc(d.Lexemes, func(x, y Lexeme) int { return strings.Compare(x.Text, y.Text) })
	return d
}

// cut shortens a lexeme to whole characters within maxLexemeBytes.
func cut(text string) string {
	if len(text) <= maxLexemeBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxLexemeBytes], "")
}
