package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"interai/store"
	"interai/trustmodel"
)

const (
	// sweepBatch is how many targets one transaction wakes.
	sweepBatch = 500
	// sweepMost bounds one sweep; the next one goes on.
	sweepMost = 50_000
	// decayMost bounds how many targets of an earlier bin one sweep wakes, so that the turn of a bin is spread.
	decayMost = 2_000
	// expireBatch is how many idempotency keys one statement forgets.
	expireBatch = 5_000
)

// Retention says how long rows that only serve operators and retries are kept.
type Retention struct {
	Audit       time.Duration
	Idempotency time.Duration
}

// SweepWorker wakes targets whose wake-up was lost, and clears what has expired.
type SweepWorker struct {
	river.WorkerDefaults[SweepArgs]

	db        *store.Store
	logger    *slog.Logger
	retention Retention
}

// NewSweepWorker makes the worker.
func NewSweepWorker(db *store.Store, logger *slog.Logger, retention Retention) *SweepWorker {
	return &SweepWorker{db: db, logger: logger, retention: retention}
}

// Timeout bounds one sweep.
func (w *SweepWorker) Timeout(*river.Job[SweepArgs]) time.Duration { return 5 * time.Minute }

// Work does each part even if another one failed.
func (w *SweepWorker) Work(ctx context.Context, job *river.Job[SweepArgs]) error {
	client := river.ClientFromContext[pgx.Tx](ctx)
	woken, err := w.wake(ctx, client, job.Args.All)
	if woken > 0 {
		// Most are being folded at this moment, by a worker that has claimed them; a job too many changes nothing.
		w.logger.InfoContext(ctx, "lagging targets were woken", "targets", woken)
	}
	return errors.Join(err, w.decay(ctx, client), w.publishOverdue(ctx, client), w.expire(ctx))
}

func (w *SweepWorker) wake(ctx context.Context, client *river.Client[pgx.Tx], all bool) (int, error) {
	if !all {
		var err error
		if all, err = w.db.TrustQueueIdle(ctx, recomputeTimeout); err != nil {
			return 0, err
		}
	}
	woken := 0
	for after := uuid.Nil; woken < sweepMost; {
		targets, err := w.db.Lagging(ctx, all, after, sweepBatch)
		if err != nil || len(targets) == 0 {
			return woken, err
		}
		if err := w.wakeBatch(ctx, client, targets); err != nil {
			return woken, err
		}
		woken += len(targets)
		after = targets[len(targets)-1].UUID
	}
	return woken, nil
}

func (w *SweepWorker) wakeBatch(ctx context.Context, client *river.Client[pgx.Tx], targets []store.ID) error {
	err := w.db.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Wake(ctx, targets); err != nil {
			return err
		}
		return insertRecompute(ctx, client, tx, targets)
	})
	if err != nil {
		return fmt.Errorf("wake %d targets: %w", len(targets), err)
	}
	return nil
}

// decay wakes targets whose snapshot is of an earlier bin: their evidence has aged.
func (w *SweepWorker) decay(ctx context.Context, client *river.Client[pgx.Tx]) error {
	targets, err := w.db.Decayed(ctx, trustmodel.BinOf(time.Now()), decayMost)
	if err != nil || len(targets) == 0 {
		return err
	}
	return w.wakeBatch(ctx, client, targets)
}

// publishOverdue wakes targets whose waiting status has waited long enough without further evidence.
func (w *SweepWorker) publishOverdue(ctx context.Context, client *river.Client[pgx.Tx]) error {
	targets, err := w.db.Overdue(ctx, trustmodel.V1().Hysteresis.HoldMinutes, decayMost)
	if err != nil || len(targets) == 0 {
		return err
	}
	return w.wakeBatch(ctx, client, targets)
}

func (w *SweepWorker) expire(ctx context.Context) error {
	now := time.Now()
	_, keyErr := w.db.DropKeysBefore(ctx, now.Add(-w.retention.Idempotency), expireBatch)
	partErr := w.db.EnsureCallPartitions(ctx)
	_, dropErr := w.db.DropCallsBefore(ctx, now.Add(-w.retention.Audit))
	return errors.Join(keyErr, partErr, dropErr)
}
