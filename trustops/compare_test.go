package trustops_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/internal/stack"
	"interai/store"
	"interai/trustops"
)

// made is one target of a hand-made pair of versions.
type made struct {
	name     string
	a, b     [3]float64 // value, lower, upper
	statuses [2]string
	counts   [2]int
	inputs   [2]string
}

// pair makes entities, and snapshots of them under two versions that nobody computed. A zero value stands for no snapshot.
func (b *bundle) pair(rows []made) []store.ID {
	b.t.Helper()
	b.create()
	ids := make([]store.ID, len(rows))
	for i, r := range rows {
		ids[i] = store.ID{Kind: store.KindEntity, UUID: uuid.Must(uuid.NewV7())}
		exec(b.t, b.Store, `insert into entities (id, type, name, name_key, created_by) values ($1, 'thing', $2::text, $2, $3)`, ids[i].UUID, r.name, b.Agent.UUID)
		exec(b.t, b.Store, `insert into target_heads (target_id, kind, last_seq, queued, need) values ($1, 'ent', 1, false, false)`, ids[i].UUID)
		for model, f := range [2][3]float64{r.a, r.b} {
			if f == [3]float64{} {
				continue
			}
			exec(b.t, b.Store, `insert into target_states (model_id, target_id, applied_seq, version) values ($1, $2, 1, 1)`, model+1, ids[i].UUID)
			inputs := r.inputs[model]
			if inputs == "" {
				inputs = "{}"
			}
			exec(b.t, b.Store, `
				insert into trust_snapshots (model_id, target_id, value, lower_bound, upper_bound, alpha, beta, independent_confirmations,
					contradictions, real_world_confirmations, status, raw_status, inputs, counts, applied_seq, version, as_of_bin)
				values ($1, $2, $3, $4, $5, 1, 1, $6, 0, 0, $7::text, $7, $8, '{}', 1, 1, 1)`,
				model+1, ids[i].UUID, f[0], f[1], f[2], r.counts[model], r.statuses[model], inputs)
		}
	}
	return ids
}

func handMade() []made {
	sd, un, di := "supported", "unverified", "disputed"
	return []made{
		{name: "same", a: [3]float64{.5, .1, .9}, b: [3]float64{.5, .1, .9}, statuses: [2]string{un, un}},
		{name: "<b>up</b>", a: [3]float64{.5, .2, .8}, b: [3]float64{.7, .5, .9}, statuses: [2]string{un, sd}, counts: [2]int{1, 3}, inputs: [2]string{
			`{"value": 0.5, "parties": 2, "confirmations": 1, "totals": {"g_plus": 1000000000, "carry_plus": 0}}`,
			`{"value": 0.7, "parties": 2, "confirmations": 3, "totals": {"g_plus": 1500000000, "carry_plus": 0.5}}`,
		}},
		{name: "down", a: [3]float64{.8, .6, 1}, b: [3]float64{.4, .3, .5}, statuses: [2]string{sd, di}, counts: [2]int{4, 2}, inputs: [2]string{
			`{"alpha": 3, "totals": {"cap_g": 0.5}}`, `{"alpha": 1, "totals": {"cap_g": 0.25}}`,
		}},
		{name: "little", a: [3]float64{.3, .2, .4}, b: [3]float64{.31, .2, .4}, statuses: [2]string{sd, sd}, counts: [2]int{2, 2}},
		{name: "only a", a: [3]float64{.5, .4, .6}, statuses: [2]string{un, un}},
		{name: "only b", b: [3]float64{.5, .4, .6}, statuses: [2]string{un, un}},
	}
}

func TestAComparisonAddsUpAHandMadePair(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	ids := b.pair(handMade())
	labels := trustops.Labels{ids[0]: true, ids[1]: true, ids[2]: true, ids[3]: false, ids[4]: true}
	exec(t, b.Store, `update trust_models set epoch = 5 where name = $1`, v2)
	done := 0
	got, err := b.versions.Compare(t.Context(), v1, v2, trustops.CompareOptions{
		Limit: 2, Labels: labels, Progress: func(n, _ int) { done = n },
	})
	require.NoError(t, err)
	require.Equal(t, 4, done)
	require.Equal(t, []int32{0, 5}, []int32{got.EpochA, got.EpochB})
	require.Equal(t, []int64{4, 1, 1, 2, 3}, []int64{got.Shared, got.OnlyA, got.OnlyB, got.Changed, got.Moved})
	require.Equal(t, []string{"prior.strength", "caps.all", "status.supported_lower"},
		[]string{got.Parameters[0].Path, got.Parameters[1].Path, got.Parameters[2].Path})
	require.Len(t, got.Parameters, 3)

	cells := map[string]int64{}
	for i, row := range got.Matrix {
		for j, n := range row {
			if n > 0 {
				cells[got.Statuses[i]+" → "+got.Statuses[j]] = n
			}
		}
	}
	require.Equal(t, map[string]int64{
		"unverified → unverified": 1, "unverified → supported": 1, "supported → disputed": 1, "supported → supported": 1,
	}, cells)

	near := func(want, got float64) {
		t.Helper()
		require.InDelta(t, want, got, 1e-12)
	}
	near((.2-.4+.01)/4, got.Shift.Mean)
	near(-.4, got.Shift.Min)
	near(-.4, got.Shift.P05)
	near(0, got.Shift.P50)
	near(.01, got.Shift.P75)
	near(.2, got.Shift.P95)
	near(.2, got.Shift.Max)
	near((.8+.6+.4+.2)/4, got.WidthA.Mean)
	near((.8+.4+.2+.2)/4, got.WidthB.Mean)
	for _, spread := range []trustops.Spread{got.Shift, got.WidthA, got.WidthB} {
		var sum int64
		for _, bar := range spread.Bars {
			sum += bar.Count
		}
		require.EqualValues(t, 4, sum, "each target is in one bar")
	}

	require.Equal(t, []trustops.KindSum{{
		Kind: store.KindEntity, Targets: 4, Changed: 2, ValueA: .525, ValueB: .4775, WidthA: .5, WidthB: .4, Shift: .1525,
		ConfirmationsA: 7, ConfirmationsB: 7,
	}}, got.Kinds)

	require.Len(t, got.Movers, 2)
	down, up := got.Movers[0], got.Movers[1]
	require.Equal(t, []any{ids[2], "down", ids[1], "<b>up</b>"}, []any{down.Target, down.Title, up.Target, up.Title})
	near(-.4, down.Delta)
	near(.2, up.Delta)
	require.Equal(t, trustops.Figure{Value: .8, Lower: .6, Upper: 1, Status: "supported", Confirmations: 4}, down.A)
	require.Equal(t, trustops.Figure{Value: .4, Lower: .3, Upper: .5, Status: "disputed", Confirmations: 2}, down.B)
	require.Equal(t, "the same sums, weighed differently: alpha 3 → 1, cap g 0.5 → 0.25", down.Reason)
	require.Equal(t, "carry plus 0 → 0.5, confirmations 1 → 3, g plus 1 → 1.5", up.Reason)

	// Values .5, .5, .8, .3 under A and .5, .7, .4, .31 under B; the truths are 1, 1, 1, 0, and one target is not shared.
	a, second := got.Agreement[0], got.Agreement[1]
	require.Equal(t, []int64{5, 4, 5, 4}, []int64{a.Labels, a.Found, second.Labels, second.Found})
	near(1, a.Accuracy)
	near(.75, second.Accuracy)
	near((.25+.25+.04+.09)/4, a.Brier)
	near((.25+.09+.36+.0961)/4, second.Brier)
	near(1, a.Coverage)
	near(.75, second.Coverage)
}

func TestWhatIsNotPublicHasNoTitle(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	ids := b.pair([]made{
		{name: "seen", a: [3]float64{.5, .4, .6}, b: [3]float64{.6, .4, .6}, statuses: [2]string{"unverified", "unverified"}},
		{name: "hidden", a: [3]float64{.5, .4, .6}, b: [3]float64{.7, .4, .7}, statuses: [2]string{"unverified", "unverified"}},
	})
	space, err := b.Store.CreateSpace(t.Context(), "room", "private", b.Human)
	require.NoError(t, err)
	exec(t, b.Store, `update entities set space_id = $1 where id = $2`, space.UUID, ids[1].UUID)
	got, err := b.versions.Compare(t.Context(), v1, v2, trustops.CompareOptions{Limit: 5})
	require.NoError(t, err)
	require.Equal(t, []string{"", "seen"}, []string{got.Movers[0].Title, got.Movers[1].Title})
}

func TestAComparisonOfManyPagesMissesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	b.create()
	const targets = 9_000
	exec(t, b.Store, `
		insert into entities (id, type, name, name_key, created_by)
		select ('01900000-0000-7000-8000-' || lpad(to_hex(i * 7919 % 1000003), 12, '0'))::uuid, 'thing', 'thing ' || i, 'thing ' || i, $1
		from generate_series(1, $2::int) i`, b.Agent.UUID, targets)
	exec(t, b.Store, `insert into target_heads (target_id, kind, last_seq, queued, need)
		select id, 'ent', 0, false, false from entities where name like 'thing %'`)
	exec(t, b.Store, `insert into target_states (model_id, target_id, applied_seq, version)
		select m, target_id, 0, 1 from target_heads, generate_series(1, 2) m`)
	exec(t, b.Store, `
		insert into trust_snapshots (model_id, target_id, value, lower_bound, upper_bound, alpha, beta, independent_confirmations,
			contradictions, real_world_confirmations, status, raw_status, inputs, counts, applied_seq, version, as_of_bin)
		select model_id, target_id, v, v / 2, (1 + v) / 2, 1, 1, 0, 0, 0, 'unverified', 'unverified', '{}', '{}', 0, 1, 1
		from (select model_id, target_id, (abs(hashtextextended(target_id::text, model_id)) % 1000001) / 1e6::float8 as v from target_states) s`)
	got, err := b.versions.Compare(t.Context(), v1, v2, trustops.CompareOptions{Limit: 50})
	require.NoError(t, err)
	require.EqualValues(t, targets, got.Shared)
	const shifts = `from trust_snapshots a join trust_snapshots b using (target_id) where a.model_id = 1 and b.model_id = 2`
	require.InDelta(t, scalar[float64](t, b.Store, `select avg(b.value - a.value) `+shifts), got.Shift.Mean, 1e-9)
	for share, quantile := range map[float64]float64{.05: got.Shift.P05, .5: got.Shift.P50, .95: got.Shift.P95} {
		require.InDelta(t, scalar[float64](t, b.Store, `
			select percentile_disc($1) within group (order by round((b.value - a.value)::numeric, 6)) `+shifts, share), quantile, 1e-9)
	}
	require.Len(t, got.Movers, 50)
	least := math.Abs(got.Movers[49].Delta)
	require.EqualValues(t, 50, scalar[int64](t, b.Store, `select count(*) `+shifts+` and abs(b.value - a.value) > $1 - 1e-9`, least))
	require.True(t, strings.HasPrefix(got.Movers[0].Title, "thing "))
}

func TestLabelsOfItemsAreOfTheirCurrentRevision(t *testing.T) {
	t.Parallel()
	b := setup(t)
	items := b.world(2)
	b.create()
	require.NoError(t, b.versions.Shadow(t.Context(), v2))
	b.complete(v2)
	labels, err := trustops.ReadLabels(strings.NewReader(fmt.Sprintf("target,truth\n%s,1\n%s,0\n", items[0].ID, items[1].RevisionID)))
	require.NoError(t, err)
	got, err := b.versions.Compare(t.Context(), v1, v2, trustops.CompareOptions{Labels: labels})
	require.NoError(t, err)
	require.Equal(t, []int64{2, 2}, []int64{got.Agreement[0].Labels, got.Agreement[0].Found})
	require.Empty(t, got.Movers)
	require.Positive(t, got.Moved)
}
