package simulate

import (
	"cmp"
	"context"
	"math"
	"slices"

	"interai/trustmodel"
)

// Strike is what one variant of an attack achieves: means over its targets and
// over the seeds.
type Strike struct {
	Attack  string `json:"attack"`
	Variant string `json:"variant"`
	Honest  int    `json:"honest"` // honest parties that tried each target; smears: what the world has

	Truth float64 `json:"truth"` // what an honest value would be near to

	Before float64 `json:"before"` // value without the attack
	Value  float64 `json:"value"`
	Lower  float64 `json:"lower"`
	Upper  float64 `json:"upper"`

	Confirmations float64 `json:"confirmations"`
	Recommended   float64 `json:"recommended"` // share supported or high_confidence
	High          float64 `json:"high"`        // share high_confidence
	Disputed      float64 `json:"disputed"`    // share disputed
	Incorrect     float64 `json:"incorrect"`   // share incorrect
	Flipped       float64 `json:"flipped"`     // share that was supported or high_confidence before and is no longer, of those that were
	Merged        float64 `json:"merged"`      // parties taken for another one

	Gain           float64 `json:"gain"`                   // change of the value in the attacker's direction
	Cost           Cost    `json:"cost"`                   // of one attack, mean over the seeds
	GainPerAccount float64 `json:"gain_per_account"`       // Gain over accounts
	GainPerJob     float64 `json:"gain_per_job,omitempty"` // Gain over honest jobs, where there are any
	GainPerRecord  float64 `json:"gain_per_record"`        // Gain over records
	Excess         float64 `json:"excess,omitempty"`       // attacks of one party: most by which it moved a value beyond 1/(1+alpha+beta); less than 0 is within
	Others         Simple  `json:"others"`                 // what simpler rules say under attack
	OthersBefore   Simple  `json:"others_before"`          // and said without
}

// blow is one variant in one world: sums over its targets.
type blow struct {
	Strike

	targets, recommendedBefore int
}

// strikeOnce plays one variant in one world.
func strikeOnce(ctx context.Context, m *trustmodel.Model, s setting, a *attack, v *variant, seed int) (blow, error) {
	w := newWorld(m, s, seed)
	d := newDraw(seed, subjectAttack)
	var targets []int
	if v.plant != nil {
		targets = v.plant(d, w, v.honest)
	}
	before, err := w.settle(ctx, epochsBefore)
	if err != nil {
		return blow{}, err
	}
	if v.plant == nil {
		targets = w.best(bestTargets, &before)
	}
	honestParties := len(w.parties)
	b := blow{Strike: Strike{Attack: a.name, Variant: v.label, Honest: v.honest}, targets: len(targets)}
	good := b.enterBefore(w, targets, &before)
	b.Cost = v.strike(d, w, slices.Clone(targets))
	after, err := w.settle(ctx, epochsBefore)
	if err != nil {
		return blow{}, err
	}
	b.Merged = float64(after.merged - before.merged)
	b.enterAfter(w, targets, &after, good)
	if len(w.parties) == honestParties+1 {
		b.Excess = w.excess(targets, &after, honestParties)
	}
	if v.smears {
		b.Gain = b.Before - b.Value
	} else {
		b.Gain = b.Value - b.Before
	}
	return b, nil
}

// enterBefore tells which targets are recommended without the attack.
func (b *blow) enterBefore(w *world, targets []int, r *reputation) (good []bool) {
	pool := w.pool()
	for _, i := range targets {
		s := w.trust(i, r)
		b.Truth += w.targets[i].truth
		b.Before += s.Value
		good = append(good, isGood(s.RawStatus))
		if isGood(s.RawStatus) {
			b.recommendedBefore++
		}
		b.OthersBefore.add(simple(&w.targets[i], pool))
	}
	return good
}

func (b *blow) enterAfter(w *world, targets []int, r *reputation, good []bool) {
	pool := w.pool()
	for n, i := range targets {
		s := w.trust(i, r)
		b.Value += s.Value
		b.Lower += s.Lower
		b.Upper += s.Upper
		b.Confirmations += float64(s.Confirmations)
		b.enterStatus(s.RawStatus)
		if good[n] && !isGood(s.RawStatus) {
			b.Flipped++
		}
		b.Others.add(simple(&w.targets[i], pool))
	}
}

// excess is the most by which one party, the attacker, moves the value of a
// target beyond what the model promises: 1/(1+alpha+beta) without it.
func (w *world) excess(targets []int, r *reputation, attacker int) float64 {
	most := math.Inf(-1)
	for _, i := range targets {
		t := &w.targets[i]
		with := w.trust(i, r)
		all := t.opinions
		t.opinions = slices.DeleteFunc(slices.Clone(all), func(o opinion) bool { return o.party == attacker })
		without := w.trust(i, r)
		t.opinions = all
		most = max(most, distance(with.Value, without.Value)-1/(1+without.Alpha+without.Beta))
	}
	return most
}

func (b *blow) enterStatus(s trustmodel.Status) {
	switch s {
	case trustmodel.HighConfidence:
		b.High++
		b.Recommended++
	case trustmodel.Supported:
		b.Recommended++
	case trustmodel.Disputed:
		b.Disputed++
	case trustmodel.Incorrect:
		b.Incorrect++
	case trustmodel.Unverified, trustmodel.Outdated, trustmodel.Superseded:
	}
}

// best returns the n targets with the greatest lower bounds under r.
func (w *world) best(n int, r *reputation) []int {
	type place struct {
		index int
		lower float64
	}
	places := make([]place, len(w.targets))
	for i := range places {
		places[i] = place{i, w.trust(i, r).Lower}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.lower, a.lower) })
	out := make([]int, min(n, len(places)))
	for i := range out {
		out[i] = places[i].index
	}
	return out
}
