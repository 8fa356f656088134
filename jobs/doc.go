// Package jobs owns the background work: the kinds of River jobs, how a transaction enqueues them, and the workers
// that fold evidence into trust. Truth is in the rows: a job only wakes, so a lost one delays and loses nothing.
//
// Start reading at [Enqueuer] and [RecomputeWorker].
package jobs

import (
	"time"

	"github.com/riverqueue/river"
)

// Queues: work of one class never waits for work of another.
const (
	QueueTrust       = "trust"
	QueueMaintenance = "maintenance"
)

// maxAttempts is small because the sweep makes a new job for whatever still lags.
const maxAttempts = 10

// RecomputeArgs wakes the targets that one transaction flipped: their new evidence is to be folded and their snapshots
// written. A target is in at most one waiting job, since only the writer that flips its head enqueues it.
type RecomputeArgs struct {
	Targets []string `json:"targets"`
}

// Kind names the job.
func (RecomputeArgs) Kind() string { return "recompute_target" }

// InsertOpts puts the job on the trust queue. Never UniqueOpts: evidence that commits while a unique job runs is
// skipped and lost.
func (RecomputeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueTrust, MaxAttempts: maxAttempts}
}

// SweepArgs wakes what was missed and clears what has expired.
type SweepArgs struct {
	// All wakes every target that lags, whether it is marked queued or not: after a crash the jobs of queued targets
	// may be in the hands of a process that is gone. A job too many changes nothing.
	All bool `json:"all"`
}

// Kind names the job.
func (SweepArgs) Kind() string { return "sweep" }

// InsertOpts puts the job on the maintenance queue; the next period replaces a failed one.
func (SweepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// retryDelays are the pauses after each failed attempt; the last one repeats.
var retryDelays = [...]time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 15 * time.Second, time.Minute,
}

func nextRetry(attempt int) time.Time {
	return time.Now().Add(retryDelays[min(max(attempt, 1), len(retryDelays))-1])
}
