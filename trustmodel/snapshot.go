package trustmodel

// Snapshot is the trust of one target: what is published, and the sums that it
// can be recomputed from. Two snapshots of the same input are equal under ==.
type Snapshot struct {
	Alpha float64 `json:"alpha"` // posterior Beta parameter of support, in parties
	Beta  float64 `json:"beta"`  // posterior Beta parameter of contradiction, in parties

	Value float64 `json:"value"` // posterior mean, rounded to 1e-6
	Lower float64 `json:"lower"` // lower end of the central interval, rounded to 1e-6
	Upper float64 `json:"upper"` // upper end of the central interval, rounded to 1e-6

	Confirmations          int `json:"confirmations"`            // counted supporting parties, the newcomers together at most one
	Contradictions         int `json:"contradictions"`           // counted contradicting parties, the newcomers together at most one
	RealWorldConfirmations int `json:"real_world_confirmations"` // counted supporting parties with real-world use
	Parties                int `json:"parties"`                  // parties whose evidence has any mass
	FreshParties           int `json:"fresh_parties"`            // those of Parties that are not yet established

	IdentityPlus  float64 `json:"identity_plus"`  // I+: identity of the counted supporting parties, summed
	IdentityMinus float64 `json:"identity_minus"` // I-: identity of the counted contradicting parties, summed

	RawStatus Status `json:"raw_status"` // the status of these figures alone, without any history
	Totals    Totals `json:"totals"`
}

// Compute evaluates one target. It costs O(bins) and two Beta quantiles, and
// does not keep or change its input.
func (m *Model) Compute(in Input) Snapshot {
	t := m.tally(&in, allAges)
	t.totals.setCarry(m.params.Carry.Max, in.Carry)
	m.applyCaps(&t.totals)
	s := Snapshot{
		Confirmations:          t.confirmations(),
		Contradictions:         t.contradictions(),
		RealWorldConfirmations: t.realWorld,
		Parties:                t.parties,
		FreshParties:           t.fresh,
		IdentityPlus:           fromNano(t.identityPlus),
		IdentityMinus:          fromNano(t.identityMinus),
		Totals:                 t.totals,
	}
	s.Alpha, s.Beta, s.Value = m.Posterior(s.Totals)
	s.Lower, s.Upper = m.interval(s.Alpha, s.Beta)
	s.RawStatus = m.RawStatus(in.Kind, s, Flags{
		Superseded: in.Superseded,
		Outdated:   m.isOutdated(&in, &t),
	})
	return s
}

// Prior returns the snapshot of a target without any evidence.
func (m *Model) Prior() Snapshot { return m.prior }
