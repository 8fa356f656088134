package simulate

import (
	"context"

	"interai/trustmodel"
)

// Ranking is how many of the 50 targets ranked first are truly good while 50 bad
// targets are promoted, by the model's lower bound and by simpler rules: means
// over the seeds.
type Ranking struct {
	Attack string  `json:"attack"`
	Trust  float64 `json:"trust"`
	Others Simple  `json:"others"`
}

const (
	rankingExposure = 5
	promoted        = 50 // bad targets
	rankingAgents   = 50
	rankingSybils   = 100
	rankingRing     = 10
)

// rankingAttack promotes bad targets in the world of a ranking.
type rankingAttack struct {
	name   string
	strike func(d draw, w *world, targets []int)
}

// noAttack is the first of rankingAttacks: what the others are measured against.
const noAttack = "none"

func rankingAttacks() []rankingAttack {
	return []rankingAttack{
		{noAttack, func(draw, *world, []int) {}},
		{"operator of 50 agents", func(_ draw, w *world, targets []int) {
			p := w.addAttackers(1, mailed)[0]
			for _, t := range targets {
				w.say(p, t, trustmodel.ResultSuccess, rankingAgents, asOf)
			}
		}},
		{"100 unverified sybils", func(_ draw, w *world, targets []int) {
			w.promote(w.addAttackers(rankingSybils, unverified), targets)
		}},
		{"laundering ring of 10", func(d draw, w *world, targets []int) { w.launder(d, rankingRing, honestJobs, targets) }},
	}
}

// rankOnce ranks one world under one attack. The bad targets are tried by honest
// parties as often as any other.
func rankOnce(ctx context.Context, w *world, a *rankingAttack, seed int) (Ranking, error) {
	d := newDraw(seed, subjectAttack)
	targets := make([]int, promoted)
	for i := range targets {
		tries := d.poisson(w.setting.exposure * d.gamma(w.setting.popularity))
		targets[i] = w.addTarget(d, badTruth, min(tries, w.setting.parties/2))
	}
	a.strike(d, w, targets)
	r, err := w.settle(ctx, epochsBefore)
	if err != nil {
		return Ranking{}, err
	}
	pool := w.pool()
	var by [6][]ranked
	for i := range w.targets {
		s, o := w.trust(i, &r), simple(&w.targets[i], pool)
		for j, key := range [][2]float64{
			{s.Lower, s.Value}, {o.Majority, o.Wilson}, {o.Wilson, o.Majority}, {o.Bayes, o.Majority}, {o.Parties, o.Majority}, {o.Additive, o.Majority},
		} {
			by[j] = append(by[j], ranked{w.targets[i].truth, key})
		}
	}
	at50 := func(j int) float64 { return precision(by[j]).At50 }
	return Ranking{Attack: a.name, Trust: at50(0), Others: Simple{
		Majority: at50(1), Wilson: at50(2), Bayes: at50(3), Parties: at50(4), Additive: at50(5),
	}}, nil
}

func meanRanking(worlds []Ranking) Ranking {
	r := Ranking{Attack: worlds[0].Attack}
	for i := range worlds {
		r.Trust += worlds[i].Trust
		r.Others.add(worlds[i].Others)
	}
	r.Trust /= float64(len(worlds))
	r.Others.scale(1 / float64(len(worlds)))
	return r
}
