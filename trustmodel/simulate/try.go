package simulate

import "interai/trustmodel"

// try makes the evidence that an honest party leaves about a target of the given
// truth. A party has one environment, so its records hang together; those that
// only read share the error of everybody who only reads.
func (w *world) try(d draw, by int, truth, reviewError float64) opinion {
	s := &w.setting
	o := opinion{party: by}
	p := &w.parties[by]
	if d.chance(s.reviewOnly) {
		w.review(d, &o, p, min(max(truth+reviewError, .02), .98), false)
		return o
	}
	rate := d.beta(max(s.coherence*truth, .01), max(s.coherence*(1-truth), .01))
	w.use(d, &o, p, rate, d.chance(s.realWorld))
	if d.chance(s.alsoReview) {
		w.review(d, &o, p, rate, true)
	}
	return o
}

// use adds usage records: one in five of a party's agents joins in, each with one
// record and sometimes more.
func (w *world) use(d draw, o *opinion, p *party, rate float64, realWorld bool) {
	users := 1
	for range p.agents - 1 {
		if d.chance(.2) {
			users++
		}
	}
	for range users {
		for range 1 + d.poisson(.5) {
			r := trustmodel.Record{Kind: trustmodel.RecordUsage, Result: trustmodel.ResultFailure, RealWorld: realWorld}
			if w.reportsSuccess(d, p, rate) {
				r.Result = trustmodel.ResultSuccess
			}
			o.add(w.model, asOf-int32(d.IntN(w.setting.maxAgeBins+1)), r, r.Result == trustmodel.ResultSuccess)
		}
	}
}

// review adds the one review of a party.
func (w *world) review(d draw, o *opinion, p *party, rate float64, grounded bool) {
	r := trustmodel.Record{
		Kind: trustmodel.RecordReview, Grounded: grounded, ConfidenceMilli: trustmodel.MissingConfidence,
	}
	if d.chance(.7) {
		r.ConfidenceMilli = int32(500 + d.IntN(501))
	}
	positive := w.reportsSuccess(d, p, rate)
	verdicts := []trustmodel.Verdict{
		trustmodel.VerdictContradicted, trustmodel.VerdictFalse, trustmodel.VerdictMisleading, trustmodel.VerdictQuestionable,
	}
	if positive {
		verdicts = []trustmodel.Verdict{trustmodel.VerdictConfirmed, trustmodel.VerdictMostlyCorrect}
	}
	r.Verdict = verdicts[d.IntN(len(verdicts))]
	o.add(w.model, asOf-int32(d.IntN(w.setting.maxAgeBins+1)), r, positive)
}

func (w *world) reportsSuccess(d draw, p *party, rate float64) bool {
	happened := d.chance(rate)
	if d.chance(w.setting.noise) {
		happened = !happened
	}
	return happened || p.optimist
}

// add enters one record of the party that holds o.
func (o *opinion) add(m *trustmodel.Model, bin int32, r trustmodel.Record, positive bool) {
	o.addMany(m, bin, r, positive, 1)
}

// addMany enters the same record n times, as that many agents of one party do.
func (o *opinion) addMany(m *trustmodel.Model, bin int32, r trustmodel.Record, positive bool, n int) {
	one := m.Sums(r)
	var all trustmodel.Sums
	for range n {
		all = all.Plus(one)
	}
	o.total += n
	if positive {
		o.positive += n
	}
	for i := range o.bins {
		if o.bins[i].Index == bin {
			o.bins[i].Sums = o.bins[i].Sums.Plus(all)
			return
		}
	}
	o.bins = append(o.bins, trustmodel.Bin{Index: bin, Sums: all})
}
