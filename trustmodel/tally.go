package trustmodel

// Tally is what the parties of one target add up to. All of it is integers, so
// that a party can be taken out and put back with other evidence, in any order,
// and the result is what counting everybody anew would give, to the last bit.
// That is what keeps one more record O(1) in the parties that are there.
type Tally struct {
	All    Part `json:"all"`
	Window Part `json:"window"` // evidence inside the window of outdated verdicts
	Recent Part `json:"recent"` // evidence that counts as lately
	Older  Part `json:"older"`  // evidence before that
}

// Part is the tally of the evidence of one range of ages. Nano-parties are
// weighted parties times 1e9.
type Part struct {
	GPlus  int64 `json:"g_plus,omitempty"`  // established, grounded support, nano-parties
	GMinus int64 `json:"g_minus,omitempty"` // established, grounded contradiction, nano-parties
	RPlus  int64 `json:"r_plus,omitempty"`  // established, ungrounded support of no source family, nano-parties
	RMinus int64 `json:"r_minus,omitempty"` // established, ungrounded contradiction of no source family, nano-parties
	UPlus  int64 `json:"u_plus,omitempty"`  // newcomers, support but that of families, nano-parties
	UMinus int64 `json:"u_minus,omitempty"` // newcomers, contradiction but that of families, nano-parties

	Families []FamilySums `json:"families,omitempty"` // ungrounded evidence by source family, sorted

	Supporting       int64 `json:"supporting,omitempty"`        // counted established parties that support
	Contradicting    int64 `json:"contradicting,omitempty"`     // counted established parties that contradict
	RealWorld        int64 `json:"real_world,omitempty"`        // of those supporting, the ones with real-world use
	Parties          int64 `json:"parties,omitempty"`           // with any mass
	Fresh            int64 `json:"fresh,omitempty"`             // of them, not yet established
	IdentityPlus     int64 `json:"identity_plus,omitempty"`     // I+, nano-parties
	IdentityMinus    int64 `json:"identity_minus,omitempty"`    // I-, nano-parties
	AnchorsPlus      int64 `json:"anchors_plus,omitempty"`      // of those supporting, established by identity alone
	AnchorsMinus     int64 `json:"anchors_minus,omitempty"`     // of those contradicting, likewise
	CrowdPlus        int64 `json:"crowd_plus,omitempty"`        // newcomers with enough mass to count, nano-parties
	CrowdMinus       int64 `json:"crowd_minus,omitempty"`       // likewise
	OutdatedParties  int64 `json:"outdated_parties,omitempty"`  // eligible parties with an outdated verdict
	OutdatedIdentity int64 `json:"outdated_identity,omitempty"` // their identity, nano-parties
}

// FamilySums are the ungrounded evidence of one source family, nano-parties.
type FamilySums struct {
	Family string `json:"family"`
	RPlus  int64  `json:"r_plus,omitempty"`
	RMinus int64  `json:"r_minus,omitempty"`
	UPlus  int64  `json:"u_plus,omitempty"`
	UMinus int64  `json:"u_minus,omitempty"`
}

// Add enters a party into t; asOf is the bin of the moment of evaluation.
func (m *Model) Add(t *Tally, kind TargetKind, asOf int32, p *Party) { m.enter(t, kind, asOf, p, 1) }

// Remove takes a party out of t that was added with the same evidence, weights
// and moment.
func (m *Model) Remove(t *Tally, kind TargetKind, asOf int32, p *Party) {
	m.enter(t, kind, asOf, p, -1)
}

func (m *Model) enter(t *Tally, kind TargetKind, asOf int32, p *Party, sign int64) {
	c := m.classesOf(kind)
	a := p.agedOf(c, asOf, m.cut)
	w := Weights{
		Identity: unit(p.Weights.Identity), V: unit(p.Weights.V),
		Plus: unit(p.Weights.Plus), Minus: unit(p.Weights.Minus),
	}
	all := a.sum(p, c, segmentRecent, segmentOlder)
	m.enterPart(&t.All, &all, w, sign)
	if !a.used[segmentWindow] && !a.used[segmentOlder] {
		// All of it is recent: three times the same.
		m.enterPart(&t.Window, &all, w, sign)
		m.enterPart(&t.Recent, &all, w, sign)
		return
	}
	older := a.sum(p, c, segmentWindow, segmentOlder)
	m.enterPart(&t.Older, &older, w, sign)
	if a.used[segmentRecent] {
		recent := a.sum(p, c, segmentRecent, segmentRecent)
		m.enterPart(&t.Recent, &recent, w, sign)
	}
	if window := a.sum(p, c, segmentRecent, segmentWindow); a.used[segmentRecent] || a.used[segmentWindow] {
		m.enterPart(&t.Window, &window, w, sign)
	}
}

// enterPart adds one party's strengths of one range of ages, or takes them away.
func (m *Model) enterPart(t *Part, s *strengths, w Weights, sign int64) {
	if s.outdated > 0 && m.isEligible(w) {
		t.OutdatedParties += sign
		t.OutdatedIdentity += sign * toNano(w.Identity)
	}
	if s.isEmpty() {
		return
	}
	o := s.opinion()
	t.Parties += sign
	if w.V >= m.params.Identity.Established {
		t.addEstablished(s, &o, w, sign)
		t.count(m.stance(&o, w), w, w.Identity >= m.params.Identity.Established, s.realWorld > 0, sign)
	} else {
		t.Fresh += sign
		t.addFresh(s, &o, w, o.mass() >= m.params.Counting.MinMass, sign)
	}
}

func (t *Part) addEstablished(s *strengths, o *opinion, w Weights, sign int64) {
	t.GPlus += sign * toNano(float64(w.Plus*o.groundedPlus))
	t.GMinus += sign * toNano(float64(w.Minus*o.groundedMinus))
	plus, minus := toNano(float64(w.Plus*o.ungroundedPlus)), toNano(float64(w.Minus*o.ungroundedMinus))
	for i := range s.families {
		f := &s.families[i]
		sums := FamilySums{
			Family: f.family,
			RPlus:  toNano(float64(w.Plus * float64(o.perUngrounded*float64(f.pos)))),
			RMinus: toNano(float64(w.Minus * float64(o.perUngrounded*float64(f.neg)))),
		}
		plus, minus = plus-sums.RPlus, minus-sums.RMinus
		t.addFamily(sums, sign)
	}
	t.RPlus += sign * plus
	t.RMinus += sign * minus
}

func (t *Part) addFresh(s *strengths, o *opinion, w Weights, counted bool, sign int64) {
	plus, minus := toNano(float64(w.Plus*o.plus())), toNano(float64(w.Minus*o.minus()))
	if counted {
		t.CrowdPlus += sign * plus
		t.CrowdMinus += sign * minus
	}
	for i := range s.families {
		f := &s.families[i]
		sums := FamilySums{
			Family: f.family,
			UPlus:  toNano(float64(w.Plus * float64(o.perUngrounded*float64(f.pos)))),
			UMinus: toNano(float64(w.Minus * float64(o.perUngrounded*float64(f.neg)))),
		}
		plus, minus = plus-sums.UPlus, minus-sums.UMinus
		t.addFamily(sums, sign)
	}
	t.UPlus += sign * plus
	t.UMinus += sign * minus
}

// count enters one established party into the counters.
func (t *Part) count(s stance, w Weights, anchor, realWorld bool, sign int64) {
	switch s {
	case supports:
		t.Supporting += sign
		if anchor {
			t.AnchorsPlus += sign
		}
		t.IdentityPlus += sign * toNano(w.Identity)
		if realWorld {
			t.RealWorld += sign
		}
	case contradicts:
		t.Contradicting += sign
		if anchor {
			t.AnchorsMinus += sign
		}
		t.IdentityMinus += sign * toNano(w.Identity)
	case notCounted, mixed:
	}
}

// confirmations counts the supporting parties; all newcomers together are one
// more if they support on balance.
func (t *Part) confirmations() int64 {
	if t.CrowdPlus > t.CrowdMinus {
		return t.Supporting + 1
	}
	return t.Supporting
}

// contradictions counts likewise.
func (t *Part) contradictions() int64 {
	if t.CrowdMinus > t.CrowdPlus {
		return t.Contradicting + 1
	}
	return t.Contradicting
}
