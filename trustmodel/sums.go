package trustmodel

// Sums are the sufficient statistics of one actor's records of one target in
// one 30-day bin. Strengths are whole milli-strength before recency, so that
// adding and subtracting records in any order ends at the same numbers.
//
// The model is exact while each field, summed over the bins of one party and
// target, stays under 9e12: more than a billion real-world uses.
type Sums struct {
	UsagePos      int64 // usage, supporting part, milli-strength
	UsageNeg      int64 // usage, contradicting part, milli-strength
	ReviewPos     int64 // grounded reviews, supporting part, milli-strength
	ReviewNeg     int64 // grounded reviews, contradicting part, milli-strength
	UngroundedPos int64 // ungrounded reviews, supporting part, milli-strength
	UngroundedNeg int64 // ungrounded reviews, contradicting part, milli-strength
	Asserted      int64 // assertions: content that states the claim, milli-strength
	RealWorld     int64 // active real-world usage records with success or partial
	Records       int64 // active records of any kind, those without evidence included
	Outdated      int64 // active outdated verdicts
}

// Plus returns s with o added.
func (s Sums) Plus(o Sums) Sums {
	s.UsagePos += o.UsagePos
	s.UsageNeg += o.UsageNeg
	s.ReviewPos += o.ReviewPos
	s.ReviewNeg += o.ReviewNeg
	s.UngroundedPos += o.UngroundedPos
	s.UngroundedNeg += o.UngroundedNeg
	s.Asserted += o.Asserted
	s.RealWorld += o.RealWorld
	s.Records += o.Records
	s.Outdated += o.Outdated
	return s
}

// Minus returns s with o taken away: a retraction.
func (s Sums) Minus(o Sums) Sums {
	s.UsagePos -= o.UsagePos
	s.UsageNeg -= o.UsageNeg
	s.ReviewPos -= o.ReviewPos
	s.ReviewNeg -= o.ReviewNeg
	s.UngroundedPos -= o.UngroundedPos
	s.UngroundedNeg -= o.UngroundedNeg
	s.Asserted -= o.Asserted
	s.RealWorld -= o.RealWorld
	s.Records -= o.Records
	s.Outdated -= o.Outdated
	return s
}

// IsZero tells whether nothing is left in s.
func (s Sums) IsZero() bool { return s == Sums{} }
