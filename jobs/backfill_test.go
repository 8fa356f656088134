package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/stack"
	"interai/jobs"
	"interai/migrations"
	"interai/store"
)

// twin is a second version with the parameters of the first: what it computes must be the same, bit for bit.
const twin = int16(2)

// shadow makes the twin a shadow version whose backfill begins.
func (b *bundle) shadow() {
	b.t.Helper()
	exec(b, `insert into trust_models (name, parameters, params_hash, parent, state)
		select 'twin', parameters, params_hash, name, 'shadow' from trust_models`)
	require.NoError(b.t, b.Store.Write(b.t.Context(), func(tx *store.Tx) error {
		if err := tx.StartBackfill(b.t.Context(), twin); err != nil {
			return err
		}
		return b.jobs.Backfill(b.t.Context(), tx, twin)
	}))
}

// items publishes items with evidence by two parties about each.
func (b *bundle) items(n int) []evidence.PublishOutput {
	b.t.Helper()
	out := make([]evidence.PublishOutput, n)
	for i := range out {
		out[i] = b.publish(b.voices[0], map[string]any{"new_subjects": []map[string]any{{"type": "thing", "name": fmt.Sprint("thing ", i)}}})
		for no, result := range []string{"success", "failure"} {
			for _, target := range []string{out[i].ID, out[i].Subjects[0].ID} {
				b.Must(b.voices[1+no].client, "report_usage", map[string]any{"target": target, "result": result}, nil)
			}
		}
	}
	return out
}

// backfiller works backfills, and nothing else, up to parallel at once.
func (b *bundle) backfiller(worker *jobs.BackfillWorker, parallel int) *river.Client[pgx.Tx] {
	b.t.Helper()
	workers := river.NewWorkers()
	river.AddWorker(workers, worker)
	return b.start(workers, map[string]int{jobs.QueueBackfill: parallel})
}

// start works queues until the test ends.
func (b *bundle) start(workers *river.Workers, parallel map[string]int) *river.Client[pgx.Tx] {
	b.t.Helper()
	queues := map[string]river.QueueConfig{}
	for queue, n := range parallel {
		queues[queue] = river.QueueConfig{MaxWorkers: n, FetchCooldown: 10 * time.Millisecond, FetchPollInterval: 50 * time.Millisecond}
	}
	client, err := river.NewClient(riverpgxv5.New(b.Store.Pool()), &river.Config{
		Schema: migrations.RiverSchema, Workers: workers, Logger: slog.New(slog.DiscardHandler), Queues: queues,
	})
	require.NoError(b.t, err)
	require.NoError(b.t, client.Start(context.WithoutCancel(b.t.Context())))
	b.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(b.t.Context()), time.Minute)
		defer cancel()
		_ = client.StopAndCancel(ctx) // it may be stopped already
	})
	return client
}

func (b *bundle) backfill() store.Backfill {
	b.t.Helper()
	backfill, err := b.Store.Backfill(b.t.Context(), twin)
	require.NoError(b.t, err)
	return backfill
}

func (b *bundle) count(sql string) (n int) {
	b.t.Helper()
	require.NoError(b.t, b.Store.Pool().QueryRow(b.t.Context(), sql).Scan(&n), sql)
	return n
}

func (b *bundle) filled() {
	b.t.Helper()
	b.Eventually("the backfill is done", func() bool { return b.backfill().State == store.BackfillDone })
}

// twinsAgree requires that both versions have computed every target, from the same evidence to the same figures.
func (b *bundle) twinsAgree() {
	b.t.Helper()
	b.twinsAreComplete()
	require.Zero(b.t, b.count(`
		select count(*) from (select target_id, inputs, counts, status, applied_seq, as_of_bin from trust_snapshots where model_id = 1) a
		full join (select target_id, inputs, counts, status, applied_seq, as_of_bin from trust_snapshots where model_id = 2) b using (target_id)
		where a is distinct from b`), "the twins differ")
}

// twinsAreComplete requires that both versions have folded every record of every target once.
func (b *bundle) twinsAreComplete() {
	b.t.Helper()
	require.Zero(b.t, b.count(`select count(*) from target_heads h where h.last_seq > coalesce((
		select min(s.applied_seq) from target_states s where s.target_id = h.target_id having count(*) = 2), -1)`), "a head is behind")
	require.Equal(b.t, b.count(`select count(*) from target_heads`), b.count(`select count(*) from trust_snapshots where model_id = 2`))
	require.Zero(b.t, b.count(`select count(*) from (select sum(records) filter (where model_id = 1) as a,
		sum(records) filter (where model_id = 2) as b from trust_stats group by target_id) s where a is distinct from b`), "counted twice")
}

func TestABackfillHandsOverFromJobToJobUntilAllIsComputed(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	b.items(11) // 22 targets
	var ended atomic.Int32
	b.shadow()
	b.backfiller(jobs.SmallBackfill(b.Store, b.worker(), 5, 0, func(ctx context.Context, tx *store.Tx, model int16) error {
		backfill, err := tx.Backfill(ctx, model)
		if err == nil && backfill.State == store.BackfillDone {
			ended.Add(1)
		}
		return err
	}), 1)
	b.filled()
	got := b.backfill()
	require.Equal(t, []int64{22, 22}, []int64{got.Done, got.Total})
	require.NotNil(t, got.FinishedAt)
	require.Equal(t, int32(1), ended.Load(), "the end is told once, in its transaction")
	require.Equal(t, 5, b.count(`select count(*) from river.river_job where kind = 'backfill_model'`), "5, 5, 5, 5 and 2 targets")
	b.twinsAgree()
}

func TestJobsOfOneBackfillAtOnceCountNothingTwice(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	b.items(12)
	b.shadow()
	for range 5 {
		require.NoError(t, b.Store.Write(t.Context(), func(tx *store.Tx) error { return b.jobs.Backfill(t.Context(), tx, twin) }))
	}
	b.backfiller(jobs.SmallBackfill(b.Store, b.worker(), 3, 0, nil), 3)
	b.backfiller(jobs.SmallBackfill(b.Store, b.worker(), 3, 0, nil), 3)
	b.filled()
	got := b.backfill()
	require.Equal(t, []int64{24, 24}, []int64{got.Done, got.Total})
	b.twinsAgree()
}

func TestABackfillWhoseWorkerDiesIsTakenUpByTheNextNode(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	b.items(30)
	b.shadow()
	client := b.backfiller(jobs.SmallBackfill(b.Store, b.worker(), 1, time.Minute, nil), 1)
	b.Eventually("some are computed", func() bool { return b.backfill().Done > 3 })
	require.NoError(t, client.StopAndCancel(t.Context()))
	stood := b.backfill()
	require.Equal(t, store.BackfillRunning, stood.State)
	require.Less(t, stood.Done, stood.Total)
	// What a process leaves that was killed: a job that seems to run.
	exec(b, `update river.river_job set state = 'running', finalized_at = null, attempted_at = now(), attempt = 1 where kind = 'backfill_model'`)
	stack.Start(t, stack.On(b.ConnString))
	b.filled()
	got := b.backfill()
	require.Equal(t, []int64{60, 60}, []int64{got.Done, got.Total})
	b.Settled()
	b.twinsAreComplete() // the node seals an epoch behind it, by which the twins may differ
}

func TestAPausedBackfillRestsWhereItIs(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	b.items(30)
	b.shadow()
	b.backfiller(jobs.SmallBackfill(b.Store, b.worker(), 1, time.Minute, nil), 1)
	b.Eventually("some are computed", func() bool { return b.backfill().Done > 3 })
	set := func(from, to string) (was bool) {
		require.NoError(t, b.Store.Write(t.Context(), func(tx *store.Tx) (err error) {
			if was, err = tx.SetBackfillState(t.Context(), twin, from, to); err == nil && to == store.BackfillRunning {
				err = b.jobs.Backfill(t.Context(), tx, twin)
			}
			return err
		}))
		return was
	}
	require.True(t, set(store.BackfillRunning, store.BackfillPaused))
	b.Eventually("its job ends", func() bool {
		return b.count(`select count(*) from river.river_job where kind = 'backfill_model' and state <> 'completed'`) == 0
	})
	rests := b.backfill()
	require.Equal(t, store.BackfillPaused, rests.State)
	require.Less(t, rests.Done, rests.Total)
	require.EqualValues(t, rests.Done, b.count(`select count(*) from trust_snapshots where model_id = 2`), "what was computed is counted")
	for all := range map[bool]bool{true: true, false: true} {
		require.NoError(t, b.Store.Write(t.Context(), func(tx *store.Tx) error {
			lost, err := tx.LostBackfills(t.Context(), all, time.Minute)
			require.Empty(t, lost, "it is not lost")
			return err
		}))
	}
	require.False(t, set(store.BackfillRunning, store.BackfillPaused))
	require.True(t, set(store.BackfillPaused, store.BackfillRunning))
	b.filled()
	require.Equal(t, []int64{60, 60}, []int64{b.backfill().Done, b.backfill().Total})
	b.twinsAgree()
}

func TestOnlyABackfillWithoutAJobIsLost(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	b.shadow()
	lost := func(all bool) (models []int16) {
		require.NoError(t, b.Store.Write(t.Context(), func(tx *store.Tx) (err error) {
			models, err = tx.LostBackfills(t.Context(), all, time.Minute)
			return err
		}))
		return models
	}
	job := func(change string) { exec(b, `update river.river_job set `+change+` where kind = 'backfill_model'`) }
	require.Empty(t, lost(true), "its job waits")
	job(`state = 'running', attempt = 1, attempted_at = now()`)
	require.Empty(t, lost(false), "its job runs")
	require.Equal(t, []int16{twin}, lost(true), "its job may be of a process that is gone")
	job(`attempted_at = now() - interval '2 minutes'`)
	require.Equal(t, []int16{twin}, lost(false), "its job has run for longer than it may")
	job(`state = 'discarded', finalized_at = now()`)
	require.Equal(t, []int16{twin}, lost(false), "its job was given up")
	exec(b, `update trust_models set state = 'retired' where id = 2`)
	require.Empty(t, lost(true), "nobody wants it")
}

func TestLiveEvidenceDuringABackfillEndsInBothVersions(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	old := b.items(15)
	b.shadow()
	// A whole node would seal an epoch behind the backfill, and then the twins may differ.
	workers := river.NewWorkers()
	river.AddWorker(workers, b.worker())
	river.AddWorker(workers, jobs.NewWakeWorker(b.Store, slog.New(slog.DiscardHandler)))
	river.AddWorker(workers, jobs.SmallBackfill(b.Store, b.worker(), 2, 0, nil))
	b.start(workers, map[string]int{jobs.QueueTrust: 8, jobs.QueueBackfill: 1})
	var all sync.WaitGroup
	for no, v := range b.voices[:4] {
		all.Go(func() {
			for i := range 30 {
				args := map[string]any{"target": old[(i*7+no)%len(old)].ID, "result": []string{"success", "failure"}[i%2], "real_world_use": true}
				if _, err := v.client.Call(t.Context(), "report_usage", args, nil); err != nil {
					t.Error("report: ", err)
				}
			}
		})
	}
	fresh := b.publish(b.voices[0], map[string]any{"title": "Later"})
	b.Must(b.voices[1].client, "report_usage", map[string]any{"target": fresh.ID, "result": "success"}, nil)
	all.Wait()
	b.filled()
	b.Settled()
	b.Eventually("nothing is folded any more", func() bool {
		return b.count(`select count(*) from target_heads where queued`) == 0
	})
	b.twinsAgree()
}

func TestATargetThatCannotBeComputedIsMarkedAndPassedOver(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	items := b.items(4)
	b.shadow()
	client := b.backfiller(jobs.SmallBackfill(b.Store, b.worker(), 3, time.Minute, nil), 1)
	b.filled()
	b.twinsAgree()
	require.NoError(t, client.Stop(t.Context()))

	exec(b, `update trust_snapshots set inputs = '"no snapshot"' where target_id = $1`, parse(t, items[1].RevisionID).UUID)
	require.NoError(t, b.Store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.StartBackfill(t.Context(), twin); err != nil {
			return err
		}
		return b.jobs.Backfill(t.Context(), tx, twin)
	}))
	require.Zero(t, b.backfill().Done, "it begins anew")
	exec(b, `update river.river_job set attempt = 2 where kind = 'backfill_model' and state = 'available'`)
	b.backfiller(jobs.SmallBackfill(b.Store, b.worker(), 3, time.Minute, nil), 1)
	b.filled()
	require.EqualValues(t, 8, b.backfill().Done)
	require.Equal(t, 2, b.count(`select count(*) from target_states where failed_at is not null`), "one target, both versions")
}
