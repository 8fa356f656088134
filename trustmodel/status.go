package trustmodel

// Status is what the figures of a target earn it.
type Status uint8

// The seven statuses. The zero value claims nothing.
const (
	Unverified     Status = iota // not enough evidence for any other
	Supported                    // works for independent parties
	HighConfidence               // works for several, in real use
	Disputed                     // considerable evidence on both sides
	Outdated                     // held once, no longer
	Incorrect                    // does not hold
	Superseded                   // replaced by something else
)

var statusNames = [...]string{
	Unverified:     "unverified",
	Supported:      "supported",
	HighConfidence: "high_confidence",
	Disputed:       "disputed",
	Outdated:       "outdated",
	Incorrect:      "incorrect",
	Superseded:     "superseded",
}

// String returns the wire name of s, or "Status(n)" for a value that is none of
// the seven.
func (s Status) String() string { return nameOf(statusNames[:], uint8(s), "Status") }

// ParseStatus returns the status with the given wire name; any other name is an
// error.
func ParseStatus(name string) (Status, error) {
	i, err := indexOf(statusNames[:], name, "status")
	return Status(i), err
}

// RawStatus applies the status rules, first match wins. It reads the published
// figures of s only (bounds, counters, identity sums, X and Y, flags), so that
// anyone who has them can check it, and no earlier status.
func (m *Model) RawStatus(kind TargetKind, s Snapshot) Status {
	switch {
	case s.Flags.Superseded:
		return Superseded
	case s.Flags.Outdated:
		return Outdated
	case m.isIncorrect(&s):
		return Incorrect
	case s.Flags.IncorrectClaim, m.isDisputed(&s):
		return Disputed
	case m.isHighConfidence(kind, &s):
		return HighConfidence
	case m.isSupported(&s):
		return Supported
	default:
		return Unverified
	}
}

func (m *Model) isIncorrect(s *Snapshot) bool {
	p := &m.params.Status
	return s.Upper <= p.IncorrectUpper &&
		s.IdentityMinus >= p.IncorrectIdentity &&
		s.Contradictions >= p.IncorrectContradictions
}

func (m *Model) isDisputed(s *Snapshot) bool {
	p := &m.params.Status
	x, y := s.Totals.X, s.Totals.Y
	return s.IdentityPlus >= p.DisputedIdentity &&
		s.IdentityMinus >= p.DisputedIdentity &&
		x+y >= p.DisputedMass &&
		min(x, y) >= float64(p.DisputedShare*(x+y))
}

// isHighConfidence asks claims, where use is rare, for more parties in place of
// real use. What is carried from an older revision helps, but a revision needs
// confirmations of its own.
func (m *Model) isHighConfidence(kind TargetKind, s *Snapshot) bool {
	p, own := &m.params.Status, &m.params.Carry
	identity := s.IdentityPlus + s.Totals.CarryIdentity
	if s.Lower < p.HighLower || s.Supporting < own.OwnHigh || !m.anchored(s) {
		return false
	}
	if kind == KindClaim {
		return identity >= p.HighClaimIdentity
	}
	return identity >= p.HighIdentity && s.RealWorldConfirmations >= own.OwnHighReal &&
		s.RealWorldConfirmations+s.Totals.CarryRealWorld >= p.HighRealWorld
}

func (m *Model) isSupported(s *Snapshot) bool {
	p := &m.params.Status
	return s.Lower >= p.SupportedLower && s.Supporting >= m.params.Carry.OwnSupported && m.anchored(s) &&
		s.IdentityPlus+s.Totals.CarryIdentity >= p.SupportedIdentity
}

// anchored tells whether more parties whose identity is verified confirm the
// target than contradict it, and enough of them. Track records can be earned by
// anybody who does honest work for a while; what is earned that way weighs in the
// value, but it cannot give a status that no verified party shares.
func (m *Model) anchored(s *Snapshot) bool {
	return s.Anchors+s.Totals.CarryAnchors >= m.params.Status.Anchors
}
