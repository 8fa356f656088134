package trustmodel

// Carry is what a revision inherits from the one before it, before its caps. It
// never counts as the revision's own: no counter has it.
type Carry struct {
	Plus, Minus float64 // excess of the posterior over the prior, times carry.factor, in parties
	Identity    float64 // identity sum, times carry.factor
	RealWorld   int     // real-world confirmations
	Anchors     int     // verified parties that confirm, beyond those that contradict
}

// CarryFrom returns what the successor of a revision with snapshot s inherits:
//
//	carry± = factor · (alpha - W·a0, beta - W·(1-a0))
//
// The excess of s includes what s itself inherited, so trust fades along a chain
// of revisions by the factor at each step.
func (m *Model) CarryFrom(s *Snapshot) Carry {
	p, f := &m.params.Prior, m.params.Carry.Factor
	return Carry{
		Plus:      nonNegative(float64(f * (s.Alpha - float64(p.Strength*p.Mean)))),
		Minus:     nonNegative(float64(f * (s.Beta - float64(p.Strength*(1-p.Mean))))),
		Identity:  nonNegative(float64(f * (s.IdentityPlus + s.Totals.CarryIdentity))),
		RealWorld: s.RealWorldConfirmations + s.Totals.CarryRealWorld,
		Anchors:   s.Anchors + s.Totals.CarryAnchors,
	}
}

// setCarry stores what may be carried over: never negative, both parts scaled
// together to at most limit parties.
func (t *Totals) setCarry(limit float64, c Carry) {
	plus, minus := nonNegative(c.Plus), nonNegative(c.Minus)
	if sum := plus + minus; sum > limit {
		plus = float64(limit * float64(plus/sum))
		minus = limit - plus
	}
	t.CarryPlus, t.CarryMinus = plus, minus
	t.CarryIdentity = min(nonNegative(c.Identity), limit)
	t.CarryRealWorld = min(max(c.RealWorld, 0), 1)
	t.CarryAnchors = min(max(c.Anchors, 0), 1)
}

// nonNegative returns v, and 0 for what is negative or no number. The upper
// bound keeps the sum of two carries finite.
func nonNegative(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, nano)
}
