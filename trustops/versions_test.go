package trustops_test

import (
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/stack"
	"interai/store"
	"interai/trustmodel"
	"interai/trustops"
)

const v1, v2 = trustmodel.V1Name, "trust-v2"

func TestAVersionGoesForthAndBackBitForBit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	items := b.world(6)
	b.rest()
	first := b.rows(v1)
	require.Len(t, first, 18)

	b.create()
	require.Equal(t, store.ModelDraft, b.version(v2).State)
	require.Empty(t, b.rows(v2), "nobody computes a draft")
	require.NoError(t, b.versions.Shadow(t.Context(), v2))
	b.complete(v2)
	require.Equal(t, first, b.rows(v1), "a shadow version changes nothing that readers see")
	second := b.rows(v2)
	require.Len(t, second, len(first))
	for target := range first {
		require.NotEqual(t, first[target], second[target])
	}
	got := b.version(v2)
	require.Equal(t, []int64{18, 18, 0, 0, 0}, []int64{got.Targets, got.Computed, got.Failed, got.Lagging, got.Behind})
	require.EqualValues(t, 1, got.Epoch, "its own reputations follow its backfill")
	require.InDelta(t, 100, got.Backfill.Percent, 0)

	shown := func() (out evidence.GetOutput) {
		b.Must(b.clients[1], "get", map[string]any{"id": items[0].ID}, &out)
		return out
	}
	before := shown()
	require.Equal(t, v1, before.Trust.ModelVersion)
	for i, active := range []string{v2, v1, v2} {
		done, err := b.versions.Promote(t.Context(), active)
		require.NoError(t, err)
		former := []string{v1, v2, v1}[i]
		require.Equal(t, trustops.Switch{Active: active, Former: former}, done)
		require.Equal(t, []string{store.ModelActive, store.ModelShadow}, []string{b.version(active).State, b.version(former).State})
		require.Equal(t, active, shown().Trust.ModelVersion)
		require.Equal(t, first, b.rows(v1))
		require.Equal(t, second, b.rows(v2))
	}
	require.NotEqual(t, before.Trust.Value, shown().Trust.Value)
	_, err := b.versions.Promote(t.Context(), v1)
	require.NoError(t, err)
	require.Equal(t, before.Trust, shown().Trust)

	b.use(b.publish(100), 1)
	b.rest()
	require.Len(t, b.rows(v2), 21, "the former version is still fed")
	require.NoError(t, b.versions.Retire(t.Context(), v2))
	b.use(b.publish(101), 1)
	b.rest()
	require.Len(t, b.rows(v2), 21, "a retired version is not")
	require.Len(t, b.rows(v1), 24)
	require.NoError(t, b.versions.Shadow(t.Context(), v2))
	b.complete(v2)
	require.Len(t, b.rows(v2), 24, "it comes back with a backfill")
}

func TestOneAnswerIsOfOneVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.world(1)[0]
	b.create()
	require.NoError(t, b.versions.Shadow(t.Context(), v2))
	b.complete(v2)

	// What one version says of the item, its claim and its history, in one answer.
	get := func(client int) (out evidence.GetOutput, err error) {
		err = b.Call(b.clients[client], "get", map[string]any{
			"id": item.ID, "include": []string{"claims", "revisions", "explanation"},
		}, &out)
		return out, err
	}
	said := map[string]string{}
	text := func(out evidence.GetOutput) string {
		return strings.Join([]string{
			out.Trust.ModelVersion, out.Explanation.ModelVersion, out.Status, out.Claims[0].Status, out.Revisions[0].Status,
			formatted(out.Trust.Value), formatted(out.Claims[0].Value), out.Explanation.ParamsHash, string(out.Explanation.Details),
		}, " ")
	}
	for _, name := range []string{v2, v1} {
		_, err := b.versions.Promote(t.Context(), name)
		require.NoError(t, err)
		out, err := get(0)
		require.NoError(t, err)
		said[name] = text(out)
	}
	require.NotEqual(t, said[v1], said[v2])

	stop := make(chan struct{})
	var readers sync.WaitGroup
	seen := map[string]*atomic.Int64{v1: {}, v2: {}}
	for i := range b.clients {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				out, err := get(i)
				if err != nil {
					t.Error("read: ", err)
					return
				}
				if text(out) != said[out.Trust.ModelVersion] {
					t.Errorf("%q is of no version", text(out))
					return
				}
				seen[out.Trust.ModelVersion].Add(1)
			}
		})
	}
	for i := range 20 {
		active := []string{v2, v1}[i%2]
		before := seen[active].Load()
		_, err := b.versions.Promote(t.Context(), active)
		require.NoError(t, err)
		b.Eventually("readers see "+active, func() bool { return t.Failed() || seen[active].Load() > before })
	}
	close(stop)
	readers.Wait()
}

func TestPromotionIsRefusedWhileTheVersionIsIncomplete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(3)
	b.rest()
	b.create()
	refused := func(name string) *trustops.IncompleteError {
		t.Helper()
		_, err := b.versions.Promote(t.Context(), name)
		var incomplete *trustops.IncompleteError
		require.ErrorAs(t, err, &incomplete)
		require.Equal(t, store.ModelActive, b.version(v1).State)
		return incomplete
	}
	_, err := b.versions.Promote(t.Context(), v2)
	var state *trustops.StateError
	require.ErrorAs(t, err, &state)
	require.Contains(t, err.Error(), "interai trust shadow trust-v2")
	require.Equal(t, store.ModelDraft, state.State)

	require.NoError(t, b.versions.Shadow(t.Context(), v2))
	b.complete(v2)
	exec(t, b.Store, `update trust_backfills set state = 'paused', done = 4`)
	require.Equal(t, trustops.IncompleteError{Name: v2, Active: v1, Backfill: store.BackfillPaused, Done: 4, Total: 9, Epoch: 1}, *refused(v2))

	exec(t, b.Store, `update trust_backfills set state = 'done'`)
	exec(t, b.Store, `delete from trust_snapshots where model_id = 2 and target_id in (select target_id from target_heads limit 2)`)
	require.Equal(t, store.Gaps{Missing: 2}, refused(v2).Gaps)

	exec(t, b.Store, `update target_states set applied_seq = applied_seq - 1 where model_id = 2
		and target_id in (select target_id from trust_snapshots where model_id = 2 limit 3)`)
	incomplete := refused(v2)
	require.Equal(t, store.Gaps{Missing: 2, Behind: 3}, incomplete.Gaps)
	require.Contains(t, incomplete.Error(), "2 targets are not computed and 3 lack evidence")

	require.NoError(t, b.versions.Retire(t.Context(), v2))
	require.NoError(t, b.versions.Shadow(t.Context(), v2))
	b.complete(v2)
	exec(t, b.Store, `update trust_models set epoch = case name when $1 then 3 else 0 end`, v1)
	incomplete = refused(v2)
	require.Equal(t, []any{store.Gaps{}, int32(0), int32(3)}, []any{incomplete.Gaps, incomplete.Epoch, incomplete.ActiveEpoch})
	require.Contains(t, incomplete.Error(), "no epoch of reputations")
}

func TestOfTwoPromotionsAtOnceOneWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(1)
	b.create()
	require.NoError(t, b.versions.Create(t.Context(), trustops.NewVersion{Name: "trust-v3", Set: []string{"prior.strength=2"}}))
	for _, name := range []string{v2, "trust-v3"} {
		require.NoError(t, b.versions.Shadow(t.Context(), name))
		b.complete(name)
	}
	names := []string{v2, "trust-v3", v2, "trust-v3"}
	errs := make([]error, len(names))
	var all sync.WaitGroup
	// While the versions are held all promotions begin, each with the same version in mind that it replaces.
	require.NoError(t, b.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.LockModels(t.Context())
		for i, name := range names {
			all.Go(func() { _, errs[i] = b.versions.Promote(t.Context(), name) })
		}
		b.Eventually("all of them wait", func() bool {
			return scalar[int](t, b.Store, `select count(*) from pg_stat_activity where datname = current_database()
				and wait_event_type = 'Lock' and query like '%trust_models%'`) == len(names)
		})
		return err
	}))
	all.Wait()
	active := scalar[string](t, b.Store, `select name from trust_models where state = 'active'`)
	won := 0
	for i, err := range errs {
		if err == nil {
			won++
			require.Equal(t, names[i], active)
			continue
		}
		var raced *trustops.RacedError
		require.ErrorAs(t, err, &raced)
		require.Equal(t, trustops.RacedError{Expected: v1, Active: active}, *raced)
	}
	require.Equal(t, 1, won)
	require.Equal(t, int64(2), scalar[int64](t, b.Store, `select count(*) from trust_models where state = 'shadow'`))
}

func TestCreateListsEveryProblem(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	err := b.versions.Create(t.Context(), trustops.NewVersion{
		Name: "Trust 2", From: v1, Note: strings.Repeat("x", 1001),
		Set: []string{"status.high_lower=2", "level=often", "no.such=1", "caps.all", "prior.mean=0"},
	})
	var invalid *trustops.InvalidError
	require.ErrorAs(t, err, &invalid)
	for _, problem := range []string{
		"name:", "note:", "status.high_lower: 2 is not within", `level: "often" is no number`, "no.such: no such parameter",
		`"caps.all": want PATH=VALUE`, "prior.mean: 0 is not within",
	} {
		require.Contains(t, err.Error(), problem)
	}
	require.Equal(t, int64(1), scalar[int64](t, b.Store, `select count(*) from trust_models`))
}

func TestAVersionIsNewByNameAndByParameters(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	create := func(v trustops.NewVersion) error { return b.versions.Create(t.Context(), v) }
	require.NoError(t, create(trustops.NewVersion{Name: v2, Set: []string{"level=.8"}, Note: "wider"}))

	var taken *trustops.TakenError
	require.ErrorAs(t, create(trustops.NewVersion{Name: v1, Set: []string{"level=.7"}}), &taken)
	var equal *trustops.EqualError
	require.ErrorAs(t, create(trustops.NewVersion{Name: "other"}), &equal)
	require.Equal(t, trustops.EqualError{Existing: v1, State: store.ModelActive}, *equal)
	require.ErrorAs(t, create(trustops.NewVersion{Name: "other", From: v1, Set: []string{"level=.80"}}), &equal)
	require.Equal(t, v2, equal.Existing)
	require.ErrorAs(t, create(trustops.NewVersion{Name: "other", From: v2, Set: []string{"level=.9"}}), &equal)
	require.Equal(t, v1, equal.Existing)
	var unknown *trustops.UnknownError
	require.ErrorAs(t, create(trustops.NewVersion{Name: "other", From: "trust-v9"}), &unknown)
	require.Equal(t, []string{v1, v2}, unknown.Known)

	shown, err := b.versions.Show(t.Context(), v2)
	require.NoError(t, err)
	require.Equal(t, []trustops.Change{{Path: "level", From: .9, To: .8}}, shown.Changes)
	require.Equal(t, []string{v2, v1, "wider", store.ModelDraft}, []string{shown.Name, shown.Parent, shown.Note, shown.State})
	require.InDelta(t, .8, shown.Parameters.Level, 0)
	require.Equal(t, shown.ParamsHash, shown.Parameters.Hash())
}

func TestStepsAreRefusedInStatesFromWhichTheyDoNotLead(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	b.create()
	ctx := t.Context()
	promote := func(name string) error {
		_, err := b.versions.Promote(ctx, name)
		return err
	}
	refuse := func(state string, err error) {
		t.Helper()
		var wrong *trustops.StateError
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, state, wrong.State)
	}
	refuse(store.ModelActive, b.versions.Shadow(ctx, v1))
	refuse(store.ModelActive, b.versions.Retire(ctx, v1))
	refuse(store.ModelActive, promote(v1))
	refuse(store.ModelActive, b.versions.Resume(ctx, v1))
	refuse(store.ModelDraft, b.versions.Retire(ctx, v2))
	refuse(store.ModelDraft, b.versions.Pause(ctx, v2))
	refuse(store.ModelDraft, b.versions.Resume(ctx, v2))
	require.NoError(t, b.versions.Shadow(ctx, v2))
	refuse(store.ModelShadow, b.versions.Shadow(ctx, v2))
	require.NoError(t, b.versions.Pause(ctx, v2))
	refuse(store.ModelShadow, b.versions.Pause(ctx, v2))
	require.NoError(t, b.versions.Resume(ctx, v2))
	require.NoError(t, b.versions.Resume(ctx, v2), "one that runs goes on")
	require.Equal(t, int64(2), scalar[int64](t, b.Store, `select count(*) from river.river_job where kind = 'backfill_model'`),
		"one that has a job gets no other")
	require.NoError(t, b.versions.Retire(ctx, v2))
	refuse(store.ModelRetired, b.versions.Resume(ctx, v2))
	refuse(store.ModelRetired, promote(v2))
	var unknown *trustops.UnknownError
	for _, err := range []error{
		promote("x"), b.versions.Shadow(ctx, "x"), b.versions.Pause(ctx, "x"), b.versions.Resume(ctx, "x"), b.versions.Retire(ctx, "x"),
	} {
		require.ErrorAs(t, err, &unknown)
	}
}

func TestProgressSaysWhetherAnybodyWorks(t *testing.T) {
	t.Parallel()
	idle := setup(t, stack.WithoutWorkers())
	idle.create()
	require.NoError(t, idle.versions.Shadow(t.Context(), v2))
	progress, err := idle.versions.Progress(t.Context(), v2)
	require.NoError(t, err)
	require.False(t, progress.WorkersRunning)
	stack.Start(t, stack.On(idle.ConnString))
	idle.Eventually("workers are seen", func() bool {
		progress, err = idle.versions.Progress(t.Context(), v2)
		return err == nil && progress.WorkersRunning && progress.Backfill.State == store.BackfillDone
	})
}

func TestAParameterThatIsSetTwiceIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	err := b.versions.Create(t.Context(), trustops.NewVersion{Name: v2, Set: []string{"prior.mean=.4", "level=.8", " prior.mean =.45"}})
	invalid := &trustops.InvalidError{}
	require.ErrorAs(t, err, &invalid)
	require.ErrorContains(t, err, "prior.mean: set twice")
	require.NotContains(t, err.Error(), "level")
}

func TestWhatNothingComputesIsNotCalledUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.create()
	for name, ask := range map[string]func() error{
		"verify": func() error { _, err := b.versions.Verify(t.Context(), v2, false, nil); return err },
		"epoch":  func() error { _, err := b.versions.Epoch(t.Context(), v2, slog.New(slog.DiscardHandler)); return err },
		"explain": func() error {
			_, err := b.versions.Explain(t.Context(), b.Agent, trustops.ExplainOptions{Version: v2})
			return err
		},
	} {
		state := &trustops.StateError{}
		require.ErrorAs(t, ask(), &state, name)
		require.Equal(t, store.ModelDraft, state.State)
		require.Contains(t, state.Advice, "trust shadow "+v2)
	}
}
