package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// replayState is what lockStates reads, without the lock.
const replayStates = `
	select s.target_id, s.model_id, s.applied_seq, s.wakes, coalesce(p.epoch, 0), false, 1
	from target_states s left join trust_snapshots p on p.target_id = s.target_id and p.model_id = s.model_id
	where s.target_id = any ($1) and s.model_id = $2`

// Stored reads what one version has computed of targets, and all that it was computed from but the evidence itself. A
// fold's state has the epoch of its snapshot. Targets that do not exist, or that the version has not computed, are
// absent.
func (v *Snapshot) Stored(ctx context.Context, model int16, targets []ID) ([]*Fold, error) {
	r := foldReader{folds: map[uuid.UUID]*Fold{}, live: map[uuid.UUID]int{}}
	ids := uuids(targets)
	var p pipeline
	scan(&p, r.scanState, replayStates, ids, model)
	scan(&p, r.scanHead, foldHeads, ids)
	scan(&p, r.scanStat, statsUnder, ids, model)
	scan(&p, r.scanPublished, foldPublished, ids)
	scan(&p, r.scanPrevious, foldPrevious, ids)
	scan(&p, r.scanSuperseding, foldSuperseding, ids)
	scan(&p, r.scanRefuted, foldRefuted, ids)
	if err := p.send(ctx, v.tx); err != nil {
		return nil, fmt.Errorf("read what was computed: %w", err)
	}
	var folds []*Fold
	for _, id := range ids {
		if fold := r.folds[id]; fold != nil && !fold.Target.IsZero() && len(fold.States) == 1 {
			folds = append(folds, fold)
		}
	}
	return folds, nil
}

// EvidenceAfter reads up to limit rows of each target's evidence behind the given numbers, in order.
func (v *Snapshot) EvidenceAfter(ctx context.Context, targets []uuid.UUID, after []int64, limit int) (map[uuid.UUID][]FoldRow, error) {
	rows, err := v.tx.Query(ctx, replayRows, targets, limit, after)
	if err != nil {
		return nil, fmt.Errorf("read raw evidence: %w", err)
	}
	defer rows.Close()
	out := make(map[uuid.UUID][]FoldRow, len(targets))
	for rows.Next() {
		target, row, err := scanFoldRow(rows)
		if err != nil {
			return nil, fmt.Errorf("read raw evidence: %w", err)
		}
		out[target] = append(out[target], row)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read raw evidence: %w", err)
	}
	return out, nil
}

const selectTracksOf = `
	select distinct on (root_id) root_id, party_id, credits, log_plus, log_minus
	from party_tracks where root_id = any ($3) and model_id = $1 and epoch <= $2
	order by root_id, epoch desc`

// TracksOf reads the tracks of some roots as of one epoch of a version.
func (v *Snapshot) TracksOf(ctx context.Context, model int16, epoch int32, roots []uuid.UUID) ([]PartyTrack, error) {
	slices.SortFunc(roots, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	rows, err := v.tx.Query(ctx, selectTracksOf, model, epoch, slices.Compact(roots))
	if err != nil {
		return nil, fmt.Errorf("read tracks: %w", err)
	}
	tracks, err := pgx.CollectRows(rows, scanTrack)
	if err != nil {
		return nil, fmt.Errorf("read tracks: %w", err)
	}
	return tracks, nil
}

// ActiveModel reads the active version on this snapshot.
func (v *Snapshot) ActiveModel(ctx context.Context) (TrustModel, error) {
	rows, err := v.tx.Query(ctx, selectModels+` where state = 'active'`)
	if err != nil {
		return TrustModel{}, fmt.Errorf("read the active trust model: %w", err)
	}
	model, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[TrustModel])
	if err != nil {
		return TrustModel{}, fmt.Errorf("read the active trust model: %w", err)
	}
	return model, nil
}
