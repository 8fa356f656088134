package trustbench

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// belief is what a method says about one target: the chance of success, and the
// Beta distribution of the rate where the method has one.
type belief struct {
	p           float64
	alpha, beta float64 // 0, 0: the method gives no interval
}

// level is the nominal level of intervals, as the model has it.
const level = .90

// closest keeps the log loss of methods that claim certainty finite.
const closest = 1e-3

// score adds up how well beliefs foretell.
type score struct {
	n                        float64 // outcomes foretold
	hits, brier, log         float64
	intervals, in90, in95, w float64
}

// outcome scores a belief against one outcome. A belief of exactly one half is
// half right.
func (s *score) outcome(b belief, y bool) {
	s.n++
	want := 0.0
	if y {
		want = 1
	}
	switch {
	case b.p == .5:
		s.hits += .5
	case b.p > .5 == y:
		s.hits++
	}
	s.brier += (b.p - want) * (b.p - want)
	p := min(max(b.p, closest), 1-closest)
	if !y {
		p = 1 - p
	}
	s.log -= math.Log(p)
}

// later scores the interval against k successes among n later reports: whether
// k lies inside the central predictive interval, randomised because k is whole
// (randomised probability integral transform), u being uniform in [0, 1).
func (s *score) later(b belief, k, n int, u float64) {
	if b.alpha <= 0 || n == 0 {
		return
	}
	below, at := 0.0, 0.0
	for i := 0; i <= k; i++ {
		below += at
		at = betaBinomial(b.alpha, b.beta, i, n)
	}
	place := below + u*at
	s.intervals++
	if place >= .05 && place <= .95 {
		s.in90++
	}
	if place >= .025 && place <= .975 {
		s.in95++
	}
	d := distuv.Beta{Alpha: b.alpha, Beta: b.beta}
	s.w += d.Quantile((1+level)/2) - d.Quantile((1-level)/2)
}

// betaBinomial is the chance of k successes in n trials whose common rate is
// Beta(a, b).
func betaBinomial(a, b float64, k, n int) float64 {
	x, m := float64(k), float64(n)
	return math.Exp(lchoose(m, x) + mathext.Lbeta(x+a, m-x+b) - mathext.Lbeta(a, b))
}

func lchoose(n, k float64) float64 { return -math.Log(n+1) - mathext.Lbeta(n-k+1, k+1) }

func (s *score) accuracy() float64   { return s.hits / s.n }
func (s *score) brierScore() float64 { return s.brier / s.n }
func (s *score) logLoss() float64    { return s.log / s.n }
func (s *score) coverage() float64   { return s.in90 / s.intervals }
func (s *score) coverage95() float64 { return s.in95 / s.intervals }
func (s *score) width() float64      { return s.w / s.intervals }

func TestBetaBinomialSumsToOneAndHasItsMean(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		n    int
	}{{.5, .5, 1}, {1, 1, 10}, {3.7, .6, 40}, {12, 9, 200}} {
		sum, mean := 0.0, 0.0
		for k := 0; k <= c.n; k++ {
			p := betaBinomial(c.a, c.b, k, c.n)
			sum += p
			mean += p * float64(k)
		}
		if math.Abs(sum-1) > 1e-9 || math.Abs(mean-float64(c.n)*c.a/(c.a+c.b)) > 1e-7 {
			t.Errorf("%+v: sum %v, mean %v", c, sum, mean)
		}
	}
}

// TestCoverageOfATrueIntervalIsItsLevel draws reports from the very distribution
// that the belief names.
func TestCoverageOfATrueIntervalIsItsLevel(t *testing.T) {
	source := rand.NewPCG(1, 2)
	r := rand.New(source)
	var s score
	for range 20_000 {
		b := belief{alpha: .5 + 4*r.Float64(), beta: .5 + 4*r.Float64()}
		rate := distuv.Beta{Alpha: b.alpha, Beta: b.beta, Src: source}.Rand()
		n, k := 5+r.IntN(20), 0
		for range n {
			if r.Float64() < rate {
				k++
			}
		}
		s.later(b, k, n, r.Float64())
	}
	if math.Abs(s.coverage()-.90) > .01 || math.Abs(s.coverage95()-.95) > .01 {
		t.Errorf("coverage %.3f, %.3f", s.coverage(), s.coverage95())
	}
}
