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

// RecomputeWorker folds one target's new evidence and writes its snapshot.
type RecomputeWorker struct {
	river.WorkerDefaults[RecomputeArgs]

	db     *store.Store
	folder *folder
}

// NewRecomputeWorker makes the worker; up to parallel groups of targets are folded at once. folded may be nil; it is
// told of each committed snapshot, from many goroutines.
func NewRecomputeWorker(db *store.Store, logger *slog.Logger, parallel int, folded func(store.ID, int64)) *RecomputeWorker {
	return &RecomputeWorker{db: db, folder: &folder{db: db, logger: logger, folded: folded, parallel: max(parallel, 1)}}
}

// Timeout bounds one job.
func (w *RecomputeWorker) Timeout(*river.Job[RecomputeArgs]) time.Duration { return recomputeTimeout }

// NextRetry spaces attempts by fixed, short pauses: the sweep is the safety net, not a long tail of retries.
func (w *RecomputeWorker) NextRetry(job *river.Job[RecomputeArgs]) time.Time {
	return time.Now().Add(retryDelays[min(max(job.Attempt, 1), len(retryDelays))-1])
}

// Work folds the target. A first attempt that finds the wake-up taken is done: another worker has it. A later one
// has claimed already, and failed after that.
func (w *RecomputeWorker) Work(ctx context.Context, job *river.Job[RecomputeArgs]) error {
	target, err := store.ParseID(job.Args.Target)
	if err != nil {
		return river.JobCancel(fmt.Errorf("job for %q: %w", job.Args.Target, err))
	}
	err = w.folder.fold(ctx, target, job.Attempt > 1)
	switch {
	case errors.Is(err, store.ErrBusyTarget):
		return w.again(ctx, target)
	case err != nil && job.Attempt >= job.MaxAttempts:
		return errors.Join(err, w.db.MarkFailed(ctx, target, "the computation failed on every attempt"))
	}
	return err
}

// again gives the wake-up back and comes later: the claim was taken, so nobody else would.
func (w *RecomputeWorker) again(ctx context.Context, target store.ID) error {
	err := w.db.Write(ctx, func(tx *store.Tx) error { return tx.Wake(ctx, []store.ID{target}) })
	if err != nil {
		return fmt.Errorf("give the wake-up of %s back: %w", target, err)
	}
	return river.JobSnooze(busyPause)
}

// Fold brings one target's snapshot up to its last committed evidence, whether it is queued or not.
func (w *RecomputeWorker) Fold(ctx context.Context, target store.ID) error {
	return w.folder.fold(ctx, target, true)
}
