package trustmodel

import "math"

// Identity says what is verified about a party. It makes parties distinct; it
// says nothing about their being right.
type Identity struct {
	Email   bool // controls a verified e-mail address
	Domain  bool // controls a verified domain
	Vouched bool // a human that the operator of this installation vouches for
}

// Weights are what the evidence of one party counts, each in [0, 1]; values out
// of this range are clamped.
type Weights struct {
	V     float64 // distinctness: how sure it is that this is a party of its own
	Plus  float64 // w+, the weight of its support, at most V
	Minus float64 // w-, the weight of its contradiction, at most V
}

// IdentityWeights returns the weights of a party without any track record: the
// accuracy that is assumed of everyone, scaled by its identity.
func (m *Model) IdentityWeights(id Identity) Weights {
	p := &m.params.Identity
	v := p.None
	switch {
	case id.Domain || id.Vouched:
		v = p.Domain
	case id.Email:
		v = p.Email
	}
	// With no record, sensitivity and specificity are both the prior accuracy.
	odds := math.Log(p.AccuracyPrior / (1 - p.AccuracyPrior))
	w := float64(v * min(max(odds/math.Log(p.OddsCap), p.WeightFloor), 1))
	return Weights{V: v, Plus: w, Minus: w}
}

// unit clamps w to [0, 1] and takes what is no number as 0.
func unit(w float64) float64 {
	if !(w > 0) {
		return 0
	}
	return min(w, 1)
}
