package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"interai/store"
)

// QueueBackfill is the queue of backfills: one at a time on a node, so that live evidence keeps its workers.
const QueueBackfill = "backfill"

const (
	// backfillChunk is how many heads are counted at once: what a job that is killed has to fold again, for nothing.
	backfillChunk = 1024
	// backfillSlice is how long one job works on: a node that stops waits for it, within its soft stop.
	backfillSlice = 5 * time.Second
	// backfillTimeout bounds one job. Beyond it a job that runs is taken for lost.
	backfillTimeout = time.Minute
	// backfillGiveUp is the attempt from which a target that cannot be computed is marked and passed over.
	backfillGiveUp = 3
	// backfillAttempts is for a database that is away; what is given up is found by the next look for lost backfills.
	backfillAttempts = 25
	// backfillLook is the time between looks for backfills that have lost their job.
	backfillLook     = time.Minute
	maxBackfillSlots = 1
)

// BackfillArgs computes a stretch of all targets under a version that is new. Where it stands is in trust_backfills.
type BackfillArgs struct {
	Model int16 `json:"model"`
}

// Kind names the job.
func (BackfillArgs) Kind() string { return "backfill_model" }

// InsertOpts puts the job on its own queue.
func (BackfillArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueBackfill, MaxAttempts: backfillAttempts}
}

// Backfill enqueues the next job of a version's backfill.
func (e *Enqueuer) Backfill(ctx context.Context, tx *store.Tx, model int16) error {
	return insertBackfill(ctx, e.client, tx, model)
}

func insertBackfill(ctx context.Context, client *river.Client[pgx.Tx], tx *store.Tx, model int16) error {
	if _, err := client.InsertTx(ctx, tx.Pgx(), BackfillArgs{Model: model}, nil); err != nil {
		return fmt.Errorf("enqueue a backfill job: %w", err)
	}
	return nil
}

// BackfillWorker computes all targets once under the live versions, which gives a new one its states and snapshots; live
// evidence feeds it from its first moment. It folds beside the live workers, in groups of its own.
type BackfillWorker struct {
	river.WorkerDefaults[BackfillArgs]

	db     *store.Store
	logger *slog.Logger
	folder *folder
	chunk  int
	slice  time.Duration
	// onDone, when set, is called in the transaction that completes a backfill.
	onDone func(ctx context.Context, tx *store.Tx, model int16) error
}

// NewBackfillWorker makes the worker; up to parallel groups of targets are folded at once. onDone and folded may be nil.
func NewBackfillWorker(db *store.Store, queue *Enqueuer, logger *slog.Logger, parallel int, folded func(store.ID, int64),
	onDone func(ctx context.Context, tx *store.Tx, model int16) error,
) *BackfillWorker {
	return &BackfillWorker{
		db: db, logger: logger, chunk: backfillChunk, slice: backfillSlice, onDone: onDone,
		folder: &folder{db: db, queue: queue, logger: logger, folded: folded, parallel: max(parallel, 1)},
	}
}

// Timeout bounds one job.
func (w *BackfillWorker) Timeout(*river.Job[BackfillArgs]) time.Duration { return backfillTimeout }

// NextRetry spaces attempts like those of live folds.
func (w *BackfillWorker) NextRetry(job *river.Job[BackfillArgs]) time.Time {
	return nextRetry(job.Attempt)
}

// Work computes stretch after stretch from where the backfill stands until its time is up, and then hands over to a
// job of its own kind, in the transaction of its last progress. It ends without successor when the backfill is paused
// or done, or when another job moves it.
func (w *BackfillWorker) Work(ctx context.Context, job *river.Job[BackfillArgs]) error {
	w.folder.models.forget() // the version is likely younger than the list
	until := time.Now().Add(w.slice)
	var stood *uuid.UUID
	for {
		backfill, err := w.db.Backfill(ctx, job.Args.Model)
		if errors.Is(err, store.ErrNotFound) {
			return river.JobCancel(fmt.Errorf("backfill trust model %d: %w", job.Args.Model, err))
		}
		if err != nil {
			return err
		}
		if backfill.State != store.BackfillRunning || stood != nil && *stood != backfill.After {
			return nil
		}
		step, err := w.compute(ctx, backfill, job.Attempt >= backfillGiveUp)
		if err != nil {
			return err
		}
		goOn, err := w.advance(ctx, step, time.Now().After(until))
		if err != nil || !goOn {
			return err
		}
		stood = &step.To
	}
}

// compute folds the next stretch of heads.
func (w *BackfillWorker) compute(ctx context.Context, backfill store.Backfill, giveUp bool) (store.BackfillStep, error) {
	step := store.BackfillStep{Model: backfill.Model, From: backfill.After, To: backfill.After}
	heads, err := w.db.HeadsAfter(ctx, backfill.After, w.chunk)
	if err != nil {
		return step, err
	}
	step.Heads, step.Last = int64(len(heads)), len(heads) < w.chunk
	if len(heads) == 0 {
		return step, nil
	}
	step.To = heads[len(heads)-1].UUID
	return step, w.foldAll(ctx, heads, giveUp)
}

// foldAll folds targets until all of them are. What another worker holds, and what has more evidence than one group may
// take time for, is come back to.
func (w *BackfillWorker) foldAll(ctx context.Context, targets []store.ID, giveUp bool) error {
	for {
		var again []store.ID
		var failed []error
		for i, err := range w.folder.fold(ctx, targets, true) {
			switch {
			case err == nil:
			case errors.Is(err, store.ErrBusyTarget), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
				again = append(again, targets[i])
			case giveUp && !store.IsUnavailable(err) && ctx.Err() == nil:
				w.logger.ErrorContext(ctx, "a target was passed over by a backfill", "target", targets[i], "error", err)
				failed = append(failed, w.db.MarkFailed(ctx, targets[i], "the computation failed in a backfill"))
			default:
				failed = append(failed, err)
			}
		}
		if err := firstOf(failed); err != nil {
			return fmt.Errorf("backfill %d targets, %d failed: %w", len(targets), len(failed), err)
		}
		if len(again) == 0 {
			return nil
		}
		targets = again
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %d targets that others hold: %w", len(targets), ctx.Err())
		case <-time.After(busyPause):
		}
	}
}

// firstOf is the first error there is: a chunk may have a thousand of the same.
func firstOf(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// advance counts a stretch, and reports whether this job goes on. One that hands over enqueues its successor together
// with the progress: killed before, it is rescued and folds the stretch again, which changes nothing.
func (w *BackfillWorker) advance(ctx context.Context, step store.BackfillStep, handOver bool) (goOn bool, err error) {
	err = w.db.Write(ctx, func(tx *store.Tx) error {
		state, err := tx.AdvanceBackfill(ctx, step)
		switch {
		case err != nil:
			return err
		case state == store.BackfillDone && w.onDone != nil:
			return w.onDone(ctx, tx, step.Model)
		case state != store.BackfillRunning:
			return nil
		case handOver:
			return insertBackfill(ctx, river.ClientFromContext[pgx.Tx](ctx), tx, step.Model)
		}
		goOn = true
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("count %d targets of a backfill: %w", step.Heads, err)
	}
	if step.Last {
		w.logger.InfoContext(ctx, "a backfill has ended", "model", step.Model)
	}
	return goOn, nil
}

// ResumeArgs looks for backfills that have lost their job.
type ResumeArgs struct {
	// All takes running jobs for lost as well: after a crash they may be in the hands of a process that is gone. Two
	// jobs of one backfill do no harm.
	All bool `json:"all"`
}

// Kind names the job.
func (ResumeArgs) Kind() string { return "resume_backfills" }

// InsertOpts puts the job on the maintenance queue; the next period replaces a failed one.
func (ResumeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// ResumeWorker gives lost backfills a job.
type ResumeWorker struct {
	river.WorkerDefaults[ResumeArgs]

	db     *store.Store
	logger *slog.Logger
}

// NewResumeWorker makes the worker.
func NewResumeWorker(db *store.Store, logger *slog.Logger) *ResumeWorker {
	return &ResumeWorker{db: db, logger: logger}
}

// Work resumes what is lost.
func (w *ResumeWorker) Work(ctx context.Context, job *river.Job[ResumeArgs]) error {
	client := river.ClientFromContext[pgx.Tx](ctx)
	var models []int16
	err := w.db.Write(ctx, func(tx *store.Tx) (err error) {
		if models, err = tx.LostBackfills(ctx, job.Args.All, backfillTimeout); err != nil {
			return err
		}
		for _, model := range models {
			if err := insertBackfill(ctx, client, tx, model); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("resume lost backfills: %w", err)
	}
	for _, model := range models {
		w.logger.InfoContext(ctx, "a lost backfill was resumed", "model", model)
	}
	return nil
}

// ResumeLost gives a version's backfill a job if it has lost its own, and reports whether it had.
func (e *Enqueuer) ResumeLost(ctx context.Context, tx *store.Tx, model int16) (bool, error) {
	models, err := tx.LostBackfills(ctx, false, backfillTimeout)
	if err != nil {
		return false, err
	}
	if !slices.Contains(models, model) {
		return false, nil
	}
	return true, e.Backfill(ctx, tx, model)
}
