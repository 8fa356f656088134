package trustmodel

import "math"

// reviewMass is the mass of one ungrounded review at full confidence, the unit
// in which the log odds of a party are given: with it, one such review moves the
// odds of a target by exactly the party's log odds.
const reviewMass = .5

// Epoch reads all evidence once, under the sealed epoch before it, and finds how
// right every party was. It compares what a party says of a target with what all
// other established parties say of it. For party p and target t:
//
//	L  = Σ v_q·(l+_q·b_q - l-_q·d_q)/.5    over all other established parties q
//	z  = 1/(1+e^-L)                        how sure it is that t holds
//	c  = |2z-1|·age                        credits, at most 1
//	TP += c·u·z   FP += c·u·(1-z)   FN += c·(1-u)·z   TN += c·(1-u)·(1-z)
//
// b and d are belief and disbelief of the party (see [Model.Compute]), u its
// belief share b/(b+d), v and l± its distinctness and log odds in the sealed
// epoch, l± within [0, ln odds_cap]. Age is 1 for grace_days after the party's
// newest evidence and halves every half_life_days after that. All credits that
// one party has from the works of one other party are scaled down together to
// pair_credits. The cells are those of Dawid and Skene (1979), once instead of
// until convergence, and anchored: who is not established earns nobody anything,
// so accounts that only confirm each other stay what they were.
//
// Every contribution is rounded to 1e-9 and added as an integer, so no order of
// targets, no batching and no [Epoch.Merge] shows. Memory goes with the parties,
// actors and pairs of judge and author that have credits, not with the targets.
// An Epoch is not safe for concurrent use; merge several instead.
type Epoch struct {
	model   *Model
	asOf    int32
	age     recency // of credits
	oddsMax float64 // ln(odds_cap)

	authors keyIndex // parties that wrote something, as the ledgers number them
	parties ledger
	actors  ledger
	works   works

	voices []voice // scratch
	bins   []Bin   // scratch
}

// voice is what a party, or one of its actors, says about a target.
type voice struct {
	plus, minus float64 // belief and disbelief, masses
	newest      int32   // bin of its newest evidence
	odds        int64   // what it says about the target, nano log odds; 0 unless established
}

func (v *voice) mass() float64 { return v.plus + v.minus }

// NewEpoch begins an epoch that ages evidence as of a bin, see [BinOf].
func (m *Model) NewEpoch(asOfBin int32) *Epoch {
	return &Epoch{
		model:   m,
		asOf:    asOfBin,
		age:     newCreditAge(&m.params.Reputation),
		oddsMax: math.Log(m.params.Identity.OddsCap),
		authors: newKeyIndex(),
		parties: newLedger(),
		actors:  newLedger(),
		works:   newWorks(),
	}
}

// Add reads one target. It is called once for each target, in any order, and
// keeps nothing of t. It costs O(bins) and does not allocate but for parties,
// actors and authors that are new.
func (e *Epoch) Add(t *EpochTarget) {
	e.voices = e.voices[:0]
	var odds, others int64 // nano log odds of all; nano-parties but the author
	for i := range t.Parties {
		p := &t.Parties[i]
		v := e.voiceOf(t.Kind, p)
		e.voices = append(e.voices, v)
		odds += v.odds
		if !t.isBy(p) {
			others += toNano(v.mass())
		}
	}
	author := noAuthor
	if key, written := t.author(); written {
		author = e.authors.number(key)
	}
	for i := range t.Parties {
		e.judge(t, i, author, odds-e.voices[i].odds)
	}
	e.works.add(t, fromNano(others))
}

// Merge adds what o has read, which must be of the same model and bin and of
// other targets: then e holds what it would after reading all of them itself, bit
// for bit. It does not change o.
func (e *Epoch) Merge(o *Epoch) {
	author := func(n int32) int32 { return e.authors.number(o.authors.keys[n]) }
	e.parties.merge(&o.parties, author)
	e.actors.merge(&o.actors, author)
	e.works.merge(&o.works)
}

// judge gives party i of a target, and each of its actors, the credits that the
// log odds of everybody else are worth.
func (e *Epoch) judge(t *EpochTarget, i int, author int32, odds int64) {
	if odds == 0 || e.voices[i].mass() == 0 {
		return // Nobody to judge by, or nothing to judge.
	}
	p := &t.Parties[i]
	as := p.role()
	outcome := 1 / (1 + math.Exp(-fromNano(odds)))
	all := e.creditsOf(&e.voices[i], outcome)
	e.parties.add(p.Key, author, all)
	if len(p.Actors) == 1 {
		e.actors.add(p.Actors[0].Key, author, all)
		return
	}
	for j := range p.Actors {
		v := e.opinion(t.Kind, as, p.Actors[j:j+1])
		if v.mass() > 0 {
			e.actors.add(p.Actors[j].Key, author, e.creditsOf(&v, outcome))
		}
	}
}

func (e *Epoch) creditsOf(v *voice, outcome float64) credits {
	certainty := math.Abs(float64(2*outcome) - 1)
	return newCredits(certainty, v.plus/v.mass(), outcome, e.age.factor(ageOf(v.newest, e.asOf)))
}

// voiceOf returns the opinion of a party and what it says to others.
func (e *Epoch) voiceOf(kind TargetKind, p *EpochParty) voice {
	v := e.opinion(kind, p.role(), p.Actors)
	if w := unit(p.Weights.V); w >= e.model.params.Identity.Established {
		plus := float64(e.oddsWithin(p.Track.LogPlus) * v.plus)
		minus := float64(e.oddsWithin(p.Track.LogMinus) * v.minus)
		v.odds = toNano(float64(w*(plus-minus)) / reviewMass)
	}
	return v
}

// opinion returns what some actors of a party of a role say together; without any opinion
// its mass is 0. What they say does not depend on the sources that it rests on.
func (e *Epoch) opinion(kind TargetKind, as role, actors []EpochActor) voice {
	e.bins = e.bins[:0]
	for i := range actors {
		for _, b := range actors[i].Bins {
			b.Family = ""
			e.bins = append(e.bins, b)
		}
	}
	s := strengthsAs(as, e.bins, e.model.classesOf(kind), e.asOf)
	if s.isEmpty() {
		return voice{}
	}
	o := s.opinion()
	return voice{plus: o.plus(), minus: o.minus(), newest: newestIndex(as, e.bins)}
}

// oddsWithin clamps log odds to [0, ln odds_cap], so that nobody's word counts more
// than that, and nobody's counts against what it says.
func (e *Epoch) oddsWithin(odds float64) float64 {
	if !(odds > 0) {
		return 0
	}
	return min(odds, e.oddsMax)
}
