package trustmodel

// strengths are the sums of one party after recency, in nano-strength.
type strengths struct {
	groundedPos, groundedNeg     int64
	ungroundedPos, ungroundedNeg int64
	realWorld, outdated          int64 // records
}

// opinion is what one party believes about a target: disbelief and belief by
// channel, as masses that together stay under 1.
type opinion struct {
	groundedPlus, groundedMinus     float64
	ungroundedPlus, ungroundedMinus float64
}

// allAges is the age limit, in bins, that leaves no bin out.
const allAges = int64(1) << 40

// strengthsOf adds up the bins of p that are at most maxAge bins old. Products
// and sums are exact integers, so neither the order of bins nor how they are
// split can show.
func (p *Party) strengthsOf(c *classes, asOf int32, maxAge int64) strengths {
	var s strengths
	var asserted int64
	for i := range p.Bins {
		b := &p.Bins[i]
		age := ageOf(b.Index, asOf)
		if age > maxAge {
			continue
		}
		usage, review := c.usage.factor(age), c.review.factor(age)
		s.groundedPos += b.Sums.UsagePos*usage + b.Sums.ReviewPos*review
		s.groundedNeg += b.Sums.UsageNeg*usage + b.Sums.ReviewNeg*review
		s.ungroundedPos += b.Sums.UngroundedPos * review
		s.ungroundedNeg += b.Sums.UngroundedNeg * review
		asserted += b.Sums.Asserted * review
		s.realWorld += b.Sums.RealWorld
		s.outdated += b.Sums.Outdated
	}
	// Nobody confirms their own work; admitting its faults counts in full.
	if p.Author || p.Stater {
		s.groundedPos, s.ungroundedPos, s.realWorld = 0, 0, 0
	}
	// A party that states a claim in many places has stated it once: too little to be counted as a confirmation.
	if !p.Author {
		s.ungroundedPos += min(max(asserted, 0), c.assertion)
	}
	// Less than nothing can only come of statistics that are not whole.
	s.groundedPos, s.groundedNeg = max(s.groundedPos, 0), max(s.groundedNeg, 0)
	s.ungroundedPos, s.ungroundedNeg = max(s.ungroundedPos, 0), max(s.ungroundedNeg, 0)
	return s
}

// opinion turns strengths into masses. s/(1+s) is Kish's effective sample size
// for fully correlated trials: whatever one controller reports and however
// often, it stays under one party. Ungrounded evidence only fills what grounded
// evidence leaves uncertain, so it can never dilute it.
func (s *strengths) opinion() opinion {
	uncertainty := nano / float64(nano+s.groundedPos+s.groundedNeg)
	grounded := float64(nano + s.groundedPos + s.groundedNeg)
	ungrounded := float64(nano + s.ungroundedPos + s.ungroundedNeg)
	return opinion{
		groundedPlus:    float64(s.groundedPos) / grounded,
		groundedMinus:   float64(s.groundedNeg) / grounded,
		ungroundedPlus:  float64(uncertainty * float64(float64(s.ungroundedPos)/ungrounded)),
		ungroundedMinus: float64(uncertainty * float64(float64(s.ungroundedNeg)/ungrounded)),
	}
}

// plus is the belief, minus the disbelief, mass their sum: in [0, 1).
func (o *opinion) plus() float64  { return o.groundedPlus + o.ungroundedPlus }
func (o *opinion) minus() float64 { return o.groundedMinus + o.ungroundedMinus }
func (o *opinion) mass() float64  { return o.plus() + o.minus() }

// isEmpty tells whether the party has no opinion at all.
func (s *strengths) isEmpty() bool {
	return s.groundedPos|s.groundedNeg|s.ungroundedPos|s.ungroundedNeg == 0
}
