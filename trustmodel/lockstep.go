package trustmodel

import "cmp"

// edge is two parties that act in lockstep, the one with the smaller key first.
type edge struct {
	a, b    int32
	common  int32
	overlap float64
}

// masses are the weights of what parties support, nano.
type masses struct {
	own   []int64 // by party
	all   int64   // of all targets
	perID int64   // ln of the number of parties: the idf of n supporters is perID - ln(n)
}

func (x *Independence) masses() masses {
	m := masses{own: make([]int64, len(x.supports)), perID: nanoLog(max(len(x.supports), 1))}
	for p, n := range x.supports {
		m.own[p] = n*m.perID - x.logs[p]
	}
	m.all = x.targets*m.perID - x.allLogs
	return m
}

// edges finds all pairs in lockstep, party by party, so that only the pairs of
// one party are counted at a time. From time to time it drops those that can join
// nothing; what is left are at most parties + maxEdges.
func (x *Independence) edges() []edge {
	index := x.invert()
	m := x.masses()
	tally := pairTally{common: make([]int32, len(x.supports)), logs: make([]int64, len(x.supports))}
	var out []edge
	for p := range index.parties() {
		x.count(index, p, &tally)
		out = x.appendEdges(out, p, &tally, &m)
		if len(out) > x.maxEdges+len(x.supports) {
			out = x.forest().join(out)
		}
	}
	return out
}

// pairTally is what one party has in common with each other one.
type pairTally struct {
	common []int32 // by party: targets
	logs   []int64 // by party: the sum of ln(n) over them, nano
	seen   []int32 // parties with any
}

// count tallies p with all parties of greater numbers.
func (x *Independence) count(index *supportIndex, p int32, t *pairTally) {
	for _, target := range index.of(p) {
		who := x.lists[target]
		log := nanoLog(len(who))
		for i := len(who) - 1; who[i] > p; i-- {
			q := who[i]
			if t.common[q] == 0 {
				t.seen = append(t.seen, q)
			}
			t.common[q]++
			t.logs[q] += log
		}
	}
}

// appendEdges appends the pairs of p that are in lockstep, and empties t.
func (x *Independence) appendEdges(out []edge, p int32, t *pairTally, m *masses) []edge {
	for _, q := range t.seen {
		e := edge{a: p, b: q, common: t.common[q]}
		together := int64(e.common)*m.perID - t.logs[q]
		t.common[q], t.logs[q] = 0, 0
		if x.verified[p] && x.verified[q] || !x.lockstep(&e, together, m) {
			continue
		}
		if compareKeys(x.keys.keys[p], x.keys.keys[q]) > 0 {
			e.a, e.b = q, p
		}
		out = append(out, e)
	}
	t.seen = t.seen[:0]
	return out
}

// lockstep tells whether two parties act as one, and sets their overlap; together
// is the weight of what both support.
func (x *Independence) lockstep(e *edge, together int64, m *masses) bool {
	p := &x.model.params.Independence
	least, most := min(m.own[e.a], m.own[e.b]), max(m.own[e.a], m.own[e.b])
	if int(e.common) < p.MinCommon || least <= 0 {
		return false // What everybody supports, or too little of it, tells nothing.
	}
	e.overlap = float64(together) / float64(least)
	share := float64(most) / float64(m.all)
	// More than half of the larger one's support as well: else whoever copies several parties would make them one, since
	// each of them is contained in it. And more than chance makes of two that support nearly everything.
	if float64(together) <= float64(p.Mutual*float64(most)) || e.overlap-share < float64(p.BeyondChance*(1-share)) {
		return false
	}
	return e.overlap >= p.Overlap || e.overlap >= p.WeakOverlap && e.overlap >= float64(p.ActivityGain*share)
}

// strongestFirst orders edges by overlap, then by keys.
func (x *Independence) strongestFirst(a, b edge) int {
	return cmp.Or(
		cmp.Compare(b.overlap, a.overlap),
		compareKeys(x.keys.keys[a.a], x.keys.keys[b.a]),
		compareKeys(x.keys.keys[a.b], x.keys.keys[b.b]),
	)
}
