package trustbench

import (
	"math"
	"testing"

	"interai/trustmodel"
)

// accuracyOf is the accuracy of a method on a set, in percent.
func accuracyOf(s *claimSet, beliefs []belief) float64 {
	var out score
	for i, b := range beliefs {
		out.outcome(b, s.claims[i].truth)
	}
	return 100 * out.accuracy()
}

// TestPrintedFiguresAreReproduced holds our readers and reference methods to
// figures that others have printed: Zheng et al. (VLDB 2017), table 6, D_PosSent.
func TestPrintedFiguresAreReproduced(t *testing.T) {
	s := loadClaims(t, "d_sentiment")
	if len(s.claims) != 1000 || s.workers != 85 {
		t.Fatalf("%d claims, %d workers; printed: 1000, 85", len(s.claims), s.workers)
	}
	for name, c := range map[string]struct {
		beliefs []belief
		want    float64
	}{
		"majority":    {each(majority)(s), 93.31}, // ties are broken at random there, half right here
		"Dawid-Skene": {dawidSkene(s), 96.00},
	} {
		if got := accuracyOf(s, c.beliefs); math.Abs(got-c.want) > .1 {
			t.Errorf("%s: %.2f, printed %.2f", name, got, c.want)
		}
	}
}

// TestTrustFindsMoreLabelsThanTheMajority: knowing who is how often right pays.
func TestTrustFindsMoreLabelsThanTheMajority(t *testing.T) {
	m := newModel(t, trustmodel.V1())
	for name, gain := range map[string]float64{"d_sentiment": 1, "bluebird": 5, "rte": 2, "sp": 1.5} {
		s := loadClaims(t, name)
		trust, plain := accuracyOf(s, trustMethod(m).beliefs(s)), accuracyOf(s, each(majority)(s))
		if trust < plain+gain {
			t.Errorf("%s: trust %.2f, majority %.2f", name, trust, plain)
		}
	}
}

// TestIntervalsAreHonestWhereNothingDrifts: the share of later reports lies in the
// 90 % interval about that often when past and future differ by chance.
func TestIntervalsAreHonestWhereNothingDrifts(t *testing.T) {
	m := newModel(t, trustmodel.V1())
	s := loadUsage(t).randomHalves()
	e := s.used(m)
	out := s.score(e.beliefs(m, e.weights(m, epochs)))
	if c := out.coverage(); c < .90 || c > .975 || out.intervals < 300 {
		t.Errorf("coverage %.3f of %v targets", c, out.intervals)
	}
}

func TestRatingsOfFewAreForetoldBetterThanByTheirMean(t *testing.T) {
	m := newModel(t, trustmodel.V1())
	s := foretellRatings(m, ratedItems(t), 2)
	if s.coverage() < .88 || s.ratio() > .9 || s.textbook/s.n > s.coverage() {
		t.Errorf("coverage %.3f (textbook %.3f), error ratio %.3f", s.coverage(), s.textbook/s.n, s.ratio())
	}
}
