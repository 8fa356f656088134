package trustmodel

import (
	"fmt"
	"testing"
)

// BenchmarkCompute evaluates targets whose parties have evidence in three bins
// each. Two Beta quantiles are about .1 ms of every run.
func BenchmarkCompute(b *testing.B) {
	m := newModel(b)
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("parties=%d", n), func(b *testing.B) {
			in := Input{AsOfBin: asOf}
			for i := range n {
				p := Party{Weights: m.IdentityWeights(Identity{Domain: i%2 == 0})}
				for age := range int32(3) {
					p.Bins = append(p.Bins, Bin{Index: asOf - age, Sums: m.Sums(realSuccess)})
				}
				in.Parties = append(in.Parties, p)
			}
			withKeys(in.Parties)
			b.ReportAllocs()
			for b.Loop() {
				_ = m.Compute(in)
			}
		})
	}
}

// TestComputeDoesNotAllocate keeps a pass over a large target free of garbage.
func TestComputeDoesNotAllocate(t *testing.T) {
	m := newModel(t)
	in := Input{AsOfBin: asOf, Parties: join(crowd(m, 200, proven, realSuccess), crowd(m, 20, proven, judged(VerdictOutdated)))}
	if n := testing.AllocsPerRun(10, func() { _ = m.Compute(in) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
