package trustmodel

// strengths are the sums of one party after recency, in nano-strength.
type strengths struct {
	groundedPos, groundedNeg     int64
	ungroundedPos, ungroundedNeg int64
	asserted                     int64
	realWorld, outdated          int64 // records
	families                     []familyStrength
}

// familyStrength is the part of a party's ungrounded reviews that rests on one
// source family; it is in the ungrounded sums too.
type familyStrength struct {
	family   string
	pos, neg int64
}

// strengthsOf adds up the bins of p. Products and sums are exact integers, so
// neither the order of bins nor how they are split can show.
func (p *Party) strengthsOf(c *classes, asOf int32) strengths {
	return strengthsAs(p.role(), p.Bins, c, asOf)
}

// strengthsAs does the same for some of the bins of a party of a role.
func strengthsAs(as role, bins []Bin, c *classes, asOf int32) strengths {
	var s strengths
	for i := range bins {
		b := &bins[i]
		age := ageOf(b.Index, asOf)
		s.add(as, b, c.usage.factor(age), c.review.factor(age))
	}
	s.settle(c.assertion)
	return s
}

// add enters what counts of one bin of a party of a role, with its two factors of age.
func (s *strengths) add(as role, b *Bin, usage, review int64) {
	said := as.heard(b.Sums)
	pos, neg := said.UngroundedPos*review, said.UngroundedNeg*review
	s.groundedPos += said.UsagePos*usage + said.ReviewPos*review
	s.groundedNeg += said.UsageNeg*usage + said.ReviewNeg*review
	s.ungroundedPos += pos
	s.ungroundedNeg += neg
	s.asserted += said.Asserted * review
	s.realWorld += said.RealWorld
	s.outdated += said.Outdated
	if b.Family != "" {
		s.addFamily(b.Family, pos, neg)
	}
}

func (s *strengths) addFamily(family string, pos, neg int64) {
	for i := range s.families {
		if s.families[i].family == family {
			s.families[i].pos += pos
			s.families[i].neg += neg
			return
		}
	}
	// Not append, which would move what families point to off the stack of the caller.
	n := len(s.families)
	if n == cap(s.families) {
		more := make([]familyStrength, n, 2*n+familyRoom)
		copy(more, s.families)
		s.families = more
	}
	s.families = s.families[:n+1]
	s.families[n] = familyStrength{family, pos, neg}
}

// join adds other sums of the same party.
func (s *strengths) join(o *strengths) {
	s.groundedPos += o.groundedPos
	s.groundedNeg += o.groundedNeg
	s.ungroundedPos += o.ungroundedPos
	s.ungroundedNeg += o.ungroundedNeg
	s.asserted += o.asserted
	s.realWorld += o.realWorld
	s.outdated += o.outdated
	for _, f := range o.families {
		s.addFamily(f.family, f.pos, f.neg)
	}
}

// settle applies what bounds a party, once all bins are in.
func (s *strengths) settle(mostAsserted int64) {
	// A party that states a claim in many places has stated it once: too little to be counted as a confirmation.
	s.asserted = min(max(s.asserted, 0), mostAsserted)
	s.ungroundedPos += s.asserted
	// Less than nothing can only come of statistics that are not whole.
	s.groundedPos, s.groundedNeg = max(s.groundedPos, 0), max(s.groundedNeg, 0)
	s.ungroundedPos, s.ungroundedNeg = max(s.ungroundedPos, 0), max(s.ungroundedNeg, 0)
	for i := range s.families {
		f := &s.families[i]
		f.pos, f.neg = min(max(f.pos, 0), s.ungroundedPos), min(max(f.neg, 0), s.ungroundedNeg)
	}
}

// isEmpty tells whether the party has no opinion at all.
func (s *strengths) isEmpty() bool {
	return s.groundedPos|s.groundedNeg|s.ungroundedPos|s.ungroundedNeg == 0
}
