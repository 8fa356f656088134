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

// enter adds a party to the four parts of t, or takes it away. Parts that see the
// same segments of it are given the same share, computed once.
func (m *Model) enter(t *Tally, kind TargetKind, asOf int32, p *Party, sign int64) {
	c := m.classesOf(kind)
	w := Weights{
		Identity: unit(p.Weights.Identity), V: unit(p.Weights.V),
		Plus: unit(p.Weights.Plus), Minus: unit(p.Weights.Minus),
	}
	var room agedRoom
	var families [familyRoom]FamilySums
	var a aged
	as := p.role()
	for i := range a.by {
		a.by[i].families = room[i][:0]
	}
	a.add(as, p, c, asOf, m.cut)
	parts := [...]*Part{&t.All, &t.Window, &t.Recent, &t.Older}
	sets := [...]segments{a.used & allSegments, a.used & windowSegments, a.used & recentSegments, a.used & olderSegments}
	for i, set := range sets {
		if set == 0 {
			continue
		}
		share := Part{Families: families[:0]}
		if set.isOne() { // Nothing to add up; and no set that comes later needs it as it is.
			alone := set.first()
			a.by[alone].settle(c.assertion)
			m.fill(&share, &a.by[alone], w)
		} else {
			sum := strengths{families: room[segmentCount][:0]}
			a.sum(&sum, set)
			sum.settle(c.assertion)
			m.fill(&share, &sum, w)
		}
		for j := i; j < len(sets); j++ {
			if sets[j] == set {
				parts[j].enter(&share, sign)
				sets[j] = 0
			}
		}
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
