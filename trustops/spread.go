package trustops

import "math"

// micro is the unit of published figures: they are rounded to 1e-6, so counting them whole loses nothing.
const micro = 1_000_000

// Spread says how figures are spread over targets. Quantiles are exact: each is a figure that occurs.
type Spread struct {
	Count int64   `json:"count"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	P05   float64 `json:"p05"`
	P25   float64 `json:"p25"`
	P50   float64 `json:"p50"`
	P75   float64 `json:"p75"`
	P95   float64 `json:"p95"`
	Max   float64 `json:"max"`
	Bars  []Bar   `json:"bars"`
}

// Bar is one bar of a histogram: how many figures are within From and To, without To itself.
type Bar struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Count int64   `json:"count"`
}

// figures counts figures in a known range, each of them: the memory is that of the range, however many there are.
type figures struct {
	low      int // of the range, in millionths
	counts   []uint32
	n, sum   int64
	min, max int
}

// newFigures counts figures from low, in whole units, to 1.
func newFigures(low int) *figures {
	return &figures{low: low * micro, counts: make([]uint32, (1-low)*micro+1), min: micro, max: low * micro}
}

// add counts a figure in millionths; one outside the range counts as its end.
func (f *figures) add(value int) {
	value = min(max(value, f.low), f.low+len(f.counts)-1)
	f.counts[value-f.low]++
	f.n++
	f.sum += int64(value)
	f.min, f.max = min(f.min, value), max(f.max, value)
}

// quantiles answers the smallest figure that at least each share of all figures do not exceed. Shares are ascending.
func (f *figures) quantiles(shares ...float64) []float64 {
	out := make([]float64, len(shares))
	if f.n == 0 {
		return out
	}
	var below int64
	at := 0
	for i := f.min - f.low; i <= f.max-f.low && at < len(shares); i++ {
		below += int64(f.counts[i])
		for at < len(shares) && below >= max(int64(math.Ceil(float64(shares[at]*float64(f.n)))), 1) {
			out[at] = float64(i+f.low) / micro
			at++
		}
	}
	return out
}

// bars groups the figures into n bars of equal width, the first of which begins at from. All are in millionths.
func (f *figures) bars(from, width, n int) []Bar {
	out := make([]Bar, n)
	for i := range out {
		begin := from + i*width
		out[i] = Bar{From: float64(begin) / micro, To: float64(begin+width) / micro}
		for value := max(begin, f.low, f.min); value < begin+width && value <= f.max; value++ {
			out[i].Count += int64(f.counts[value-f.low])
		}
	}
	return out
}

// spread sums up; bars are the caller's.
func (f *figures) spread(bars []Bar) Spread {
	s := Spread{Count: f.n, Bars: bars}
	if f.n == 0 {
		return s
	}
	q := f.quantiles(.05, .25, .50, .75, .95)
	s.Mean = float64(f.sum) / float64(f.n) / micro
	s.Min, s.Max = float64(f.min)/micro, float64(f.max)/micro
	s.P05, s.P25, s.P50, s.P75, s.P95 = q[0], q[1], q[2], q[3], q[4]
	return s
}

// shiftSpread has 41 bars around 0, as wide as the greatest shift calls for.
func (f *figures) shiftSpread() Spread {
	const half = 20
	reach := max(-f.min, f.max)
	if f.n == 0 {
		reach = 0
	}
	for _, limit := range []int{10_000, 20_000, 50_000, 100_000, 200_000, 500_000, micro} {
		if reach <= limit {
			width := limit / half
			return f.spread(f.bars(-half*width-width/2, width, 2*half+1))
		}
	}
	panic("trustops: a shift of more than 1")
}

// widthSpread has 20 bars from 0 to 1; the last one includes 1.
func (f *figures) widthSpread() Spread {
	const n, width = 20, micro / 20
	bars := f.bars(0, width, n)
	bars[n-1].Count += int64(f.counts[micro])
	return f.spread(bars)
}

// millionths is a published figure as a whole number.
func millionths(v float64) int { return int(math.Round(v * micro)) }
