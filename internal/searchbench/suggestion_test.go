package searchbench

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/retrieval"
)

// The right claim must be among the first five that a publisher is offered. Right is what the labels join, directly or
// over other wordings: of many wordings of one claim any will do.
func TestTheRightClaimIsAmongTheSuggestions(t *testing.T) {
	for name, least := range map[string]float64{"qqp.dev": .90, "mrpc.dev": .99} {
		w := newWordings(loadPairs(t, name))
		m := newMemory(&w.set, "en")
		found, asked := 0, 0
		for _, pair := range w.pairs {
			if !pair.Same || pair.A == pair.B {
				continue
			}
			asked++
			self := strconv.Itoa(w.at[pair.A])
			hits := slices.DeleteFunc(m.search(pair.A, retrieval.DefaultBudget), func(id string) bool { return id == self })
			if slices.ContainsFunc(hits[:min(precisionDepth, len(hits))], func(id string) bool { return w.same(id, self) }) {
				found++
			}
		}
		t.Logf("%s: %d of %d", name, found, asked)
		require.GreaterOrEqual(t, float64(found)/float64(asked), least, name)
	}
}

// wordings are all texts of a set of pairs as documents, and which of them the labels join.
type wordings struct {
	set    set
	pairs  []pair
	at     map[string]int
	parent []int
}

func newWordings(pairs []pair) *wordings {
	w := &wordings{pairs: pairs, at: map[string]int{}}
	for _, p := range pairs {
		for _, wording := range []string{p.A, p.B} {
			if _, known := w.at[wording]; !known {
				w.at[wording] = len(w.parent)
				w.set.Docs = append(w.set.Docs, text{ID: strconv.Itoa(len(w.parent)), Text: wording})
				w.parent = append(w.parent, len(w.parent))
			}
		}
		if p.Same {
			w.parent[w.root(w.at[p.A])] = w.root(w.at[p.B])
		}
	}
	return w
}

func (w *wordings) root(at int) int {
	for w.parent[at] != at {
		at = w.parent[at]
	}
	return at
}

func (w *wordings) same(a, b string) bool {
	left, errLeft := strconv.Atoi(a)
	right, errRight := strconv.Atoi(b)
	return errLeft == nil && errRight == nil && w.root(left) == w.root(right)
}
