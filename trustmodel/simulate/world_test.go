package simulate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"interai/trustmodel"
)

func newModel(tb testing.TB) *trustmodel.Model {
	tb.Helper()
	m, err := trustmodel.NewModel(trustmodel.V1())
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// small is a world of 60 parties and 80 targets.
func small(exposure float64) setting {
	s := standard(exposure)
	s.parties, s.targets = 60, 80
	return s
}

func TestAWorldIsItsSeed(t *testing.T) {
	m := newModel(t)
	same := func(a, b *world) bool {
		return slices.Equal(a.parties, b.parties) && slices.EqualFunc(a.targets, b.targets, func(x, y target) bool {
			return x.author == y.author && x.truth == y.truth && slices.EqualFunc(x.opinions, y.opinions, func(p, q opinion) bool {
				return p.party == q.party && p.positive == q.positive && p.total == q.total && slices.Equal(p.bins, q.bins)
			})
		})
	}
	if !same(newWorld(m, small(5), 3), newWorld(m, small(5), 3)) {
		t.Error("one seed makes two worlds")
	}
	if same(newWorld(m, small(5), 3), newWorld(m, small(5), 4)) {
		t.Error("two seeds make one world")
	}
}

func TestNobodyTriesTheirOwnTargetOrTriesTwice(t *testing.T) {
	w := newWorld(newModel(t), small(10), 1)
	for i := range w.targets {
		seen := map[int]bool{w.targets[i].author: true}
		for _, o := range w.targets[i].opinions {
			if seen[o.party] {
				t.Fatalf("target %d: party %d twice, or the author", i, o.party)
			}
			seen[o.party] = true
			if o.total < 1 || o.positive < 0 || o.positive > o.total || len(o.bins) == 0 {
				t.Fatalf("target %d: opinion %+v", i, o)
			}
		}
	}
}

// TestTheStandardWorldIsAsStated checks what documentation says of it.
func TestTheStandardWorldIsAsStated(t *testing.T) {
	m := newModel(t)
	tried, good, optimists, domains, agents, n := 0.0, 0.0, 0.0, 0.0, 0, 0.0
	const worlds = 4
	for seed := range worlds {
		w := newWorld(m, standard(5), 100+seed)
		for i := range w.targets {
			tried += float64(len(w.targets[i].opinions))
			if w.targets[i].truth >= goodTruth {
				good++
			}
		}
		for _, p := range w.parties {
			n++
			agents = max(agents, p.agents)
			if p.optimist {
				optimists++
			}
			if p.identity.Domain {
				domains++
			}
		}
	}
	for name, c := range map[string]struct{ got, want, tolerance float64 }{
		"parties that try a target":   {tried / (worlds * 600), 5, .5},
		"good targets":                {good / (worlds * 600), .65, .04},
		"always-positive parties":     {optimists / n, .10, .04},
		"domain-verified parties":     {domains / n, .60, .05},
		"agents of the largest party": {float64(agents), 120, 80},
	} {
		if math.Abs(c.got-c.want) > c.tolerance {
			t.Errorf("%s: %.3f, want %.3f", name, c.got, c.want)
		}
	}
}

func TestPickTakesDifferentIndexesOfPositiveWeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.SampledFrom([]float64{0, .1, 1, 50}), 0, 30).Draw(t, "weights")
		n := rapid.IntRange(0, 40).Draw(t, "n")
		picked := newDraw(rapid.IntRange(0, 1000).Draw(t, "seed"), 1).pick(n, weights)
		able := 0
		for _, w := range weights {
			if w > 0 {
				able++
			}
		}
		if len(picked) != min(n, able) {
			t.Fatalf("%d picked of %d, wanted %d", len(picked), able, n)
		}
		seen := map[int]bool{}
		for _, i := range picked {
			if seen[i] || weights[i] <= 0 {
				t.Fatalf("picked %v of %v", picked, weights)
			}
			seen[i] = true
		}
	})
}

func TestPickPrefersWeight(t *testing.T) {
	d := newDraw(1, 1)
	heavy := 0
	for range 3000 {
		if d.pick(1, []float64{1, 3})[0] == 1 {
			heavy++
		}
	}
	if share := float64(heavy) / 3000; math.Abs(share-.75) > .03 {
		t.Errorf("weight 3 of 4 is picked %.3f of the time", share)
	}
}
