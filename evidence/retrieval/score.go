package retrieval

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// scored are the lexemes that a document is scored by, the heaviest first, and the sum of their weights. Of the forms
// of a word the commonest one carries its weight: documents that have another form have that one too.
func (q Query) scored(s Statistics) ([]ScoredLexeme, float64) {
	weights := map[string]float64{}
	for _, term := range q.Terms {
		weight := term.Weight * math.Max(1, float64(term.Count))
		if !term.Natural {
			for _, lexeme := range term.Lexemes {
				weights[lexeme] += weight * Idf(s.Documents(), s.DF(lexeme))
			}
			continue
		}
		carrier := slices.MaxFunc(term.Lexemes, func(a, b string) int { return cmp.Compare(s.DF(a), s.DF(b)) })
		weights[carrier] += weight * Idf(s.Documents(), s.DF(carrier))
	}
	out, sum := make([]ScoredLexeme, 0, len(weights)), 0.
	for lexeme, weight := range weights {
		out = append(out, ScoredLexeme{Lexeme: lexeme, Weight: weight})
	}
	slices.SortFunc(out, func(a, b ScoredLexeme) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Lexeme, b.Lexeme))
	})
	for _, lexeme := range out {
		sum += lexeme.Weight
	}
	return out, sum
}
