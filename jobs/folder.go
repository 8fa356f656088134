package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"interai/store"
	"interai/trustmodel"
)

const (
	// foldGroup is how many targets one transaction folds at most.
	foldGroup = 128
	// foldTimeout bounds one group, whatever the deadlines of its jobs are.
	foldTimeout = 20 * time.Second
	// foldAttempts is how often a group is tried when an operator or an epoch changes the models meanwhile.
	foldAttempts = 3
)

// wakeup is one target that a job wants folded.
type wakeup struct {
	target store.ID
	// again is set for a job that has claimed the target in an earlier attempt.
	again bool
	done  chan error
}

// folder folds targets in groups: whatever waits, up to foldGroup targets, goes through one transaction, so that the
// round trips and statements of a fold are shared. Up to parallel groups run at once.
type folder struct {
	db       *store.Store
	queue    *Enqueuer
	logger   *slog.Logger
	models   modelCache
	folded   func(target store.ID, applied int64)
	parallel int
	// keepFrom overrides from how many rows on running sums are kept, for tests.
	keepFrom int

	mu      sync.Mutex
	waiting []*wakeup
	running int
}

// fold waits until all targets are folded, or until ctx ends; the work itself then goes on without its caller. It
// answers an error, or nil, for each target.
func (f *folder) fold(ctx context.Context, targets []store.ID, again bool) []error {
	wakeups := make([]*wakeup, len(targets))
	for i, target := range targets {
		wakeups[i] = &wakeup{target: target, again: again, done: make(chan error, 1)}
	}
	f.mu.Lock()
	f.waiting = append(f.waiting, wakeups...)
	if f.running < f.parallel {
		f.running++
		go f.run(context.WithoutCancel(ctx))
	}
	f.mu.Unlock()
	results := make([]error, len(targets))
	for i, w := range wakeups {
		select {
		case results[i] = <-w.done:
		case <-ctx.Done():
			results[i] = fmt.Errorf("fold %s: %w", w.target, ctx.Err())
		}
	}
	return results
}

// run folds groups until nothing waits.
func (f *folder) run(ctx context.Context) {
	for {
		group := f.take()
		if len(group) == 0 {
			return
		}
		f.work(ctx, group)
	}
}

// take answers the next group without a target twice, and ends the runner when there is none.
func (f *folder) take() []*wakeup {
	f.mu.Lock()
	defer f.mu.Unlock()
	seen := map[store.ID]bool{}
	var group, rest []*wakeup
	for _, w := range f.waiting {
		if len(group) < foldGroup && !seen[w.target] {
			seen[w.target] = true
			group = append(group, w)
		} else {
			rest = append(rest, w)
		}
	}
	f.waiting = rest
	if len(group) == 0 {
		f.running--
	}
	return group
}

// work claims the group's targets and folds them. A panic of the computation is an error of its jobs.
func (f *folder) work(ctx context.Context, group []*wakeup) {
	results := make([]error, len(group))
	err := f.inTime(ctx, group, results)
	switch {
	case err == nil:
	case len(group) == 1, errors.Is(err, store.ErrUnavailable):
		for i := range results {
			results[i] = err
		}
	default:
		// One poisoned target, or one that takes all the time, must not take the others with it. They are claimed already.
		f.logger.WarnContext(ctx, "a group of targets failed and is folded one by one", "targets", len(group), "error", err)
		for i, w := range group {
			alone := []*wakeup{{target: w.target, again: true}}
			one := make([]error, 1)
			if err := f.inTime(ctx, alone, one); err != nil {
				one[0] = err
			}
			results[i] = one[0]
		}
	}
	for i, w := range group {
		w.done <- results[i]
	}
}

// inTime claims and folds a group within its time.
func (f *folder) inTime(ctx context.Context, group []*wakeup, results []error) error {
	ctx, cancel := context.WithTimeout(ctx, foldTimeout)
	defer cancel()
	return guard(func() error { return f.claimAndFold(ctx, group, results) })
}

func guard(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while folding: %v", p)
		}
	}()
	return work()
}

// claimAndFold commits the claims before any evidence is read: what commits later flips its head again and gets a
// job of its own. A target that another worker has claimed is done.
func (f *folder) claimAndFold(ctx context.Context, group []*wakeup, results []error) error {
	targets := make([]store.ID, len(group))
	for i, w := range group {
		targets[i] = w.target
	}
	claimed, err := f.db.ClaimTargets(ctx, targets)
	if err != nil {
		return err
	}
	at := map[store.ID]int{}
	todo := targets[:0]
	for i, w := range group {
		if claimed[w.target.UUID] || w.again {
			at[w.target] = i
			todo = append(todo, w.target)
		}
	}
	for len(todo) > 0 {
		left, busy, err := f.foldOnce(ctx, todo)
		if err != nil {
			return err
		}
		for _, target := range busy {
			results[at[target]] = fmt.Errorf("fold %s: %w", target, store.ErrBusyTarget)
		}
		todo = left
	}
	return nil
}

// foldOnce folds what one transaction may take of each target, and answers the targets that have more, and those
// that another worker holds. It is exactly-once by sequence range: it may run any number of times, anywhere, and be
// killed at any instruction.
func (f *folder) foldOnce(ctx context.Context, targets []store.ID) (left, busy []store.ID, err error) {
	var done []progress
	for attempt := range foldAttempts {
		left, busy, done, err = f.foldUnder(ctx, targets)
		if !errors.Is(err, errModelsChanged) || attempt == foldAttempts-1 {
			break
		}
		f.models.forget()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("fold %d targets: %w", len(targets), err)
	}
	if f.folded != nil {
		for _, p := range done {
			f.folded(p.target, p.applied)
		}
	}
	return left, busy, nil
}

// progress is how far a target was folded.
type progress struct {
	target  store.ID
	applied int64
}

// foldUnder folds under the versions and epochs that are known here. They are loaded before the transaction, which
// then holds no connection while it waits for another.
func (f *folder) foldUnder(ctx context.Context, targets []store.ID) (left, busy []store.ID, done []progress, err error) {
	models, err := f.models.load(ctx, f.db)
	if err != nil {
		return nil, nil, nil, err
	}
	err = f.db.Write(ctx, func(tx *store.Tx) error {
		out := outcome{models: models, runningFrom: f.runningFrom(), bin: trustmodel.BinOf(time.Now())}
		folds, held, err := tx.ReadFolds(ctx, targets, out.bin)
		if err != nil {
			return err
		}
		for _, target := range targets {
			if held[target.UUID] {
				busy = append(busy, target)
			}
		}
		for _, fold := range folds {
			if err := out.add(ctx, tx, fold); err != nil {
				return err
			}
		}
		left, done = out.left, out.done
		return out.write(ctx, tx, f.queue)
	})
	return left, busy, done, err
}

// outcome is what folding a group brings.
type outcome struct {
	models      map[int16]*liveModel
	runningFrom int
	bin         int32

	computed []store.Computed
	after    dependents
	ratings  rated
	left     []store.ID
	done     []progress
}

// add computes one target under all live versions.
func (o *outcome) add(ctx context.Context, tx *store.Tx, fold *store.Fold) error {
	if err := completeRunning(ctx, tx, o.models, fold, o.bin); err != nil {
		return err
	}
	news, applied, err := computeAll(o.models, fold, o.runningFrom)
	if err != nil {
		return err
	}
	for i := range news {
		o.after.note(fold, &news[i])
		o.ratings.note(fold, fold.State(news[i].Model), &news[i])
	}
	o.computed = append(o.computed, news...)
	o.done = append(o.done, progress{fold.Target, applied})
	if applied == fold.LastSeq {
		return nil
	}
	if len(fold.Rows) == 0 {
		return fmt.Errorf("fold %s: its evidence after number %d of %d cannot be read", fold.Target, applied, fold.LastSeq)
	}
	o.left = append(o.left, fold.Target)
	return nil
}

// write stores all of it, and enqueues what it makes necessary elsewhere.
func (o *outcome) write(ctx context.Context, tx *store.Tx, queue *Enqueuer) error {
	if err := tx.WriteFolds(ctx, o.computed); err != nil {
		return err
	}
	if err := o.ratings.write(ctx, tx, o.models); err != nil {
		return err
	}
	return o.after.wake(ctx, tx, queue)
}
