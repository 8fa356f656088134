package jobs_test

import (
	"context"
	"flag"
	"log/slog"
	"maps"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/evidence"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/jobs"
	"interai/migrations"
	"interai/store"
)

// propertyChecks is how many histories the property test makes unless -rapid.checks says otherwise: each one waits
// for a real database and real workers.
const propertyChecks = "25"

func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = checks.Value.Set(propertyChecks)
	}
	os.Exit(pgtest.Main(m))
}

// voice is one actor of the tests, with its client.
type voice struct {
	id     store.ID
	client *mcp.Client
}

// bundle is a node with the actors of several parties.
type bundle struct {
	*stack.Stack

	t      *testing.T
	voices []voice
	humans []store.ID
	river  *river.Client[pgx.Tx]
	jobs   *jobs.Enqueuer
}

// setup makes parties of every sort: without verification, with one, and with several agents.
func setup(t *testing.T, options ...stack.Option) *bundle {
	t.Helper()
	b := &bundle{Stack: stack.Start(t, options...), t: t}
	for i, verification := range []store.Verification{{Vouched: true}, {Domain: true}, {Email: true}, {}, {Vouched: true}} {
		human, agent, key := b.Party(verification)
		b.voices = append(b.voices, voice{agent, b.Client(key)})
		b.humans = append(b.humans, human)
		if i < 2 {
			second, err := b.Store.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: "second", Controller: human})
			require.NoError(t, err)
			b.voices = append(b.voices, voice{second.ID, b.Client(b.KeyOf(second.ID, "read", "publish", "usage"))})
		}
	}
	var err error
	b.river, err = river.NewClient(riverpgxv5.New(b.Store.Pool()), &river.Config{Schema: migrations.RiverSchema})
	require.NoError(t, err)
	b.jobs, err = jobs.NewEnqueuer(b.Store, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return b
}

// worker is a worker of the test's own, with its own connections.
func (b *bundle) worker() *jobs.RecomputeWorker {
	b.t.Helper()
	db, err := store.Open(store.Options{ConnString: b.ConnString, MaxConns: 4})
	require.NoError(b.t, err)
	b.t.Cleanup(db.Close)
	return jobs.NewRecomputeWorker(db, b.jobs, slog.New(slog.DiscardHandler), 2, nil)
}

// job is a job of a target at its nth attempt.
func job(target store.ID, attempt int) *river.Job[jobs.RecomputeArgs] {
	return &river.Job[jobs.RecomputeArgs]{
		JobRow: &rivertype.JobRow{Attempt: attempt, MaxAttempts: 10}, Args: jobs.RecomputeArgs{Targets: []string{target.String()}},
	}
}

// sweep enqueues one sweep.
func (b *bundle) sweep() {
	b.t.Helper()
	_, err := b.river.Insert(b.t.Context(), jobs.SweepArgs{}, nil)
	require.NoError(b.t, err)
}

// settleLimit covers a job that is rescued, or pauses for the longest time, after its connection was cut.
const settleLimit = 4 * time.Minute

// settle sweeps until trust includes all evidence of the targets.
func (b *bundle) settle(targets []store.ID) {
	b.t.Helper()
	ids := make([]uuid.UUID, len(targets))
	for i, target := range targets {
		ids[i] = target.UUID
	}
	next, slow := time.Now(), time.Now().Add(10*time.Second)
	stack.EventuallyWithin(b.t, settleLimit, "trust includes all evidence", func() bool {
		var lagging int
		err := b.Store.Pool().QueryRow(b.t.Context(), `
			select (select count(*) from river.river_job where kind = 'reassign_controller' and finalized_at is null) + count(*)
			from target_heads h left join target_states s using (target_id)
			where h.target_id = any ($1) and (h.last_seq > coalesce(s.applied_seq, 0) or h.wakes > coalesce(s.wakes, 0))`, ids).Scan(&lagging)
		if err != nil || lagging == 0 {
			return err == nil
		}
		if time.Now().After(slow) {
			b.logUnfinished()
			slow = slow.Add(settleLimit)
		}
		if time.Now().After(next) {
			b.sweep()
			next = time.Now().Add(200 * time.Millisecond)
		}
		return false
	})
}

// logUnfinished says what work is left and who is writing, for whoever has to find out why it takes long.
func (b *bundle) logUnfinished() {
	rows, err := b.Store.Pool().Query(context.Background(), `
		select format('job %s %s %s attempt %s at %s', id, kind, state, attempt, attempted_at) from river.river_job where finalized_at is null
		union all
		select format('target %s: %s of %s, wakes %s of %s, queued %s', h.target_id, s.applied_seq, h.last_seq, s.wakes, h.wakes, h.queued)
		from target_heads h left join target_states s using (target_id)
		where h.last_seq > coalesce(s.applied_seq, 0) or h.wakes > coalesce(s.wakes, 0)
		union all
		select format('session %s %s since %s, blocked by %s: %s', pid, state, state_change, pg_blocking_pids(pid), query)
		from pg_stat_activity where datname = current_database() and backend_xid is not null`)
	if err == nil {
		lines, _ := pgx.CollectRows(rows, pgx.RowTo[string])
		b.t.Log("unfinished:", lines)
	}
}

// append appends evidence beside the tools, with the jobs that it calls for unless they are to be lost.
func (b *bundle) append(rows []store.Evidence, loseJobs bool) {
	b.t.Helper()
	appends := make([]store.Append, len(rows))
	for i, row := range rows {
		row.ID = uuid.Must(uuid.NewV7())
		appends[i].Evidence = row
	}
	err := b.Store.Write(b.t.Context(), func(tx *store.Tx) error {
		_, wake, err := tx.AppendEvidence(b.t.Context(), appends)
		if err != nil || loseJobs {
			return err
		}
		return b.jobs.Recompute(b.t.Context(), tx, wake)
	})
	require.NoError(b.t, err)
}

// publish publishes an item with a claim and a subject of its own.
func (b *bundle) publish(by voice, args map[string]any) evidence.PublishOutput {
	b.t.Helper()
	var out evidence.PublishOutput
	input := map[string]any{"content_type": "note", "title": "An item"}
	maps.Copy(input, args)
	b.Must(by.client, "publish", input, &out)
	return out
}

func parse(t require.TestingT, text string) store.ID {
	id, err := store.ParseID(text)
	require.NoError(t, err)
	return id
}

func exec(b *bundle, sql string, args ...any) {
	b.t.Helper()
	_, err := b.Store.Pool().Exec(b.t.Context(), sql, args...)
	require.NoError(b.t, err)
}
