package demo

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/trustmodel"
)

func TestAPartialSuccessCountsAsInTheTrustModel(t *testing.T) {
	require.InDelta(t, trustmodel.V1().Strength.PartialOutcome, outcome(partial), 0)
}

func TestASeedMakesTheSameWorld(t *testing.T) {
	opts := cmp.AllowUnexported(dataset{}, actor{}, publication{}, item{}, report{})
	require.Empty(t, cmp.Diff(world(3), world(3), opts))
	require.NotEmpty(t, cmp.Diff(world(3), world(4), opts))
}

func TestTheWorldIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := world(rapid.Int64().Draw(t, "seed"))
		parties, agents := 0, map[int]int{}
		names := map[string]bool{}
		for _, a := range d.actors {
			if names[a.name] {
				t.Fatalf("two actors are named %s", a.name)
			}
			names[a.name] = true
			if a.controller < 0 {
				parties++
			} else {
				agents[a.controller]++
			}
		}
		if parties != worldHonest+worldPromoters+worldAuthors {
			t.Fatalf("%d parties", parties)
		}
		keys := map[string]bool{}
		for _, r := range d.reports {
			if keys[r.key] {
				t.Fatalf("two reports have the key %s", r.key)
			}
			keys[r.key] = true
		}
		low := 0
		for _, it := range d.items {
			if it.truth < 0 || it.truth > 1 || !it.known {
				t.Fatalf("item %+v", it)
			}
			if it.truth < .5 {
				low++
			}
		}
		if len(d.items) < 40 || low < len(bad()) || low > len(d.items)/2 {
			t.Fatalf("%d items, %d of them bad", len(d.items), low)
		}
	})
}

func TestALimitIsSharedEvenlyAndSpentInFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 100), 1, 8).Draw(t, "sizes")
		limit := rapid.IntRange(0, 500).Draw(t, "limit")
		all, spent, largest := 0, 0, 0
		got := share(limit, sizes)
		for i, n := range got {
			all, spent, largest = all+sizes[i], spent+n, max(largest, n)
		}
		if spent != min(limit, all) {
			t.Fatalf("%d of %d spent: %v", spent, min(limit, all), got)
		}
		for i, n := range got {
			if n > sizes[i] || n < sizes[i] && n < largest-1 {
				t.Fatalf("%v of %v", got, sizes)
			}
		}
	})
}

func TestAReportCountsTheControllerAsActing(t *testing.T) {
	d := &dataset{
		actors:       []actor{{"author", -1}, {"party", -1}, {"agent", 1}, {"idle", -1}},
		publications: []publication{{author: 0}, {author: 3}},
		items:        []item{{pub: 0, claim: -1}, {pub: 1, claim: -1}},
		reports:      []report{{actor: 2, item: 0}},
	}
	items, publications, actors := d.used()
	require.Equal(t, []bool{true, false}, items)
	require.Equal(t, []bool{true, false}, publications)
	require.Equal(t, []bool{true, true, true, false}, actors)
}
