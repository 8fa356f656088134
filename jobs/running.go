package jobs

import (
	"context"

	"github.com/google/uuid"

	"interai/store"
	"interai/trustmodel"
)

// runningRows is from how many rows of statistics on the sums of a target are kept, so that new evidence reads the
// statistics of those who gave it and of nobody else. Below, reading all of them costs about what a second round trip
// and a kept sum cost.
const runningRows = 500

func (f *folder) runningFrom() int {
	if f.keepFrom > 0 {
		return f.keepFrom
	}
	return runningRows
}

// completeRunning reads what a target with running sums needs beside them: the statistics of the parties that have new
// evidence. Where the sums do not hold any more all statistics were read already.
func completeRunning(ctx context.Context, tx *store.Tx, models map[int16]*liveModel, fold *store.Fold, bin int32) error {
	if len(fold.Running) > 0 && trustmodel.BinOf(fold.Now) != bin {
		return errModelsChanged // the month turned while we read
	}
	for _, state := range fold.States {
		live := models[state.Model]
		if fold.Running[state.Model] == nil || live == nil {
			continue
		}
		seen := map[uuid.UUID]bool{}
		var roots, actors []uuid.UUID
		for i := range fold.Rows {
			row := &fold.Rows[i]
			if row.Seq <= state.Applied || row.Kind == store.EvidenceRating {
				continue
			}
			if row.Kind == store.EvidenceAssertion {
				// Who states a claim has changed, which the sums know nothing of.
				delete(fold.Running, state.Model)
				stats, err := tx.AllStatsOf(ctx, fold.Target, state.Model)
				if err != nil {
					return err
				}
				fold.Stats = append(fold.Stats, stats...)
				roots = nil
				break
			}
			// An actor may be moved while we read: its statistics are written whole, so they must be read whatever root it has.
			actors = append(actors, row.Actor)
			for _, root := range live.tracks.roots(row.Root) {
				if !seen[root] {
					seen[root], roots = true, append(roots, root)
				}
			}
		}
		if len(roots) == 0 {
			continue
		}
		stats, err := tx.StatsOf(ctx, fold.Target, state.Model, roots, actors)
		if err != nil {
			return err
		}
		fold.Stats = append(fold.Stats, stats...)
	}
	return nil
}
