package retrieval_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/evidence/retrieval"
)

func id(n int) (out [16]byte) {
	binary.BigEndian.PutUint64(out[8:], uint64(n))
	return out
}

// plain is a ranking by the default weights without exploration.
func plain() retrieval.Ranking {
	return retrieval.Ranking{Sort: retrieval.SortRank, TrustWeight: .5, Limit: 10, FirstPage: true, HasQuery: true, SumIDF: 10}
}

// item is a supported content item of its own author.
func item(n int, rel, lower float64) retrieval.Candidate {
	return retrieval.Candidate{
		Doc: int64(n), Kind: "content", ID: id(n), Status: "supported", Rel: rel, Lower: lower, Upper: math.Min(1, lower+.3),
		Parties: 6, Author: id(1_000 + n),
	}
}

// order are the documents of an order.
func order(r retrieval.Ranking, candidates []retrieval.Candidate) []int {
	var out []int
	for _, ranked := range r.Order(candidates) {
		out = append(out, int(candidates[ranked.Index].Doc))
	}
	return out
}

func TestScores(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*retrieval.Candidate)
		want   float64
	}{
		"no trust halves":              {func(c *retrieval.Candidate) { c.Lower = 0 }, .5},
		"full trust keeps":             {func(c *retrieval.Candidate) { c.Lower = 1 }, 1},
		"unverified":                   {func(c *retrieval.Candidate) { c.Status, c.Lower = "unverified", 1 }, 1},
		"high confidence":              {func(c *retrieval.Candidate) { c.Status, c.Lower = "high_confidence", 1 }, 1},
		"disputed":                     {func(c *retrieval.Candidate) { c.Status, c.Lower = "disputed", 1 }, .8},
		"outdated":                     {func(c *retrieval.Candidate) { c.Status, c.Lower = "outdated", 1 }, .6},
		"superseded":                   {func(c *retrieval.Candidate) { c.Status, c.Lower, c.Successor = "superseded", 1, id(77) }, .5},
		"superseded by another result": {func(c *retrieval.Candidate) { c.Status, c.Lower, c.Successor = "superseded", 1, id(2) }, .3},
		"incorrect":                    {func(c *retrieval.Candidate) { c.Status, c.Lower = "incorrect", 1 }, .25},
		"all facets":                   {func(c *retrieval.Candidate) { c.Lower, c.ContextAsked, c.ContextMatched = 1, 2, 2 }, 1.15},
		"half of the facets":           {func(c *retrieval.Candidate) { c.Lower, c.ContextAsked, c.ContextMatched = 1, 2, 1 }, 1.075},
		"other facets": {func(c *retrieval.Candidate) {
			c.Lower, c.ContextAsked, c.ContextDiffers = 1, 2, 2
		}, .49},
		"an exact title": {func(c *retrieval.Candidate) { c.Lower, c.Exact = 1, true }, 6},
		"a boost":        {func(c *retrieval.Candidate) { c.Lower, c.Boost = 1, 1.5 }, 1.5},
		"no number":      {func(c *retrieval.Candidate) { c.Rel = math.NaN() }, 0},
		"infinite":       {func(c *retrieval.Candidate) { c.Rel = math.Inf(1) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			candidates := []retrieval.Candidate{item(1, 1, .5), item(2, 1, .5)}
			c.change(&candidates[0])
			for _, ranked := range plain().Order(candidates) {
				if ranked.Index == 0 {
					require.InDelta(t, c.want, ranked.Score, 1e-12)
				}
			}
		})
	}
}

func TestSorts(t *testing.T) {
	t.Parallel()
	candidates := []retrieval.Candidate{item(1, 1, .1), item(2, .5, .9), item(3, .2, 1), item(4, .9, .1), item(5, .4, .9)}
	for i, at := range []int64{10, 20, 99, 50, 20} {
		candidates[i].UpdatedAt = at
	}
	candidates[4].Parties = 7
	for name, c := range map[string]struct {
		ranking retrieval.Ranking
		want    []int
	}{
		"by rank":                 {plain(), []int{1, 4, 2, 5, 3}},
		"by trust, then parties":  {retrieval.Ranking{Sort: retrieval.SortTrust, HasQuery: true}, []int{5, 2, 4, 1}},
		"by time, then ID":        {retrieval.Ranking{Sort: retrieval.SortRecent, HasQuery: true}, []int{4, 5, 2, 1}},
		"by time without a query": {retrieval.Ranking{Sort: retrieval.SortRecent}, []int{3, 4, 5, 2, 1}},
		"by rank without a query": {retrieval.Ranking{TrustWeight: .5}, []int{3, 5, 2, 4, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, order(c.ranking, candidates))
		})
	}
}

func TestClaimsFallBehindTheItemThatStatesThem(t *testing.T) {
	t.Parallel()
	claim := func(n, near int, rel float64) retrieval.Candidate {
		c := item(n, rel, .5)
		c.Kind, c.Near = "claim", id(near)
		return c
	}
	require.Equal(t, []int{1, 3, 2}, order(plain(), []retrieval.Candidate{item(1, 1, .5), claim(2, 1, .9), item(3, .6, .5)}))
	require.Equal(t, []int{2, 1, 3}, order(plain(), []retrieval.Candidate{item(1, .8, .5), claim(2, 1, .9), item(3, .6, .5)}), "the claim is the better answer")
	require.Equal(t, []int{1, 2, 3}, order(plain(), []retrieval.Candidate{item(1, 1, .5), claim(2, 9, .9), item(3, .6, .5)}), "the item is no candidate")
}

func TestUntriedItemsGetAChance(t *testing.T) {
	t.Parallel()
	untried := func(n int, rel float64) retrieval.Candidate {
		c := item(n, rel, .1)
		c.Status, c.Parties, c.Upper = "unverified", 0, .9
		return c
	}
	exploring := plain()
	exploring.ExploreSlots = 1
	candidates := []retrieval.Candidate{item(1, 1, .9), item(2, 1, .8), item(3, 1, .7), item(4, 1, .6), item(5, 1, .5), untried(6, .9)}
	for name, c := range map[string]struct {
		ranking func(*retrieval.Ranking)
		item    func(*retrieval.Candidate)
		at      int // the place of the untried item, from 1
	}{
		"at rank 3":                     {nil, nil, 3},
		"not when turned off":           {func(r *retrieval.Ranking) { r.ExploreSlots = 0 }, nil, 6},
		"not on later pages":            {func(r *retrieval.Ranking) { r.FirstPage = false }, nil, 6},
		"not on short pages":            {func(r *retrieval.Ranking) { r.Limit = 4 }, nil, 6},
		"not above unverified":          {func(r *retrieval.Ranking) { r.MinStatusAboveUnverified = true }, nil, 6},
		"not by trust":                  {func(r *retrieval.Ranking) { r.Sort = retrieval.SortTrust }, nil, 6},
		"not what is known":             {nil, func(c *retrieval.Candidate) { c.Status = "supported" }, 6},
		"not what five parties tried":   {nil, func(c *retrieval.Candidate) { c.Parties = 5 }, 6},
		"not of a limited author":       {nil, func(c *retrieval.Candidate) { c.Limited = true }, 6},
		"not what is hardly relevant":   {nil, func(c *retrieval.Candidate) { c.Rel = .59 }, 6},
		"what is just relevant enough":  {nil, func(c *retrieval.Candidate) { c.Rel = .6 }, 3},
		"two slots are no second place": {func(r *retrieval.Ranking) { r.ExploreSlots = 2 }, nil, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, ranking := slices.Clone(candidates), exploring
			if c.ranking != nil {
				c.ranking(&ranking)
			}
			if c.item != nil {
				c.item(&list[5])
			}
			for i, ranked := range ranking.Order(list) {
				require.Equal(t, ranked.Index == 5 && c.at == 3, ranked.Explore)
				if ranked.Index == 5 {
					require.Equal(t, c.at, i+1)
				}
			}
		})
	}
}

func TestExplorationRotatesOverDaysAndQueries(t *testing.T) {
	t.Parallel()
	var candidates []retrieval.Candidate
	for n := range 20 {
		c := item(n+1, 1-float64(n)/1_000, .1)
		c.Status, c.Parties, c.Upper = "unverified", 0, .9
		candidates = append(candidates, c)
	}
	chosen := func(day int64, fingerprint uint64) int {
		r := plain()
		r.ExploreSlots, r.Day, r.Fingerprint = 1, day, fingerprint
		ranked := r.Order(candidates)
		require.True(t, ranked[2].Explore)
		return ranked[2].Index
	}
	days, queries := map[int]bool{}, map[int]bool{}
	for i := range 60 {
		first := chosen(int64(i), 7)
		require.Equal(t, first, chosen(int64(i), 7), "the same all day")
		days[first], queries[chosen(7, uint64(i))] = true, true
	}
	require.Greater(t, len(days), 10)
	require.Greater(t, len(queries), 10)
}

// drawn is a list of candidates with few distinct values, so that there are ties.
func drawn(t *rapid.T) []retrieval.Candidate {
	n := rapid.IntRange(0, 40).Draw(t, "n")
	list := make([]retrieval.Candidate, n)
	for i := range list {
		of := func(name string, low, high int) int {
			return rapid.IntRange(low, high).Draw(t, fmt.Sprintf("%s %d", name, i))
		}
		c := item(i+1, float64(of("rel", 1, 10))/10, float64(of("lower", 0, 4))/4)
		c.Status = []string{"unverified", "supported", "disputed", "outdated", "superseded", "incorrect"}[of("status", 0, 5)]
		c.Kind = []string{"content", "claim", "entity"}[of("kind", 0, 2)]
		c.Parties, c.UpdatedAt = of("parties", 0, 6), int64(of("updated", 0, 3))
		c.Author = id(of("author", 0, 4))
		if c.Kind == "claim" {
			c.Near = id(of("near", 0, n))
		}
		c.Limited, c.Exact = of("limited", 0, 4) == 0, of("exact", 0, 9) == 0
		list[i] = c
	}
	return list
}

func drawnRanking(t *rapid.T) retrieval.Ranking {
	return retrieval.Ranking{
		Sort: rapid.SampledFrom([]string{"rank", "trust", "recent", ""}).Draw(t, "sort"), TrustWeight: rapid.Float64Range(0, .7).Draw(t, "weight"),
		ExploreSlots: rapid.IntRange(0, 3).Draw(t, "slots"), Limit: rapid.IntRange(1, 50).Draw(t, "limit"), FirstPage: rapid.Bool().Draw(t, "first"),
		MinStatusAboveUnverified: rapid.IntRange(0, 3).Draw(t, "min") == 0, Fingerprint: rapid.Uint64().Draw(t, "fingerprint"),
		Day: rapid.Int64Range(0, 9).Draw(t, "day"), SumIDF: rapid.Float64Range(0, 20).Draw(t, "sum"), HasQuery: rapid.IntRange(0, 5).Draw(t, "query") > 0,
	}
}

func TestOrderIsTotalAndDependsOnNothingElse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list, r := drawn(t), drawnRanking(t)
		shuffled := rapid.Permutation(list).Draw(t, "permutation")
		docs := order(r, list)
		require.Equal(t, docs, order(r, shuffled))
		n := len(docs)
		slices.Sort(docs)
		require.Len(t, slices.Compact(docs), n, "each once")
		if r.Sort == "rank" || r.Sort == "" || !r.HasQuery {
			require.Len(t, docs, len(list), "nothing is dropped")
		}
	})
}

func TestExplorationKeepsToItsPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list, r := drawn(t), drawnRanking(t)
		seen, authors := 0, map[[16]byte]bool{}
		for i, ranked := range r.Order(list) {
			if !ranked.Explore {
				continue
			}
			c := list[ranked.Index]
			seen++
			require.Equal(t, 2, i%10, "ranks 3, 13, 23")
			require.Equal(t, "unverified", c.Status)
			require.False(t, c.Limited || authors[c.Author], "one of each controller")
			authors[c.Author] = c.Author != [16]byte{}
			require.True(t, (r.Sort == "rank" || r.Sort == "") && r.FirstPage && r.Limit >= 5 && i < r.Limit && !r.MinStatusAboveUnverified)
		}
		require.LessOrEqual(t, seen, r.ExploreSlots)
	})
}

func TestOneControllerHasThreeOfTheFirstTen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list, r := drawn(t), drawnRanking(t)
		r.Sort = "rank"
		ranked := r.Order(list)
		of, room := map[[16]byte]int{}, map[[16]byte]int{}
		for _, c := range list {
			room[c.Author]++
		}
		possible := 0 // how many places can be filled under the cap
		for author, n := range room {
			if author != [16]byte{} {
				n = min(n, 3)
			}
			possible += n
		}
		for _, place := range ranked[:min(len(ranked), 10, possible)] {
			author := list[place.Index].Author
			of[author]++
			require.True(t, author == [16]byte{} || of[author] <= 3, "the cap holds while there are others")
		}
	})
}

func TestMoreTrustOrRelevanceNeverScoresLess(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawnRanking(t)
		r.Sort, r.TrustWeight, r.HasQuery = "rank", .5, true
		score := func(c retrieval.Candidate) float64 { return r.Order([]retrieval.Candidate{c})[0].Score }
		rel, more := rapid.Float64Range(0, 10).Draw(t, "rel"), rapid.Float64Range(0, 10).Draw(t, "more")
		lower, higher := rapid.Float64Range(0, 1).Draw(t, "lower"), rapid.Float64Range(0, 1).Draw(t, "higher")
		c := item(1, rel, lower)
		better := item(1, rel+more, math.Max(lower, higher))
		require.GreaterOrEqual(t, score(better), score(c))
		require.LessOrEqual(t, score(item(1, rel, 1)), 2*score(item(1, rel, 0))+1e-12, "trust at most doubles")
	})
}
