package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"interai/store"
	"interai/trustmodel"
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
	logger *slog.Logger
	models modelCache
	// folded, when set, is told of each committed snapshot.
	folded func(target store.ID, applied int64)
}

// NewRecomputeWorker makes the worker. folded may be nil; it is called after each commit, from many goroutines.
func NewRecomputeWorker(db *store.Store, logger *slog.Logger, folded func(store.ID, int64)) *RecomputeWorker {
	return &RecomputeWorker{db: db, logger: logger, folded: folded}
}

// Timeout bounds one job.
func (w *RecomputeWorker) Timeout(*river.Job[RecomputeArgs]) time.Duration { return recomputeTimeout }

// NextRetry spaces attempts by fixed, short pauses: the sweep is the safety net, not a long tail of retries.
func (w *RecomputeWorker) NextRetry(job *river.Job[RecomputeArgs]) time.Time {
	return time.Now().Add(retryDelays[min(max(job.Attempt, 1), len(retryDelays))-1])
}

// Work claims the target, then folds. The claim is committed before any evidence is read: what commits later
// flips the head again and gets a job of its own.
func (w *RecomputeWorker) Work(ctx context.Context, job *river.Job[RecomputeArgs]) error {
	target, err := store.ParseID(job.Args.Target)
	if err != nil {
		return river.JobCancel(fmt.Errorf("job for %q: %w", job.Args.Target, err))
	}
	claimed, err := w.db.ClaimTarget(ctx, target)
	if err != nil {
		return fmt.Errorf("claim %s: %w", target, err)
	}
	// A first attempt without a claim means that another worker has taken the wake-up. A later attempt has
	// claimed already, and failed after that.
	if !claimed && job.Attempt == 1 {
		return nil
	}
	err = w.Fold(ctx, target)
	switch {
	case errors.Is(err, store.ErrBusyTarget):
		return w.again(ctx, target)
	case errors.Is(err, store.ErrNotFound):
		return nil
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

// Fold brings one target's snapshot up to its last committed evidence. It is exactly-once by sequence range: it
// may run any number of times, anywhere, and be killed at any instruction.
func (w *RecomputeWorker) Fold(ctx context.Context, target store.ID) error {
	models, err := w.models.load(ctx, w.db)
	if err != nil {
		return err
	}
	for {
		var applied, last int64
		err := w.db.Write(ctx, func(tx *store.Tx) error {
			fold, err := tx.ReadFold(ctx, target)
			if err != nil {
				return err
			}
			computed := make([]store.Computed, 0, len(fold.States))
			for _, state := range fold.States {
				model, ok := models[state.Model]
				if !ok {
					w.models.forget()
					return fmt.Errorf("trust model %d appeared while working", state.Model)
				}
				if c := compute(model, state, &fold); isNews(state, &fold, &c) {
					computed = append(computed, c)
				}
				applied = state.Applied
			}
			for _, c := range computed {
				applied = c.Applied
			}
			last = fold.LastSeq
			return tx.WriteFold(ctx, computed)
		})
		if err != nil {
			return fmt.Errorf("fold %s: %w", target, err)
		}
		if w.folded != nil {
			w.folded(target, applied)
		}
		if applied >= last {
			return nil
		}
	}
}

// isNews reports whether there is anything to write: a wake-up that finds neither new evidence nor another result
// (of a later bin, or of parties that changed) writes nothing.
func isNews(state store.FoldState, fold *store.Fold, computed *store.Computed) bool {
	published, exists := fold.Published[state.Model]
	return !exists || computed.Applied != state.Applied || published.AsOfBin != computed.AsOfBin ||
		published.Snapshot != computed.Snapshot
}

// modelCache holds the live model versions, which change only by an operator's hand.
type modelCache struct {
	mu     sync.Mutex
	until  time.Time
	models map[int16]*trustmodel.Model
}

// modelTTL bounds how long a worker misses a new version; one that meets an unknown version reloads at once.
const modelTTL = 10 * time.Second

func (c *modelCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.models = nil
}

func (c *modelCache) load(ctx context.Context, db *store.Store) (map[int16]*trustmodel.Model, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.models != nil && time.Now().Before(c.until) {
		return c.models, nil
	}
	rows, err := db.LiveModels(ctx)
	if err != nil {
		return nil, err
	}
	models := make(map[int16]*trustmodel.Model, len(rows))
	for _, row := range rows {
		params := trustmodel.V1()
		if err := json.Unmarshal(row.Parameters, &params); err != nil {
			return nil, fmt.Errorf("decode parameters of trust model %s: %w", row.Name, err)
		}
		if models[row.ID], err = trustmodel.NewModel(params); err != nil {
			return nil, fmt.Errorf("prepare trust model %s: %w", row.Name, err)
		}
	}
	c.models, c.until = models, time.Now().Add(modelTTL)
	return models, nil
}
