package trustmodel

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
	Identity float64 // v0: distinctness by identity alone, which the identity sums count
	V        float64 // v: distinctness with its track record, at least v0
	Plus     float64 // w+, the weight of its support, at most V
	Minus    float64 // w-, the weight of its contradiction, at most V
}

// Distinctness returns v0, how sure it is by its identity alone that a party is
// one of its own, in [0, 1].
func (m *Model) Distinctness(id Identity) float64 {
	switch p := &m.params.Identity; {
	case id.Domain || id.Vouched:
		return p.Domain
	case id.Email:
		return p.Email
	default:
		return p.None
	}
}

// IdentityWeights returns the weights of a party without any track record: the
// accuracy that is assumed of everyone, scaled by its identity.
func (m *Model) IdentityWeights(id Identity) Weights {
	return m.Weights(m.Distinctness(id), m.PriorTrack())
}

// unit clamps w to [0, 1] and takes what is no number as 0.
func unit(w float64) float64 {
	if !(w > 0) {
		return 0
	}
	return min(w, 1)
}
