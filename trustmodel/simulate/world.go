package simulate

import (
	"encoding/binary"
	"math"

	"interai/trustmodel"
)

// asOf is the moment at which worlds are evaluated; which one does not matter.
const asOf int32 = 680

// world is everything there is to know about one simulated installation.
type world struct {
	setting setting
	model   *trustmodel.Model
	parties []party
	targets []target
}

// party is one controller with its agents.
type party struct {
	key      trustmodel.PartyKey
	identity trustmodel.Identity
	agents   int
	activity float64 // how often it tries things, relative to others; 0: an attacker, which tries nothing by itself
	optimist bool
}

// target is one item with all evidence about it.
type target struct {
	author   int // index of the party that wrote it
	truth    float64
	opinions []opinion // at most one of each party
}

// opinion is all evidence of one party about one target.
type opinion struct {
	party           int
	bins            []trustmodel.Bin
	positive, total int // records: what rules that count reports see
}

// newWorld draws the honest part of a world.
func newWorld(m *trustmodel.Model, s setting, seed int) *world {
	w := &world{setting: s, model: m}
	d := newDraw(seed, subjectParties)
	for range s.parties {
		w.addParty(w.drawParty(d))
	}
	d = newDraw(seed, subjectTargets)
	for range s.targets {
		w.drawTarget(d)
	}
	return w
}

func (w *world) drawParty(d draw) party {
	s := &w.setting
	p := party{
		agents:   min(int(d.pareto(s.agentsTail)), s.maxAgents),
		activity: math.Exp(s.activity * d.NormFloat64()),
		optimist: d.chance(s.optimists),
	}
	switch u := d.Float64(); {
	case u < s.domain:
		p.identity.Domain = true
	case u < s.domain+s.email:
		p.identity.Email = true
	}
	return p
}

// addParty gives p its key and returns its index.
func (w *world) addParty(p party) int {
	binary.BigEndian.PutUint64(p.key[:], uint64(len(w.parties))+1)
	w.parties = append(w.parties, p)
	return len(w.parties) - 1
}

// drawTarget adds a target of any quality that the parties around have tried.
func (w *world) drawTarget(d draw) {
	mean := w.setting.exposure * d.gamma(w.setting.popularity)
	w.addTarget(d, w.drawTruth(d), min(d.poisson(mean), w.setting.parties/2))
}

func (w *world) drawTruth(d draw) float64 {
	u := d.Float64()
	for _, q := range quality {
		if u < q.share {
			return d.beta(q.alpha, q.beta)
		}
		u -= q.share
	}
	last := quality[len(quality)-1]
	return d.beta(last.alpha, last.beta)
}

// addTarget adds a target of the given truth that an honest party wrote and
// triers others have tried. It returns its index.
func (w *world) addTarget(d draw, truth float64, triers int) int {
	activity := make([]float64, len(w.parties))
	for i := range w.parties {
		activity[i] = w.parties[i].activity
	}
	author := d.pick(1, activity)[0]
	activity[author] = 0
	shared := w.setting.reviewError * d.NormFloat64()
	t := target{author: author, truth: truth}
	for _, p := range d.pick(triers, activity) {
		t.opinions = append(t.opinions, w.try(d, p, truth, shared))
	}
	w.targets = append(w.targets, t)
	return len(w.targets) - 1
}

// tried returns the parties and their evidence about one target as the model
// takes them: those that were merged are one, of the best identity among those of
// them that have a word here.
func (w *world) tried(t *target, r *reputation) []trustmodel.Party {
	parties := make([]trustmodel.Party, 0, len(t.opinions))
	at := make(map[int]int, len(t.opinions))
	for i := range t.opinions {
		o := &t.opinions[i]
		root := r.partyOf[o.party]
		weights := w.model.Weights(w.model.Distinctness(w.parties[o.party].identity), r.tracks[root])
		j, known := at[root]
		if !known {
			j = len(parties)
			at[root] = j
			parties = append(parties, trustmodel.Party{Key: w.parties[root].key, Author: root == r.partyOf[t.author]})
		}
		if weights.Identity > parties[j].Weights.Identity {
			parties[j].Weights = weights
		}
		parties[j].Bins = append(parties[j].Bins, o.bins...)
	}
	return parties
}
