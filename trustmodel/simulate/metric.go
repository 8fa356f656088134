package simulate

import (
	"cmp"
	"slices"

	"interai/trustmodel"
)

// Honest says how the model does in worlds without attackers, as means over the
// seeds. Targets that nobody tried are left out of all but the ranking.
type Honest struct {
	Exposure float64 `json:"exposure"` // mean number of parties that try a target

	Coverage         float64 `json:"coverage"`          // share of truths inside the published interval
	Width            float64 `json:"width"`             // mean width of the interval
	JeffreysCoverage float64 `json:"jeffreys_coverage"` // the same of an interval that takes every record for a trial
	JeffreysWidth    float64 `json:"jeffreys_width"`    // its width
	Error            float64 `json:"error"`             // mean absolute error of the value
	MajorityError    float64 `json:"majority_error"`    // of the share of successes over records

	Precision         Precision `json:"precision"`          // ranked by the lower bound
	WilsonPrecision   Precision `json:"wilson_precision"`   // ranked by the Wilson lower bound
	MajorityPrecision Precision `json:"majority_precision"` // ranked by the share of successes

	SupportedTruth float64 `json:"supported_truth"` // share truly good of those supported
	HighTruth      float64 `json:"high_truth"`      // share truly good of those high_confidence
	IncorrectTruth float64 `json:"incorrect_truth"` // share truly good of those incorrect
	Recall         float64 `json:"recall"`          // share supported or high_confidence of those truly good

	Supported int `json:"supported"` // targets of all seeds
	High      int `json:"high"`      // targets of all seeds
	Incorrect int `json:"incorrect"` // targets of all seeds

	Merged float64 `json:"merged"` // honest parties that were taken for another one
}

// Precision is the share of hits among the first 20, 50 and 100 of a ranking. A
// hit is truly at .7 or above.
type Precision struct {
	At20  float64 `json:"at_20"`
	At50  float64 `json:"at_50"`
	At100 float64 `json:"at_100"`
}

// ranked is one target of a ranking.
type ranked struct {
	truth float64
	by    [2]float64 // what it is ranked by, and what breaks ties
}

// precision ranks targets; of those that tie, earlier ones come first.
func precision(targets []ranked) Precision {
	order := slices.Clone(targets)
	slices.SortStableFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.by[0], a.by[0]), cmp.Compare(b.by[1], a.by[1]))
	})
	return Precision{At20: hits(order, 20), At50: hits(order, 50), At100: hits(order, 100)}
}

func hits(order []ranked, n int) float64 {
	n = min(n, len(order))
	if n == 0 {
		return 0
	}
	count := 0
	for _, t := range order[:n] {
		if t.truth >= rankedTruth {
			count++
		}
	}
	return float64(count) / float64(n)
}

func (p *Precision) add(o Precision) {
	p.At20 += o.At20
	p.At50 += o.At50
	p.At100 += o.At100
}

func (p *Precision) scale(f float64) {
	p.At20 *= f
	p.At50 *= f
	p.At100 *= f
}

// isGood tells whether a status recommends a target.
func isGood(s trustmodel.Status) bool {
	return s == trustmodel.Supported || s == trustmodel.HighConfidence
}

// ratio is a/b, and 0 of nothing.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
