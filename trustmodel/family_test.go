package trustmodel

import (
	"strconv"
	"testing"
)

// citing makes n parties of full weight or another that have judged the target
// unseen, each by a source of one family.
func citing(m *Model, n int, w Weights, family string, v Verdict) []Party {
	parties := crowd(m, n, w, judged(v))
	for i := range parties {
		parties[i].Bins[0].Family = family
	}
	return parties
}

// TestReviewsOfOneSourceAreTwoPartiesTogether: at full confidence a review alone
// is half a party, so four of one source are heard in full and no more are.
func TestReviewsOfOneSourceAreTwoPartiesTogether(t *testing.T) {
	m := newModel(t)
	const a, b = "a.example", "b.example"
	used := partyOf(m, proven, 0, realSuccess)
	used.Bins[0].Family = "" // Use rests on no source.
	grounded := crowd(m, 9, proven, groundedReview(VerdictConfirmed, 1000))
	for name, c := range map[string]struct {
		parties     []Party
		plus, minus float64 // of R, parties
		capped      int
	}{
		"three of one source":               {citing(m, 3, proven, a, VerdictConfirmed), 1.5, 0, 0},
		"four are at the cap":               {citing(m, 4, proven, a, VerdictConfirmed), 2, 0, 0},
		"five are not heard more":           {citing(m, 5, proven, a, VerdictConfirmed), 2, 0, 1},
		"nor are five hundred":              {citing(m, 500, proven, a, VerdictConfirmed), 2, 0, 1},
		"each source has a cap of its own":  {join(citing(m, 9, proven, a, VerdictConfirmed), citing(m, 9, proven, b, VerdictConfirmed)), 4, 0, 2},
		"those without a source have none":  {citing(m, 9, proven, "", VerdictConfirmed), 4.5, 0, 0},
		"both sides are scaled as one":      {join(citing(m, 6, proven, a, VerdictConfirmed), citing(m, 2, proven, a, VerdictFalse)), 1.5, .5, 1},
		"use and what rests on it has none": {join([]Party{used}, grounded), 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := content(m, c.parties...).Totals
			near(t, "R+", fromNano(got.RPlus), c.plus, 4e-9)
			near(t, "R-", fromNano(got.RMinus), c.minus, 4e-9)
			if got.CappedFamilies != c.capped {
				t.Errorf("%d families capped, want %d", got.CappedFamilies, c.capped)
			}
		})
	}
}

// TestNewcomersTakeNoRoomOfASource: what newcomers say by a source leaves the
// established their two parties by the same source, whatever their number.
func TestNewcomersTakeNoRoomOfASource(t *testing.T) {
	m := newModel(t)
	email := m.IdentityWeights(Identity{Email: true})
	established := citing(m, 4, proven, "a.example", VerdictConfirmed)
	for newcomers, want := range map[int]float64{0: 0, 4: 4 * .35, 100: 2, 1000: 2} {
		t.Run(strconv.Itoa(newcomers), func(t *testing.T) {
			got := content(m, join(established, citing(m, newcomers, email, "a.example", VerdictFalse))...).Totals
			near(t, "R+", fromNano(got.RPlus), 2, 4e-9)
			near(t, "U-", fromNano(got.UMinus), want, 4e-9)
		})
	}
}

// TestWhoUsesATargetLeavesItsRoomAmongUnseenJudges shows the one way in which a
// success may lower a value: eight have used the target, a party of nine agents
// has confirmed it unseen, others have called it false unseen. Then that party
// uses it: the room that its reviews had under the cap goes to the others.
func TestWhoUsesATargetLeavesItsRoomAmongUnseenJudges(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct {
		others []Party
		agents int
		change float64
	}{
		"one review leaves little room":       {citing(m, 4, proven, "", VerdictFalse), 1, .003766},
		"nine agents leave nearly a party's":  {citing(m, 4, proven, "", VerdictFalse), 9, -.004587},
		"more under the cap of one source":    {citing(m, 4, proven, "a.example", VerdictFalse), 9, -.022222},
		"not where the others confirm it too": {citing(m, 4, proven, "a.example", VerdictConfirmed), 9, .004065},
	} {
		t.Run(name, func(t *testing.T) {
			p := partyOf(m, proven, 0, repeat(judged(VerdictConfirmed), c.agents)...)
			p.Bins[0].Family = c.others[0].Bins[0].Family
			in := Input{AsOfBin: asOf, Parties: join(crowd(m, 8, proven, realSuccess), c.others, []Party{p})}
			before, after := m.Compute(in), m.Compute(withRecord(in, len(in.Parties)-1, m.Sums(realSuccess)))
			near(t, "the change of the value", after.Value-before.Value, c.change, 2e-6)
		})
	}
}
