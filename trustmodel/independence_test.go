package trustmodel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// supporters makes supporters of numbers, of which those below the first
// unverified one are verified.
func supporters(firstUnverified int, numbers ...int) []Supporter {
	out := make([]Supporter, len(numbers))
	for i, n := range numbers {
		out[i] = Supporter{Key: numbered(n), Verified: n < firstUnverified}
	}
	return out
}

func groupsOf(m *Model, targets [][]Supporter) []Group {
	x := m.NewIndependence()
	for _, t := range targets {
		x.Add(t)
	}
	return x.Groups()
}

// honest are targets that honest parties come upon by chance: each party has an
// activity of its own, heavy-tailed like in life, and on average so many of them
// support a target.
func honest(r *rand.Rand, parties, targets int, exposure float64) [][]int {
	activity := make([]float64, parties)
	sum := 0.
	for i := range activity {
		activity[i] = math.Exp(r.NormFloat64())
		sum += activity[i]
	}
	out := make([][]int, targets)
	for t := range out {
		for p, a := range activity {
			if r.Float64() < exposure*a/sum {
				out[t] = append(out[t], p)
			}
		}
	}
	return out
}

func named(lists [][]int) [][]Supporter {
	out := make([][]Supporter, len(lists))
	for i, l := range lists {
		out[i] = supporters(0, l...)
	}
	return out
}

// with50Pushes has parties 1000 to 1009 support 50 targets of their own, each
// with two of them missing, in turn.
func with50Pushes(lists [][]int) [][]int {
	for i := range 50 {
		var ring []int
		for k := range 10 {
			if k != i%10 && k != (i+3)%10 {
				ring = append(ring, 1000+k)
			}
		}
		lists = append(lists, ring)
	}
	return lists
}

func TestARingIsOnePartyAndTheHonestStayApart(t *testing.T) {
	m := newModel(t)
	for _, exposure := range []float64{2, 5} {
		for seed := range uint64(5) {
			t.Run(fmt.Sprintf("exposure %v, seed %d", exposure, seed), func(t *testing.T) {
				world := honest(rand.New(rand.NewPCG(seed, 7)), 200, 600, exposure)
				if got := groupsOf(m, named(world)); len(got) != 0 {
					t.Errorf("honest parties are merged: %v", got)
				}
				got := groupsOf(m, named(with50Pushes(world)))
				if len(got) != 1 || len(got[0].Members) != 10 || got[0].Representative != numbered(1000) || len(got[0].Pairs) != 9 {
					t.Errorf("a ring of ten became %v", got)
				}
			})
		}
	}
}

func TestOpinionsThatSupport(t *testing.T) {
	m := newModel(t)
	timid := judged(VerdictConfirmed)
	timid.ConfidenceMilli = 400
	for _, c := range []struct {
		name   string
		author bool
		age    int32
		said   []Record
		want   bool
	}{
		{"real success", false, 0, []Record{realSuccess}, true},
		{"confirmation", false, 0, []Record{judged(VerdictConfirmed)}, true},
		{"one of low confidence has too little mass", false, 0, []Record{timid}, false},
		{"an old one too", false, 36, []Record{judged(VerdictConfirmed)}, false},
		{"partial success is mixed", false, 0, []Record{realPartial}, false},
		{"mostly correct", false, 0, []Record{judged(VerdictMostlyCorrect)}, true},
		{"failure", false, 0, []Record{realFailure}, false},
		{"two of three", false, 0, []Record{realSuccess, realSuccess, realFailure}, true},
		{"a statement", false, 0, []Record{assertion}, false},
		{"own work", true, 0, []Record{realSuccess}, false},
		{"nothing", false, 0, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := partyOf(m, Weights{}, c.age, c.said...)
			p.Author = c.author
			if got := m.Supports(&p, KindContent, asOf); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// BenchmarkIndependence has a million supports of 20,000 parties, in targets of
// the given numbers of supporters: of anybody, or of bands that always act
// together, which makes two million pairs in lockstep.
func BenchmarkIndependence(b *testing.B) {
	m := newModel(b)
	for _, c := range []struct {
		name       string
		supporters int
		party      func(r *rand.Rand, target, i int) int
	}{
		{"supporters=10", 10, func(r *rand.Rand, _, _ int) int { return r.IntN(20_000) }},
		{"supporters=200", 200, func(r *rand.Rand, _, _ int) int { return r.IntN(20_000) }},
		{"bands=100", 200, func(_ *rand.Rand, target, i int) int { return target%100*200 + i }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := rand.New(rand.NewPCG(1, 1))
				x := m.NewIndependence()
				who := make([]Supporter, c.supporters)
				for target := range 1_000_000 / c.supporters {
					for i := range who {
						who[i].Key = numbered(c.party(r, target, i))
					}
					x.Add(who)
				}
				x.Groups()
			}
		})
	}
}
