package trustmodel

import (
	"math"
	"slices"
)

// Supporter is a party that supports a target, see [Model.Supports].
type Supporter struct {
	Key      PartyKey
	Verified bool // by domain, or vouched for by the operator
}

// Independence finds parties that act in lockstep, so that they count as one.
// What many support says little about those who do; what few support says much:
// with N parties in all, a target with n supporters weighs idf = ln(N/n). For two
// parties:
//
//	common  = targets that both support
//	overlap = Σ idf(common) / min(Σ idf(own), Σ idf(other's))
//	share   = max(Σ idf(own), Σ idf(other's)) / Σ idf(all targets)
//
// share is the overlap to be expected of two parties that know nothing of each
// other. They are one if common >= min_common and either overlap >= .8, or
// overlap >= .5 and overlap >= 3·share (overlap, weak_overlap, activity_gain); and
// in both cases only if what they have in common is more than half of the larger
// one's too (mutual), and (overlap-share)/(1-share) >= .5 (beyond_chance), which is
// Cohen's kappa (1960) of the smaller one's choice. The first of these keeps
// somebody who copies several parties from making them one; the second keeps busy
// parties apart that support most of what there is. The
// idea is that of AccuCopy (Dong, Berti-Equille and Srivastava 2009), that rare
// things in common betray a copy, without its iterations. Two verified parties
// are never one, not even through others.
//
// Sums are integers of 1e-9, so the order of targets and supporters never shows.
// Memory goes with supports, parties and targets, not with pairs. An Independence
// is not safe for concurrent use.
type Independence struct {
	model    *Model
	keys     keyIndex
	verified []bool  // by party
	supports []int64 // by party: targets that it supports
	logs     []int64 // by party: the sum of ln(n) over them, nano

	targets int64 // with any supporter
	allLogs int64 // the sum of ln(n) over them, nano

	lists [][]int32 // supporters of each target that tells pairs apart, sorted

	scratch  []int32
	maxEdges int // pairs in memory before those that can join nothing are dropped
}

// NewIndependence begins a search.
func (m *Model) NewIndependence() *Independence {
	return &Independence{model: m, keys: newKeyIndex(), maxEdges: 1 << 18}
}

// Add reads the supporters of one target: all parties with an opinion that
// supports it, whatever they weigh. It is called once for each target, in any
// order, and keeps nothing of its argument.
func (x *Independence) Add(target []Supporter) {
	x.scratch = x.scratch[:0]
	for i := range target {
		x.scratch = append(x.scratch, x.party(&target[i]))
	}
	slices.Sort(x.scratch)
	who := slices.Compact(x.scratch)
	if len(who) == 0 {
		return
	}
	log := nanoLog(len(who))
	for _, p := range who {
		x.supports[p]++
		x.logs[p] += log
	}
	x.targets++
	x.allLogs += log
	// Everybody's favourites cost the square of their supporters, and tell nothing.
	if len(who) >= 2 && len(who) <= x.model.params.Independence.MaxSupporters {
		x.lists = append(x.lists, slices.Clone(who))
	}
}

// party returns the number of s; who is verified once is verified.
func (x *Independence) party(s *Supporter) int32 {
	p := x.keys.number(s.Key)
	if int(p) == len(x.verified) {
		x.verified = append(x.verified, false)
		x.supports = append(x.supports, 0)
		x.logs = append(x.logs, 0)
	}
	x.verified[p] = x.verified[p] || s.Verified
	return p
}

// Supports tells whether a party's opinion of a target is clear enough to be
// support, whatever the party weighs: its mass is at least counting.min_mass, and
// at least counting.support_share of it is belief. As everywhere, nobody supports
// its own work. asOf is a bin, see [BinOf].
func (m *Model) Supports(p *Party, kind TargetKind, asOf int32) bool {
	s := p.strengthsOf(m.classesOf(kind), asOf)
	if s.isEmpty() {
		return false
	}
	o := s.opinion()
	return o.mass() >= m.params.Counting.MinMass && m.side(&o) == supports
}

// nanoLog returns ln(n) in whole 1e-9.
func nanoLog(n int) int64 { return toNano(math.Log(float64(n))) }
