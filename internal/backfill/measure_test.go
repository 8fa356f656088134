package backfill

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"interai/jobs"
	"interai/migrations"
	"interai/store"
	"interai/trustmodel"
	"interai/trustops"
)

const (
	// parallel is how many groups of targets are folded at once: what a node of four workers gives to a backfill.
	parallel = 2
	// settlePoll is the pause between looks at a backfill, doneLimit the longest that one may take.
	settlePoll = 20 * time.Millisecond
	doneLimit  = 2 * time.Hour
	second     = "trust-v2"
)

// phase is one row of the table. Targets and records are 0 where they say nothing.
type phase struct {
	name             string
	targets, records int64
	elapsed          time.Duration
	cpu              usage
}

func (p phase) rate(n int64) float64 { return float64(n) / p.elapsed.Seconds() }

// measure computes two versions, the second beside the first, then lists, compares and promotes.
func (r *run) measure(ctx context.Context) ([]phase, error) {
	enqueuer, err := jobs.NewEnqueuer(r.db, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	versions := trustops.NewVersions(r.db, enqueuer)
	if err := versions.Create(ctx, trustops.NewVersion{Name: second, Set: []string{"prior.strength=2"}}); err != nil {
		return nil, err
	}
	stop, err := r.work(ctx, enqueuer)
	if err != nil {
		return nil, err
	}
	defer stop()
	var phases []phase
	for _, step := range []struct {
		name             string
		targets, records int64
		do               func() error
	}{
		{trustmodel.V1Name + " alone", r.targets, r.records, func() error { return r.first(ctx, enqueuer) }},
		{second + " beside " + trustmodel.V1Name, r.targets, r.records, func() error {
			if err := versions.Shadow(ctx, second); err != nil {
				return err
			}
			return r.done(ctx, 2)
		}},
		{"trust models", r.targets, 0, func() error { _, err := versions.List(ctx); return err }},
		{"trust diff", r.targets, 0, func() error {
			_, err := versions.Compare(ctx, trustmodel.V1Name, second, trustops.CompareOptions{Limit: 20})
			return err
		}},
		{"trust promote", r.targets, 0, func() error { _, err := versions.Promote(ctx, second); return err }},
	} {
		p, err := r.timed(step.name, step.do)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		p.targets, p.records = step.targets, step.records
		phases = append(phases, p)
	}
	return phases, r.prove(ctx)
}

func (r *run) timed(name string, do func() error) (phase, error) {
	before, err := r.cpu()
	if err != nil {
		return phase{}, err
	}
	began := time.Now()
	if err := do(); err != nil {
		return phase{}, err
	}
	elapsed := time.Since(began)
	after, err := r.cpu()
	return phase{name: name, elapsed: elapsed, cpu: after.minus(before)}, err
}

// work runs the backfill's worker and no other: nothing else shall be measured.
func (r *run) work(ctx context.Context, enqueuer *jobs.Enqueuer) (stop func(), err error) {
	logger := slog.New(slog.DiscardHandler)
	workers := river.NewWorkers()
	river.AddWorker(workers, jobs.NewBackfillWorker(r.db, enqueuer, logger, parallel, nil, nil))
	client, err := river.NewClient(riverpgxv5.New(r.db.Pool()), &river.Config{
		Schema: migrations.RiverSchema, Logger: logger, Workers: workers,
		Queues: map[string]river.QueueConfig{jobs.QueueBackfill: {MaxWorkers: 1, FetchCooldown: 50 * time.Millisecond}},
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the worker: %w", err)
	}
	if err := client.Start(ctx); err != nil {
		return nil, fmt.Errorf("start the worker: %w", err)
	}
	return func() { _ = client.Stop(context.WithoutCancel(ctx)) }, nil
}

// first computes the active version by a backfill, as a shadow version is.
func (r *run) first(ctx context.Context, enqueuer *jobs.Enqueuer) error {
	err := r.db.Write(ctx, func(tx *store.Tx) error {
		if err := tx.StartBackfill(ctx, 1); err != nil {
			return err
		}
		return enqueuer.Backfill(ctx, tx, 1)
	})
	if err != nil {
		return err
	}
	return r.done(ctx, 1)
}

// done waits until a version's backfill has ended.
func (r *run) done(ctx context.Context, model int16) error {
	ctx, cancel := context.WithTimeout(ctx, doneLimit)
	defer cancel()
	poll := time.NewTicker(settlePoll)
	defer poll.Stop()
	for {
		backfill, err := r.db.Backfill(ctx, model)
		if err != nil || backfill.State == store.BackfillDone {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the backfill at %d of %d: %w", backfill.Done, backfill.Total, ctx.Err())
		case <-poll.C:
		}
	}
}

var errLost = errors.New("records are missing, or counted twice")

// prove checks that each version has a snapshot of every target and statistics of every record.
func (r *run) prove(ctx context.Context) error {
	for model := 1; model <= 2; model++ {
		var snapshots, folded int64
		err := r.db.Pool().QueryRow(ctx, `select (select count(*) from trust_snapshots where model_id = $1),
			(select coalesce(sum(records), 0)::bigint from trust_stats where model_id = $1)`, model).Scan(&snapshots, &folded)
		if err != nil {
			return fmt.Errorf("count what was computed: %w", err)
		}
		if snapshots != r.targets || folded != r.records {
			return fmt.Errorf("version %d has %d of %d targets and %d of %d records: %w", model, snapshots, r.targets, folded, r.records, errLost)
		}
	}
	return nil
}

// markdown is the table. Rates and costs are of targets and of records.
func markdown(phases []phase) string {
	var out strings.Builder
	out.WriteString("| step | targets | records | seconds | targets/s | records/s | Go CPU s | PostgreSQL CPU s | CPU µs a record |\n")
	out.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, p := range phases {
		records, rate, cost := "–", "–", "–"
		if p.records > 0 {
			records, rate = strconv.FormatInt(p.records, 10), fmt.Sprintf("%.0f", p.rate(p.records))
			cost = fmt.Sprintf("%.0f", float64((p.cpu.self+p.cpu.postgres).Microseconds())/float64(p.records))
		}
		fmt.Fprintf(&out, "| %s | %d | %s | %.2f | %.0f | %s | %.2f | %.2f | %s |\n", p.name, p.targets, records,
			p.elapsed.Seconds(), p.rate(p.targets), rate, p.cpu.self.Seconds(), p.cpu.postgres.Seconds(), cost)
	}
	return out.String()
}
