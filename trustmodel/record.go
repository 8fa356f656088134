package trustmodel

import "math"

// RecordKind says which tool made an evidence record.
type RecordKind uint8

// The three kinds of record that enter trust. Ratings are none of them: they
// have their own home and never change a trust value.
const (
	RecordUsage     RecordKind = iota // the outcome of a use: Result and RealWorld count
	RecordReview                      // a judgement: Verdict, ConfidenceMilli and Grounded count
	RecordAssertion                   // another party publishing the claim: no further field counts
)

// MissingConfidence is the ConfidenceMilli of a review that states none.
const MissingConfidence int32 = -1

// Record is one active evidence record about one target, without who made it
// and when: those are the [Party] and the [Bin] that its sums go to.
//
// However often a party asserts a claim, its assertions count as one, which alone
// is too weak to count as a confirmation.
type Record struct {
	Kind            RecordKind
	Result          Result  // usage only
	RealWorld       bool    // usage only: real use, not a test or a simulation
	Verdict         Verdict // review only
	ConfidenceMilli int32   // review only: 0..1000, MissingConfidence if none was given
	Grounded        bool    // review only: based on the reviewer's own use of the same target
}

// Sums returns what r adds to the statistics of its actor and bin. Retracting r
// subtracts exactly the same.
func (m *Model) Sums(r Record) Sums {
	switch r.Kind {
	case RecordUsage:
		return m.usageSums(r)
	case RecordReview:
		return m.reviewSums(r)
	case RecordAssertion:
		return Sums{Asserted: milli(m.params.Strength.Assertion), Records: 1}
	default:
		return Sums{}
	}
}

func (m *Model) usageSums(r Record) Sums {
	p := &m.params.Strength
	strength := p.UsageTest
	if r.RealWorld {
		strength = p.UsageReal
	}
	s := Sums{Records: 1}
	switch r.Result {
	case ResultSuccess:
		s.UsagePos, s.UsageNeg = split(strength, 1)
	case ResultPartial:
		s.UsagePos, s.UsageNeg = split(strength, p.PartialOutcome)
	case ResultFailure:
		s.UsagePos, s.UsageNeg = split(strength, 0)
	case ResultUnknown:
	}
	// A failure in the real world is no real-world confirmation.
	if r.RealWorld && (r.Result == ResultSuccess || r.Result == ResultPartial) {
		s.RealWorld = 1
	}
	return s
}

func (m *Model) reviewSums(r Record) Sums {
	s := Sums{Records: 1}
	if r.Verdict == VerdictOutdated {
		s.Outdated = 1
		return s
	}
	j, ok := m.judgement(r.Verdict)
	if !ok {
		return s
	}
	p := &m.params.Strength
	base := p.ReviewUngrounded
	if r.Grounded {
		base = p.ReviewGrounded
	}
	strength := float64(float64(base*m.confidence(r.ConfidenceMilli)) * j.Intensity)
	pos, neg := split(strength, j.Outcome)
	if r.Grounded {
		s.ReviewPos, s.ReviewNeg = pos, neg
	} else {
		s.UngroundedPos, s.UngroundedNeg = pos, neg
	}
	return s
}

// judgement returns what a verdict says about the value; false for the verdicts
// that say nothing about it.
func (m *Model) judgement(v Verdict) (Judgement, bool) {
	p := &m.params.Verdicts
	switch v {
	case VerdictConfirmed:
		return p.Confirmed, true
	case VerdictMostlyCorrect:
		return p.MostlyCorrect, true
	case VerdictQuestionable:
		return p.Questionable, true
	case VerdictMisleading:
		return p.Misleading, true
	case VerdictContradicted:
		return p.Contradicted, true
	case VerdictFalse:
		return p.False, true
	case VerdictCannotVerify, VerdictOutdated:
	}
	return Judgement{}, false
}

// confidence returns the factor for a stated confidence, in [ConfidenceMin, 1].
func (m *Model) confidence(confidenceMilli int32) float64 {
	p := &m.params.Strength
	if confidenceMilli < 0 {
		return p.ConfidenceMissing
	}
	return min(max(float64(confidenceMilli)/1000, p.ConfidenceMin), 1)
}

// split shares a strength between support and contradiction, in milli-strength.
// The second part is the rest of the first, so nothing is lost by rounding.
func split(strength, outcome float64) (pos, neg int64) {
	total := milli(strength)
	pos = int64(math.Round(float64(float64(total) * outcome)))
	return pos, total - pos
}

// milli rounds a strength to whole milli-strength.
func milli(strength float64) int64 { return int64(math.Round(float64(strength * 1000))) }
