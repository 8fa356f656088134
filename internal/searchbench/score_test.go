package searchbench

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// score is how well the answers to all questions of a set fit its labels.
type score struct {
	NDCG, Recall, Precision float64 // nDCG@10, R@100, MAP@5
}

const (
	gainDepth, recallDepth, precisionDepth = 10, 100, 5
)

// scoreOf averages over the questions that have labels; ranked are document IDs by question, the best first.
func (s *set) scoreOf(ranked map[string][]string) score {
	var sum score
	n := 0.
	for _, query := range s.Queries {
		gains := s.Gains[query.ID]
		if !anyPositive(gains) {
			continue
		}
		n++
		list := ranked[query.ID]
		sum.NDCG += ndcg(gains, list)
		sum.Recall += recall(gains, list)
		sum.Precision += averagePrecision(gains, list)
	}
	return score{sum.NDCG / n, sum.Recall / n, sum.Precision / n}
}

func anyPositive(gains map[string]float64) bool {
	for _, gain := range gains {
		if gain > 0 {
			return true
		}
	}
	return false
}

// ndcg is the normalised discounted cumulative gain at 10 (Järvelin and Kekäläinen 2002), with linear gains as
// trec_eval has them.
func ndcg(gains map[string]float64, list []string) float64 {
	var ideal []float64
	for _, gain := range gains {
		if gain > 0 {
			ideal = append(ideal, gain)
		}
	}
	slices.SortFunc(ideal, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	got, best := 0., 0.
	for i := range gainDepth {
		discount := math.Log2(float64(i) + 2)
		if i < len(list) {
			got += math.Max(0, gains[list[i]]) / discount
		}
		if i < len(ideal) {
			best += ideal[i] / discount
		}
	}
	return got / best
}

func recall(gains map[string]float64, list []string) float64 {
	found, all := 0., 0.
	for _, gain := range gains {
		if gain > 0 {
			all++
		}
	}
	for _, doc := range list[:min(len(list), recallDepth)] {
		if gains[doc] > 0 {
			found++
		}
	}
	return found / all
}

// averagePrecision is that of the first five (CheckThat! 2020, task 2).
func averagePrecision(gains map[string]float64, list []string) float64 {
	found, sum, all := 0., 0., 0.
	for _, gain := range gains {
		if gain > 0 {
			all++
		}
	}
	for i, doc := range list[:min(len(list), precisionDepth)] {
		if gains[doc] > 0 {
			found++
			sum += found / float64(i+1)
		}
	}
	return sum / math.Min(all, precisionDepth)
}

func TestScores(t *testing.T) {
	t.Parallel()
	s := &set{Queries: []text{{ID: "q"}, {ID: "unlabelled"}}, Gains: map[string]map[string]float64{"q": {"a": 1, "b": 1, "c": 0}}}
	require.Equal(t, score{1, 1, 1}, s.scoreOf(map[string][]string{"q": {"a", "b", "c"}}))
	got := s.scoreOf(map[string][]string{"q": {"c", "a"}})
	require.InDelta(t, (1/math.Log2(3))/(1+1/math.Log2(3)), got.NDCG, 1e-12)
	require.InDelta(t, .5, got.Recall, 1e-12)
	require.InDelta(t, .25, got.Precision, 1e-12)
	require.Equal(t, score{}, s.scoreOf(nil))
}
