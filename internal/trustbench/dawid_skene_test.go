package trustbench

import (
	"math"
	"math/rand/v2"
	"testing"
)

// dawidSkene estimates the truth of claims and the two error rates of every
// worker together by expectation maximisation (Dawid and Skene 1979), from the
// majority, until nothing moves.
func dawidSkene(s *claimSet) []belief {
	z := make([]float64, len(s.claims))
	for i := range s.claims {
		z[i] = majority(float64(s.claims[i].agreeing()), float64(len(s.claims[i].votes)), 0).p
	}
	for range 1000 {
		rates, base := s.maximise(z)
		if moved := s.expect(z, rates, base); moved < 1e-6 {
			break
		}
	}
	out := make([]belief, len(z))
	for i := range z {
		out[i].p = z[i]
	}
	return out
}

// errorRates are how often a worker agrees with true and with false claims.
type errorRates struct{ whenTrue, whenFalse float64 }

// rareEvent keeps a worker who was never wrong from being certain.
const rareEvent = 1e-2

func (s *claimSet) maximise(z []float64) (rates []errorRates, base float64) {
	type counts struct{ agreed, seen [2]float64 }
	all := make([]counts, s.workers)
	for i := range s.claims {
		base += z[i]
		for _, v := range s.claims[i].votes {
			c := &all[v.worker]
			c.seen[1] += z[i]
			c.seen[0] += 1 - z[i]
			if v.agrees {
				c.agreed[1] += z[i]
				c.agreed[0] += 1 - z[i]
			}
		}
	}
	rates = make([]errorRates, s.workers)
	for w := range all {
		rate := func(side int) float64 {
			return (all[w].agreed[side] + rareEvent) / (all[w].seen[side] + 2*rareEvent)
		}
		rates[w] = errorRates{whenTrue: rate(1), whenFalse: rate(0)}
	}
	return rates, (base + rareEvent) / (float64(len(z)) + 2*rareEvent)
}

func (s *claimSet) expect(z []float64, rates []errorRates, base float64) (moved float64) {
	for i := range s.claims {
		odds := math.Log(base / (1 - base))
		for _, v := range s.claims[i].votes {
			r := rates[v.worker]
			if v.agrees {
				odds += math.Log(r.whenTrue / r.whenFalse)
			} else {
				odds += math.Log((1 - r.whenTrue) / (1 - r.whenFalse))
			}
		}
		next := 1 / (1 + math.Exp(-odds))
		moved = max(moved, math.Abs(next-z[i]))
		z[i] = next
	}
	return moved
}

// TestDawidSkeneFindsTheLiars: five workers of whom two always say the opposite,
// and one guesses, are told apart.
func TestDawidSkeneFindsTheLiars(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := &claimSet{workers: 7}
	for range 300 {
		c := claim{truth: r.Float64() < .5}
		for w, right := range []float64{.9, .85, .9, .8, .05, .1, .5} {
			c.votes = append(c.votes, vote{worker: w, agrees: c.truth == (r.Float64() < right)})
		}
		s.claims = append(s.claims, c)
	}
	accuracy := func(beliefs []belief) float64 {
		var out score
		for i := range beliefs {
			out.outcome(beliefs[i], s.claims[i].truth)
		}
		return out.accuracy()
	}
	if ds, mv := accuracy(dawidSkene(s)), accuracy(each(majority)(s)); ds < .95 || mv > .9 {
		t.Errorf("Dawid-Skene %.3f, majority %.3f", ds, mv)
	}
}
