package searchbench

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/retrieval"
)

// memorySets are the sets with the language that their documents are in.
var memorySets = []struct{ name, language string }{
	{"scifact", "en"}, {"nfcorpus", "en"}, {"cosqa", "en"}, {"checkthat20", "en"}, {"cacm", "en"}, {"mlqa_de", "de"}, {"mlqa_es", "es"},
}

// answers are the first documents of all questions of a set.
func (s *set) answers(search func(question string) []string) map[string][]string {
	out := map[string][]string{}
	for _, query := range s.Queries {
		out[query.ID] = search(query.Text)
	}
	return out
}

// The expression must not fall behind BM25 over the same lexemes, and both not behind what they were measured at.
func TestRelevanceDoesNotFallBehindBM25(t *testing.T) {
	for _, c := range []struct {
		name         string
		ndcg, recall float64
	}{{"scifact", .695, .93}, {"cosqa", .375, .82}} {
		s := loadSet(t, c.name)
		m := newMemory(s, "en")
		whole := s.answers(func(q string) []string { return m.search(q, 0) })
		got := s.scoreOf(whole)
		require.GreaterOrEqual(t, got.NDCG, c.ndcg, c.name)
		require.GreaterOrEqual(t, got.Recall, c.recall, c.name)
		reference := s.scoreOf(s.answers(newBM25(s, .9, .4).search))
		require.GreaterOrEqual(t, got.NDCG, reference.NDCG-.005, c.name)

		planned := s.answers(func(q string) []string { return m.search(q, retrieval.DefaultBudget) })
		same := 0
		for id, list := range whole {
			if equal(list, planned[id], gainDepth) {
				same++
			}
		}
		require.GreaterOrEqual(t, float64(same), .97*float64(len(whole)), "%s: the planner changes what comes first", c.name)
	}
}

// equal reports whether two orders begin with the same n documents.
func equal(a, b []string, n int) bool {
	a, b = a[:min(n, len(a))], b[:min(n, len(b))]
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// BenchmarkRelevance prints how well the expression does on each set: with all documents, with the planner's
// candidates at several budgets, and beside BM25. Nothing of it needs a database.
func BenchmarkRelevance(b *testing.B) {
	for b.Loop() {
		fmt.Println("| set | method | nDCG@10 | R@100 | MAP@5 |\n| --- | --- | --- | --- | --- |")
		for _, of := range memorySets {
			s := loadSet(b, of.name)
			m := newMemory(s, of.language)
			row := func(method string, search func(string) []string) {
				got := s.scoreOf(s.answers(search))
				fmt.Printf("| %s | %s | %.3f | %.3f | %.3f |\n", of.name, method, got.NDCG, got.Recall, got.Precision)
			}
			row("expression, all documents", func(q string) []string { return m.search(q, 0) })
			for _, limit := range []int{2000, retrieval.DefaultBudget, 400, 100} {
				row(fmt.Sprintf("expression, %d candidates", limit), func(q string) []string { return m.search(q, limit) })
			}
			if of.language == "en" {
				row("BM25 k1=.9 b=.4", newBM25(s, .9, .4).search)
				row("BM25 k1=1.2 b=.75", newBM25(s, 1.2, .75).search)
			}
		}
	}
}
