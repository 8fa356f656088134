package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"interai/store"
	"interai/trustmodel"
)

const (
	// epochPage is how many targets are read at once.
	epochPage    = 1_000
	epochTimeout = 30 * time.Minute
)

// EpochArgs computes the next epoch of reputation and the party map, for one version or, with none given, for all live
// ones. Two that run for one version at once seal one epoch.
type EpochArgs struct {
	Model int16 `json:"model,omitempty"`
}

// Kind names the job.
func (EpochArgs) Kind() string { return "recompute_reputation" }

// InsertOpts puts the job on the maintenance queue; the next period replaces a failed one.
func (EpochArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 3}
}

// Epoch enqueues the next epoch of a version.
func (e *Enqueuer) Epoch(ctx context.Context, tx *store.Tx, model int16) error {
	if _, err := e.client.InsertTx(ctx, tx.Pgx(), EpochArgs{Model: model}, nil); err != nil {
		return fmt.Errorf("enqueue an epoch: %w", err)
	}
	return nil
}

// EpochWorker works epochs.
type EpochWorker struct {
	river.WorkerDefaults[EpochArgs]

	epochs *Epochs
	db     *store.Store
}

// NewEpochWorker makes the worker.
func NewEpochWorker(db *store.Store, queue *Enqueuer, logger *slog.Logger) *EpochWorker {
	return &EpochWorker{db: db, epochs: NewEpochs(db, queue, logger)}
}

// Timeout bounds one job.
func (w *EpochWorker) Timeout(*river.Job[EpochArgs]) time.Duration { return epochTimeout }

// Work computes the epoch of each version that the job means.
func (w *EpochWorker) Work(ctx context.Context, job *river.Job[EpochArgs]) error {
	rows, err := w.db.LiveModels(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for i := range rows {
		if job.Args.Model != 0 && job.Args.Model != rows[i].ID {
			continue
		}
		if _, err := w.epochs.Seal(ctx, &rows[i]); err != nil && !errors.Is(err, store.ErrEpochTaken) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// Epochs computes and seals epochs: who acts in lockstep, how right every party was, and what is shown of every actor.
// All of it is read under the sealed epoch before, so trust stays a local computation.
type Epochs struct {
	db     *store.Store
	queue  *Enqueuer
	logger *slog.Logger
}

// NewEpochs makes it.
func NewEpochs(db *store.Store, queue *Enqueuer, logger *slog.Logger) *Epochs {
	return &Epochs{db: db, queue: queue, logger: logger}
}

// Seal computes the next epoch of a version from all evidence, seals it, and enqueues that every target is computed anew
// that a party with another track has touched. store.ErrEpochTaken: somebody else has sealed it.
func (e *Epochs) Seal(ctx context.Context, row *store.TrustModel) (*store.SealedEpoch, error) {
	model, err := ModelOf(row)
	if err != nil {
		return nil, err
	}
	var sealed *store.SealedEpoch
	err = e.db.ReadEpoch(ctx, row.ID, func(r *store.EpochReader) error {
		sealed, err = computeEpoch(ctx, model, row.ID, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("compute an epoch of %s: %w", row.Name, err)
	}
	err = e.db.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SealEpoch(ctx, sealed); err != nil || len(sealed.Changed) == 0 {
			return err
		}
		return e.queue.wake(ctx, tx, WakeArgs{Model: row.ID, Epoch: sealed.No})
	})
	if err != nil {
		return nil, fmt.Errorf("seal an epoch of %s: %w", row.Name, err)
	}
	e.logger.InfoContext(ctx, "an epoch was sealed", "model", row.Name, "epoch", sealed.No, "targets", sealed.Targets,
		"opinions", sealed.Opinions, "parties", sealed.Parties, "merged", sealed.Merged, "changed", len(sealed.Changed))
	return sealed, nil
}

// computeEpoch reads all evidence twice: first who supports what together, then what each party's record is.
func computeEpoch(ctx context.Context, model *trustmodel.Model, id int16, r *store.EpochReader) (*store.SealedEpoch, error) {
	rows, err := r.Tracks(ctx)
	if err != nil {
		return nil, err
	}
	c := newCensus(model, r.Epoch, trustmodel.BinOf(r.Now), rows)
	if err := eachTarget(ctx, r, c.meet); err != nil {
		return nil, err
	}
	c.merge()
	if err := eachTarget(ctx, r, c.judge); err != nil {
		return nil, err
	}
	agents, err := r.Agents(ctx)
	if err != nil {
		return nil, err
	}
	out := &store.SealedEpoch{
		Model: id, No: r.Epoch + 1, AsOfBin: c.asOf, Targets: c.targets, Opinions: c.opinions,
		Parties: int64(len(c.roots)), Merged: c.merged, StartedAt: r.Now,
		Changed: c.changed(), Reputations: c.reputations(agents),
	}
	out.Pools, err = r.Pools(ctx)
	return out, err
}

func eachTarget(ctx context.Context, r *store.EpochReader, each func(*store.EpochTarget)) error {
	for after := uuid.Nil; ; {
		page, err := r.Page(ctx, after, epochPage)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, target := range page {
			each(target)
		}
		after = page[len(page)-1].ID.UUID
	}
}
