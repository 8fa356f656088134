package collusion

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Hour is how many verdicts a target got in an hour, and how many of them from young parties.
type Hour struct{ Count, Young int }

// Target is a target with its hours in a row, the oldest first: none is left out, quiet ones are zero.
type Target struct {
	ID    string
	Hours []Hour
}

// BurstSignal is an hour in which a target got more verdicts than its own past explains.
type BurstSignal struct {
	Target string
	// Hour is the index of the hour.
	Hour         int
	Count, Young int
	// Weighted is the count with the verdicts of parties that are not young at their lower weight, rounded down.
	Weighted int
	// Rate is how many were expected, and Tail the probability of as many as Weighted or more.
	Rate, Tail float64
	// Sentence explains the signal.
	Sentence string
}

// What is learnt of an hour is bounded, so that a burst does not teach that bursts are normal, and a lasting change of the
// rate is learnt within hours all the same.
const learnFactor, learnMore = 4, 4

// Bursts answers the hours that are bursts, the least likely first.
func Bursts(targets []Target, t Thresholds) []BurstSignal {
	var out []BurstSignal
	for _, target := range targets {
		rate := ewma{decay: math.Exp2(-1 / max(t.HalfLife, 1)), least: t.MinRate}
		for i, hour := range target.Hours {
			expected := rate.value()
			if s, ok := burst(hour, expected, t); ok {
				s.Target, s.Hour = target.ID, i
				s.Sentence = fmt.Sprintf("%s got %d verdicts in one hour, %d of them from young parties, where %.1f were expected (probability %.1e).",
					s.Target, s.Count, s.Young, s.Rate, s.Tail)
				out = append(out, s)
			}
			rate.add(min(float64(max(0, hour.Count)), learnFactor*expected+learnMore))
		}
	}
	slices.SortStableFunc(out, func(a, b BurstSignal) int {
		return cmp.Or(cmp.Compare(a.Tail, b.Tail), cmp.Compare(b.Weighted, a.Weighted), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Hour, b.Hour))
	})
	return out
}

func burst(hour Hour, expected float64, t Thresholds) (BurstSignal, bool) {
	count := max(0, hour.Count)
	young := min(max(0, hour.Young), count)
	weighted := young + int(float64(count-young)*min(1, max(0, t.OldWeight)))
	if float64(weighted) <= expected {
		return BurstSignal{}, false
	}
	tail := distuv.Poisson{Lambda: expected}.Survival(float64(weighted) - 1)
	return BurstSignal{Count: count, Young: young, Weighted: weighted, Rate: expected, Tail: tail}, tail < t.MaxTail
}

// ewma is a mean in which an hour counts the less the older it is. It is exact from the first hour on.
type ewma struct{ sum, weight, decay, least float64 }

func (e *ewma) add(x float64) {
	e.sum = e.sum*e.decay + x
	e.weight = e.weight*e.decay + 1
}

func (e *ewma) value() float64 {
	if e.weight == 0 {
		return max(e.least, minExpected)
	}
	return max(e.sum/e.weight, e.least, minExpected)
}
