package trustmodel

import "math/bits"

// segments cut the evidence of a party by its age, in whole bins: lately, the
// rest of the window of outdated verdicts, and what is older.
const (
	segmentRecent = iota
	segmentWindow
	segmentOlder
	segmentCount
)

// segments are a set of segments, one bit each.
type segments uint8

// The sets that the parts of a tally are made of.
const (
	allSegments    segments = 1<<segmentRecent | 1<<segmentWindow | 1<<segmentOlder
	windowSegments segments = 1<<segmentRecent | 1<<segmentWindow
	recentSegments segments = 1 << segmentRecent
	olderSegments  segments = 1<<segmentWindow | 1<<segmentOlder
)

// first is the youngest segment of a set that has any.
func (s segments) first() int { return bits.TrailingZeros8(uint8(s)) }

// isOne tells whether a set has one segment.
func (s segments) isOne() bool { return s&(s-1) == 0 }

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
	used segments
}

// familyRoom is for how many source families of one party, by segment, there is
// room on the stack; few parties cite more of them about one target.
const familyRoom = 4

// agedRoom is memory for the families of an aged and of one sum of it.
type agedRoom [segmentCount + 1][familyRoom]familyStrength

// add enters the bins of p by segment.
func (a *aged) add(as role, p *Party, c *classes, asOf int32, cut segmentation) {
	for i := range p.Bins {
		b := &p.Bins[i]
		age := ageOf(b.Index, asOf)
		segment := cut.of(age)
		a.used |= 1 << segment
		a.by[segment].add(as, b, c.usage.factor(age), c.review.factor(age))
	}
}

// sum adds up the segments of a set into s, which is empty.
func (a *aged) sum(s *strengths, set segments) {
	for segment := range a.by {
		if set&(1<<segment) != 0 {
			s.join(&a.by[segment])
		}
	}
}
