package trustmodel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"
)

// TestWorkedValues holds the published examples of the model to the digits they
// are printed with.
func TestWorkedValues(t *testing.T) {
	m := newModel(t)
	id := identities(m)
	grounded := Record{Kind: RecordReview, Verdict: VerdictConfirmed, ConfidenceMilli: 1000, Grounded: true}
	operator := partyOf(m, id["email"], 0, repeat(realSuccess, 1000)...)
	for name, c := range map[string]struct {
		parties             []Party
		value, lower, upper float64
	}{
		"no evidence":                     {nil, .500, .006, .994},
		"1 real use":                      {crowd(m, 1, proven, realSuccess), .731, .193, .998},
		"3 real uses":                     {crowd(m, 3, proven, realSuccess), .852, .485, .999},
		"5 real uses":                     {crowd(m, 5, proven, realSuccess), .893, .614, 1},
		"12 confirm, 8 in real use, 1 no": {join(crowd(m, 8, proven, realSuccess), crowd(m, 4, proven, grounded), crowd(m, 1, proven, realFailure)), .864, .635, .990},
		"100 real uses":                   {crowd(m, 100, proven, realSuccess), .971, .891, 1},
		"100 real uses, 10 failures":      {join(crowd(m, 100, proven, realSuccess), crowd(m, 10, proven, realFailure)), .886, .744, .978},
		"100 ungrounded confirmations":    {crowd(m, 100, proven, judged(VerdictConfirmed)), .894, .617, 1},
		"3 real failures":                 {crowd(m, 3, proven, realFailure), .148, .001, .515},
		"one operator, 1000 agents":       {[]Party{operator}, .612, .047, .997},
		"1000 unverified controllers":     {crowd(m, 1000, id["none"], realSuccess), .664, .094, .997},
		"1000 e-mail controllers":         {crowd(m, 1000, id["email"], realSuccess), .664, .094, .997},
	} {
		t.Run(name, func(t *testing.T) {
			s := content(m, c.parties...)
			for _, f := range []struct {
				name      string
				got, want float64
			}{{"value", s.Value, c.value}, {"lower", s.Lower, c.lower}, {"upper", s.Upper, c.upper}} {
				if math.Abs(f.got-f.want) > .00051 {
					t.Errorf("%s %v, want %v", f.name, f.got, f.want)
				}
			}
		})
	}
}

func repeat(r Record, n int) []Record {
	records := make([]Record, n)
	for i := range records {
		records[i] = r
	}
	return records
}

// TestBoundsAreTheQuantiles puts the bounds back into the distribution function
// over all posteriors that the caps allow.
func TestBoundsAreTheQuantiles(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.Float64Range(.5, 24).Draw(t, "alpha")
		beta := rapid.Float64Range(.5, 24).Draw(t, "beta")
		lower, upper := m.interval(alpha, beta)
		for _, c := range []struct{ x, p float64 }{{lower, .05}, {upper, .95}} {
			// A published bound is off by up to half of 1e-6.
			below := mathext.RegIncBeta(alpha, beta, max(c.x-6e-7, 0))
			above := mathext.RegIncBeta(alpha, beta, min(c.x+6e-7, 1))
			if below > c.p || above < c.p {
				t.Fatalf("beta(%v, %v): %v is not the %v quantile: %v..%v", alpha, beta, c.x, c.p, below, above)
			}
		}
	})
}
