package trustmodel

import "iter"

// supportIndex lists, for each party, the targets that tell pairs apart. Parties
// with too few of them to be in lockstep with anybody have none.
type supportIndex struct {
	starts  []int   // by party, and the end of the last one
	targets []int32 // numbers of lists
}

// invert turns the lists of supporters round.
func (x *Independence) invert() *supportIndex {
	starts := make([]int, len(x.supports)+1)
	for _, who := range x.lists {
		for _, p := range who {
			starts[p+1]++
		}
	}
	for p := range x.supports {
		if starts[p+1] < x.model.params.Independence.MinCommon {
			starts[p+1] = 0
		}
		starts[p+1] += starts[p]
	}
	index := &supportIndex{starts: starts, targets: make([]int32, starts[len(x.supports)])}
	next := append([]int(nil), starts...)
	for target, who := range x.lists {
		for _, p := range who {
			if next[p] < starts[p+1] {
				index.targets[next[p]] = int32(target)
				next[p]++
			}
		}
	}
	return index
}

// parties returns the parties that have any target.
func (s *supportIndex) parties() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for p := range len(s.starts) - 1 {
			if s.starts[p] < s.starts[p+1] && !yield(int32(p)) {
				return
			}
		}
	}
}

// of returns the targets of a party.
func (s *supportIndex) of(p int32) []int32 { return s.targets[s.starts[p]:s.starts[p+1]] }
