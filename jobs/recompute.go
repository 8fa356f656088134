package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"

	"interai/store"
)

const (
	// recomputeTimeout bounds one job; a fold is milliseconds, the rest is waiting for the database.
	recomputeTimeout = 30 * time.Second
	// busyPause is how long a job waits for another worker that folds the same target.
	busyPause = 250 * time.Millisecond
)

// RecomputeWorker folds targets' new evidence and writes their snapshots.
type RecomputeWorker struct {
	river.WorkerDefaults[RecomputeArgs]

	db     *store.Store
	folder *folder
}

// NewRecomputeWorker makes the worker; queue takes what a fold makes necessary elsewhere, up to parallel groups of targets are folded at once. folded may be nil; it is
// told of each committed snapshot, from many goroutines.
func NewRecomputeWorker(db *store.Store, queue *Enqueuer, logger *slog.Logger, parallel int, folded func(store.ID, int64)) *RecomputeWorker {
	return &RecomputeWorker{
		db: db, folder: &folder{db: db, queue: queue, logger: logger, folded: folded, parallel: max(parallel, 1)},
	}
}

// Timeout bounds one job.
func (w *RecomputeWorker) Timeout(*river.Job[RecomputeArgs]) time.Duration { return recomputeTimeout }

// NextRetry spaces attempts by fixed, short pauses: the sweep is the safety net, not a long tail of retries.
func (w *RecomputeWorker) NextRetry(job *river.Job[RecomputeArgs]) time.Time {
	return nextRetry(job.Attempt)
}

// Work folds the job's targets. A first attempt that finds a wake-up taken is done with that target: another worker has
// it. A later attempt has claimed already, and failed after that; what it has folded before changes nothing.
func (w *RecomputeWorker) Work(ctx context.Context, job *river.Job[RecomputeArgs]) error {
	targets := make([]store.ID, len(job.Args.Targets))
	for i, text := range job.Args.Targets {
		var err error
		if targets[i], err = store.ParseID(text); err != nil {
			return river.JobCancel(fmt.Errorf("job for %q: %w", text, err))
		}
	}
	var busy []store.ID
	var failed []error
	for i, err := range w.folder.fold(ctx, targets, job.Attempt > 1) {
		switch {
		case errors.Is(err, store.ErrBusyTarget):
			busy = append(busy, targets[i])
		case err != nil && job.Attempt >= job.MaxAttempts:
			failed = append(failed, err, w.db.MarkFailed(ctx, targets[i], "the computation failed on every attempt"))
		case err != nil:
			failed = append(failed, err)
		}
	}
	if len(busy) > 0 {
		return errors.Join(append(failed, w.again(ctx, busy))...)
	}
	return errors.Join(failed...)
}

// again gives wake-ups back and comes later: their claims were taken, so nobody else would.
func (w *RecomputeWorker) again(ctx context.Context, targets []store.ID) error {
	err := w.db.Write(ctx, func(tx *store.Tx) error { return tx.Wake(ctx, targets) })
	if err != nil {
		return fmt.Errorf("give %d wake-ups back: %w", len(targets), err)
	}
	return river.JobSnooze(busyPause)
}

// Fold brings one target's snapshot up to its last committed evidence, whether it is queued or not.
func (w *RecomputeWorker) Fold(ctx context.Context, target store.ID) error {
	return errors.Join(w.folder.fold(ctx, []store.ID{target}, true)...)
}
