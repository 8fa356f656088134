package collusion

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func gaps(n int, gap time.Duration) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = gap
		if i%2 == 0 {
			out[i] = -gap
		}
	}
	return out
}

func TestPairs(t *testing.T) {
	t.Parallel()
	ring := Pair{A: "a", B: "b", Shared: 12, Agreed: 12, Expected: 1.5, Gaps: gaps(12, time.Minute), AForB: 6, AAll: 20, BForA: 5, BAll: 10}
	with := func(change func(*Pair)) Pair {
		p := ring
		change(&p)
		return p
	}
	for name, c := range map[string]struct {
		pair Pair
		want bool
	}{
		"a ring":                             {ring, true},
		"within minutes":                     {with(func(p *Pair) { p.AForB = 0 }), true},
		"for each other":                     {with(func(p *Pair) { p.Gaps = gaps(12, 3*time.Hour) }), true},
		"neither of both":                    {with(func(p *Pair) { p.Gaps, p.BForA = gaps(12, 3*time.Hour), 0 }), false},
		"no gaps and not for each other":     {with(func(p *Pair) { p.Gaps, p.BForA = nil, 0 }), false},
		"few targets":                        {with(func(p *Pair) { p.Shared, p.Agreed = 4, 4 }), false},
		"popular targets":                    {with(func(p *Pair) { p.Expected = 9 }), false},
		"shared, but of different opinions":  {with(func(p *Pair) { p.Agreed = 1 }), false},
		"exactly at the limit of the gap":    {with(func(p *Pair) { p.Gaps, p.BForA = gaps(12, 10*time.Minute), 0 }), false},
		"one favour each is not a tendency":  {with(func(p *Pair) { p.Gaps, p.BForA = nil, 1 }), false},
		"half within minutes, half the next": {with(func(p *Pair) { p.Gaps, p.AForB = append(gaps(7, time.Minute), gaps(5, 24*time.Hour)...), 0 }), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Pairs([]Pair{c.pair}, Defaults())
			require.Len(t, got, map[bool]int{true: 1}[c.want])
			for _, s := range got {
				require.Greater(t, s.LLR, 15.1)
				require.Less(t, s.P, 1.1e-4)
				require.Contains(t, s.Sentence, "a and b agreed on 12 of 12 shared targets, where 1.5 were expected")
			}
		})
	}
	got := Pairs([]Pair{ring}, Defaults())[0]
	require.True(t, got.Reciprocal)
	require.InDelta(t, 0.3, got.ShareOfA, 1e-9)
	require.InDelta(t, 0.5, got.ShareOfB, 1e-9)
	require.Equal(t, time.Minute, got.MedianGap)
}

func TestTheLeastLikelyPairComesFirst(t *testing.T) {
	t.Parallel()
	pair := func(a string, agreed int) Pair {
		return Pair{A: a, B: "z", Shared: agreed, Agreed: agreed, Expected: 1, Gaps: gaps(agreed, time.Second)}
	}
	got := Pairs([]Pair{pair("b", 20), pair("c", 40), pair("a", 20)}, Defaults())
	require.Len(t, got, 3)
	require.Equal(t, []string{"c", "a", "b"}, []string{got[0].A, got[1].A, got[2].A})
}

func TestMoreAgreementNeverLowersTheRatio(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		agreed, expected := rapid.IntRange(0, 1000).Draw(t, "agreed"), rapid.Float64Range(0, 500).Draw(t, "expected")
		ratio := LLR(agreed, expected)
		require.False(t, math.IsNaN(ratio) || math.IsInf(ratio, 0))
		require.GreaterOrEqual(t, ratio, 0.0)
		require.GreaterOrEqual(t, LLR(agreed+1, expected), ratio)
		require.LessOrEqual(t, LLR(agreed, expected+1), ratio+1e-9, "the more is expected, the less it says")
	})
}

func TestThresholdOfTheRatioIsOneInTenThousand(t *testing.T) {
	t.Parallel()
	require.Greater(t, Pairs([]Pair{{Shared: 9, Agreed: 9, Expected: 1, Gaps: gaps(9, 0)}}, Defaults())[0].P, 1e-7)
	require.InDelta(t, 2*(9*math.Log(9)-8), LLR(9, 1), 1e-9)
}

func TestChance(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1, Chance([]int{1, 1, 1, 1}, 2, 2, 1), 1e-9, "two of four each: one in common")
	require.InDelta(t, 0.5, Chance([]int{1, 1, 1, 1}, 2, 2, 0.5), 1e-9)
	require.Zero(t, Chance(nil, 5, 5, 1))
	require.Zero(t, Chance([]int{0, -1}, 5, 5, 1))
	require.Greater(t, Chance([]int{10, 1, 1}, 1, 1, 1), Chance([]int{4, 4, 4}, 1, 1, 1), "popular targets are met by chance")
	rapid.Check(t, func(t *rapid.T) {
		judged := rapid.SliceOfN(rapid.IntRange(0, 50), 0, 30).Draw(t, "judged")
		a, b := rapid.IntRange(0, 40).Draw(t, "a"), rapid.IntRange(0, 40).Draw(t, "b")
		chance := Chance(judged, a, b, 0.8)
		require.LessOrEqual(t, chance, float64(min(a, b, len(judged)))+1e-9)
		require.InDelta(t, chance, Chance(judged, b, a, 0.8), 1e-9)
	})
}
