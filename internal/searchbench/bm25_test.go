package searchbench

import (
	"cmp"
	"math"
	"slices"

	"interai/evidence/retrieval"
)

// bm25 is the reference: Okapi BM25 (Robertson and Zaragoza 2009) over the lexemes of our analyzer, with everything in
// memory and every document scored.
type bm25 struct {
	k1, b   float64
	posting map[string][]posting
	lengths []float64
	mean    float64
	ids     []string
}

type posting struct {
	doc   int
	count float64
}

func newBM25(s *set, k1, b float64) *bm25 {
	m := &bm25{k1: k1, b: b, posting: map[string][]posting{}}
	for i, doc := range s.Docs {
		analysed := retrieval.Analyze([]retrieval.Field{{Text: doc.Title, Weight: 'A'}, {Text: doc.Text, Weight: 'D'}}, "en")
		for _, lexeme := range analysed.Lexemes {
			m.posting[lexeme.Text] = append(m.posting[lexeme.Text], posting{i, float64(len(lexeme.Positions))})
		}
		m.lengths = append(m.lengths, float64(analysed.Length))
		m.mean += float64(analysed.Length) / float64(len(s.Docs))
		m.ids = append(m.ids, doc.ID)
	}
	return m
}

func (m *bm25) search(question string) []string {
	scores := map[int]float64{}
	for _, term := range retrieval.AnalyzeQuery(question, []string{"en"}).Terms {
		form := term.Lexemes[len(term.Lexemes)-1] // the stem, or an identifier's last form
		list := m.posting[form]
		idf := retrieval.Idf(len(m.ids), float64(len(list)))
		for _, p := range list {
			norm := 1 - m.b + m.b*m.lengths[p.doc]/m.mean
			scores[p.doc] += math.Max(1, float64(term.Count)) * idf * p.count * (m.k1 + 1) / (p.count + m.k1*norm)
		}
	}
	docs := make([]int, 0, len(scores))
	for doc := range scores {
		docs = append(docs, doc)
	}
	slices.SortFunc(docs, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(b, a)) // of equals the later one, as everywhere
	})
	var out []string
	for _, doc := range docs[:min(len(docs), recallDepth)] {
		out = append(out, m.ids[doc])
	}
	return out
}
