package trustmodel

import "math"

// Rating is the latest score of one agent.
type Rating struct {
	Score      float64 // 0 to 100
	Confidence float64 // 0 to 1; less than 0 where none is stated: strength.confidence_missing
	Grounded   bool    // rests on the agent's own use
}

// Rater is a party with the latest rating of each of its agents, in any order.
type Rater struct {
	Key        PartyKey
	V          float64 // distinctness, see [Weights]
	Ratings    []Rating
	HasContext bool // the ratings say what the target was used for
}

// maxScore is the best score that can be given; the worst is 0.
const maxScore = 100

// ratingPoint is what one party adds to an aggregate.
type ratingPoint struct {
	weight int64   // nano-raters
	score  float64 // 0 to 100
}

// points reduces each party to one score and one weight, leaving out those that
// say nothing or weigh nothing. However many agents a party has, it is one rater
// of at most V:
//
//	score  = Σ c·score_i / Σ c                                    over its agents
//	weight = V · Σ c·f_i / Σ c · (no_context without a context)
//	f_i    = (confidence_base + (1-confidence_base)·c) · (ungrounded without own use)
//
// c is the confidence of the agent, between strength.confidence_min and 1. For a
// party of one agent that is the formula of the design; for more, each agent
// counts in the weight as it counts in the score.
func (m *Model) points(raters []Rater) []ratingPoint {
	out := make([]ratingPoint, 0, len(raters))
	for i := range raters {
		r := &raters[i]
		var confidence, score, factor int64 // milli; milli times 1e-6, summed as integers
		for j := range r.Ratings {
			c := m.ratingConfidence(r.Ratings[j].Confidence)
			confidence += c
			score += c * int64(math.Round(float64(bounded(r.Ratings[j].Score, 0, maxScore)*1e6)))
			factor += c * m.ratingFactor(c, r.Ratings[j].Grounded)
		}
		if confidence == 0 {
			continue
		}
		weight := float64(unit(r.V) * (float64(factor) / float64(confidence) / 1e6))
		if !r.HasContext {
			weight = float64(weight * m.params.Ratings.NoContext)
		}
		if w := toNano(weight); w > 0 {
			out = append(out, ratingPoint{weight: w, score: float64(score) / float64(confidence) / 1e6})
		}
	}
	return out
}

// ratingConfidence returns a stated confidence in whole thousandths, at least one
// of them, so that any rating counts.
func (m *Model) ratingConfidence(stated float64) int64 {
	p := &m.params.Strength
	if stated < 0 {
		stated = p.ConfidenceMissing
	}
	return max(milli(bounded(stated, p.ConfidenceMin, 1)), 1)
}

// ratingFactor returns f_i, in parts per million.
func (m *Model) ratingFactor(confidence int64, grounded bool) int64 {
	p := &m.params.Ratings
	f := p.ConfidenceBase + float64((1-p.ConfidenceBase)*(float64(confidence)/1000))
	if !grounded {
		f = float64(f * p.Ungrounded)
	}
	return int64(math.Round(float64(f * 1e6)))
}

// bounded clamps v to [low, high] and takes what is no number as low.
func bounded(v, low, high float64) float64 {
	if !(v > low) {
		return low
	}
	return min(v, high)
}
