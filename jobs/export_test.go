package jobs

import (
	"log/slog"

	"interai/store"
)

// KeepRunningFrom makes a worker keep running sums from a small number of rows on.
func (w *RecomputeWorker) KeepRunningFrom(rows int) { w.folder.keepFrom = rows }

// SmallWake is a worker of wake-ups that hands over after each batch of a few targets.
func SmallWake(db *store.Store, batch int) *WakeWorker {
	return &WakeWorker{db: db, logger: slog.New(slog.DiscardHandler), batch: batch}
}
