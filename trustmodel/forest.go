package trustmodel

import "slices"

// forest joins parties into groups of which none has two verified members.
type forest struct {
	x        *Independence
	parent   []int32
	verified []bool // by root: whether a member is
}

func (x *Independence) forest() *forest {
	f := &forest{x: x, parent: make([]int32, len(x.supports)), verified: slices.Clone(x.verified)}
	for p := range f.parent {
		f.parent[p] = int32(p)
	}
	return f
}

// root returns the party that stands for the group of p, and shortens the way.
func (f *forest) root(p int32) int32 {
	for f.parent[p] != p {
		f.parent[p] = f.parent[f.parent[p]]
		p = f.parent[p]
	}
	return p
}

// join sorts edges, strongest first, joins what they join, and returns those that
// joined anything. It reuses the memory of edges.
//
// An edge that joins nothing here joins nothing among more edges either, so it
// can be dropped for good: stronger edges connect its ends already, or connect
// each of them to a verified party. (Taking all verified parties as one vertex,
// what is kept is the maximum spanning forest.)
func (f *forest) join(edges []edge) []edge {
	slices.SortFunc(edges, f.x.strongestFirst)
	kept := edges[:0]
	for _, e := range edges {
		a, b := f.root(e.a), f.root(e.b)
		if a == b || f.verified[a] && f.verified[b] {
			continue
		}
		f.parent[b] = a
		f.verified[a] = f.verified[a] || f.verified[b]
		kept = append(kept, e)
	}
	return kept
}
