package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"interai/store"
)

const (
	// wakeBatch is how many targets one transaction wakes.
	wakeBatch = 500
	// wakePage is how many targets one look-up finds. Each one looks at all that the change reaches, so there should
	// be few of them.
	wakePage = 20_000
	// wakeSlice is how long one job works on before it hands over: after a crash, the job of a process that is gone is
	// taken for lost only when its timeout has passed, and until then nobody computes what it would have woken.
	wakeSlice   = 5 * time.Second
	wakeTimeout = time.Minute
)

// WakeArgs wakes all targets that one change reaches, in chunks, however many they are. Exactly one cause is set. A job
// that is killed begins anew: a target woken twice is computed once more, and comes out the same.
type WakeArgs struct {
	// Actor is whose controller has changed: everything that it, and who is below it, has touched.
	Actor string `json:"actor,omitempty"`
	// Claim is a claim that became incorrect, or no longer is: the content that states it.
	Claim string `json:"claim,omitempty"`
	// Revision is a new revision that inherits, states known claims, or begins or ceases to supersede other content.
	Revision string `json:"revision,omitempty"`
	// Model and Epoch are a sealed epoch: everything that parties with another track have touched.
	Model int16 `json:"model,omitempty"`
	Epoch int32 `json:"epoch,omitempty"`
	// After is where the job before has stopped.
	After uuid.UUID `json:"after,omitzero"`
}

// Kind names the job after the most consequential of its causes.
func (WakeArgs) Kind() string { return "reassign_controller" }

// InsertOpts puts the job on the trust queue.
func (WakeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueTrust, MaxAttempts: maxAttempts}
}

func (e *Enqueuer) wake(ctx context.Context, tx *store.Tx, args WakeArgs) error {
	if _, err := e.client.InsertTx(ctx, tx.Pgx(), args, nil); err != nil {
		return fmt.Errorf("enqueue a wake-up of many targets: %w", err)
	}
	return nil
}

// SetController moves an actor under another controller, and enqueues that everything it has touched is computed anew
// with the party that now answers for it. Both happen, or neither.
func (e *Enqueuer) SetController(ctx context.Context, db *store.Store, actor, controller store.ID) error {
	return db.SetController(ctx, actor, controller, func(tx *store.Tx) error {
		return e.wake(ctx, tx, WakeArgs{Actor: actor.String()})
	})
}

// Prove makes a claim of identity true, and enqueues that everything its actor has touched is computed anew. Both happen,
// or neither.
func (e *Enqueuer) Prove(ctx context.Context, db *store.Store, id uuid.UUID) error {
	return db.Prove(ctx, id, func(tx *store.Tx, p store.Proof) error {
		return e.wake(ctx, tx, WakeArgs{Actor: p.Actor.String()})
	})
}

// WakeWorker works wake-ups of many targets.
type WakeWorker struct {
	river.WorkerDefaults[WakeArgs]

	db     *store.Store
	logger *slog.Logger
	batch  int
	slice  time.Duration
}

// Published enqueues that what a new revision reaches beside its evidence is computed. It is a job of its own, since the
// heads that it wakes must not be taken while a writer holds others.
func (e *Enqueuer) Published(ctx context.Context, tx *store.Tx, revision store.ID) error {
	return e.wake(ctx, tx, WakeArgs{Revision: revision.String()})
}

// NewWakeWorker makes the worker.
func NewWakeWorker(db *store.Store, logger *slog.Logger) *WakeWorker {
	return &WakeWorker{db: db, logger: logger, batch: wakeBatch, slice: wakeSlice}
}

// Timeout bounds one job.
func (w *WakeWorker) Timeout(*river.Job[WakeArgs]) time.Duration { return wakeTimeout }

// NextRetry spaces attempts like those of folds: until it is done, nobody computes what it would have woken.
func (w *WakeWorker) NextRetry(job *river.Job[WakeArgs]) time.Time { return nextRetry(job.Attempt) }

// Work wakes chunk after chunk, until its time is up, and then hands over to a job of its own kind.
func (w *WakeWorker) Work(ctx context.Context, job *river.Job[WakeArgs]) error {
	client := river.ClientFromContext[pgx.Tx](ctx)
	// A fold that has read what was true before the change may not have committed what it found: it is waited for, so
	// that its target can be found here.
	if err := w.db.Barrier(ctx); err != nil {
		return err
	}
	if job.Args.Revision != "" {
		return w.published(ctx, client, job.Args.Revision)
	}
	until := time.Now().Add(w.slice)
	woken := 0
	for after := job.Args.After; ; {
		targets, err := w.next(ctx, job.Args, after)
		if err != nil {
			return err
		}
		if len(targets) == 0 {
			w.logger.InfoContext(ctx, "what a change reaches was woken", "targets", woken,
				"actor", job.Args.Actor, "claim", job.Args.Claim, "epoch", job.Args.Epoch)
			return nil
		}
		for chunk := range slices.Chunk(targets, w.batch) {
			if err := rewake(ctx, w.db, client, chunk); err != nil {
				return err
			}
			woken += len(chunk)
			after = chunk[len(chunk)-1].UUID
			if time.Now().After(until) {
				return handOver(ctx, client, job.Args, after)
			}
		}
	}
}

func handOver(ctx context.Context, client *river.Client[pgx.Tx], args WakeArgs, after uuid.UUID) error {
	args.After = after
	if _, err := client.Insert(ctx, args, nil); err != nil {
		return fmt.Errorf("hand a wake-up of many targets over: %w", err)
	}
	return nil
}

func (w *WakeWorker) published(ctx context.Context, client *river.Client[pgx.Tx], text string) error {
	revision, err := store.ParseID(text)
	if err != nil {
		return river.JobCancel(fmt.Errorf("wake-up for %q: %w", text, err))
	}
	err = w.db.Write(ctx, func(tx *store.Tx) error {
		needed, err := tx.RewakePublished(ctx, revision)
		if err != nil {
			return err
		}
		return insertRecompute(ctx, client, tx, needed)
	})
	if err != nil {
		return fmt.Errorf("wake what %s reaches: %w", revision, err)
	}
	return nil
}

func (w *WakeWorker) next(ctx context.Context, args WakeArgs, after uuid.UUID) ([]store.ID, error) {
	switch {
	case args.Epoch > 0:
		return w.db.TouchedByEpoch(ctx, args.Model, args.Epoch, after, wakePage)
	case args.Actor != "":
		actor, err := store.ParseID(args.Actor)
		if err != nil {
			return nil, river.JobCancel(fmt.Errorf("wake-up for %q: %w", args.Actor, err))
		}
		return w.db.TouchedBy(ctx, actor, after, wakePage)
	default:
		claim, err := store.ParseID(args.Claim)
		if err != nil {
			return nil, river.JobCancel(fmt.Errorf("wake-up for %q: %w", args.Claim, err))
		}
		return w.db.Stating(ctx, claim, after, wakePage)
	}
}

func rewake(ctx context.Context, db *store.Store, client *river.Client[pgx.Tx], targets []store.ID) error {
	err := db.Write(ctx, func(tx *store.Tx) error {
		needed, err := tx.Rewake(ctx, targets)
		if err != nil {
			return err
		}
		return insertRecompute(ctx, client, tx, needed)
	})
	if err != nil {
		return fmt.Errorf("wake %d targets: %w", len(targets), err)
	}
	return nil
}
