package simulate

import (
	"context"

	"gonum.org/v1/gonum/stat/distuv"

	"interai/trustmodel"
)

// tally adds up what the honest worlds of one exposure show.
type tally struct {
	honest Honest // sums over worlds, until mean is called

	worlds, tried, good                        int
	supportedGood, highGood, incorrectGood     int
	covered, jeffreysCovered                   int
	width, jeffreysWidth, error, majorityError float64
}

// measureHonest adds one world to t.
func (t *tally) measureHonest(ctx context.Context, w *world) error {
	r, err := w.settle(ctx, epochsBefore)
	if err != nil {
		return err
	}
	t.worlds++
	t.honest.Merged += float64(r.merged)
	pool := w.pool()
	var byTrust, byWilson, byMajority []ranked
	for i := range w.targets {
		target := &w.targets[i]
		s, other := w.trust(i, &r), simple(target, pool)
		byTrust = append(byTrust, ranked{target.truth, [2]float64{s.Lower, s.Value}})
		byWilson = append(byWilson, ranked{target.truth, [2]float64{other.Wilson, other.Majority}})
		byMajority = append(byMajority, ranked{target.truth, [2]float64{other.Majority, other.Wilson}})
		if len(target.opinions) > 0 {
			t.addInterval(target, &s)
			t.majorityError += distance(other.Majority, target.truth)
		}
		t.addStatus(target.truth >= goodTruth, s.RawStatus)
	}
	t.honest.Precision.add(precision(byTrust))
	t.honest.WilsonPrecision.add(precision(byWilson))
	t.honest.MajorityPrecision.add(precision(byMajority))
	return nil
}

func (t *tally) addInterval(target *target, s *trustmodel.Snapshot) {
	t.tried++
	t.width += s.Upper - s.Lower
	t.error += distance(s.Value, target.truth)
	if s.Lower <= target.truth && target.truth <= s.Upper {
		t.covered++
	}
	positive, total := 0, 0
	for i := range target.opinions {
		positive += target.opinions[i].positive
		total += target.opinions[i].total
	}
	d := distuv.Beta{Alpha: .5 + float64(positive), Beta: .5 + float64(total-positive)}
	lower, upper := d.Quantile(.05), d.Quantile(.95)
	t.jeffreysWidth += upper - lower
	if lower <= target.truth && target.truth <= upper {
		t.jeffreysCovered++
	}
}

func (t *tally) addStatus(good bool, s trustmodel.Status) {
	one := 0
	if good {
		one = 1
		t.good++
	}
	switch s {
	case trustmodel.Supported:
		t.honest.Supported++
		t.supportedGood += one
	case trustmodel.HighConfidence:
		t.honest.High++
		t.highGood += one
	case trustmodel.Incorrect:
		t.honest.Incorrect++
		t.incorrectGood += one
	case trustmodel.Unverified, trustmodel.Disputed, trustmodel.Outdated, trustmodel.Superseded:
	}
}

// add adds what other worlds show.
func (t *tally) add(o *tally) {
	t.worlds += o.worlds
	t.tried += o.tried
	t.good += o.good
	t.supportedGood += o.supportedGood
	t.highGood += o.highGood
	t.incorrectGood += o.incorrectGood
	t.covered += o.covered
	t.jeffreysCovered += o.jeffreysCovered
	t.width += o.width
	t.jeffreysWidth += o.jeffreysWidth
	t.error += o.error
	t.majorityError += o.majorityError
	h := &o.honest
	t.honest.Supported += h.Supported
	t.honest.High += h.High
	t.honest.Incorrect += h.Incorrect
	t.honest.Merged += h.Merged
	t.honest.Precision.add(h.Precision)
	t.honest.WilsonPrecision.add(h.WilsonPrecision)
	t.honest.MajorityPrecision.add(h.MajorityPrecision)
}

// mean closes the sums.
func (t *tally) mean(exposure float64) Honest {
	h := t.honest
	h.Exposure = exposure
	each := 1 / float64(t.worlds)
	h.Merged *= each
	h.Precision.scale(each)
	h.WilsonPrecision.scale(each)
	h.MajorityPrecision.scale(each)
	h.Coverage, h.JeffreysCoverage = ratio(t.covered, t.tried), ratio(t.jeffreysCovered, t.tried)
	if t.tried > 0 {
		n := float64(t.tried)
		h.Width, h.JeffreysWidth = t.width/n, t.jeffreysWidth/n
		h.Error, h.MajorityError = t.error/n, t.majorityError/n
	}
	h.SupportedTruth, h.HighTruth = ratio(t.supportedGood, h.Supported), ratio(t.highGood, h.High)
	h.IncorrectTruth = ratio(t.incorrectGood, h.Incorrect)
	h.Recall = ratio(t.supportedGood+t.highGood, t.good)
	return h
}

func distance(a, b float64) float64 { return max(a-b, b-a) }
