package trustmodel

import "slices"

// Group is parties that count as one.
type Group struct {
	Representative PartyKey    // the smallest key of its members
	Members        []PartyKey  // sorted, at least two
	Pairs          []GroupPair // those that join the group, strongest first: one less than members
}

// GroupPair is why two parties are in a group.
type GroupPair struct {
	A, B    PartyKey // A is the smaller key
	Common  int      // targets that both support
	Overlap float64  // weighted share of the smaller one's support that the other one supports too, in [0, 1]
}

// Groups returns the parties that act in lockstep, sorted by representative; all
// others stand for themselves. Pairs are joined strongest first, ties by keys, and
// a pair is passed over if it would put two verified parties into one group.
// Targets may be added afterwards, and Groups called again.
//
// It costs about the sum over targets of the square of their supporters.
func (x *Independence) Groups() []Group {
	f := x.forest()
	joined := f.join(x.edges())
	groups := map[int32]*Group{}
	for _, e := range joined {
		root := f.root(e.a)
		g := groups[root]
		if g == nil {
			g = &Group{}
			groups[root] = g
		}
		pair := GroupPair{A: x.keys.keys[e.a], B: x.keys.keys[e.b], Common: int(e.common), Overlap: e.overlap}
		g.Pairs = append(g.Pairs, pair)
		g.Members = append(g.Members, pair.A, pair.B)
	}
	out := make([]Group, 0, len(groups))
	for _, g := range groups {
		slices.SortFunc(g.Members, compareKeys)
		g.Members = slices.Compact(g.Members)
		g.Representative = g.Members[0]
		out = append(out, *g)
	}
	slices.SortFunc(out, func(a, b Group) int { return compareKeys(a.Representative, b.Representative) })
	return out
}
