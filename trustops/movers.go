package trustops

import (
	"bytes"
	"cmp"
	"container/heap"
	"slices"

	"interai/store"
)

// Mover is a target whose value differs most between two versions.
type Mover struct {
	Target store.ID `json:"target"`
	// Title is "" for what the public may not see.
	Title string  `json:"title"`
	Delta float64 `json:"delta"`
	A     Figure  `json:"a"`
	B     Figure  `json:"b"`
	// Reason says which of the inputs differ.
	Reason string `json:"reason"`
}

// Figure is what one version publishes about a target.
type Figure struct {
	Value          float64 `json:"value"`
	Lower          float64 `json:"lower_bound"`
	Upper          float64 `json:"upper_bound"`
	Status         string  `json:"status"`
	Confirmations  int     `json:"independent_confirmations"`
	Contradictions int     `json:"contradictions"`
	RealWorld      int     `json:"real_world_confirmations"`
}

func figureOf(f store.Figures) Figure {
	return Figure{
		Value: f.Value, Lower: f.Lower, Upper: f.Upper, Status: f.Status,
		Confirmations: f.Confirmations, Contradictions: f.Contradictions, RealWorld: f.RealWorld,
	}
}

// movers keeps the pairs of greatest shift, up to a limit: a heap with the least of them first.
type movers struct {
	limit int
	pairs []store.Pair
}

func shift(p *store.Pair) int { return millionths(p.B.Value) - millionths(p.A.Value) }

// order puts greater shifts first; of equal ones the older target.
func order(a, b store.Pair) int {
	x, y := shift(&a), shift(&b)
	return cmp.Or(cmp.Compare(max(y, -y), max(x, -x)), bytes.Compare(a.Target.UUID[:], b.Target.UUID[:]))
}

// Len is part of heap.Interface.
func (m *movers) Len() int { return len(m.pairs) }

// Less is part of heap.Interface.
func (m *movers) Less(i, j int) bool { return order(m.pairs[i], m.pairs[j]) > 0 }

// Swap is part of heap.Interface.
func (m *movers) Swap(i, j int) { m.pairs[i], m.pairs[j] = m.pairs[j], m.pairs[i] }

// Push is part of heap.Interface.
func (m *movers) Push(x any) { m.pairs = append(m.pairs, x.(store.Pair)) } //nolint:forcetypeassert // only add calls it

// Pop is part of heap.Interface.
func (m *movers) Pop() any {
	last := m.pairs[len(m.pairs)-1]
	m.pairs = m.pairs[:len(m.pairs)-1]
	return last
}

// add takes a pair whose values differ.
func (m *movers) add(p store.Pair) {
	if shift(&p) == 0 || m.limit == 0 {
		return
	}
	if len(m.pairs) < m.limit {
		heap.Push(m, p)
		return
	}
	if order(p, m.pairs[0]) < 0 {
		m.pairs[0] = p
		heap.Fix(m, 0)
	}
}

// sorted answers the greatest shift first.
func (m *movers) sorted() []store.Pair {
	return slices.SortedFunc(slices.Values(m.pairs), order)
}
