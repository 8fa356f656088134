package trustmodel

// fill makes t, which is empty but for room, the share of one party with strengths s and
// weights w: what it adds to a part by the evidence of one range of ages. Its
// families are in the order of s.
func (m *Model) fill(t *Part, s *strengths, w Weights) {
	if s.outdated > 0 && m.isEligible(w) {
		t.OutdatedParties = 1
		t.OutdatedIdentity = toNano(w.Identity)
	}
	if s.isEmpty() {
		return
	}
	o := s.opinion()
	t.Parties = 1
	established := w.V >= m.params.Identity.Established
	if established {
		t.weigh(&o, w)
		t.count(m.stance(&o, w), w, w.Identity >= m.params.Identity.Established, s.realWorld > 0)
	} else {
		t.Fresh = 1
		t.weighFresh(&o, w, o.mass() >= m.params.Counting.MinMass)
	}
	t.takeFamilies(s, &o, w, established)
}

// weigh sets the weighted masses of an established party.
func (t *Part) weigh(o *opinion, w Weights) {
	t.GPlus, t.GMinus = toNano(float64(w.Plus*o.groundedPlus)), toNano(float64(w.Minus*o.groundedMinus))
	t.RPlus, t.RMinus = toNano(float64(w.Plus*o.ungroundedPlus)), toNano(float64(w.Minus*o.ungroundedMinus))
}

// weighFresh sets those of a newcomer.
func (t *Part) weighFresh(o *opinion, w Weights, counted bool) {
	t.UPlus, t.UMinus = toNano(float64(w.Plus*o.plus())), toNano(float64(w.Minus*o.minus()))
	if counted {
		t.CrowdPlus, t.CrowdMinus = t.UPlus, t.UMinus
	}
}

// count sets the counters of one established party.
func (t *Part) count(s stance, w Weights, anchor, realWorld bool) {
	switch s {
	case supports:
		t.Supporting = 1
		t.IdentityPlus = toNano(w.Identity)
		if anchor {
			t.AnchorsPlus = 1
		}
		if realWorld {
			t.RealWorld = 1
		}
	case contradicts:
		t.Contradicting = 1
		t.IdentityMinus = toNano(w.Identity)
		if anchor {
			t.AnchorsMinus = 1
		}
	case notCounted, mixed:
	}
}

// takeFamilies takes out of the sums of t what rests on source families: each
// family has its own sums, which its cap scales.
func (t *Part) takeFamilies(s *strengths, o *opinion, w Weights, established bool) {
	if len(s.families) > cap(t.Families) {
		t.Families = make([]FamilySums, len(s.families))
	}
	t.Families = t.Families[:len(s.families)]
	for i := range s.families {
		f := &s.families[i]
		sums := FamilySums{Family: f.family}
		plus := toNano(float64(w.Plus * float64(o.perUngrounded*float64(f.pos))))
		minus := toNano(float64(w.Minus * float64(o.perUngrounded*float64(f.neg))))
		if established {
			sums.RPlus, sums.RMinus = plus, minus
			t.RPlus -= plus
			t.RMinus -= minus
		} else {
			sums.UPlus, sums.UMinus = plus, minus
			t.UPlus -= plus
			t.UMinus -= minus
		}
		t.Families[i] = sums
	}
}

// enter adds the share of one party to t, or takes it away.
func (t *Part) enter(share *Part, sign int64) {
	t.GPlus += sign * share.GPlus
	t.GMinus += sign * share.GMinus
	t.RPlus += sign * share.RPlus
	t.RMinus += sign * share.RMinus
	t.UPlus += sign * share.UPlus
	t.UMinus += sign * share.UMinus
	for i := range share.Families {
		t.addFamily(&share.Families[i], sign)
	}
	t.Supporting += sign * share.Supporting
	t.Contradicting += sign * share.Contradicting
	t.RealWorld += sign * share.RealWorld
	t.Parties += sign * share.Parties
	t.Fresh += sign * share.Fresh
	t.IdentityPlus += sign * share.IdentityPlus
	t.IdentityMinus += sign * share.IdentityMinus
	t.AnchorsPlus += sign * share.AnchorsPlus
	t.AnchorsMinus += sign * share.AnchorsMinus
	t.CrowdPlus += sign * share.CrowdPlus
	t.CrowdMinus += sign * share.CrowdMinus
	t.OutdatedParties += sign * share.OutdatedParties
	t.OutdatedIdentity += sign * share.OutdatedIdentity
}
