package trustmodel

import (
	"testing"
)

func TestWhatEarnsCredit(t *testing.T) {
	m := newModel(t)
	domain, email, none := m.IdentityWeights(Identity{Domain: true}), m.IdentityWeights(Identity{Email: true}), m.IdentityWeights(Identity{})
	prior := m.PriorTrack()
	subject := opinionated(m, 0, email, prior, realSuccess)
	old := subject
	old.Actors = []EpochActor{{Key: numbered(10_000), Bins: partyOf(m, email, 13, realSuccess).Bins}}
	speechless := subject
	speechless.Actors = []EpochActor{{Key: numbered(10_000), Bins: partyOf(m, email, 0, judged(VerdictCannotVerify)).Bins}}
	two := subject
	two.Actors = append(two.Actors[:1:1], EpochActor{numbered(10_001), partyOf(m, email, 0, realFailure).Bins})
	split := opinionated(m, 0, email, prior, realPartial)
	with := func(p EpochParty, others ...[]EpochParty) EpochTarget {
		all := []EpochParty{p}
		for _, o := range others {
			all = append(all, o...)
		}
		return written(0, all...)
	}
	negative := Track{Credits: 9, LogPlus: -1, LogMinus: -1}
	for _, c := range []struct {
		name   string
		target EpochTarget
		want   [4]float64 // TP, FP, FN, TN
	}{
		{"support of what holds is a true positive", with(subject, witnesses(m, certain, realSuccess)), [4]float64{1, 0, 0, 0}},
		{"support of what does not hold is a false positive", with(subject, witnesses(m, certain, realFailure)), [4]float64{0, 1, 0, 0}},
		{"contradiction of what holds is a false negative", with(opinionated(m, 0, email, prior, realFailure), witnesses(m, certain, realSuccess)), [4]float64{0, 0, 1, 0}},
		{"contradiction of what does not hold is a true negative", with(opinionated(m, 0, email, prior, realFailure), witnesses(m, certain, realFailure)), [4]float64{0, 0, 0, 1}},
		{"a mixed opinion is shared", with(split, witnesses(m, certain, realSuccess)), [4]float64{.6, 0, .4, 0}},
		{"the actors of a party are one opinion", with(two, witnesses(m, certain, realSuccess)), [4]float64{.5, 0, .5, 0}},
		{"nobody is judged by itself", with(opinionated(m, 0, domain, prior, realSuccess)), [4]float64{}},
		{"newcomers judge nobody", with(subject, []EpochParty{
			opinionated(m, 1, none, prior, realSuccess), opinionated(m, 2, email, prior, realSuccess), opinionated(m, 3, Weights{V: .7999}, prior, realSuccess),
		}), [4]float64{}},
		{"log odds below nothing count as nothing", with(subject, []EpochParty{opinionated(m, 1, domain, negative, realSuccess)}), [4]float64{}},
		{"those who disagree equally cancel out", with(subject, []EpochParty{
			opinionated(m, 1, domain, prior, realSuccess), opinionated(m, 2, domain, prior, realFailure),
		}), [4]float64{}},
		// One review at full confidence: z = 1/(1+1/4) = .8, c = .6.
		{"one established reviewer is .6 of a credit", with(subject, []EpochParty{opinionated(m, 1, domain, prior, judged(VerdictConfirmed))}), [4]float64{.48, .12, 0, 0}},
		// Log odds of 100 count as ln 4, those of a prior track: z = .8, c = .6.
		{"log odds are capped", with(subject, []EpochParty{
			opinionated(m, 1, domain, Track{Credits: 1e6, LogPlus: 100, LogMinus: 100}, judged(VerdictConfirmed)),
		}), [4]float64{.48, .12, 0, 0}},
		{"a party without an opinion earns nothing", with(speechless, witnesses(m, certain, realSuccess)), [4]float64{}},
		// 390 days: 25 days after the grace, 2^(-25/365).
		{"credits age after the grace", with(old, witnesses(m, certain, realSuccess)), [4]float64{.953633, 0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := tracksOf(m, c.target)[numbered(0)]
			for i, cell := range [4]float64{got.TP, got.FP, got.FN, got.TN} {
				near(t, [4]string{"TP", "FP", "FN", "TN"}[i], cell, c.want[i], 1e-6)
			}
		})
	}
}

// TestRecordsGiveTheirWeights works the printed formula out by hand for three
// records, with outcomes beyond all doubt and with those that two reviewers have
// settled.
func TestRecordsGiveTheirWeights(t *testing.T) {
	m := newModel(t)
	target := func(author, sure int, holds bool, subject Record) EpochTarget {
		outcome := realFailure
		switch {
		case holds && sure == certain:
			outcome = realSuccess
		case holds:
			outcome = judged(VerdictConfirmed)
		case sure != certain:
			outcome = judged(VerdictFalse)
		}
		p := opinionated(m, 0, Weights{}, Track{}, subject)
		return written(author, append(witnesses(m, sure, outcome), p)...)
	}
	always := func(sure int) []EpochTarget {
		var targets []EpochTarget
		for i := range 15 {
			targets = append(targets, target(i, sure, i >= 5, realSuccess))
		}
		return targets
	}
	var right, both []EpochTarget
	for i := range 15 {
		right = append(right, target(i, certain, true, realSuccess))
		both = append(both, target(i, certain, i < 8, map[bool]Record{true: realSuccess, false: realFailure}[i < 8]))
	}
	for _, c := range []struct {
		name        string
		targets     []EpochTarget
		v0          float64
		plus, minus float64
		tolerance   float64
	}{
		// acc .9579, sens .9911, spec .9579: l± above ln 4, so w = v = .7+.3·15/20.
		{"15 right of 15, e-mail", right, .7, .925, .925, 1e-9},
		{"15 right of 15, both ways", both, 1, 1, 1, 1e-9},
		// acc 13.2/19, sens 12.7789/14, spec 2.7789/9: l+ = ln(.9128/.6912), l- = ln(.3088/.0872), both over ln 4.
		{"always positive, 5 misses of 15 beyond doubt", always(certain), 1, .2005, .9118, .001},
		{"always positive, 5 misses of 15 as two reviewers say", always(2), 1, .196, .819, .001},
		{"nothing known, none", nil, .3, .3, .3, 0},
		{"nothing known, e-mail", nil, .7, .7, .7, 0},
		{"nothing known, domain", nil, 1, 1, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			track := m.PriorTrack()
			if found, ok := tracksOf(m, c.targets...)[numbered(0)]; ok {
				track = found.Track
			}
			w := m.Weights(c.v0, track)
			near(t, "w+", w.Plus, c.plus, c.tolerance)
			near(t, "w-", w.Minus, c.minus, c.tolerance)
		})
	}
}

// TestCreditsEstablish counts how many certain credits a newcomer needs until it
// is established: 3 with a verified e-mail address, 13 without.
func TestCreditsEstablish(t *testing.T) {
	m := newModel(t)
	for name, c := range map[string]struct {
		v0   float64
		want int
	}{"none": {.3, 13}, "email": {.7, 3}} {
		var targets []EpochTarget
		n := 0
		for v := c.v0; v < m.params.Identity.Established; n++ {
			targets = append(targets, written(n, append(witnesses(m, certain, realSuccess), opinionated(m, 0, Weights{}, Track{}, realSuccess))...))
			v = m.Weights(c.v0, tracksOf(m, targets...)[numbered(0)].Track).V
		}
		if n != c.want {
			t.Errorf("%s: established after %d, want %d", name, n, c.want)
		}
	}
}

func TestOneAuthorGivesAtMostTwoCredits(t *testing.T) {
	m := newModel(t)
	var one, entities []EpochTarget
	for i := range 50 {
		record := map[bool]Record{true: realSuccess, false: realFailure}[i%5 > 0]
		x := written(0, append(witnesses(m, certain, realSuccess), opinionated(m, 0, Weights{}, Track{}, record))...)
		one = append(one, x)
		x.Kind = KindEntity
		entities = append(entities, x)
	}
	got := tracksOf(m, one...)[numbered(0)]
	// 40 right and 10 wrong: 1.6 and .4 of the two that one author gives, 1.2 net.
	if got.Track.Credits != 1.2 {
		t.Errorf("%v credits from one author", got.Track.Credits)
	}
	near(t, "TP", got.TP, 1.6, 1e-8)
	near(t, "FN", got.FN, .4, 1e-8)
	if got := tracksOf(m, entities...)[numbered(0)]; got.Track.Credits != 30 {
		t.Errorf("%v credits from 50 entities: each is one of its own", got.Track.Credits)
	}
}

// TestAuthorsKeepTheirCapWhenEpochsMerge meets two authors in another order in
// each of two epochs: ten works of the one and one of the other are three credits.
func TestAuthorsKeepTheirCapWhenEpochsMerge(t *testing.T) {
	m := newModel(t)
	work := func(author int) EpochTarget {
		return written(author, append(witnesses(m, certain, realSuccess), opinionated(m, 0, Weights{}, Track{}, realSuccess))...)
	}
	first, second := m.NewEpoch(asOf), m.NewEpoch(asOf)
	many, one := work(0), work(1)
	second.Add(&one)
	for range 5 {
		first.Add(&many)
		second.Add(&many)
	}
	first.Merge(second)
	if got := byParty(first.Tracks())[numbered(0)]; got.Track.Credits != 3 {
		t.Errorf("%v credits, want 3", got.Track.Credits)
	}
}

func TestWhoIsNotKnownHasNoTrack(t *testing.T) {
	m := newModel(t)
	e := m.NewEpoch(asOf)
	if got := e.Tracks(); len(got) != 0 {
		t.Errorf("no evidence, but %v", got)
	}
	x := written(0, opinionated(m, 0, Weights{}, m.PriorTrack(), realSuccess))
	e.Add(&x)
	if got := e.Tracks(); len(got) != 0 {
		t.Errorf("nobody to judge by, but %v", got)
	}
	// A credit from so long ago that nothing is left of it.
	p := opinionated(m, 0, Weights{}, m.PriorTrack())
	p.Actors[0].Bins = partyOf(m, Weights{}, 12*30, realSuccess).Bins
	x = written(0, append(witnesses(m, certain, realSuccess), p)...)
	e.Add(&x)
	if _, ok := byParty(e.Tracks())[numbered(0)]; ok {
		t.Error("credits outlive their age")
	}
}

// TestAddDoesNotAllocate keeps reading what is known free of garbage.
func TestAddDoesNotAllocate(t *testing.T) {
	m := newModel(t)
	e := m.NewEpoch(asOf)
	parties := witnesses(m, 50, realSuccess)
	for i := range parties {
		if i%2 == 0 {
			sourced := Bin{Index: asOf, Family: "example.org", Sums: m.Sums(judged(VerdictConfirmed))}
			parties[i].Actors = append(parties[i].Actors, EpochActor{numbered(20_000 + i), []Bin{sourced}})
		}
	}
	x := written(0, parties...)
	e.Add(&x)
	if n := testing.AllocsPerRun(10, func() { e.Add(&x) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
