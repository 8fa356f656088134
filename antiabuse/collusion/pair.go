package collusion

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// Pair is what two parties did in the time that is looked at.
type Pair struct {
	// A and B name the parties.
	A, B string
	// Shared is on how many targets both gave a verdict, and Agreed on how many of them the same one.
	Shared, Agreed int
	// Expected is on how many targets they would agree by chance: see [Chance].
	Expected float64
	// Gaps are the times between their verdicts, one for each shared target. The sign does not matter.
	Gaps []time.Duration
	// AForB is how many verdicts of A are favourable ones on what B wrote, and AAll how many A gave; BForA and BAll are
	// the same of B.
	AForB, AAll, BForA, BAll int
}

// PairSignal is a pair that chance does not explain, with the numbers that say so.
type PairSignal struct {
	A, B           string
	Shared, Agreed int
	Expected       float64
	// LLR is the logarithm of the likelihood ratio, doubled, and P the probability of as much by chance.
	LLR, P float64
	// MedianGap is the median time between their verdicts; it is of no use where HasGap is false.
	MedianGap time.Duration
	HasGap    bool
	// Reciprocal says that each favours what the other wrote; ShareOfA is which share of A's verdicts does, and ShareOfB.
	Reciprocal         bool
	ShareOfA, ShareOfB float64
	// Sentence explains the signal.
	Sentence string
}

// Pairs answers the pairs that agree more than chance explains and that either favour each other or act within minutes,
// the least likely first.
func Pairs(pairs []Pair, t Thresholds) []PairSignal {
	var out []PairSignal
	for _, p := range pairs {
		s := PairSignal{A: p.A, B: p.B, Shared: p.Shared, Agreed: p.Agreed, Expected: p.Expected, LLR: LLR(p.Agreed, p.Expected)}
		s.P = distuv.ChiSquared{K: 1}.Survival(s.LLR)
		s.MedianGap, s.HasGap = median(p.Gaps)
		s.Reciprocal = min(p.AForB, p.BForA) >= max(1, t.MinReciprocal)
		s.ShareOfA, s.ShareOfB = share(p.AForB, p.AAll), share(p.BForA, p.BAll)
		soon := s.HasGap && s.MedianGap < t.MaxGap
		if p.Shared < t.MinShared || s.LLR <= t.MinLLR || !s.Reciprocal && !soon {
			continue
		}
		s.Sentence = s.explain(soon)
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b PairSignal) int {
		return cmp.Or(cmp.Compare(b.LLR, a.LLR), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return out
}

func (s PairSignal) explain(soon bool) string {
	out := fmt.Sprintf("%s and %s agreed on %d of %d shared targets, where %.1f were expected by chance (likelihood ratio %.1f)",
		s.A, s.B, s.Agreed, s.Shared, s.Expected, s.LLR)
	if soon {
		out += fmt.Sprintf("; half of their verdicts came within %s of each other", s.MedianGap.Round(time.Second))
	}
	if s.Reciprocal {
		out += fmt.Sprintf("; each favours what the other wrote (%.0f %% and %.0f %% of their verdicts)", 100*s.ShareOfA, 100*s.ShareOfB)
	}
	return out + "."
}

// LLR is how much better than chance the truth explains that many agreements: twice the logarithm of the likelihood ratio
// of a Poisson count. It is 0 where there are no more than expected.
func LLR(agreed int, expected float64) float64 {
	k := float64(agreed)
	expected = max(expected, minExpected)
	if k <= expected {
		return 0
	}
	return 2 * (k*math.Log(k/expected) - (k - expected))
}

// minExpected keeps one chance agreement of a rare target from looking like a miracle.
const minExpected = 0.01

// Chance is on how many targets two parties would agree if each chose its targets by how popular they are: judged is how
// many parties judged each target, a and b on how many targets the two gave a verdict, and agree is the share of verdicts
// on one target that are the same.
func Chance(judged []int, a, b int, agree float64) float64 {
	all := 0.0
	for _, n := range judged {
		all += float64(max(0, n))
	}
	if all == 0 {
		return 0
	}
	sum := 0.0
	for _, n := range judged {
		popularity := float64(max(0, n)) / all
		sum += min(1, float64(a)*popularity) * min(1, float64(b)*popularity)
	}
	return sum * min(1, max(0, agree))
}

func share(part, all int) float64 {
	if all <= 0 {
		return 0
	}
	return float64(part) / float64(all)
}

func median(gaps []time.Duration) (time.Duration, bool) {
	if len(gaps) == 0 {
		return 0, false
	}
	sorted := slices.Clone(gaps)
	for i, gap := range sorted {
		sorted[i] = gap.Abs()
	}
	slices.Sort(sorted)
	return sorted[len(sorted)/2], true
}
