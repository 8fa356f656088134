package trustmodel

import "testing"

// TestLessThanNothingIsNothing gives sums that no set of records can have: they
// must not make a mass above one, or evidence against out of lost support.
func TestLessThanNothingIsNothing(t *testing.T) {
	m := newModel(t)
	negative := Sums{
		UsagePos: -9000, UsageNeg: -9000, ReviewPos: -9000, ReviewNeg: -9000,
		UngroundedPos: -9000, UngroundedNeg: -9000, Asserted: -9000, RealWorld: -1, Outdated: -1, Records: -1,
	}
	if got := content(m, Party{Weights: proven, Bins: []Bin{{Index: asOf, Sums: negative}}}); got != m.Prior() {
		t.Errorf("got %+v, want the prior", got)
	}
	citing := func(bins ...Bin) []Party {
		parties := make([]Party, 10)
		for i := range parties {
			parties[i] = Party{Weights: proven, Bins: bins}
		}
		return withKeys(parties)
	}
	lost := citing(Bin{Index: asOf, Family: "a.example", Sums: Sums{UngroundedPos: 1000}}, Bin{Index: asOf, Sums: Sums{UngroundedPos: -600}})
	left := citing(Bin{Index: asOf, Family: "a.example", Sums: Sums{UngroundedPos: 400}})
	if got, want := content(m, lost...), content(m, left...); got != want {
		t.Errorf("more rests on a source than there is: got %+v, want %+v", got, want)
	}
	broken := Party{Weights: proven, Bins: []Bin{{Index: asOf, Sums: m.Sums(realSuccess)}, {Index: asOf, Sums: Sums{UsageNeg: -8000}}}}
	if got, want := content(m, broken), content(m, partyOf(m, proven, 0, realSuccess)); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
