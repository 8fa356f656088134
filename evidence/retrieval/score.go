package retrieval

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// ScoredLexeme is a lexeme with what it counts.
type ScoredLexeme struct {
	Lexeme string
	Weight float64
}

// What a lexeme counts beside its idf: measured on the labelled sets with internal/searchbench.
const (
	// writtenShare is how much the very form that was asked for adds to the commonest one: it puts documents with that
	// form first (CoSQA +.8, CACM +3 points of nDCG, the others unchanged).
	writtenShare = .2
	// repetition is how much more a repeated word counts: 1 + repetition·ln(count). Counting each time whole costs
	// two points on long questions.
	repetition = .5
	// maxScored bounds the work for each candidate; what is dropped are the commonest words of long questions.
	maxScored = 40
)

// scored are the lexemes that a document is scored by, the heaviest first, and the sum of their weights. Of the forms
// of a word the commonest one carries its weight, since documents that have another form have that one too.
func (q Query) scored(s Statistics) ([]ScoredLexeme, float64) {
	weights := map[string]float64{}
	for _, term := range q.Terms {
		weight := term.Weight * (1 + repetition*math.Log(math.Max(1, float64(term.Count))))
		add := func(lexeme string, share float64) {
			weights[lexeme] += share * weight * Idf(s.Documents(), s.DF(lexeme))
		}
		if term.Exact {
			for _, lexeme := range term.Lexemes {
				add(lexeme, 1)
			}
			continue
		}
		written := term.Lexemes[0]
		carrier := slices.MaxFunc(term.Lexemes, func(a, b string) int { return cmp.Compare(s.DF(a), s.DF(b)) })
		add(carrier, 1)
		if written != carrier {
			add(written, writtenShare)
		}
	}
	return heaviest(weights, s)
}

// heaviest are the lexemes that count most. Those that no document of the snapshot has come last, whatever they weigh:
// hardly any document can have them.
func heaviest(weights map[string]float64, s Statistics) ([]ScoredLexeme, float64) {
	out, sum := make([]ScoredLexeme, 0, len(weights)), 0.
	for lexeme, weight := range weights {
		out = append(out, ScoredLexeme{Lexeme: lexeme, Weight: weight})
	}
	heavier := func(a, b ScoredLexeme) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Lexeme, b.Lexeme))
	}
	if len(out) > maxScored {
		unseen := func(l ScoredLexeme) int {
			if s.DF(l.Lexeme) <= UnseenDF {
				return 1
			}
			return 0
		}
		slices.SortFunc(out, func(a, b ScoredLexeme) int { return cmp.Or(cmp.Compare(unseen(a), unseen(b)), heavier(a, b)) })
		out = out[:maxScored]
	}
	slices.SortFunc(out, heavier)
	for _, lexeme := range out {
		sum += lexeme.Weight
	}
	return out, sum
}
