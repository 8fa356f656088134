package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/trustmodel"
)

// PartyTrack is what an epoch sealed about a root controller: the party it counts as, and that party's track.
type PartyTrack struct {
	Root  uuid.UUID
	Party uuid.UUID
	Track trustmodel.Track
}

const selectTracks = `
	select distinct on (root_id) root_id, party_id, credits, log_plus, log_minus
	from party_tracks where model_id = $1 and epoch <= $2
	order by root_id, epoch desc`

// PartyTracks reads all tracks as of one epoch of a version. They never change once the epoch is sealed.
func (s *Store) PartyTracks(ctx context.Context, model int16, epoch int32) ([]PartyTrack, error) {
	if epoch == 0 {
		return nil, nil
	}
	rows, err := s.pool.Query(ctx, selectTracks, model, epoch)
	if err != nil {
		return nil, fmt.Errorf("read tracks: %w", classify(err))
	}
	tracks, err := pgx.CollectRows(rows, scanTrack)
	if err != nil {
		return nil, fmt.Errorf("read tracks: %w", classify(err))
	}
	return tracks, nil
}

func scanTrack(row pgx.CollectableRow) (PartyTrack, error) {
	var t PartyTrack
	err := row.Scan(&t.Root, &t.Party, &t.Track.Credits, &t.Track.LogPlus, &t.Track.LogMinus)
	return t, err
}
