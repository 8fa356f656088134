package trustmodel

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// RatingSnapshot is what parties together say about one dimension of a target.
// Scores are from 0 to 100; all figures are rounded to 1e-6.
type RatingSnapshot struct {
	Score  float64 `json:"score"`  // posterior mean
	Lower  float64 `json:"lower"`  // lower end of the central interval
	Upper  float64 `json:"upper"`  // upper end of it
	Raters int     `json:"raters"` // parties that weigh anything
	Weight float64 `json:"weight"` // W, raters: the sum of their weights
}

// RatePool returns the mean score of a dimension over all targets, of which n
// scores add up to sum: the middle of the scale without any, and always between
// pool_min and pool_max, so that nobody can move the prior of all targets far.
// Rounded to 1e-6.
func (m *Model) RatePool(sum float64, n int64) float64 {
	mean := float64(maxScore) / 2
	if n > 0 {
		mean = sum / float64(n)
	}
	return micro(m.poolMean(mean))
}

func (m *Model) poolMean(mean float64) float64 {
	return bounded(mean, m.params.Ratings.PoolMin, m.params.Ratings.PoolMax)
}

// RateAll aggregates the ratings of one dimension of a target over all contexts;
// the prior is the pool mean of the dimension, see [Model.RatePool]. Each party is
// given once, in any order.
//
// With weights w and scores x of the parties, W = Σ w, their mean x̄, the prior
// mean μ0 of strength κ (pool_strength), and ν0 = spread_strength, σ0 = spread,
// it is the normal mean of unknown variance under its conjugate prior:
//
//	μ  = (κ·μ0 + W·x̄)/(κ + W)
//	s² = (ν0·σ0² + Σ w(x-x̄)² + κW/(κ+W)·(x̄-μ0)²)/(ν0 + W)
//	interval = μ ± t(ν0+W)·s/√(κ+W), within the scale
//
// where t is the quantile of Student's distribution at the level of the model.
// From winsor_raters on, scores beyond μ ± winsor·s are pulled in to there, once.
// No weight is above 1, so W never passes the number of raters.
func (m *Model) RateAll(raters []Rater, poolMean float64) RatingSnapshot {
	return m.rate(raters, m.poolMean(poolMean), m.params.Ratings.PoolStrength)
}

// RateExact aggregates likewise the ratings of one context. The prior is what the
// same dimension has over all contexts, of strength context_strength.
func (m *Model) RateExact(raters []Rater, all RatingSnapshot) RatingSnapshot {
	return m.rate(raters, bounded(all.Score, 0, maxScore), m.params.Ratings.ContextStrength)
}

// ExactEnough tells whether the ratings of one context stand for themselves: their
// weight is at least exact_weight. Otherwise those of all contexts are shown, and
// labelled as such.
func (m *Model) ExactEnough(s RatingSnapshot) bool { return s.Weight >= m.params.Ratings.ExactWeight }

func (m *Model) rate(raters []Rater, prior, strength float64) RatingSnapshot {
	points := m.points(raters)
	s := m.ratingPosterior(points, prior, strength)
	if len(points) >= m.params.Ratings.WinsorRaters {
		reach := float64(m.params.Ratings.Winsor * s.deviation)
		for i := range points {
			points[i].score = bounded(points[i].score, s.mean-reach, s.mean+reach)
		}
		s = m.ratingPosterior(points, prior, strength)
	}
	// With no weight and no prior, the reach has no bound and the interval is the scale.
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: m.params.Ratings.SpreadStrength + s.weight}.Quantile(1 - m.tail)
	reach := float64(t*s.deviation) / math.Sqrt(strength+s.weight)
	return RatingSnapshot{
		Score:  micro(bounded(s.mean, 0, maxScore)),
		Lower:  micro(bounded(s.mean-reach, 0, maxScore)),
		Upper:  micro(bounded(s.mean+reach, 0, maxScore)),
		Raters: len(points), Weight: micro(s.weight),
	}
}

// ratingPosterior is the posterior of a mean: μ, s and W.
type ratingPosterior struct{ mean, deviation, weight float64 }

// ratingPosterior computes the posterior of points. Terms are rounded and added as
// integers, so the order of points never shows.
func (m *Model) ratingPosterior(points []ratingPoint, prior, strength float64) ratingPosterior {
	p := &m.params.Ratings
	var weights, scores int64 // nano
	var squares int64         // micro
	for _, x := range points {
		weights += x.weight
		scores += toNano(float64(fromNano(x.weight) * x.score))
	}
	w, mean := fromNano(weights), prior
	if weights > 0 {
		mean = fromNano(scores) / w
	}
	for _, x := range points {
		d := x.score - mean
		squares += int64(math.Round(float64(float64(fromNano(x.weight)*float64(d*d)) * 1e6)))
	}
	if strength+w == 0 {
		return ratingPosterior{mean: prior, deviation: p.Spread} // Nothing known, and nothing assumed.
	}
	off := mean - prior
	pull := float64(float64(strength*w) / (strength + w) * float64(off*off))
	variance := (float64(p.SpreadStrength*float64(p.Spread*p.Spread)) + float64(squares)/1e6 + pull) / (p.SpreadStrength + w)
	return ratingPosterior{
		mean:      (float64(strength*prior) + float64(w*mean)) / (strength + w),
		deviation: math.Sqrt(variance),
		weight:    w,
	}
}
