package trustmodel

import (
	"math"
	"testing"
)

// TestIdentityAloneGivesTheWeights: a weight is full at the odds that are assumed
// of anyone, so a party without a record weighs its whole distinctness.
func TestIdentityAloneGivesTheWeights(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct {
		identity Identity
		v, w     float64
	}{
		"nothing verified":            {Identity{}, .3, .3},
		"e-mail":                      {Identity{Email: true}, .7, .7},
		"domain":                      {Identity{Domain: true}, 1, 1},
		"vouched for":                 {Identity{Vouched: true}, 1, 1},
		"everything is still one":     {Identity{Email: true, Domain: true, Vouched: true}, 1, 1},
		"e-mail adds none to vouched": {Identity{Email: true, Vouched: true}, 1, 1},
	} {
		got := m.IdentityWeights(c.identity)
		if got.V != c.v || math.Abs(got.Plus-c.w) > 1e-12 || got.Plus != got.Minus {
			t.Errorf("%s: %+v, want v %v and w %v", name, got, c.v, c.w)
		}
	}
}

func TestWeightFloorAndFullWeight(t *testing.T) {
	for name, c := range map[string]struct {
		accuracy, odds, want float64
	}{
		"a coin weighs the floor":         {.5, 4, .02},
		"odds over the cap weigh in full": {.9, 4, 1},
		"odds of 2 weigh half of 4":       {2. / 3, 4, .5},
	} {
		p := V1()
		p.Identity.AccuracyPrior, p.Identity.OddsCap = c.accuracy, c.odds
		m, err := NewModel(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.IdentityWeights(Identity{Domain: true}).Plus; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestCreditsMakeDistinct: five net credits are half the way from what identity
// gives to one; fewer than none, or what is no number, are none.
func TestCreditsMakeDistinct(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct{ v0, credits, want float64 }{
		"none":                    {.3, 0, .3},
		"five":                    {.3, 5, .65},
		"fifteen":                 {.7, 15, .925},
		"without end":             {.3, math.Inf(1), 1},
		"fewer than none":         {.7, -3, .7},
		"no number":               {.7, math.NaN(), .7},
		"verified by itself":      {1, 0, 1},
		"less identity than none": {-1, 5, .5},
	} {
		if got := m.Weights(c.v0, Track{Credits: c.credits}).V; math.Abs(got-c.want) > 1e-7 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestWeightsOutOfRangeAreClamped checks that no weight a caller hands over can
// make a figure that is no number, or one party more than one.
func TestWeightsOutOfRangeAreClamped(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct{ given, same Weights }{
		"more than one":  {Weights{Identity: 3, V: 3, Plus: 7, Minus: math.Inf(1)}, proven},
		"less than none": {Weights{V: -1, Plus: -2, Minus: math.Inf(-1)}, Weights{}},
		"no numbers":     {Weights{V: math.NaN(), Plus: math.NaN(), Minus: math.NaN()}, Weights{}},
	} {
		got := content(m, partyOf(m, c.given, 0, realSuccess, realFailure))
		want := content(m, partyOf(m, c.same, 0, realSuccess, realFailure))
		if got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}
