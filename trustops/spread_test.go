package trustops

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestQuantilesAreThoseOfTheSortedFigures compares with the definition: the least figure that enough do not exceed.
func TestQuantilesAreThoseOfTheSortedFigures(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// Few different figures, so that ranks fall into heaps of equals, and the ends of the range.
		values := rapid.SliceOfN(rapid.SampledFrom([]int{-micro, -3, -1, 0, 1, 5, micro / 3, micro}), 1, 40).Draw(t, "values")
		f := newFigures(-1)
		var sum int64
		for _, v := range values {
			f.add(v)
			sum += int64(v)
		}
		s := f.shiftSpread()
		slices.Sort(values)
		at := func(share float64) float64 {
			return float64(values[max(int(math.Ceil(float64(share*float64(len(values)))))-1, 0)]) / micro
		}
		got := []float64{s.Min, s.P05, s.P25, s.P50, s.P75, s.P95, s.Max}
		want := []float64{at(0), at(.05), at(.25), at(.5), at(.75), at(.95), at(1)}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		if mean := float64(sum) / float64(len(values)) / micro; math.Abs(s.Mean-mean) > 1e-12 {
			t.Fatalf("mean %v, want %v", s.Mean, mean)
		}
		checkBars(t, s, values)
	})
}

func checkBars(t *rapid.T, s Spread, values []int) {
	var total int64
	for i, bar := range s.Bars {
		var want int64
		for _, v := range values {
			if x := float64(v) / micro; x >= bar.From && x < bar.To {
				want++
			}
		}
		if bar.Count != want {
			t.Fatalf("bar %d of [%v, %v) has %d, want %d", i, bar.From, bar.To, bar.Count, want)
		}
		total += bar.Count
	}
	if total != int64(len(values)) {
		t.Fatalf("%d of %d figures are in bars", total, len(values))
	}
	if middle := s.Bars[len(s.Bars)/2]; middle.From != -middle.To {
		t.Fatalf("no bar stands around 0: %v", middle)
	}
}

func TestWidthsFromNothingToAllHaveABar(t *testing.T) {
	t.Parallel()
	f := newFigures(0)
	for _, v := range []int{0, 49_999, 50_000, 999_999, micro} {
		f.add(v)
	}
	s := f.widthSpread()
	if len(s.Bars) != 20 || s.Bars[0].Count != 2 || s.Bars[1].Count != 1 || s.Bars[19].Count != 2 {
		t.Fatalf("%+v", s.Bars)
	}
}

func TestNoFiguresSpreadOverNothing(t *testing.T) {
	t.Parallel()
	if s := newFigures(-1).shiftSpread(); s.Count != 0 || s.Mean != 0 || s.P50 != 0 || len(s.Bars) != 41 {
		t.Fatalf("%+v", s)
	}
}
