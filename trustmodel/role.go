package trustmodel

// role is what a party is to a target beside somebody who tried or judged it.
type role struct {
	author bool // wrote it: its support counts nothing, its contradiction in full
	stater bool // states the claim too: of its support only the assertion counts
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
