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
	Supporting             int `json:"supporting"`               // counted supporting parties without the newcomers
	Anchors                int `json:"anchors"`                  // counted parties established by identity alone: supporting minus contradicting
	Parties                int `json:"parties"`                  // parties whose evidence has any mass
	FreshParties           int `json:"fresh_parties"`            // those of Parties that are not yet established

	IdentityPlus  float64 `json:"identity_plus"`  // I+: identity of the counted supporting parties, summed
	IdentityMinus float64 `json:"identity_minus"` // I-: identity of the counted contradicting parties, summed

	OutdatedParties     int `json:"outdated_parties"`     // eligible parties with an outdated verdict in the window
	WindowConfirmations int `json:"window_confirmations"` // confirmations in the same window

	Flags     Flags  `json:"flags"`      // what the status depends on beside figures
	RawStatus Status `json:"raw_status"` // the status of all this alone, without any history
	Totals    Totals `json:"totals"`
}

// Flags are the inputs of the status rules that are not figures of a snapshot.
type Flags struct {
	Superseded     bool `json:"superseded,omitempty"`      // something that is in effect replaces the target
	IncorrectClaim bool `json:"incorrect_claim,omitempty"` // the target states a claim that is incorrect
	Outdated       bool `json:"outdated,omitempty"`        // set by the model: verdicts or late failures say so
}

// Compute evaluates one target from all its parties. It costs O(bins) and two
// Beta quantiles, and does not keep or change its input.
func (m *Model) Compute(in Input) Snapshot {
	var t Tally
	for i := range in.Parties {
		m.Add(&t, in.Kind, in.AsOfBin, &in.Parties[i])
	}
	return m.Evaluate(in.Kind, &t, in.Carry, Flags{Superseded: in.Superseded, IncorrectClaim: in.IncorrectClaim})
}

// Evaluate turns a tally into a snapshot. It costs two Beta quantiles, whatever
// the number of parties; two more where late failures may have outdated the
// target. Flags.Outdated is the model's to set and is ignored.
func (m *Model) Evaluate(kind TargetKind, t *Tally, carry Carry, f Flags) Snapshot {
	all := &t.All
	s := Snapshot{
		Confirmations:          int(all.confirmations()),
		Contradictions:         int(all.contradictions()),
		RealWorldConfirmations: int(all.RealWorld),
		Supporting:             int(all.Supporting),
		Anchors:                int(all.AnchorsPlus - all.AnchorsMinus),
		Parties:                int(all.Parties),
		FreshParties:           int(all.Fresh),
		IdentityPlus:           fromNano(all.IdentityPlus),
		IdentityMinus:          fromNano(all.IdentityMinus),
		OutdatedParties:        int(t.Window.OutdatedParties),
		WindowConfirmations:    int(t.Window.confirmations()),
		Flags:                  f,
		Totals:                 all.totals(m.params.Caps.Family),
	}
	s.Totals.setCarry(m.params.Carry.Max, carry)
	m.applyCaps(&s.Totals)
	s.Alpha, s.Beta, s.Value = m.Posterior(s.Totals)
	s.Lower, s.Upper = m.interval(s.Alpha, s.Beta)
	s.Flags.Outdated = m.isOutdated(t)
	s.RawStatus = m.RawStatus(kind, s)
	return s
}

// Prior returns the snapshot of a target without any evidence.
func (m *Model) Prior() Snapshot { return m.prior }
