package simulate

import (
	"math"
	"testing"
)

func TestSimpleRulesByHand(t *testing.T) {
	many := opinion{positive: 9, total: 10}
	none := opinion{party: 1, positive: 0, total: 2}
	for name, c := range map[string]struct {
		opinions []opinion
		want     Simple
	}{
		"nothing":                  {nil, Simple{Majority: .5, Parties: .5, Bayes: .6, Additive: .5}},
		"one party of ten reports": {[]opinion{many}, Simple{Majority: .9, Wilson: .5958, Bayes: .8, Parties: .9, Additive: 1}},
		"two that disagree":        {[]opinion{many, none}, Simple{Majority: .75, Wilson: .4677, Bayes: 12.0 / 17, Parties: .45, Additive: .95}},
		"only failures":            {[]opinion{none}, Simple{Majority: 0, Wilson: 0, Bayes: 3.0 / 7, Parties: 0, Additive: .2}},
	} {
		t.Run(name, func(t *testing.T) {
			got := simple(&target{opinions: c.opinions}, .6)
			for _, f := range [][2]float64{
				{got.Majority, c.want.Majority},
				{got.Wilson, c.want.Wilson},
				{got.Bayes, c.want.Bayes},
				{got.Parties, c.want.Parties},
				{got.Additive, c.want.Additive},
			} {
				if math.Abs(f[0]-f[1]) > 1e-4 {
					t.Fatalf("got %+v, want %+v", got, c.want)
				}
			}
		})
	}
}

func TestPrecisionRanksByBoundThenByValue(t *testing.T) {
	var targets []ranked
	for i := range 200 { // The first half are hits; the tie in the bound is broken by the value.
		r := ranked{truth: .9, by: [2]float64{.5, 1}}
		if i%2 == 1 {
			r = ranked{truth: .3, by: [2]float64{.5, 0}}
		}
		targets = append(targets, r)
	}
	if p := precision(targets); p != (Precision{At20: 1, At50: 1, At100: 1}) {
		t.Errorf("got %+v", p)
	}
	for i := range targets {
		targets[i].by[0] = 1 - targets[i].truth // now the misses come first
	}
	if p := precision(targets); p != (Precision{At100: 0}) {
		t.Errorf("got %+v", p)
	}
	if p := precision(nil); p != (Precision{}) {
		t.Errorf("of nothing: %+v", p)
	}
}
