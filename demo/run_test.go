package demo

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/stack"
	"interai/store"
)

// evidenceRows is how much evidence the database holds, once trust includes all of it.
func evidenceRows(t *testing.T, s *stack.Stack) int64 {
	t.Helper()
	totals := s.Settled()
	require.Zero(t, totals.Gaps)
	require.Zero(t, totals.Lost)
	return totals.Evidence
}

func TestTrustSeesThroughPromotersWhereTheMajorityDoesNot(t *testing.T) {
	s := stack.Start(t)
	var out bytes.Buffer
	var done, total int
	report, err := Run(t.Context(), Options{
		Store: s.Store, URL: s.URL, Out: &out,
		Progress: func(d, n int) {
			require.GreaterOrEqual(t, d, done)
			done, total = d, n
		},
	})
	require.NoError(t, err)
	require.Equal(t, total, done)
	set := report.Sets[0]
	require.Equal(t, len(world(defaultSeed).reports), set.Sent)
	require.Zero(t, set.Deferred)
	require.Equal(t, int64(set.Sent), evidenceRows(t, s))
	require.Equal(t, set.Items, set.Judged)
	require.Greater(t, set.Accuracy, set.Majority)
	require.Greater(t, set.Accuracy, .9)
	require.Less(t, set.Error, set.MajorityError)
	require.Contains(t, out.String(), "Git: find the commit that broke a test")
	for _, kind := range []string{"usage", "review", "rating"} {
		var all, grounded int
		require.NoError(t, s.Store.Pool().QueryRow(t.Context(),
			`select count(*), count(based_on) from evidence where kind = $1`, kind).Scan(&all, &grounded))
		require.Greater(t, all, 100, kind)
		if kind != "usage" {
			require.Equal(t, all, grounded, "only who has used something judges it")
		}
	}
	for _, row := range report.Rows {
		require.NotEmpty(t, row.Status, row.Title)
		require.LessOrEqual(t, row.Lower, row.Value, row.Title)
		require.GreaterOrEqual(t, row.Upper, row.Value, row.Title)
		require.NotEqual(t, [2]float64{0, 0}, [2]float64{row.Lower, row.Upper}, row.Title)
	}

	t.Run("a second run adds nothing and finds the same", func(t *testing.T) {
		again, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL})
		require.NoError(t, err)
		require.Equal(t, int64(set.Sent), evidenceRows(t, s))
		require.Equal(t, report.Rows, again.Rows)
		require.Equal(t, report.Sets, again.Sets)
	})
	t.Run("while one runs another does not", func(t *testing.T) {
		release, err := s.Store.LockDemo(t.Context())
		require.NoError(t, err)
		_, err = Run(t.Context(), Options{Store: s.Store, URL: s.URL})
		require.ErrorIs(t, err, store.ErrDemoBusy)
		_, err = Remove(t.Context(), s.Store, nil)
		require.ErrorIs(t, err, store.ErrDemoBusy)
		release()
		release, err = s.Store.LockDemo(t.Context())
		require.NoError(t, err)
		release()
	})
}

func TestAnInterruptedRunGoesOnWhereItEnded(t *testing.T) {
	s := stack.Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stopped atomic.Bool
	_, err := Run(ctx, Options{Store: s.Store, URL: s.URL, Limit: 150, Workers: 4, Progress: func(done, total int) {
		if done > total/2 && stopped.CompareAndSwap(false, true) {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	part := evidenceRows(t, s)
	require.Positive(t, part)
	require.Less(t, part, int64(150))

	report, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL, Limit: 150})
	require.NoError(t, err)
	require.Equal(t, 150, report.Sets[0].Sent)
	require.Equal(t, int64(150), evidenceRows(t, s))

	_, err = Run(t.Context(), Options{Store: s.Store, URL: s.URL, Limit: 200})
	require.NoError(t, err)
	require.Equal(t, int64(200), evidenceRows(t, s), "a larger limit goes on from the smaller one")
}

func TestFilesOfBothFormsArePlayed(t *testing.T) {
	s := stack.Start(t)
	report, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL, Data: "testdata"})
	require.NoError(t, err)
	require.Len(t, report.Sets, 2)
	labels, usage := report.Sets[0], report.Sets[1]
	require.Equal(t, 84, labels.Sent)
	require.Equal(t, 12, labels.Judged)
	require.Greater(t, labels.Accuracy, .8)
	require.Equal(t, 3, usage.Items)
	require.Equal(t, 2, usage.Judged)
	require.InDelta(t, 1, usage.Accuracy, 0)
	require.Equal(t, int64(labels.Sent+usage.Sent), evidenceRows(t, s))
}

func TestDocumentedDataIsPlayed(t *testing.T) {
	dir := os.Getenv("INTERAI_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data", "trust")
	}
	if _, err := load(dir); err != nil {
		t.Skipf("not run: the documented data sets are not in INTERAI_DATA nor beside the project: %v", err)
	}
	s := stack.Start(t)
	const limit = 500
	report, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL, Data: dir, Limit: limit})
	require.NoError(t, err)
	sent := 0
	for _, set := range report.Sets {
		require.Positive(t, set.Judged, set.Name)
		sent += set.Sent
	}
	require.Equal(t, limit, sent)
	require.Equal(t, int64(limit), evidenceRows(t, s))
}

func TestARealActorOfADemoActorsNameIsNeverTaken(t *testing.T) {
	s := stack.Start(t)
	d := world(defaultSeed)
	d.limitTo(1)
	_, _, used := d.used()
	for i, a := range d.actors {
		if used[i] && a.controller < 0 {
			_, err := s.Store.CreateActor(t.Context(), store.NewActor{Kind: store.KindUser, Name: a.name})
			require.NoError(t, err)
			break
		}
	}
	_, err := Run(t.Context(), Options{Store: s.Store, URL: s.URL, Limit: 1})
	require.ErrorIs(t, err, store.ErrNotDemo)
}

func TestARunMakesNewKeysAndRevokesTheOld(t *testing.T) {
	s := stack.Start(t)
	d := world(defaultSeed)
	d.limitTo(1)
	_, _, used := d.used()
	first, err := recruit(t.Context(), s.Store, d, used)
	require.NoError(t, err)
	second, err := recruit(t.Context(), s.Store, d, used)
	require.NoError(t, err)
	keys, err := s.Store.Keys(t.Context(), store.ID{})
	require.NoError(t, err)
	live := map[store.ID]int{}
	for _, key := range keys {
		if key.Name == keyName && key.RevokedAt == nil {
			live[key.Actor]++
			require.NotNil(t, key.ExpiresAt)
		}
	}
	require.Len(t, live, count(used))
	for actor, n := range live {
		require.Equal(t, 1, n, actor)
	}
	for i := range used {
		require.Equal(t, used[i], first[i] != "")
		require.Equal(t, used[i], second[i] != first[i])
	}
}

func TestTheFirstErrorOfAServerEndsTheRun(t *testing.T) {
	s := stack.Start(t)
	_, err := Run(t.Context(), Options{Store: s.Store})
	require.ErrorContains(t, err, "required")
	_, err = Run(t.Context(), Options{Store: s.Store, URL: s.URL, Data: t.TempDir()})
	require.ErrorIs(t, err, errNoData)
}

func TestWithoutWorkersTrustLags(t *testing.T) {
	s := stack.Start(t, stack.WithoutWorkers())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := Run(ctx, Options{Store: s.Store, URL: s.URL, Limit: 5, Progress: func(done, total int) {
		if done == total-1 { // all is sent; what is left is the one item that is read when trust has caught up
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
}
