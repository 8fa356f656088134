package simulate

import (
	"context"
	"encoding/binary"
	"fmt"

	"interai/trustmodel"
)

// epochsBefore is after how many epochs a world is looked at: weights have
// settled by then.
const epochsBefore = 4

// reputation is what the epochs of a world have sealed.
type reputation struct {
	tracks  []trustmodel.Track // by index of the party; that of its root where it was merged
	partyOf []int              // index of the root that a party counts as
	merged  int                // parties that count as another one
}

// newcomers is the reputation before the first epoch: everybody is who their
// identity says, and nobody acts in lockstep.
func (w *world) newcomers() reputation {
	r := reputation{
		tracks:  make([]trustmodel.Track, len(w.parties)),
		partyOf: make([]int, len(w.parties)),
	}
	for i := range w.parties {
		r.tracks[i] = w.model.PriorTrack()
		r.partyOf[i] = i
	}
	return r
}

// settle runs the independence job, then n epochs of reputation, each on all
// evidence under what the one before has sealed.
func (w *world) settle(ctx context.Context, n int) (reputation, error) {
	r := w.newcomers()
	w.fold(&r)
	for range n {
		if err := ctx.Err(); err != nil {
			return reputation{}, fmt.Errorf("run epochs: %w", err)
		}
		r.tracks = w.epoch(&r)
	}
	return r, nil
}

// fold merges the parties that act in lockstep.
func (w *world) fold(r *reputation) {
	independence := w.model.NewIndependence()
	for i := range w.targets {
		var supporters []trustmodel.Supporter
		for _, p := range w.tried(&w.targets[i], r) {
			if w.model.Supports(&p, trustmodel.KindContent, asOf) {
				identity := w.parties[w.indexOf(p.Key)].identity
				supporters = append(supporters, trustmodel.Supporter{Key: p.Key, Verified: identity.Domain || identity.Vouched})
			}
		}
		independence.Add(supporters)
	}
	for _, group := range independence.Groups() {
		for _, member := range group.Members {
			if member != group.Representative {
				r.partyOf[w.indexOf(member)] = w.indexOf(group.Representative)
				r.merged++
			}
		}
	}
}

// epoch computes the tracks that the evidence gives under r.
func (w *world) epoch(r *reputation) []trustmodel.Track {
	e := w.model.NewEpoch(asOf)
	for i := range w.targets {
		e.Add(w.epochTarget(&w.targets[i], r))
	}
	next := make([]trustmodel.Track, len(r.tracks))
	for i := range next {
		next[i] = w.model.PriorTrack()
	}
	for _, sealed := range e.Tracks() {
		next[w.indexOf(sealed.Key)] = sealed.Track
	}
	return next
}

// epochTarget leaves the published value out: it only counts in the reputation
// that is shown, which no weight depends on. For the same reason a party has one
// actor here.
func (w *world) epochTarget(t *target, r *reputation) *trustmodel.EpochTarget {
	author := w.parties[r.partyOf[t.author]].key
	out := &trustmodel.EpochTarget{Kind: trustmodel.KindContent, Author: author, AuthorActor: author}
	for _, p := range w.tried(t, r) {
		out.Parties = append(out.Parties, trustmodel.EpochParty{
			Key: p.Key, Weights: p.Weights, Track: r.tracks[w.indexOf(p.Key)], Author: p.Author,
			Actors: []trustmodel.EpochActor{{Key: p.Key, Bins: p.Bins}},
		})
	}
	return out
}

// trust computes what would be published about the target at index i.
func (w *world) trust(i int, r *reputation) trustmodel.Snapshot {
	return w.model.Compute(trustmodel.Input{
		Kind: trustmodel.KindContent, AsOfBin: asOf, Parties: w.tried(&w.targets[i], r),
	})
}

// indexOf is the index of the party with the given key, see addParty.
func (w *world) indexOf(key trustmodel.PartyKey) int {
	return int(binary.BigEndian.Uint64(key[:])) - 1
}
