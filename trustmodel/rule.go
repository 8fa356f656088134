package trustmodel

// Rule is one rule of the raw status with the figures that it looks at.
type Rule struct {
	Status     string      `json:"status"`
	Holds      bool        `json:"holds"`
	Conditions []Condition `json:"conditions"`
}

// Condition is one comparison of a rule: Have >= Need, or with AtMost Have <= Need.
type Condition struct {
	Figure string  `json:"figure"`
	Have   float64 `json:"have"`
	AtMost bool    `json:"at_most,omitempty"`
	Need   float64 `json:"need"`
	Holds  bool    `json:"holds"`
}

// Missing is how far a condition is from holding, 0 if it does.
func (c Condition) Missing() float64 {
	switch {
	case c.Holds:
		return 0
	case c.AtMost:
		return c.Have - c.Need
	default:
		return c.Need - c.Have
	}
}

func least(figure string, have, need float64) Condition {
	return Condition{Figure: figure, Have: have, Need: need, Holds: have >= need}
}

func most(figure string, have, need float64) Condition {
	return Condition{Figure: figure, Have: have, AtMost: true, Need: need, Holds: have <= need}
}

func stated(figure string, set bool) Condition {
	if set {
		return least(figure, 1, 1)
	}
	return least(figure, 0, 1)
}

func newRule(status Status, conditions ...Condition) Rule {
	r := Rule{Status: status.String(), Holds: true, Conditions: conditions}
	for _, c := range conditions {
		r.Holds = r.Holds && c.Holds
	}
	return r
}

// Rules lists the rules of the raw status in their order, as they stand for s.
// The first that holds is the raw status; if none does it is unverified.
func (m *Model) Rules(kind TargetKind, s *Snapshot) []Rule {
	p := &m.params.Status
	x, y := s.Totals.X, s.Totals.Y
	return []Rule{
		newRule(Superseded, stated("a relation in effect supersedes it", s.Flags.Superseded)),
		newRule(Outdated, stated("outdated verdicts prevail, or it fails lately", s.Flags.Outdated)),
		newRule(Incorrect,
			most("upper bound", s.Upper, p.IncorrectUpper),
			least("identity of contradicting parties", s.IdentityMinus, p.IncorrectIdentity),
			least("contradictions", float64(s.Contradictions), float64(p.IncorrectContradictions))),
		newRule(Disputed, stated("it states a claim that is incorrect", s.Flags.IncorrectClaim)),
		newRule(Disputed,
			least("identity of supporting parties", s.IdentityPlus, p.DisputedIdentity),
			least("identity of contradicting parties", s.IdentityMinus, p.DisputedIdentity),
			least("evidence on both sides, parties", x+y, p.DisputedMass),
			least("weaker side, parties", min(x, y), float64(p.DisputedShare*(x+y)))),
		m.highRule(kind, s),
		m.supportedRule(s),
	}
}

func (m *Model) highRule(kind TargetKind, s *Snapshot) Rule {
	p, own := &m.params.Status, &m.params.Carry
	identity := s.IdentityPlus + s.Totals.CarryIdentity
	lower := least("lower bound", s.Lower, p.HighLower)
	supporting := least("established parties that confirm it", float64(s.Supporting), float64(own.OwnHigh))
	anchors := m.anchorCondition(s)
	if kind == KindClaim {
		return newRule(HighConfidence, lower, supporting, anchors, least("identity of supporting parties", identity, p.HighClaimIdentity))
	}
	return newRule(HighConfidence, lower, supporting, anchors,
		least("identity of supporting parties", identity, p.HighIdentity),
		least("real-world confirmations of its own", float64(s.RealWorldConfirmations), float64(own.OwnHighReal)),
		least("real-world confirmations", float64(s.RealWorldConfirmations+s.Totals.CarryRealWorld), float64(p.HighRealWorld)))
}

func (m *Model) anchorCondition(s *Snapshot) Condition {
	return least("verified parties that confirm it, beyond those that contradict it", float64(s.Anchors+s.Totals.CarryAnchors), float64(m.params.Status.Anchors))
}

func (m *Model) supportedRule(s *Snapshot) Rule {
	p := &m.params.Status
	return newRule(Supported,
		least("lower bound", s.Lower, p.SupportedLower),
		least("established parties that confirm it", float64(s.Supporting), float64(m.params.Carry.OwnSupported)),
		m.anchorCondition(s),
		least("identity of supporting parties", s.IdentityPlus+s.Totals.CarryIdentity, p.SupportedIdentity))
}

// nextRule is the rule of the next better status, nil where there is none or
// where the way up is that a rule ceases to hold.
func (m *Model) nextRule(kind TargetKind, s *Snapshot) *Rule {
	var next Rule
	switch s.RawStatus {
	case Unverified:
		next = m.supportedRule(s)
	case Supported:
		next = m.highRule(kind, s)
	case HighConfidence, Disputed, Outdated, Incorrect, Superseded:
		return nil
	}
	return &next
}
