package trustmodel

import (
	"math"
	"testing"
)

func TestCarryIsScaledAsAWhole(t *testing.T) {
	m := newModel(t)
	inf, nan := math.Inf(1), math.NaN()
	for name, c := range map[string]struct{ given, want Carry }{
		"nothing":                        {Carry{}, Carry{}},
		"under the cap":                  {Carry{1.2, .3}, Carry{1.2, .3}},
		"at the cap":                     {Carry{1.5, .5}, Carry{1.5, .5}},
		"over the cap, in proportion":    {Carry{6, 2}, Carry{1.5, .5}},
		"one side only":                  {Carry{0, 9}, Carry{0, 2}},
		"a negative side counts nothing": {Carry{-5, 1}, Carry{0, 1}},
		"no numbers count nothing":       {Carry{nan, nan}, Carry{}},
		"without bounds on both sides":   {Carry{inf, inf}, Carry{1, 1}},
		"without bounds on one side":     {Carry{inf, 0}, Carry{2, 0}},
	} {
		s := m.Compute(Input{Carry: c.given})
		if got := (Carry{s.Totals.CarryPlus, s.Totals.CarryMinus}); got != c.want {
			t.Errorf("%s: carried %+v, want %+v", name, got, c.want)
		}
		if want := .5 + c.want.Plus; s.Alpha != want {
			t.Errorf("%s: alpha %v, want %v", name, s.Alpha, want)
		}
	}
}

// TestCarryAloneEarnsNoStatus checks that a revision which nobody has tried stays
// unverified whatever its predecessor had.
func TestCarryAloneEarnsNoStatus(t *testing.T) {
	m := newModel(t)
	for name, carry := range map[string]Carry{"good": {2, 0}, "bad": {0, 2}, "both": {1, 1}} {
		s := m.Compute(Input{Carry: carry})
		if s.RawStatus != Unverified || s.Confirmations+s.Contradictions+s.Parties != 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
