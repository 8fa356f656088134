package trustmodel

import (
	"math"
	"slices"
)

// PartyTrack is the track of one party and the cells that it comes from. The
// cells are in credits, after the cap on pairs.
type PartyTrack struct {
	Key   PartyKey
	Track Track

	TP float64 // supported what holds
	FP float64 // supported what does not hold
	FN float64 // contradicted what holds
	TN float64 // contradicted what does not hold
}

// Tracks returns the track of every party that has credits, sorted by key; all
// others have [Model.PriorTrack]. With n = TP+FP+FN+TN, k = accuracy_strength and
// a = accuracy_prior:
//
//	acc  = (TP+TN+k·a)/(n+k)
//	sens = (TP+k·acc)/(TP+FN+k)      l+ = ln(sens/(1-spec))
//	spec = (TN+k·acc)/(TN+FP+k)      l- = ln(spec/(1-sens))
//	Credits = max(0, TP+TN-FP-FN)
//
// Only what was right in excess of what was wrong makes a party distinct: an
// account that errs at random, however often, stays what its identity makes it.
// Somebody who supports everything learns little by supporting, and much by
// contradicting: l+ falls with every miss, l- hardly does. Credits and log odds
// are rounded to 1e-3: else every new record of one party would move the last
// bits of every track, and with them all the trust of an installation.
func (e *Epoch) Tracks() []PartyTrack {
	var out []PartyTrack
	for n, c := range e.parties.totals(e.pairLimit()) {
		if thousandth(fromNano(c.sum())) == 0 {
			continue
		}
		t := e.model.trackOf(c)
		out = append(out, PartyTrack{
			Key: e.parties.holders.keys[n], Track: t,
			TP: fromNano(c.truePlus), FP: fromNano(c.falsePlus), FN: fromNano(c.falseMinus), TN: fromNano(c.trueMinus),
		})
	}
	slices.SortFunc(out, func(a, b PartyTrack) int { return compareKeys(a.Key, b.Key) })
	return out
}

// pairLimit is the cap on pairs, in nano-credits.
func (e *Epoch) pairLimit() int64 { return toNano(e.model.params.Reputation.PairCredits) }

func (m *Model) trackOf(c credits) Track {
	k := m.params.Reputation.AccuracyStrength
	tp, fp, fn, tn := fromNano(c.truePlus), fromNano(c.falsePlus), fromNano(c.falseMinus), fromNano(c.trueMinus)
	accuracy := (fromNano(c.right()) + float64(k*m.params.Identity.AccuracyPrior)) / (fromNano(c.sum()) + k)
	right, wrong := float64(k*accuracy), float64(k*(1-accuracy))
	holds, fails := tp+fn+k, tn+fp+k
	sensitivity, missed := (tp+right)/holds, (fn+wrong)/holds
	specificity, fooled := (tn+right)/fails, (fp+wrong)/fails
	return Track{
		// Net of what was wrong: else whoever is wrong often enough would be established by it.
		Credits:  thousandth(fromNano(max(c.right()-c.wrong(), 0))),
		LogPlus:  thousandth(math.Log(sensitivity / fooled)),
		LogMinus: thousandth(math.Log(specificity / missed)),
	}
}

// thousandth rounds to 1e-3, and never to a negative zero.
func thousandth(v float64) float64 {
	r := math.Round(float64(v*1e3)) / 1e3
	if r == 0 {
		return 0
	}
	return r
}
