package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"interai/store"
)

// QueueScan is for scans of what is stored: they take time, and must not hold up trust.
const QueueScan = "scan"

const (
	scanSlots = 2
	// scanTimeout bounds the scan of one object, rescanTimeout a chunk of a scan of everything.
	scanTimeout   = time.Minute
	rescanTimeout = 90 * time.Second
	// rescanChunk is how many objects one job of a rescan takes.
	rescanChunk = 100
	// rescanLook is how often a rescan that was lost is looked for.
	rescanLook = 10 * time.Minute
	// settleAge is how old a pending case is before its audit row decides what becomes of it.
	settleAge = 5 * time.Minute
)

// Scanner looks at stored objects for what the screen has not seen.
type Scanner interface {
	// ScanObject scans one object, and reports whether it opened a case. An object that is gone is no error.
	ScanObject(ctx context.Context, object store.ID) (found bool, err error)
	// RulesVersion rises with the rules.
	RulesVersion() int
}

// ScanArgs scans one revision.
type ScanArgs struct {
	Revision string `json:"revision"`
}

// Kind names the job.
func (ScanArgs) Kind() string { return "scan_revision" }

// InsertOpts puts the job on its queue.
func (ScanArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueScan, MaxAttempts: 10}
}

// Scan enqueues the scan of a revision in the transaction that publishes it.
func (e *Enqueuer) Scan(ctx context.Context, tx *store.Tx, revision store.ID) error {
	if _, err := e.client.InsertTx(ctx, tx.Pgx(), ScanArgs{Revision: revision.String()}, nil); err != nil {
		return fmt.Errorf("enqueue a scan: %w", err)
	}
	return nil
}

// ScanWorker works these jobs.
type ScanWorker struct {
	river.WorkerDefaults[ScanArgs]

	scanner Scanner
}

// NewScanWorker makes the worker.
func NewScanWorker(scanner Scanner) *ScanWorker { return &ScanWorker{scanner: scanner} }

// Timeout bounds one job.
func (w *ScanWorker) Timeout(*river.Job[ScanArgs]) time.Duration { return scanTimeout }

// NextRetry spaces attempts like those of folds.
func (w *ScanWorker) NextRetry(job *river.Job[ScanArgs]) time.Time { return nextRetry(job.Attempt) }

// Work scans the revision.
func (w *ScanWorker) Work(ctx context.Context, job *river.Job[ScanArgs]) error {
	revision, err := store.ParseID(job.Args.Revision)
	if err != nil {
		return river.JobCancel(fmt.Errorf("read the job: %w", err))
	}
	_, err = w.scanner.ScanObject(ctx, revision)
	return err
}

// RescanArgs scans everything that older rules have looked at, a chunk a job, and settles cases that a crash has left.
type RescanArgs struct{}

// Kind names the job.
func (RescanArgs) Kind() string { return "rescan" }

// InsertOpts puts the job on the queue of scans; the next period replaces a failed one.
func (RescanArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueScan, MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByQueue: true, ByState: unfinished()}}
}

// unfinished are the states of jobs that are still to be done.
func unfinished() []rivertype.JobState {
	return []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
		rivertype.JobStateScheduled,
	}
}

// RescanWorker works these jobs.
type RescanWorker struct {
	river.WorkerDefaults[RescanArgs]

	db      *store.Store
	scanner Scanner
	logger  *slog.Logger
}

// NewRescanWorker makes the worker.
func NewRescanWorker(db *store.Store, scanner Scanner, logger *slog.Logger) *RescanWorker {
	return &RescanWorker{db: db, scanner: scanner, logger: logger}
}

// Timeout bounds one job.
func (w *RescanWorker) Timeout(*river.Job[RescanArgs]) time.Duration { return rescanTimeout }

// Work scans chunk after chunk until its time is nearly up; the next period goes on where it stopped.
func (w *RescanWorker) Work(ctx context.Context, _ *river.Job[RescanArgs]) error {
	if _, err := w.db.SettleOrphans(ctx, settleAge); err != nil {
		return err
	}
	until := time.Now().Add(rescanTimeout / 2)
	for _, what := range store.RescanKinds() {
		for again := false; ; again = true {
			done, err := w.chunk(ctx, what, again)
			if err != nil {
				return err
			}
			if done {
				break
			}
			if time.Now().After(until) {
				return w.goOn(ctx)
			}
		}
	}
	return nil
}

// goOn hands over to a job of its own kind, which this one's uniqueness does not concern once it is done.
func (w *RescanWorker) goOn(ctx context.Context) error {
	opts := RescanArgs{}.InsertOpts()
	opts.UniqueOpts = river.UniqueOpts{}
	if _, err := river.ClientFromContext[pgx.Tx](ctx).Insert(ctx, RescanArgs{}, &opts); err != nil {
		return fmt.Errorf("go on with a rescan: %w", err)
	}
	return nil
}

// rescanMargin is how far back each job looks behind the last object: IDs are made before their transactions commit.
const rescanMargin = 2 * time.Minute

// chunk scans the next objects of a kind, and reports whether there are none left. New revisions have a job of their own;
// of everything else the scan goes on for ever, as far as there is something.
func (w *RescanWorker) chunk(ctx context.Context, what string, again bool) (done bool, err error) {
	progress, err := w.db.Rescan(ctx, what, w.scanner.RulesVersion())
	if err != nil || progress.FinishedAt != nil && what == store.RescanRevisions {
		return true, err
	}
	after := progress.After
	if !again {
		after = store.EarlierID(after, rescanMargin)
	}
	objects, err := w.db.NextToScan(ctx, what, progress.Rules, after, rescanChunk)
	if err != nil {
		return true, err
	}
	for _, object := range objects {
		found, err := w.scanner.ScanObject(ctx, object)
		switch {
		case errors.Is(err, store.ErrUnavailable), ctx.Err() != nil:
			return true, err
		case err != nil: // one object must not stop the rest
			w.logger.ErrorContext(ctx, "an object is not scanned", "object", object, "error", err)
		case found:
			progress.Found++
		}
		if bytes.Compare(object.UUID[:], progress.After[:]) > 0 {
			progress.After = object.UUID
			progress.Scanned++
		}
	}
	finished := len(objects) < rescanChunk
	return finished, w.db.SaveRescan(ctx, &progress, finished)
}
