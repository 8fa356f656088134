package retrieval

import (
	"cmp"
	"slices"
)

// The values of Ranking.Sort.
const (
	SortRank   = "rank"
	SortTrust  = "trust"
	SortRecent = "recent"
)

// Ranking is how candidates are put in order.
type Ranking struct {
	// Sort is SortRank, SortTrust or SortRecent; anything else is SortRank.
	Sort string
	// TrustWeight is the share of the score that trust decides, 0 to .7.
	TrustWeight float64
	// ExploreSlots is how many of the first page's ranks are for items that nobody has tried yet; 0 turns it off.
	ExploreSlots int
	// Limit is the length of a page, FirstPage whether this is the first.
	Limit     int
	FirstPage bool
	// MinStatusAboveUnverified says that the caller asked for more than unverified items.
	MinStatusAboveUnverified bool
	// Fingerprint names the normalised query with its filters, Day the UTC day: exploration changes with both.
	Fingerprint uint64
	Day         int64
	// SumIDF is that of the plan, HasQuery whether there is a query at all: without one all are equally relevant.
	SumIDF   float64
	HasQuery bool
}

// Ranked is a place in the order: the index of a candidate.
type Ranked struct {
	Index   int
	Score   float64
	Explore bool
}

const (
	// gateShare of the best relevance is what an item needs in an order that is not by relevance.
	gateShare = .25
	// maxOfController of the first cappedRanks places are for one root controller.
	maxOfController = 3
	cappedRanks     = 10
)

// Order puts candidates in their order. It is total and depends on nothing but its arguments: not on the order of the
// candidates either.
//
// By rank, every candidate has a place: claims fall behind the item that they stand in, one root controller has at
// most three of the first ten places as long as there are others, and untried items get their chance. By trust or
// time, the order is strictly what its name says, without what is far less relevant than the best.
func (r Ranking) Order(candidates []Candidate) []Ranked {
	list := r.scored(candidates)
	switch r.Sort {
	case SortTrust:
		list = gate(list)
		slices.SortFunc(list, byTrust)
		return places(list, nil)
	case SortRecent:
		list = gate(list)
		slices.SortFunc(list, byTime)
		return places(list, nil)
	}
	slices.SortFunc(list, byScore)
	demoteNearDuplicates(list)
	list = capControllers(list)
	list, explored := r.explore(list)
	return places(list, explored)
}

func (r Ranking) scored(candidates []Candidate) []ranked {
	there := make(map[[16]byte]bool, len(candidates))
	for i := range candidates {
		there[candidates[i].ID] = true
	}
	list := make([]ranked, len(candidates))
	for i := range candidates {
		c := &candidates[i]
		rel := r.relevance(c)
		displaced := c.Successor != [16]byte{} && there[c.Successor]
		list[i] = ranked{Candidate: c, index: i, rel: rel, score: r.score(c, rel, displaced)}
	}
	return list
}

func byScore(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.Lower, a.Lower), cmp.Compare(b.UpdatedAt, a.UpdatedAt),
		identity(a.Candidate, b.Candidate))
}

func byTrust(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.Lower, a.Lower), cmp.Compare(b.Parties, a.Parties), cmp.Compare(b.UpdatedAt, a.UpdatedAt),
		identity(a.Candidate, b.Candidate))
}

func byTime(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), identity(a.Candidate, b.Candidate))
}

// gate leaves out what is far less relevant than the best.
func gate(list []ranked) []ranked {
	best := 0.
	for _, c := range list {
		best = max(best, c.rel)
	}
	return slices.DeleteFunc(list, func(c ranked) bool { return c.rel < gateShare*best })
}

// demoteNearDuplicates lowers each claim that stands below the item which states it, and sorts again.
func demoteNearDuplicates(list []ranked) {
	above := map[[16]byte]bool{}
	for i := range list {
		c := &list[i]
		switch {
		case c.Kind == kindContent:
			above[c.ID] = true
		case c.Kind == kindClaim && above[c.Near]:
			c.score *= nearDuplicateFactor
		}
	}
	slices.SortFunc(list, byScore)
}

// capControllers moves what one root controller has too much of behind the first places.
func capControllers(list []ranked) []ranked {
	first := make([]ranked, 0, len(list))
	var later []ranked
	of := map[[16]byte]int{}
	for _, c := range list {
		crowded := c.Author != [16]byte{} && of[c.Author] == maxOfController
		if crowded || len(first) == cappedRanks {
			later = append(later, c)
			continue
		}
		of[c.Author]++
		first = append(first, c)
	}
	return append(first, later...)
}

func places(list []ranked, explored map[int]bool) []Ranked {
	out := make([]Ranked, len(list))
	for i, c := range list {
		out[i] = Ranked{Index: c.index, Score: c.score, Explore: explored[c.index]}
	}
	return out
}
