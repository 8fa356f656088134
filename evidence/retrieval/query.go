package retrieval

import (
	"slices"
	"strings"

	"interai/evidence/retrieval/words"
)

// Term is one word or identifier of a query with all the forms in which documents may have it.
type Term struct {
	// Surface is the word as it was written, in lower case.
	Surface string
	// Lexemes are the forms, the written one first; then its stems in each language, or the joined form of an
	// identifier. Where a document has a later form, it usually has the first one too, or the other way round.
	Lexemes []string
	// Natural says that this is a word of a language and no identifier, version or bigram.
	Natural bool
	// Exact says that this is a version, a name such as c++ or a bigram: each form counts by itself.
	Exact bool
	// Weight is 1, repairedWeight for a word that repair has added, hyphenatedWeight for words that hyphens join.
	Weight float64
	// Count is how often the query says it; 0 counts as 1.
	Count int
}

// Query is what is asked.
type Query struct {
	// Text is the normal form of the query, to be compared with the normal form of a title or name.
	Text string
	// Terms are at most maxTerms, in the order of the query.
	Terms []Term

	languages []string
}

const (
	// maxTerms bounds the work for one query; longer ones are pasted text, whose first words say enough.
	maxTerms = 64
	// maxQueryBytes bounds what is read of a query at all.
	maxQueryBytes = 16 << 10
	// repairedWeight is how much a repaired word counts (SEARCH, section 4: typos).
	repairedWeight = .7
	// hyphenatedWeight is how much population-based counts beside population and based: in prose, the whole is little
	// more than its parts. An identifier counts in full beside its parts (measured: known functions by their names).
	hyphenatedWeight = .3
)

// Normalise is the form in which a title or a name equals the text of a query: folded, in lower case, single blanks.
func Normalise(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(words.Fold(text))), " ")
}

// AnalyzeQuery turns what was asked into terms. Languages are BCP 47 tags; words are stemmed in each of them, and in
// English if there is none. Function words of the language that the query has most of are left out, unless there is
// nothing else.
func AnalyzeQuery(text string, languages []string) Query {
	if len(text) > maxQueryBytes {
		text = strings.ToValidUTF8(text[:maxQueryBytes], "")
	}
	c := collector{languages: stemmed(languages)}
	var readings []reading
	for token := range tokens(words.Fold(text)) {
		readings = append(readings, token.read())
	}
	language := spoken(readings, c.languages)
	for _, r := range readings {
		c.add(r, func(word string) bool { return !words.IsStop(language, word) })
	}
	if len(c.terms) == 0 {
		for _, r := range readings {
			c.add(r, func(string) bool { return true })
		}
	}
	return Query{Text: Normalise(text), Terms: c.terms, languages: c.languages}
}

// stemmed are the subtags of the languages that have a stemmer, each once.
func stemmed(tags []string) []string {
	var out []string
	for _, tag := range tags {
		if base := words.Base(tag); words.Known(base) && !slices.Contains(out, base) {
			out = append(out, base)
		}
	}
	if out == nil {
		return []string{words.English}
	}
	return out
}

// spoken is the language that most words of a query are function words of; the first one of equals.
func spoken(readings []reading, languages []string) string {
	best, most := languages[0], 0
	for _, language := range languages {
		count := 0
		for _, r := range readings {
			for _, word := range r.words {
				if len(r.names) == 0 && words.IsStop(language, word) {
					count++
				}
			}
		}
		if count > most {
			best, most = language, count
		}
	}
	return best
}

// collector gathers the terms of a query.
type collector struct {
	terms     []Term
	languages []string
}

// add notes the identifiers and words of a token.
func (c *collector) add(r reading, keep func(word string) bool) {
	for _, name := range r.names {
		term := Term{Surface: name.whole, Lexemes: append([]string{name.whole}, name.others...), Exact: r.exact, Weight: 1}
		if name.prose {
			term.Weight = hyphenatedWeight
		}
		c.note(term)
	}
	for _, word := range r.words {
		switch {
		case r.exact:
			c.note(Term{Surface: word, Lexemes: []string{word}, Exact: true, Weight: 1})
		case keep(word):
			c.note(natural(word, c.languages))
		}
	}
}

// natural is a word with its stems.
func natural(word string, languages []string) Term {
	t := Term{Surface: word, Lexemes: []string{word}, Natural: true, Weight: 1}
	for _, language := range languages {
		if stem := words.Stem(language, word); !slices.Contains(t.Lexemes, stem) {
			t.Lexemes = append(t.Lexemes, stem)
		}
	}
	return t
}

// note adds a term, or counts one that is there already.
func (c *collector) note(t Term) {
	for i, lexeme := range t.Lexemes {
		t.Lexemes[i] = cut(lexeme)
	}
	t.Lexemes = slices.Compact(slices.DeleteFunc(t.Lexemes, func(lexeme string) bool { return lexeme == "" }))
	if len(t.Lexemes) == 0 {
		return
	}
	at := slices.IndexFunc(c.terms, func(other Term) bool { return other.Surface == t.Surface })
	if at >= 0 {
		c.terms[at].Count++
		return
	}
	if len(c.terms) < maxTerms {
		t.Count = 1
		c.terms = append(c.terms, t)
	}
}
