package trustbench

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"interai/trustmodel"
)

// ratedItems are the scores of each item, one of each rater, brought from
// -100..100 to the model's scale of 0..100.
func ratedItems(tb testing.TB) [][]float64 {
	tb.Helper()
	var items [][]float64
	index := map[string]int{}
	path := filepath.Join(dataDir(tb), "ratings", "emotion.answer.csv.gz")
	rows(tb, path, "item,worker,score", func(row []string) {
		at, known := index[row[0]]
		if !known {
			at, index[row[0]] = len(items), len(items)
			items = append(items, nil)
		}
		items[at] = append(items[at], float64(whole(tb, row[2])+100)/2)
	})
	return items
}

// ratingScore is how well the mean of all other raters is foretold from a few.
type ratingScore struct {
	raters                   int
	n, inside, textbook      float64
	error, plainError, width float64
}

func (s *ratingScore) coverage() float64 { return s.inside / s.n }

// ratio is the mean absolute error over that of the plain mean.
func (s *ratingScore) ratio() float64 { return s.error / s.plainError }

// draws is how many groups of raters are drawn from each item.
const draws = 20

// foretellRatings draws groups of raters from each item. All of them are
// domain-verified and have seen what they rate; the data names neither a context
// nor how sure anybody was.
func foretellRatings(m *trustmodel.Model, items [][]float64, raters int) ratingScore {
	out := ratingScore{raters: raters}
	var sum float64
	var n int64
	for _, scores := range items {
		for _, x := range scores {
			sum, n = sum+x, n+1
		}
	}
	pool := m.RatePool(sum, n)
	for i, scores := range items {
		for k := range draws {
			order := shuffled(len(scores), uint64(i*draws+k))
			var group []trustmodel.Rater
			var known, others []float64
			for j, at := range order {
				if j >= raters {
					others = append(others, scores[at])
					continue
				}
				known = append(known, scores[at])
				group = append(group, trustmodel.Rater{
					Key: keyOf(at), V: 1,
					Ratings: []trustmodel.Rating{{Score: scores[at], Confidence: -1, Grounded: true}},
				})
			}
			out.judge(m.RateAll(group, pool), known, stat.Mean(others, nil))
		}
	}
	return out
}

func (s *ratingScore) judge(r trustmodel.RatingSnapshot, known []float64, truth float64) {
	mean, deviation := stat.MeanStdDev(known, nil)
	n := float64(len(known))
	reach := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+level)/2) * deviation / math.Sqrt(n)
	s.n++
	s.error += math.Abs(r.Score - truth)
	s.plainError += math.Abs(mean - truth)
	s.width += r.Upper - r.Lower
	if r.Lower <= truth && truth <= r.Upper {
		s.inside++
	}
	if math.Abs(mean-truth) <= reach {
		s.textbook++
	}
}

// shuffled is a permutation that depends on nothing but its arguments.
func shuffled(n int, seed uint64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if mix(seed, uint64(a)) < mix(seed, uint64(b)) {
			return -1
		}
		return 1
	})
	return order
}

func TestShuffledIsAPermutation(t *testing.T) {
	first := shuffled(50, 1)
	if slices.Equal(first, shuffled(50, 2)) {
		t.Error("two seeds give one order")
	}
	slices.Sort(first)
	for i, at := range first {
		if i != at {
			t.Fatalf("no permutation: %v", first)
		}
	}
}
