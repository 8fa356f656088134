package trustmodel

// segments cut the evidence of a party by its age, in whole bins: lately, the
// rest of the window of outdated verdicts, and what is older.
const (
	segmentRecent = iota
	segmentWindow
	segmentOlder
	segmentCount
)

// segmentation holds the greatest age of the first two segments, in bins.
type segmentation struct{ recent, window int64 }

func newSegmentation(p *StatusParams) segmentation {
	return segmentation{
		recent: int64(p.OutdatedRecentDays) / BinDays,
		window: int64(p.OutdatedWindowDays) / BinDays,
	}
}

func (s segmentation) of(age int64) int {
	switch {
	case age <= s.recent:
		return segmentRecent
	case age <= s.window:
		return segmentWindow
	default:
		return segmentOlder
	}
}

// aged are the strengths of one party by segment, before the rules of authors
// and statements.
type aged struct {
	by   [segmentCount]strengths
	used [segmentCount]bool
}

// agedOf adds up the bins of p by segment.
func (p *Party) agedOf(c *classes, asOf int32, cut segmentation) aged {
	var a aged
	for i := range p.Bins {
		b := &p.Bins[i]
		age := ageOf(b.Index, asOf)
		segment := cut.of(age)
		a.used[segment] = true
		a.by[segment].add(b, c.usage.factor(age), c.review.factor(age))
	}
	return a
}

// sum adds up segments from first to last and applies the party's rules.
func (a *aged) sum(p *Party, c *classes, first, last int) strengths {
	var s strengths
	for segment := first; segment <= last; segment++ {
		if a.used[segment] {
			s.join(&a.by[segment])
		}
	}
	s.settle(p, c.assertion)
	return s
}
