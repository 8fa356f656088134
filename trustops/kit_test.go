package trustops_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/evidence"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/jobs"
	"interai/store"
	"interai/trustops"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// bundle is a node, and its versions in an operator's hand.
type bundle struct {
	*stack.Stack

	t        *testing.T
	versions *trustops.Versions
	clients  []*mcp.Client
}

func setup(t *testing.T, options ...stack.Option) *bundle {
	t.Helper()
	b := &bundle{Stack: stack.Start(t, options...), t: t}
	enqueuer, err := jobs.NewEnqueuer(b.Store, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	b.versions = trustops.NewVersions(b.Store, enqueuer)
	for _, v := range []store.Verification{{Vouched: true}, {Domain: true}, {Email: true}, {Vouched: true}} {
		_, _, key := b.Party(v)
		b.clients = append(b.clients, b.Client(key))
	}
	return b
}

// publish publishes an item that states a claim about a subject.
func (b *bundle) publish(no int) evidence.PublishOutput {
	b.t.Helper()
	var out evidence.PublishOutput
	b.Must(b.clients[0], "publish", map[string]any{
		"content_type": "note", "title": fmt.Sprint("Item ", no),
		"claims":       []map[string]any{{"text": fmt.Sprintf("Item number %d works.", no)}},
		"new_subjects": []map[string]any{{"type": "thing", "name": fmt.Sprint("thing ", no)}},
	}, &out)
	return out
}

// use reports uses of an item, its claim and its subject by all parties, of which the nth fails.
func (b *bundle) use(item evidence.PublishOutput, fails int) {
	b.t.Helper()
	for i, client := range b.clients {
		result := "success"
		if i == fails {
			result = "failure"
		}
		for _, target := range []string{item.ID, item.Claims[0].ID, item.Subjects[0].ID} {
			b.Must(client, "report_usage", map[string]any{"target": target, "result": result, "real_world_use": i%2 == 0}, nil)
		}
	}
}

// world is some items with evidence that says different things.
func (b *bundle) world(items int) []evidence.PublishOutput {
	b.t.Helper()
	out := make([]evidence.PublishOutput, items)
	for i := range out {
		out[i] = b.publish(i)
		b.use(out[i], i%5)
	}
	return out
}

// create makes a second version that differs much from the first.
func (b *bundle) create() {
	b.t.Helper()
	require.NoError(b.t, b.versions.Create(b.t.Context(), trustops.NewVersion{
		Name: v2, From: v1, Set: []string{"prior.strength=4", "caps.all=.2", "status.supported_lower=.42"},
	}))
}

// complete waits until a version's backfill has ended, the epoch is sealed that follows it, and nothing is left to do.
func (b *bundle) complete(name string) {
	b.t.Helper()
	b.Eventually("the backfill of "+name+" has ended", func() bool {
		progress, err := b.versions.Progress(b.t.Context(), name)
		return err == nil && progress.Backfill != nil && progress.Backfill.State == store.BackfillDone
	})
	b.rest()
}

// rest waits until nothing is left to compute: no target waits, and no job that could wake one.
func (b *bundle) rest() {
	b.t.Helper()
	b.Eventually("nothing is left to compute", func() bool {
		return scalar[bool](b.t, b.Store, `
			select not exists (select from target_heads where queued)
			   and not exists (select from river.river_job where state not in ('completed', 'discarded', 'cancelled') and kind <> 'sweep')
			   and not exists (select from target_heads h, trust_models m where m.state in ('active', 'shadow') and not exists (
			       select from target_states s where s.target_id = h.target_id and s.model_id = m.id
			          and s.applied_seq >= h.last_seq and s.wakes >= h.wakes))`)
	})
}

// version finds a version in the list.
func (b *bundle) version(name string) trustops.Version {
	b.t.Helper()
	list, err := b.versions.List(b.t.Context())
	require.NoError(b.t, err)
	for _, v := range list {
		if v.Name == name {
			return v
		}
	}
	require.FailNow(b.t, "there is no version "+name)
	return trustops.Version{}
}

// rows are the figures of all snapshots of a version, each as text, by target. Floating-point numbers are written so
// that every bit shows.
func (b *bundle) rows(name string) map[uuid.UUID]string {
	b.t.Helper()
	rows, err := b.Store.Pool().Query(b.t.Context(), `
		select p.target_id, concat_ws(' ', p.value, p.lower_bound, p.upper_bound, p.alpha, p.beta, p.independent_confirmations,
		       p.contradictions, p.real_world_confirmations, p.status, p.raw_status, p.pending_status, p.inputs, p.counts, p.applied_seq)
		from trust_snapshots p join trust_models m on m.id = p.model_id where m.name = $1`, name)
	require.NoError(b.t, err)
	defer rows.Close()
	out := map[uuid.UUID]string{}
	for rows.Next() {
		var target uuid.UUID
		var text string
		require.NoError(b.t, rows.Scan(&target, &text))
		out[target] = text
	}
	require.NoError(b.t, rows.Err())
	return out
}

func exec(t *testing.T, db *store.Store, sql string, args ...any) {
	t.Helper()
	_, err := db.Pool().Exec(context.WithoutCancel(t.Context()), sql, args...)
	require.NoError(t, err, sql)
}

func scalar[T any](t *testing.T, db *store.Store, sql string, args ...any) T {
	t.Helper()
	var out T
	require.NoError(t, db.Pool().QueryRow(t.Context(), sql, args...).Scan(&out), sql)
	return out
}

// formatted writes a figure with every bit.
func formatted(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
