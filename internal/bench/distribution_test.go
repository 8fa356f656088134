package bench

import (
	"math/rand"
	"testing"
)

// distribution says which target a call is about.
type distribution string

const (
	spread distribution = "spread"
	zipf   distribution = "zipf"
	hot    distribution = "hot"
)

// zipfExponent is the skew of the zipf distribution: the first of 10,000 targets gets about a seventh of the calls.
const zipfExponent = 1.1

// pick makes a chooser of target numbers below n, with a random source of its own.
func (d distribution) pick(n int, seed int64) func() int {
	source := rand.New(rand.NewSource(seed))
	switch d {
	case hot:
		return func() int { return 0 }
	case zipf:
		z := rand.NewZipf(source, zipfExponent, 1, uint64(n-1))
		return func() int { return int(z.Uint64()) }
	default:
		return func() int { return source.Intn(n) }
	}
}

func TestDistributionsDifferInTheirHottestTarget(t *testing.T) {
	t.Parallel()
	const n, draws = 10_000, 20_000
	for d, bounds := range map[distribution][2]float64{spread: {0, .005}, zipf: {.1, .25}, hot: {1, 1}} {
		counts, pick := map[int]int{}, d.pick(n, 1)
		for range draws {
			counts[pick()]++
		}
		most := 0
		for target, count := range counts {
			if target < 0 || target >= n {
				t.Fatalf("%s: target %d", d, target)
			}
			most = max(most, count)
		}
		if share := float64(most) / draws; share < bounds[0] || share > bounds[1] {
			t.Errorf("%s: the hottest target has %.3f of the calls", d, share)
		}
	}
}
