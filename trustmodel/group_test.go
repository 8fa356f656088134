package trustmodel

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// smallWorlds are parameters under which small worlds have groups.
func smallWorlds(tb testing.TB) *Model {
	tb.Helper()
	p := V1()
	p.Independence.MinCommon, p.Independence.MaxSupporters = 2, 5
	m, err := NewModel(p)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func genSupport(t *rapid.T) [][]Supporter {
	verified := rapid.IntRange(0, 5).Draw(t, "verified")
	targets := make([][]Supporter, rapid.IntRange(1, 25).Draw(t, "targets"))
	for i := range targets {
		for n := range 10 {
			// Parties come in bands that like the same, more or less.
			if rapid.IntRange(0, 9).Draw(t, "mood") < map[bool]int{true: 7, false: 1}[(n+i)%3 == 0] {
				targets[i] = append(targets[i], supporters(verified, n)...)
			}
		}
	}
	return targets
}

// groupsReference merges as the design is read: all pairs at once, over sets.
func groupsReference(m *Model, targets [][]Supporter) []Group {
	p := m.Params().Independence
	sets, verified := map[PartyKey]map[int]bool{}, map[PartyKey]bool{}
	size := map[int]int{}
	for i, t := range targets {
		for _, s := range t {
			if sets[s.Key] == nil {
				sets[s.Key] = map[int]bool{}
			}
			sets[s.Key][i] = true
			verified[s.Key] = verified[s.Key] || s.Verified
		}
		size[i] = len(t)
	}
	idf := func(i int) int64 { return nanoLog(len(sets)) - nanoLog(size[i]) }
	all, own := int64(0), map[PartyKey]int64{}
	for i, n := range size {
		if n > 0 {
			all += idf(i)
		}
	}
	var keys []PartyKey
	for key, set := range sets {
		keys = append(keys, key)
		for i := range set {
			own[key] += idf(i)
		}
	}
	slices.SortFunc(keys, compareKeys)
	var pairs []GroupPair
	for i, a := range keys {
		for _, b := range keys[i+1:] {
			common, together := 0, int64(0)
			for t := range sets[a] {
				if sets[b][t] && size[t] <= p.MaxSupporters {
					common++
					together += idf(t)
				}
			}
			overlap := float64(together) / float64(min(own[a], own[b]))
			share := float64(max(own[a], own[b])) / float64(all)
			largest := float64(max(own[a], own[b]))
			if float64(together) <= p.Mutual*largest || overlap-share < p.BeyondChance*(1-share) {
				continue
			}
			if common >= p.MinCommon && (overlap >= p.Overlap || overlap >= p.WeakOverlap && overlap >= p.ActivityGain*share) {
				pairs = append(pairs, GroupPair{a, b, common, overlap})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b GroupPair) int { return cmp.Compare(b.Overlap, a.Overlap) })
	group := map[PartyKey]*Group{}
	for _, key := range keys {
		group[key] = &Group{Members: []PartyKey{key}}
	}
	isVerified := func(g *Group) bool {
		return slices.ContainsFunc(g.Members, func(k PartyKey) bool { return verified[k] })
	}
	for _, pair := range pairs {
		a, b := group[pair.A], group[pair.B]
		if a == b || isVerified(a) && isVerified(b) {
			continue
		}
		a.Members, a.Pairs = append(a.Members, b.Members...), append(a.Pairs, b.Pairs...)
		a.Pairs = append(a.Pairs, pair)
		for _, key := range b.Members {
			group[key] = a
		}
	}
	out := []Group{}
	for _, key := range keys {
		g := group[key]
		slices.SortFunc(g.Members, compareKeys)
		if len(g.Members) > 1 && g.Members[0] == key {
			g.Representative = key
			slices.SortFunc(g.Pairs, func(a, b GroupPair) int { return slices.Index(pairs, a) - slices.Index(pairs, b) })
			out = append(out, *g)
		}
	}
	return out
}

// TestGroupsEqualTheReference also draws the order of targets and supporters, and
// how many pairs are in memory at once: neither shows.
func TestGroupsEqualTheReference(t *testing.T) {
	m := smallWorlds(t)
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		targets := genSupport(t)
		want := groupsReference(m, targets)
		found += len(want)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := m.NewIndependence()
		x.maxEdges = rapid.IntRange(0, 8).Draw(t, "pairs in memory") - 8
		for _, i := range r.Perm(len(targets)) {
			who := slices.Clone(targets[i])
			r.Shuffle(len(who), func(i, j int) { who[i], who[j] = who[j], who[i] })
			again := slices.Clone(who[:len(who)/2]) // said twice, and not always known as verified
			for i := range again {
				again[i].Verified = false
			}
			who = append(who, again...)
			x.Add(who)
			clear(who)
			if r.IntN(5) == 0 {
				x.Groups()
			}
		}
		if got := x.Groups(); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
	if found == 0 {
		t.Error("no world had a group")
	}
}

func TestGroupsHoldTheirBounds(t *testing.T) {
	m := smallWorlds(t)
	rapid.Check(t, func(t *rapid.T) {
		targets := genSupport(t)
		verified, seen := map[PartyKey]bool{}, map[PartyKey]bool{}
		for _, target := range targets {
			for _, s := range target {
				verified[s.Key] = verified[s.Key] || s.Verified
			}
		}
		for _, g := range groupsOf(m, targets) {
			n := 0
			for _, key := range g.Members {
				if seen[key] {
					t.Fatalf("%x is in two groups", key)
				}
				seen[key] = true
				if verified[key] {
					n++
				}
			}
			if n > 1 || len(g.Members) < 2 || len(g.Pairs) != len(g.Members)-1 || !slices.IsSortedFunc(g.Members, compareKeys) || g.Representative != g.Members[0] {
				t.Fatalf("%d verified in %+v", n, g)
			}
			for _, p := range g.Pairs {
				if !(p.Overlap >= .5 && p.Overlap <= 1 && p.Common >= 2 && compareKeys(p.A, p.B) < 0) {
					t.Fatalf("%+v", p)
				}
			}
		}
	})
}
