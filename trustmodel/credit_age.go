package trustmodel

import "math"

// newCreditAge tabulates what a credit counts by its age in whole bins, in parts
// per million: all of it through the grace, then half as much after each further
// half-life, until nothing is left. A recency has a floor instead, because old
// evidence stays evidence; how well somebody judged long ago does not stay known.
func newCreditAge(p *ReputationParams) recency {
	var table recency
	for age := 0; ; age++ {
		late := max(float64(age*BinDays)-p.GraceDays, 0)
		factor := int64(math.Round(float64(math.Exp2(-late/p.HalfLifeDays) * recencyScale)))
		table = append(table, factor)
		if factor == 0 {
			return table
		}
	}
}

// newestIndex returns the bin in which a party last said what counts for its opinion.
// Statements of no weight, such as an author's praise of its own work, make no
// credit younger. Bins of one index are added up first, because a retraction may
// stand beside what it retracts. Without any opinion it is the least index.
func newestIndex(as role, bins []Bin) int32 {
	const none = math.MinInt32 - 1
	for bound := int64(math.MaxInt32) + 1; ; {
		latest := int64(none)
		var said Sums
		for i := range bins {
			switch index := int64(bins[i].Index); {
			case index >= bound || index < latest:
			case index > latest:
				latest, said = index, bins[i].Sums
			default:
				said = said.Plus(bins[i].Sums)
			}
		}
		if latest == none {
			return math.MinInt32
		}
		if as.speaksIn(&said) {
			return int32(latest)
		}
		bound = latest
	}
}

// speaksIn tells whether any of s counts for the opinion of a party of this role.
func (r role) speaksIn(s *Sums) bool {
	said := r.heard(*s)
	return said.UsagePos|said.UsageNeg|said.ReviewPos|said.ReviewNeg|said.UngroundedPos|said.UngroundedNeg|said.Asserted != 0
}
