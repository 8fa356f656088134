package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"interai/migrations"
	"interai/store"
)

// Measured choices: short jobs a second are at most MaxWorkers divided by FetchCooldown, and a stuck job is only
// rescued after rescueAfter, whose default of an hour is far too long beside a sweep of 30 s.
const (
	fetchCooldown     = 50 * time.Millisecond
	trustSlots        = 64 // jobs that may wait to be folded together
	fetchPoll         = time.Second
	rescueAfter       = 2 * time.Minute
	softStop          = 10 * time.Second
	completedKept     = 30 * time.Minute
	cancelledKept     = time.Hour
	discardedKept     = 7 * 24 * time.Hour
	reindexTimeout    = 10 * time.Minute
	maintenanceWorker = 2
)

// Options say how much work a node does at once, and how often it looks for lost work.
type Options struct {
	// Workers is how many groups of targets are folded at once.
	Workers       int
	SweepInterval time.Duration
	// EpochInterval is how often reputation is computed.
	EpochInterval time.Duration
	// SignalsInterval is how often patterns in who confirms whom are looked for.
	SignalsInterval time.Duration
	Retention       Retention
	// Scanner looks at what is stored. Nil means that this node scans nothing.
	Scanner Scanner
	// Folded, when set, is told of each committed snapshot.
	Folded func(target store.ID, applied int64)
}

// Runner works jobs on this node.
type Runner struct{ client *river.Client[pgx.Tx] }

// NewRunner prepares the workers. Every node that runs workers registers all kinds and all periodic jobs, since any
// of them may become the leader.
func NewRunner(db *store.Store, logger *slog.Logger, options Options) (*Runner, error) {
	queue, err := NewEnqueuer(db, logger)
	if err != nil {
		return nil, err
	}
	workers := river.NewWorkers()
	river.AddWorker(workers, NewRecomputeWorker(db, queue, logger, options.Workers, options.Folded))
	river.AddWorker(workers, NewWakeWorker(db, logger))
	river.AddWorker(workers, NewSweepWorker(db, logger, options.Retention))
	river.AddWorker(workers, NewEpochWorker(db, queue, logger))
	river.AddWorker(workers, NewBackfillWorker(db, queue, logger, options.Workers/2, options.Folded, queue.Epoch))
	river.AddWorker(workers, NewResumeWorker(db, logger))
	river.AddWorker(workers, NewSearchWorker(db, logger))
	river.AddWorker(workers, NewSignalWorker(db, logger))
	queues := map[string]river.QueueConfig{
		QueueTrust:       {MaxWorkers: trustSlots, FetchCooldown: fetchCooldown, FetchPollInterval: fetchPoll},
		QueueMaintenance: {MaxWorkers: maintenanceWorker},
		QueueBackfill:    {MaxWorkers: maxBackfillSlots},
	}
	if options.Scanner != nil {
		river.AddWorker(workers, NewScanWorker(options.Scanner))
		river.AddWorker(workers, NewRescanWorker(db, options.Scanner, logger))
		queues[QueueScan] = river.QueueConfig{MaxWorkers: scanSlots}
	}
	client, err := river.NewClient(riverpgxv5.New(db.Pool()), &river.Config{
		Schema:                      migrations.RiverSchema,
		Logger:                      logger,
		Queues:                      queues,
		Workers:                     workers,
		JobTimeout:                  recomputeTimeout,
		RescueStuckJobsAfter:        rescueAfter,
		SoftStopTimeout:             softStop,
		CompletedJobRetentionPeriod: completedKept,
		CancelledJobRetentionPeriod: cancelledKept,
		DiscardedJobRetentionPeriod: discardedKept,
		ReindexerTimeout:            reindexTimeout,
		ErrorHandler:                failureLog{logger},
		PeriodicJobs:                periodic(&options),
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the workers: %w", err)
	}
	return &Runner{client: client}, nil
}

// periodic are the jobs that come by themselves.
func periodic(options *Options) []*river.PeriodicJob {
	list := []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(options.SweepInterval),
			func() (river.JobArgs, *river.InsertOpts) { return SweepArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true}),
		river.NewPeriodicJob(river.PeriodicInterval(options.EpochInterval),
			func() (river.JobArgs, *river.InsertOpts) { return EpochArgs{}, nil }, nil),
		river.NewPeriodicJob(river.PeriodicInterval(backfillLook),
			func() (river.JobArgs, *river.InsertOpts) { return ResumeArgs{}, nil }, nil),
		river.NewPeriodicJob(river.PeriodicInterval(searchLook),
			func() (river.JobArgs, *river.InsertOpts) { return SearchArgs{}, nil }, nil),
		river.NewPeriodicJob(river.PeriodicInterval(options.SignalsInterval),
			func() (river.JobArgs, *river.InsertOpts) { return SignalArgs{}, nil }, &river.PeriodicJobOpts{RunOnStart: true}),
	}
	if options.Scanner != nil {
		list = append(list, river.NewPeriodicJob(river.PeriodicInterval(rescanLook),
			func() (river.JobArgs, *river.InsertOpts) { return RescanArgs{}, nil }, &river.PeriodicJobOpts{RunOnStart: true}))
	}
	return list
}

// Start begins to work jobs. A sweep is enqueued at once, so that what a crash left behind does not wait for the
// election of a leader.
func (r *Runner) Start(ctx context.Context) error {
	if err := r.client.Start(ctx); err != nil {
		return fmt.Errorf("start the workers: %w", err)
	}
	if _, err := r.client.Insert(ctx, SweepArgs{All: true}, nil); err != nil {
		return fmt.Errorf("enqueue the first sweep: %w", err)
	}
	if _, err := r.client.Insert(ctx, ResumeArgs{All: true}, nil); err != nil {
		return fmt.Errorf("enqueue the first look for lost backfills: %w", err)
	}
	if _, err := r.client.Insert(ctx, SearchArgs{Index: true}, nil); err != nil {
		return fmt.Errorf("enqueue the first look at the search index: %w", err)
	}
	return nil
}

// Stop lets running jobs end, for a bounded time.
func (r *Runner) Stop(ctx context.Context) error {
	if err := r.client.Stop(ctx); err != nil {
		return fmt.Errorf("stop the workers: %w", err)
	}
	return nil
}

// failureLog reports failed jobs: their arguments are IDs only.
type failureLog struct{ logger *slog.Logger }

func (f failureLog) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	level := slog.LevelError
	if errors.Is(err, store.ErrUnavailable) || errors.Is(err, context.Canceled) {
		level = slog.LevelWarn
	}
	f.logger.Log(ctx, level, "job failed", "kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "error", err)
	return nil
}

func (f failureLog) HandlePanic(ctx context.Context, job *rivertype.JobRow, value any, trace string) *river.ErrorHandlerResult {
	f.logger.ErrorContext(ctx, "job panicked", "kind", job.Kind, "job", job.ID, "panic", value, "trace", trace)
	return nil
}
