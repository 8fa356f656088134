package e2e

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/trustops"
)

// heads is how many targets a backfill has to walk: several stretches, so that it can be met in the middle.
const heads = 9_000

// fill makes targets with two records each, beside the tools, by the server's own agent.
func fill(t *testing.T, conn string) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), conn)
	require.NoError(t, err)
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	for _, sql := range []string{
		`insert into entities (id, type, name, name_key, created_by)
			select gen_random_uuid(), 'thing', 'thing ' || i, 'thing ' || i, (select id from actors where kind = 'ai' limit 1)
			from generate_series(1, 9000) i`,
		`insert into target_heads (target_id, kind, last_seq, queued, need) select id, 'ent', 2, false, false from entities`,
		`insert into evidence (target_id, seq, id, kind, actor_id, usage_type, result, real_world)
			select target_id, s, gen_random_uuid(), 'usage', (select id from actors where kind = 'ai' limit 1), 'use',
			       case when s = 1 then 'success' else 'failure' end, true
			from target_heads, generate_series(1, 2) s`,
	} {
		_, err := db.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
}

func TestAVersionSurvivesTheDeathOfItsServerAndIsPromoted(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	dir := t.TempDir()
	first := serve(t, dir, databaseURL(conn))
	fill(t, conn)
	run := func(args ...string) result { return cli(t, []string{databaseURL(conn)}, append(args, "--json")...) }

	created := answer[trustops.Shown](t, run("trust", "create", "trust-v2", "--from", "trust-v1", "--set", "prior.strength=2", "--note", "calmer"))
	require.Equal(t, []trustops.Change{{Path: "prior.strength", From: 1, To: 2}}, created.Changes)
	progress := answer[trustops.Progress](t, run("trust", "shadow", "trust-v2"))
	require.True(t, progress.WorkersRunning)
	require.EqualValues(t, heads, progress.Backfill.Total)
	var state string
	var done int
	look := func() { query(t, conn, `select state, done from trust_backfills`, &state, &done) }
	eventually(t, "the backfill is in the middle", func() bool {
		look()
		return done > 0
	})
	first.kill()
	look()
	require.Equal(t, "running", state)
	require.Less(t, done, heads, "the server was killed in the middle")

	refused := run("trust", "promote", "trust-v2")
	require.Equal(t, 1, refused.code)
	require.Contains(t, refused.errors, "is incomplete: its backfill is running")

	serve(t, dir, databaseURL(conn))
	progress = answer[trustops.Progress](t, waited(t, conn, "trust", "resume", "trust-v2", "--wait", "--json"))
	require.Equal(t, []any{"done", int64(heads), int64(heads)}, []any{progress.Backfill.State, progress.Backfill.Done, progress.Backfill.Total})
	var snapshots, behind, records int
	query(t, conn, `select count(*), (select count(*) from target_states where model_id = 2 and applied_seq <> 2),
		(select sum(records) from trust_stats where model_id = 2) from trust_snapshots where model_id = 2`, &snapshots, &behind, &records)
	require.Equal(t, []int{heads, 0, 2 * heads}, []int{snapshots, behind, records})

	eventually(t, "the active version has caught up as well", func() bool {
		list := answer[[]trustops.Version](t, run("trust", "models"))
		return list[0].Computed == heads && list[0].Lagging == 0
	})
	page := filepath.Join(t.TempDir(), "diff.html")
	diff := answer[trustops.Comparison](t, quiet(run("trust", "diff", "trust-v1", "trust-v2", "--html", page, "--limit", "3")))
	require.EqualValues(t, heads, diff.Shared)
	written, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(written), "<svg role=\"img\"")

	require.Equal(t, trustops.Switch{Active: "trust-v2", Former: "trust-v1"}, answer[trustops.Switch](t, run("trust", "promote", "trust-v2")))
	require.Equal(t, trustops.Switch{Active: "trust-v1", Former: "trust-v2"}, answer[trustops.Switch](t, run("trust", "promote", "trust-v1")))
	require.Equal(t, map[string]string{"name": "trust-v2", "state": "retired"}, answer[map[string]string](t, run("trust", "retire", "trust-v2")))
	misuse(t, run)
}

// waited runs a command that shows its progress, which is not its answer.
func waited(t *testing.T, conn string, args ...string) result {
	t.Helper()
	return quiet(cli(t, []string{databaseURL(conn)}, args...))
}

func quiet(r result) result {
	if r.code == 0 {
		r.errors = ""
	}
	return r
}

func misuse(t *testing.T, run func(args ...string) result) {
	t.Helper()
	for rule, args := range map[string][]string{
		"an unknown version":             {"trust", "show", "trust-v9"},
		"a version that is active":       {"trust", "promote", "trust-v1"},
		"a version that nobody computes": {"trust", "promote", "trust-v2"},
		"the active version":             {"trust", "retire", "trust-v1"},
		"a backfill that has ended":      {"trust", "pause", "trust-v2"},
		"the same parameters":            {"trust", "create", "trust-v3"},
		"a name that is taken":           {"trust", "create", "trust-v2", "--set", "level=.8"},
	} {
		t.Run("fails: "+rule, func(t *testing.T) {
			r := run(args...)
			require.Equal(t, 1, r.code, r.errors)
			require.Empty(t, r.out)
			require.Len(t, lines(r.errors), 1, r.errors)
			require.NotContains(t, r.errors, "SQLSTATE")
		})
	}
	for rule, args := range map[string][]string{
		"parameters that make no sense": {"trust", "create", "trust-v3", "--set", "level=2", "--set", "prior.mean=7"},
		"a name that is none":           {"trust", "create", "Trust V3", "--set", "level=.8"},
		"labels that are none":          {"trust", "diff", "trust-v1", "trust-v2", "--labels", os.Args[0]},
		"labels that are not there":     {"trust", "diff", "trust-v1", "trust-v2", "--labels", "nowhere.csv"},
		"a negative limit":              {"trust", "diff", "trust-v1", "trust-v2", "--limit", "-1"},
		"one version alone":             {"trust", "diff", "trust-v1"},
	} {
		t.Run("usage: "+rule, func(t *testing.T) {
			r := run(args...)
			require.Equal(t, 2, r.code, r.errors)
			require.Empty(t, r.out)
			require.NotEmpty(t, r.errors)
		})
	}
}
