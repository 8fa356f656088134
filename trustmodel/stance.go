package trustmodel

// stance is how a counted party stands to the target.
type stance uint8

const (
	notCounted stance = iota
	supports
	contradicts
	mixed
)

var stanceNames = [...]string{
	notCounted: "not_counted", supports: "supports", contradicts: "contradicts", mixed: "mixed",
}

func (s stance) String() string { return nameOf(stanceNames[:], uint8(s), "stance") }

// isEligible tells whether a party may be counted by who it is.
func (m *Model) isEligible(w Weights) bool {
	return w.V >= m.params.Identity.Established && w.Plus+w.Minus >= m.params.Counting.MinWeightSum
}

// stance decides whether and for which side an established party is counted.
func (m *Model) stance(o *opinion, w Weights) stance {
	if o.mass() < m.params.Counting.MinMass || !m.isEligible(w) {
		return notCounted
	}
	return m.side(o)
}

// side is what an opinion says, whoever holds it.
func (m *Model) side(o *opinion) stance {
	c := &m.params.Counting
	switch share := o.plus() / o.mass(); {
	case share >= c.SupportShare:
		return supports
	case share <= c.ContradictShare:
		return contradicts
	default:
		return mixed
	}
}
