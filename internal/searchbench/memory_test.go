package searchbench

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/retrieval"
)

// memory is the index and the expression of the product, in memory: what the SQL path computes, without a database.
type memory struct {
	ids       []string
	lengths   []float64
	mean      float64
	lexemes   map[string][]occurrence
	languages []string
}

// occurrence is a lexeme in a document, with what ts_rank makes of its positions.
type occurrence struct {
	doc  int
	rank float64
}

// The weights and the part of the length in the product's expression (store/search.go).
const (
	titleWeight = .13
	bodyWeight  = .1
	lengthShare = .2
)

func newMemory(s *set, language string) *memory {
	m := &memory{lexemes: map[string][]occurrence{}, languages: []string{"en"}}
	if language != "en" && language != "" {
		m.languages = append(m.languages, language)
	}
	for i, doc := range s.Docs {
		analysed := retrieval.Analyze([]retrieval.Field{{Text: doc.Title, Weight: 'A'}, {Text: doc.Text, Weight: 'D', Markdown: true}}, language)
		for _, lexeme := range analysed.Lexemes {
			m.lexemes[lexeme.Text] = append(m.lexemes[lexeme.Text], occurrence{i, tsRank(lexeme.Positions)})
		}
		m.ids = append(m.ids, doc.ID)
		m.lengths = append(m.lengths, float64(analysed.Length))
		m.mean += float64(analysed.Length) / float64(len(s.Docs))
	}
	return m
}

// tsRank is PostgreSQL's rank of one word: the k-th position counts 1/k^2 of its weight, and the heaviest counts whole.
func tsRank(positions []retrieval.Position) float64 {
	sum, heaviest, at := 0., -1., 0.
	for i, position := range positions {
		weight := bodyWeight
		if position.Weight == 'A' {
			weight = titleWeight
		}
		place := float64((i + 1) * (i + 1))
		sum += weight / place
		if weight > heaviest {
			heaviest, at = weight, place
		}
	}
	return (heaviest + sum - heaviest/at) / (math.Pi * math.Pi / 6)
}

func (m *memory) Documents() int { return len(m.ids) }

func (m *memory) DF(lexeme string) float64 {
	if n := len(m.lexemes[lexeme]); n > 0 {
		return float64(n)
	}
	return .5
}

// search scores the candidates of a plan, or all documents if the budget is 0.
func (m *memory) search(question string, budget int) []string {
	q := retrieval.AnalyzeQuery(question, m.languages)
	plan := q.Plan(m, max(budget, 1), 1)
	scores := map[int]float64{}
	for _, scored := range plan.Scored {
		for _, o := range m.lexemes[scored.Lexeme] {
			scores[o.doc] += scored.Weight * o.rank / (1 - lengthShare + lengthShare*m.lengths[o.doc]/m.mean)
		}
	}
	docs := make([]int, 0, len(scores))
	var matching map[int]bool
	if budget > 0 {
		matching, _ = m.match(plan.Candidates)
	}
	for doc := range scores {
		if matching == nil || matching[doc] {
			docs = append(docs, doc)
		}
	}
	slices.SortFunc(docs, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(m.ids[a], m.ids[b]))
	})
	out := make([]string, 0, recallDepth)
	for _, doc := range docs[:min(len(docs), recallDepth)] {
		out = append(out, m.ids[doc])
	}
	return out
}

// match evaluates a tsquery of quoted lexemes, parentheses, & and |, where & binds tighter, and answers what is left of
// the text.
func (m *memory) match(text string) (map[int]bool, string) {
	docs, rest := m.conjunction(text)
	for strings.HasPrefix(rest, " | ") {
		var more map[int]bool
		more, rest = m.conjunction(rest[3:])
		for doc := range more {
			docs[doc] = true
		}
	}
	return docs, rest
}

func (m *memory) conjunction(text string) (map[int]bool, string) {
	all, rest := m.operand(text)
	for strings.HasPrefix(rest, " & ") {
		var more map[int]bool
		more, rest = m.operand(rest[3:])
		for doc := range all {
			if !more[doc] {
				delete(all, doc)
			}
		}
	}
	return all, rest
}

func (m *memory) operand(text string) (map[int]bool, string) {
	if text == "" {
		return map[int]bool{}, ""
	}
	if inner, ok := strings.CutPrefix(text, "("); ok {
		docs, rest := m.match(inner)
		return docs, strings.TrimPrefix(rest, ")")
	}
	var word strings.Builder
	docs := map[int]bool{}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\'' && !strings.HasPrefix(text[i+1:], "'"):
			for _, o := range m.lexemes[word.String()] {
				docs[o.doc] = true
			}
			return docs, text[i+1:]
		case text[i] == '\'', text[i] == '\\':
			i++
		}
		word.WriteByte(text[i])
	}
	return docs, ""
}

func TestTheCurveOfOneWord(t *testing.T) {
	t.Parallel()
	for weights, want := range map[string]float64{"D": .0607927, "DD": .0759909, "DDD": .0827457, "A": .0790305, "DA": .1398232, "AD": .0942287} {
		var positions []retrieval.Position
		for i, weight := range []byte(weights) {
			positions = append(positions, retrieval.Position{At: uint16(i + 1), Weight: retrieval.Weight(weight)})
		}
		require.InDelta(t, want, tsRank(positions), 1e-6, weights)
	}
}

func TestMatchingInMemory(t *testing.T) {
	t.Parallel()
	m := newMemory(&set{Docs: []text{{ID: "0", Text: "alpha beta"}, {ID: "1", Text: "beta gamma"}, {ID: "2", Text: "gamma"}}}, "en")
	for query, want := range map[string][]int{
		"":                                 {},
		"'alpha'":                          {0},
		"'alpha' | 'gamma'":                {0, 1, 2},
		"('alpha' & 'gamma')":              {},
		"'absent' | ('beta' & 'gamma')":    {1},
		"(('alpha' | 'gamma') & 'beta')":   {0, 1},
		"'gamma' & 'beta' | 'alpha' & 'x'": {1},
	} {
		docs, rest := m.match(query)
		require.Empty(t, rest)
		require.ElementsMatch(t, want, slices.Collect(maps.Keys(docs)), query)
	}
}
