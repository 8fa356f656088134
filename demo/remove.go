package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"interai/jobs"
	"interai/store"
)

const (
	// removeBatch objects go in one transaction; removeRows are rows of simple tables.
	removeBatch = 200
	removeRows  = 5000
	// removeActors is smaller: each is looked for in every table that can name it.
	removeActors = 250
	// removeAttempts bounds how often one step is tried while somebody else holds its rows.
	removeAttempts = 10
	removePause    = 200 * time.Millisecond
)

// Removed says what is gone, and what had to stay.
type Removed struct {
	Contents int64 `json:"contents"`
	Claims   int64 `json:"claims"`
	Entities int64 `json:"entities"`
	Sources  int64 `json:"sources"`
	Evidence int64 `json:"evidence"`
	Actors   int64 `json:"actors"`
	// KeptActors is how many demo actors stay, because real content refers to something that they made.
	KeptActors int64 `json:"kept_actors"`
}

// Remove deletes what demo actors made: their evidence, content, claims, entities, sources, keys and stored answers,
// and the actors. Evidence of real actors about what goes, goes with it. What real content refers to stays, with
// its author. Rows of the audit log stay; they name actors by ID only. Progress is told how many objects are gone;
// it may be nil. A removal that was interrupted is run again.
func Remove(ctx context.Context, db *store.Store, progress func(done, total int)) (removed Removed, err error) {
	release, err := db.LockDemo(ctx)
	if err != nil {
		return Removed{}, err
	}
	defer release()
	actors, err := db.CountDemoActors(ctx)
	if err != nil || actors == 0 {
		return Removed{}, err
	}
	drop, err := db.IndexForDemoRemoval(ctx)
	if err != nil {
		return Removed{}, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	plan, err := db.PlanDemoRemoval(ctx)
	if err != nil {
		return Removed{}, err
	}
	r := &removal{db: db, plan: plan, meter: &meter{tell: progress}}
	// Each object goes in two steps: what others said about it, and the object. Sources and actors are few steps.
	r.meter.total = 2 * (len(plan.Contents) + len(plan.Claims) + len(plan.Entities))
	r.meter.add(0)
	if err := r.run(ctx); err != nil {
		return r.Removed, err
	}
	r.KeptActors, err = db.CountDemoActors(ctx)
	return r.Removed, err
}

type removal struct {
	Removed

	db    *store.Store
	plan  store.DemoPlan
	meter *meter
}

// run takes the steps in the order of the foreign keys.
func (r *removal) run(ctx context.Context) error {
	var keys, answers, relations int64
	err := errors.Join(
		r.until(ctx, removeRows, &keys, r.db.RemoveDemoKeys),
		r.until(ctx, removeRows, &answers, r.db.RemoveDemoAnswers),
	)
	if err != nil {
		return err
	}
	for _, objects := range [][]uuid.UUID{r.plan.Contents, r.plan.Claims, r.plan.Entities} {
		if err := r.batches(ctx, objects, &r.Evidence, r.db.RemoveDemoTargets); err != nil {
			return err
		}
	}
	if err := r.touched(ctx); err != nil {
		return err
	}
	unmetered := &removal{db: r.db, meter: &meter{}}
	if err := unmetered.batches(ctx, r.plan.Contents, &relations, r.db.RemoveDemoRelations); err != nil {
		return err
	}
	if err := r.batches(ctx, r.plan.Contents, &r.Contents, r.db.RemoveDemoContents); err != nil {
		return err
	}
	if err := r.batches(ctx, r.plan.Claims, &r.Claims, r.db.RemoveDemoClaims); err != nil {
		return err
	}
	if err := r.batches(ctx, r.plan.Entities, &r.Entities, r.db.RemoveDemoEntities); err != nil {
		return err
	}
	// Only now is it known which sources nobody cites any more.
	left, err := r.db.PlanDemoRemoval(ctx)
	if err != nil {
		return err
	}
	if err := unmetered.batches(ctx, left.Sources, &r.Sources, r.db.RemoveDemoSources); err != nil {
		return err
	}
	return r.until(ctx, removeActors, &r.Actors, r.db.RemoveDemoActors)
}

// batches runs a step over objects.
func (r *removal) batches(ctx context.Context, objects []uuid.UUID, gone *int64, step func(context.Context, []uuid.UUID) (int64, error)) error {
	for chunk := range slices.Chunk(objects, removeBatch) {
		if err := patiently(ctx, func() error {
			n, err := step(ctx, chunk)
			*gone += n
			return err
		}); err != nil {
			return err
		}
		r.meter.add(len(chunk))
	}
	return nil
}

// until runs a step until it finds nothing more.
func (r *removal) until(ctx context.Context, limit int, gone *int64, step func(context.Context, int) (int64, error)) error {
	for {
		var n int64
		if err := patiently(ctx, func() (err error) {
			n, err = step(ctx, limit)
			return err
		}); err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
		*gone += n
	}
}

// touched takes the evidence of demo actors off the targets that stay, and has their trust computed anew.
func (r *removal) touched(ctx context.Context) error {
	enqueuer, err := jobs.NewEnqueuer(r.db, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	for {
		targets, err := r.db.DemoTouched(ctx, removeBatch)
		if err != nil || len(targets) == 0 {
			return err
		}
		for _, target := range targets {
			var gone int64
			if err := patiently(ctx, func() error {
				return r.db.Write(ctx, func(tx *store.Tx) error {
					removed, left, err := tx.RemoveDemoEvidence(ctx, target)
					gone = removed
					if err != nil || left == 0 {
						return err
					}
					if err := tx.Wake(ctx, []store.ID{target}); err != nil {
						return err
					}
					return enqueuer.Recompute(ctx, tx, []store.ID{target})
				})
			}); err != nil {
				return err
			}
			r.Evidence += gone
		}
	}
}

// patiently tries a step again while its rows are locked or the database is away.
func patiently(ctx context.Context, step func() error) error {
	for attempt := 1; ; attempt++ {
		err := step()
		if !errors.Is(err, store.ErrUnavailable) || attempt == removeAttempts {
			return err
		}
		timer := time.NewTimer(removePause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("remove the demonstration: %w", ctx.Err())
		case <-timer.C:
		}
	}
}
