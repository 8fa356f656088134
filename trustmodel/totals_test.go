package trustmodel

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestCarryIsScaledAsAWhole(t *testing.T) {
	m := newModel(t)
	inf, nan := math.Inf(1), math.NaN()
	for name, c := range map[string]struct{ given, want Carry }{
		"nothing":                        {Carry{}, Carry{}},
		"under the cap":                  {Carry{Plus: 1.2, Minus: .3}, Carry{Plus: 1.2, Minus: .3}},
		"at the cap":                     {Carry{Plus: 1.5, Minus: .5}, Carry{Plus: 1.5, Minus: .5}},
		"over the cap, in proportion":    {Carry{Plus: 6, Minus: 2}, Carry{Plus: 1.5, Minus: .5}},
		"one side only":                  {Carry{Plus: 0, Minus: 9}, Carry{Plus: 0, Minus: 2}},
		"a negative side counts nothing": {Carry{Plus: -5, Minus: 1}, Carry{Plus: 0, Minus: 1}},
		"no numbers count nothing":       {Carry{Plus: nan, Minus: nan}, Carry{}},
		"without bounds on both sides":   {Carry{Plus: inf, Minus: inf}, Carry{Plus: 1, Minus: 1}},
		"without bounds on one side":     {Carry{Plus: inf, Minus: 0}, Carry{Plus: 2, Minus: 0}},
	} {
		s := m.Compute(Input{Carry: c.given})
		if got := (Carry{Plus: s.Totals.CarryPlus, Minus: s.Totals.CarryMinus}); got != c.want {
			t.Errorf("%s: carried %+v, want %+v", name, got, c.want)
		}
		if want := .5 + c.want.Plus; s.Alpha != want {
			t.Errorf("%s: alpha %v, want %v", name, s.Alpha, want)
		}
	}
}

func TestNanosAreRoundedHalvesAwayFromZero(t *testing.T) {
	for v, want := range map[float64]int64{
		0: 0, .4e-9: 0, .6e-9: 1, -.4e-9: 0, -.6e-9: -1, 1: nano, -1: -nano, .25: nano / 4, 2. / 3: 666_666_667, -2. / 3: -666_666_667, 1e9: nano * nano,
	} {
		if got := toNano(v); got != want {
			t.Errorf("%v: %d, want %d", v, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e6, 1e6).Draw(t, "parties")
		if half := rapid.Int64Range(-1e12, 1e12).Draw(t, "halves"); rapid.Bool().Draw(t, "a half") {
			v = float64(half) / 2 / nano
		}
		if got, want := toNano(v), int64(math.Round(v*nano)); got != want {
			t.Fatalf("%v: %d, want %d", v, got, want)
		}
	})
}

// TestCarryAloneEarnsNoStatus checks that a revision which nobody has tried stays
// unverified whatever its predecessor had.
func TestCarryAloneEarnsNoStatus(t *testing.T) {
	m := newModel(t)
	for name, carry := range map[string]Carry{
		"good": {Plus: 2, Identity: 9, RealWorld: 9}, "bad": {Minus: 2, Identity: 9}, "both": {Plus: 1, Minus: 1, Identity: 9},
	} {
		s := m.Compute(Input{Carry: carry})
		if s.RawStatus != Unverified || s.Confirmations+s.Contradictions+s.Parties != 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
