package trustmodel

// role is what a party is to a target beside somebody who tried or judged it.
type role struct {
	author bool // wrote it
	stater bool // states the claim too
}

// heard is what counts of what a party of this role says. Nobody confirms or judges their own work; that it failed in
// their hands counts in full. Of who states a claim, the assertion counts too.
func (r role) heard(s Sums) Sums {
	if r.author {
		s.Asserted = 0
	}
	if r.author || r.stater {
		return Sums{UsageNeg: s.UsageNeg, Asserted: s.Asserted, Records: s.Records}
	}
	return s
}

// role of a party follows from its records, so that it changes when they do: a party states a claim while any of its
// assertions is active.
func (p *Party) role() role { return role{p.Author, asserted(p.Bins) > 0} }

// role of a party is that of all its actors together.
func (p *EpochParty) role() role {
	var sum int64
	for i := range p.Actors {
		sum += asserted(p.Actors[i].Bins)
	}
	return role{p.Author, sum > 0}
}

// asserted is the strength of all assertions, whatever their age.
func asserted(bins []Bin) int64 {
	var sum int64
	for i := range bins {
		sum += bins[i].Sums.Asserted
	}
	return sum
}

// String is the role's name in explanations, "" for none.
func (r role) String() string {
	switch {
	case r.author:
		return "author"
	case r.stater:
		return "stater"
	default:
		return ""
	}
}
