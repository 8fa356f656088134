package trustmodel

// stance is how a counted party stands to the target.
type stance uint8

const (
	notCounted stance = iota
	supports
	contradicts
	mixed
)

// tally is what one pass over the parties adds up. All of it is integers.
type tally struct {
	totals Totals

	supporting, contradicting int   // counted established parties
	realWorld                 int   // those supporting that used the target in the real world
	parties, fresh            int   // with any mass; of them not yet established
	identityPlus              int64 // I+, nano-parties
	identityMinus             int64 // I-, nano-parties
	crowdPlus, crowdMinus     int64 // newcomers whose mass is enough to count, nano-parties

	outdatedParties  int   // established parties with an outdated verdict
	outdatedIdentity int64 // their identity, nano-parties
}

// tally adds up all parties of in, leaving out bins older than maxAge.
func (m *Model) tally(in *Input, maxAge int64) tally {
	var t tally
	c := m.classesOf(in.Kind)
	for i := range in.Parties {
		p := &in.Parties[i]
		s := p.strengthsOf(c, in.AsOfBin, maxAge)
		w := Weights{V: unit(p.Weights.V), Plus: unit(p.Weights.Plus), Minus: unit(p.Weights.Minus)}
		if s.outdated > 0 && m.isEligible(w) {
			t.outdatedParties++
			t.outdatedIdentity += toNano(w.V)
		}
		if s.isEmpty() {
			continue
		}
		o := s.opinion()
		t.parties++
		if w.V >= m.params.Identity.Established {
			t.addEstablished(&o, w)
			t.count(m.stance(&o, w), w, s.realWorld > 0)
		} else {
			t.fresh++
			t.addFresh(&o, w, o.mass() >= m.params.Counting.MinMass)
		}
	}
	return t
}

func (t *tally) addEstablished(o *opinion, w Weights) {
	t.totals.GPlus += toNano(float64(w.Plus * o.groundedPlus))
	t.totals.GMinus += toNano(float64(w.Minus * o.groundedMinus))
	t.totals.RPlus += toNano(float64(w.Plus * o.ungroundedPlus))
	t.totals.RMinus += toNano(float64(w.Minus * o.ungroundedMinus))
}

func (t *tally) addFresh(o *opinion, w Weights, counted bool) {
	plus, minus := toNano(float64(w.Plus*o.plus())), toNano(float64(w.Minus*o.minus()))
	t.totals.UPlus += plus
	t.totals.UMinus += minus
	if counted {
		t.crowdPlus += plus
		t.crowdMinus += minus
	}
}

// count enters one established party into the counters. Until reputation tells
// distinctness and identity apart, a party's V is its identity.
func (t *tally) count(s stance, w Weights, realWorld bool) {
	switch s {
	case supports:
		t.supporting++
		t.identityPlus += toNano(w.V)
		if realWorld {
			t.realWorld++
		}
	case contradicts:
		t.contradicting++
		t.identityMinus += toNano(w.V)
	case notCounted, mixed:
	}
}

// isEligible tells whether a party may be counted by who it is.
func (m *Model) isEligible(w Weights) bool {
	return w.V >= m.params.Identity.Established && w.Plus+w.Minus >= m.params.Counting.MinWeightSum
}

// stance decides whether and for which side an established party is counted.
func (m *Model) stance(o *opinion, w Weights) stance {
	c := &m.params.Counting
	mass := o.mass()
	if mass < c.MinMass || !m.isEligible(w) {
		return notCounted
	}
	switch share := o.plus() / mass; {
	case share >= c.SupportShare:
		return supports
	case share <= c.ContradictShare:
		return contradicts
	default:
		return mixed
	}
}

// confirmations counts the supporting parties; all newcomers together are one
// more if they support on balance.
func (t *tally) confirmations() int {
	if t.crowdPlus > t.crowdMinus {
		return t.supporting + 1
	}
	return t.supporting
}

// contradictions counts likewise.
func (t *tally) contradictions() int {
	if t.crowdMinus > t.crowdPlus {
		return t.contradicting + 1
	}
	return t.contradicting
}

// isOutdated tells whether enough established parties say, inside the window,
// that the target is outdated, and more of them than confirm it there. The
// second pass is taken only where the first found any such verdict.
func (m *Model) isOutdated(in *Input, all *tally) bool {
	p := &m.params.Status
	if all.outdatedParties == 0 || fromNano(all.outdatedIdentity) < p.OutdatedIdentity {
		return false
	}
	recent := m.tally(in, int64(p.OutdatedWindowDays)/BinDays)
	return fromNano(recent.outdatedIdentity) >= p.OutdatedIdentity &&
		recent.outdatedParties > recent.confirmations()
}
