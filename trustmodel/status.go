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

// Flags are the inputs of the status rules that are not figures of a snapshot.
type Flags struct {
	Superseded bool // something that is in effect replaces the target
	Outdated   bool // the outdated verdicts in the window are enough
}

// RawStatus applies the status rules, first match wins. It reads the published
// figures of s only (bounds, counters, identity sums, X and Y), so that anyone
// who has them can check it, and no earlier status.
func (m *Model) RawStatus(kind TargetKind, s Snapshot, f Flags) Status {
	switch {
	case f.Superseded:
		return Superseded
	case f.Outdated:
		return Outdated
	case m.isIncorrect(&s):
		return Incorrect
	case m.isDisputed(&s):
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
// real use.
func (m *Model) isHighConfidence(kind TargetKind, s *Snapshot) bool {
	p := &m.params.Status
	if s.Lower < p.HighLower {
		return false
	}
	if kind == KindClaim {
		return s.IdentityPlus >= p.HighClaimIdentity
	}
	return s.IdentityPlus >= p.HighIdentity && s.RealWorldConfirmations >= p.HighRealWorld
}

func (m *Model) isSupported(s *Snapshot) bool {
	p := &m.params.Status
	return s.Lower >= p.SupportedLower && s.IdentityPlus >= p.SupportedIdentity
}
