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
		roots, actors, stated := speakers(fold, state.Applied, live.tracks)
		var stats []store.StatRow
		var err error
		switch {
		case stated:
			// Who states a claim has changed, which the sums know nothing of.
			delete(fold.Running, state.Model)
			stats, err = tx.AllStatsOf(ctx, fold.Target, state.Model)
		case len(roots) > 0:
			stats, err = tx.StatsOf(ctx, fold.Target, state.Model, roots, actors)
		}
		if err != nil {
			return err
		}
		fold.Stats = append(fold.Stats, stats...)
	}
	return nil
}

// speakers are the parties, by their roots, and the actors that have evidence after applied; stated tells whether any of
// it says who states a claim. An actor may be moved while we read: its statistics are written whole, so they are to be
// read whatever root it has.
func speakers(fold *store.Fold, applied int64, tracks *trackSet) (roots, actors []uuid.UUID, stated bool) {
	seen := map[uuid.UUID]bool{}
	for i := range fold.Rows {
		row := &fold.Rows[i]
		if row.Seq <= applied || row.Kind == store.EvidenceRating {
			continue
		}
		stated = stated || row.Kind == store.EvidenceAssertion
		if seen[row.Actor] {
			continue
		}
		seen[row.Actor] = true
		actors = append(actors, row.Actor)
		roots = append(roots, tracks.roots(row.Root)...)
	}
	return roots, actors, stated
}
