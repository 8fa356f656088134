package trustmodel

import "math"

// Track is what an epoch has sealed about a party: how much could be checked of
// what it said, and how telling its support and its contradiction were. It is
// computed by [Epoch] from all evidence, and read until the next epoch.
type Track struct {
	Credits  float64 // n, opinions that proved right in excess of those that proved wrong, each weighted by how certain its outcome is
	LogPlus  float64 // l+, log odds that what it supports holds; may be negative
	LogMinus float64 // l-, log odds that what it contradicts does not hold; may be negative
}

// PriorTrack is the track of a party of which nothing is known: right as often
// as anyone is assumed to be.
func (m *Model) PriorTrack() Track {
	odds := math.Log(m.params.Identity.AccuracyPrior / (1 - m.params.Identity.AccuracyPrior))
	return Track{LogPlus: odds, LogMinus: odds}
}

// Weights returns what the evidence of a party counts (design: v and w± of the
// sealed snapshot):
//
//	v  = v0 + (1-v0)·n/(n+half_credits)
//	w± = v·clamp(l±/ln(odds_cap), weight_floor, 1)
//
// v0 is the distinctness that its identity alone gives, see [Model.Distinctness].
func (m *Model) Weights(v0 float64, t Track) Weights {
	v0 = unit(v0)
	n := nonNegative(t.Credits)
	v := v0 + float64((1-v0)*(n/(n+m.params.Reputation.HalfCredits)))
	return Weights{
		Identity: v0, V: v,
		Plus: float64(v * m.telling(t.LogPlus)), Minus: float64(v * m.telling(t.LogMinus)),
	}
}

// telling scales log odds to a factor in [weight_floor, 1].
func (m *Model) telling(odds float64) float64 {
	p := &m.params.Identity
	factor := odds / math.Log(p.OddsCap)
	if !(factor > p.WeightFloor) {
		return p.WeightFloor
	}
	return min(factor, 1)
}
