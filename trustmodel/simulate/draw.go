package simulate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// draw is the source of everything random about one subject of one world. Each
// subject has its own, so that planting an attack leaves the honest part of a
// world as it is without it.
type draw struct {
	*rand.Rand

	source rand.Source
}

// Subjects of a world that are drawn independently.
const (
	subjectParties = iota + 1
	subjectTargets
	subjectAttack
)

func newDraw(seed, subject int) draw {
	source := rand.NewPCG(uint64(seed), uint64(subject))
	return draw{Rand: rand.New(source), source: source} //nolint:gosec // a simulation must be repeatable
}

func (d draw) chance(p float64) bool { return d.Float64() < p }

func (d draw) beta(alpha, beta float64) float64 {
	return distuv.Beta{Alpha: alpha, Beta: beta, Src: d.source}.Rand()
}

// gamma has the given shape and the mean 1.
func (d draw) gamma(shape float64) float64 {
	return distuv.Gamma{Alpha: shape, Beta: shape, Src: d.source}.Rand()
}

func (d draw) poisson(mean float64) int {
	if mean <= 0 {
		return 0
	}
	return int(distuv.Poisson{Lambda: mean, Src: d.source}.Rand())
}

// pareto is at least 1.
func (d draw) pareto(exponent float64) float64 {
	return math.Pow(1-d.Float64(), -1/exponent)
}

// pick takes n different indexes, each with a probability that grows with its
// weight; an index of weight 0 is never taken. It sorts exponential arrival
// times (Efraimidis and Spirakis 2006).
func (d draw) pick(n int, weights []float64) []int {
	type arrival struct {
		index int
		at    float64
	}
	arrivals := make([]arrival, 0, len(weights))
	for i, w := range weights {
		if w > 0 {
			arrivals = append(arrivals, arrival{i, d.ExpFloat64() / w})
		}
	}
	slices.SortFunc(arrivals, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.index, b.index))
	})
	picked := make([]int, min(n, len(arrivals)))
	for i := range picked {
		picked[i] = arrivals[i].index
	}
	return picked
}
