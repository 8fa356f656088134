package retrieval

import (
	"iter"
	"strings"

	"interai/evidence/retrieval/words"
)

// Field is one text of a document.
type Field struct {
	Text   string
	Weight Weight
	// Markdown says that the text has headings, which are indexed wherever they stand.
	Markdown bool
}

const (
	// maxTokens is how many tokens of one field are indexed: about 28 kB of prose (SEARCH, section 4, rule 7).
	maxTokens = 4_000
	// maxHeadingTokens bounds the headings that stand behind them.
	maxHeadingTokens = 1_000
	// maxTotalTokens bounds all fields together, so that positions stay distinct.
	maxTotalTokens = 16_000
)

// Analyze turns the fields of a document into lexemes. The language is a BCP 47 tag. Words of a text without a known
// language are stemmed as English beside their own form: technical text mostly is, a wrong stemmer costs little, and
// none costs much (SEARCH, section 4).
func Analyze(fields []Field, language string) Document {
	b := builder{positions: map[string][]Position{}}
	a := analyzer{language: words.Base(language), builder: &b}
	a.stemming = a.language
	if !words.Known(a.language) {
		a.stemming = words.English
	}
	for _, field := range fields {
		a.field(field)
	}
	return b.document()
}

// analyzer writes the tokens of one document into its builder.
type analyzer struct {
	*builder
	language, stemming string
	tokens             int // of all fields
}

func (a *analyzer) field(field Field) {
	left, headings := maxTokens, maxHeadingTokens
	for line, heading := range lines(field) {
		switch {
		case left > 0:
			left -= a.text(line, field.Weight, left)
		case heading:
			headings -= a.text(line, field.Weight, headings)
		}
		if left <= 0 && (!field.Markdown || headings <= 0) {
			return
		}
	}
}

// text adds up to limit tokens of a line and answers how many. Each part of an identifier counts.
func (a *analyzer) text(line string, weight Weight, limit int) int {
	limit = min(limit, maxTotalTokens-a.tokens)
	used := 0
	for token := range tokens(words.Fold(line)) {
		if used >= limit {
			break
		}
		r := token.read()
		a.add(r, weight)
		used += max(1, len(r.words))
	}
	a.tokens += used
	return used
}

// add writes a token. All forms of it stand at one place; only the parts count for the length of the document.
func (a *analyzer) add(r reading, weight Weight) {
	a.next()
	for _, name := range r.names {
		a.builder.add(name.whole, weight)
		for _, other := range name.others {
			a.builder.add(other, weight)
		}
	}
	for i, word := range r.words {
		if r.apart && i > 0 {
			a.next()
		}
		if !r.exact && words.IsStop(a.language, word) {
			continue
		}
		a.builder.add(word, weight)
		if !r.exact {
			a.builder.add(words.Stem(a.stemming, word), weight)
		}
		a.length++
	}
	if len(r.words) == 0 && len(r.names) > 0 {
		a.length++
	}
}

// lines walks over the lines of a field and says which are headings of Markdown. A line of a fence of code that looks
// like one is none.
func lines(field Field) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		if !field.Markdown {
			yield(field.Text, false)
			return
		}
		fence := ""
		for line := range strings.Lines(field.Text) {
			trimmed := strings.TrimSpace(line)
			switch {
			case fence != "" && strings.HasPrefix(trimmed, fence):
				fence = ""
			case fence == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
				fence = trimmed[:3]
			}
			if !yield(line, fence == "" && heading(trimmed)) {
				return
			}
		}
	}
}

// heading reports whether a line is a heading with hash marks.
func heading(line string) bool {
	level := length(line, func(r rune) bool { return r == '#' })
	return level >= 1 && level <= 6 && len(line) > level && line[level] == ' '
}
