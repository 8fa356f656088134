package jobs

import (
	"context"

	"github.com/google/uuid"

	"interai/store"
	"interai/trustmodel"
)

// trackSet is what one epoch of one version sealed: who counts as one party, and what each party's record is. It is
// read once for each epoch, since it never changes.
type trackSet struct {
	model  *trustmodel.Model
	epoch  int32
	byRoot map[uuid.UUID]store.PartyTrack
	pools  map[string]float64
	// members are the roots of each party that has a track.
	members map[uuid.UUID][]uuid.UUID
}

// roots are all root controllers of a root's party.
func (t *trackSet) roots(root uuid.UUID) []uuid.UUID {
	if members, ok := t.members[t.party(root)]; ok {
		return members
	}
	return []uuid.UUID{root}
}

// pool is the prior mean of a dimension's ratings.
func (t *trackSet) pool(dimension string) float64 {
	if mean, ok := t.pools[dimension]; ok {
		return t.model.RatePool(mean, 1)
	}
	return t.model.RatePool(0, 0)
}

// party is the party that a root controller counts as.
func (t *trackSet) party(root uuid.UUID) uuid.UUID {
	if track, ok := t.byRoot[root]; ok {
		return track.Party
	}
	return root
}

// weights are those of a root that speaks for its party: the track is the party's, the identity its own. A party of
// several has the best identity of those who have a word about a target, not that of somebody who never touched it.
func (t *trackSet) weights(root uuid.UUID, identity trustmodel.Identity) trustmodel.Weights {
	return t.model.Weights(t.model.Distinctness(identity), t.track(root))
}

func loadTracks(ctx context.Context, db *store.Store, model *trustmodel.Model, id int16, epoch int32) (*trackSet, error) {
	rows, err := db.PartyTracks(ctx, id, epoch)
	if err != nil {
		return nil, err
	}
	set := newTrackSet(model, epoch, rows)
	set.pools, err = db.RatingPools(ctx, id, epoch)
	return set, err
}

func newTrackSet(model *trustmodel.Model, epoch int32, rows []store.PartyTrack) *trackSet {
	set := &trackSet{
		model: model, epoch: epoch, byRoot: make(map[uuid.UUID]store.PartyTrack, len(rows)), members: make(map[uuid.UUID][]uuid.UUID, len(rows)),
	}
	for _, row := range rows {
		set.byRoot[row.Root] = row
		set.members[row.Party] = append(set.members[row.Party], row.Root)
	}
	return set
}

// track is what is known of a root's party.
func (t *trackSet) track(root uuid.UUID) trustmodel.Track {
	if track, ok := t.byRoot[root]; ok {
		return track.Track
	}
	return t.model.PriorTrack()
}
