package trustmodel

import (
	"fmt"
	"testing"
)

// benchInput is a target whose parties have real successes in three bins each, so
// many bins apart. With sources each has a review in one of them as well, which
// rests on one of ten source families.
func benchInput(m *Model, parties int, apart int32, sources bool) Input {
	in := Input{AsOfBin: asOf, Parties: make([]Party, parties)}
	for i := range in.Parties {
		p := &in.Parties[i]
		p.Weights = m.IdentityWeights(Identity{Domain: i%2 == 0})
		for age := range int32(3) {
			p.Bins = append(p.Bins, Bin{Index: asOf - age*apart, Sums: m.Sums(realSuccess)})
		}
		if sources {
			p.Bins = append(p.Bins, Bin{Index: asOf, Family: fmt.Sprintf("site-%d.example", i%10), Sums: m.Sums(judged(VerdictConfirmed))})
		}
	}
	withKeys(in.Parties)
	return in
}

// BenchmarkCompute evaluates whole targets: of fresh evidence, of evidence in all
// segments of age, and of that with sources. Two Beta quantiles are about .1 ms of
// every run.
func BenchmarkCompute(b *testing.B) {
	m := newModel(b)
	for _, n := range []int{10, 100, 1000, 10_000, 100_000} {
		for name, in := range map[string]Input{
			"fresh": benchInput(m, n, 1, false), "aged": benchInput(m, n, 7, false), "sourced": benchInput(m, n, 7, true),
		} {
			b.Run(fmt.Sprintf("%s/parties=%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_ = m.Compute(in)
				}
			})
		}
	}
}

// BenchmarkOneMoreRecord is what one more record of one party costs where the
// tally of a target is kept: the same for any number of parties.
func BenchmarkOneMoreRecord(b *testing.B) {
	m := newModel(b)
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("parties=%d", n), func(b *testing.B) {
			in := benchInput(m, n, 7, true)
			tally := tallyOf(m, &in)
			before, after := in.Parties[n/2], withRecord(in, n/2, m.Sums(realSuccess)).Parties[n/2]
			b.ReportAllocs()
			for b.Loop() {
				m.Remove(&tally, in.Kind, in.AsOfBin, &before)
				m.Add(&tally, in.Kind, in.AsOfBin, &after)
				_ = m.Evaluate(in.Kind, &tally, in.Carry, Flags{})
				before, after = after, before
			}
		})
	}
}

// tallyOf enters all parties of an input.
func tallyOf(m *Model, in *Input) Tally {
	var t Tally
	for i := range in.Parties {
		m.Add(&t, in.Kind, in.AsOfBin, &in.Parties[i])
	}
	return t
}

// TestComputeDoesNotAllocate keeps a pass over a large target free of garbage.
func TestComputeDoesNotAllocate(t *testing.T) {
	m := newModel(t)
	in := Input{AsOfBin: asOf, Parties: join(crowd(m, 200, proven, realSuccess), crowd(m, 20, proven, judged(VerdictOutdated)))}
	if n := testing.AllocsPerRun(10, func() { _ = m.Compute(in) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
