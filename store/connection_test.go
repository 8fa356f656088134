package store_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interai/internal/pgcut"
	"interai/internal/pgtest"
	"interai/store"
)

// inParallel runs n calls at once, and answers what each ended with.
func inParallel(n int, call func() error) []error {
	var all sync.WaitGroup
	errs := make([]error, n)
	for i := range errs {
		all.Go(func() { errs[i] = call() })
	}
	all.Wait()
	return errs
}

// pooled is a database behind a proxy, and a store of four connections that has reached it.
func pooled(t *testing.T) (*store.Store, *pgcut.Proxy) {
	t.Helper()
	proxy := pgcut.Start(t, pgtest.NewMigrated(t, migrate))
	db, err := store.Open(store.Options{ConnString: proxy.ConnString, MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	require.NoError(t, db.Ping(t.Context()))
	return db, proxy
}

// Callers outnumber the connections: they must not wait for each other's attempts. None may meet its own deadline, which
// is what a server would have to tell it then.
func TestADatabaseWhoseMachineIsAwayIsUnreachable(t *testing.T) {
	t.Parallel()
	db, proxy := pooled(t)
	for name, call := range map[string]func(context.Context) error{
		"transactions": func(ctx context.Context) error { return db.Write(ctx, func(*store.Tx) error { return nil }) },
		"snapshots":    func(ctx context.Context) error { return db.Read(ctx, func(*store.Snapshot) error { return nil }) },
		"statements": func(ctx context.Context) error {
			_, err := db.Models(ctx)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			proxy.Silence()
			for _, err := range inParallel(40, func() error {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				err := call(ctx)
				assert.NoError(t, ctx.Err())
				return err
			}) {
				require.ErrorIs(t, err, store.ErrUnavailable)
			}
			proxy.Up()
			for _, err := range inParallel(40, func() error { return call(t.Context()) }) {
				require.NoError(t, err, "it works again at once")
			}
		})
	}
}

func TestCallersQueueForADatabaseThatIsBusy(t *testing.T) {
	t.Parallel()
	db, _ := pooled(t)
	for _, err := range inParallel(40, func() error { // ten rounds: longer than a call waits for a database that is away
		return db.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Pgx().Exec(t.Context(), `select pg_sleep(.3)`)
			return err
		})
	}) {
		require.NoError(t, err)
	}
}

// The end of the time for making a connection is not the caller's deadline, and a caller with more patience waits on.
func TestAnAttemptToConnectThatTakesTooLongIsUnavailable(t *testing.T) {
	t.Parallel()
	mute, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = mute.Close() })
	db, err := store.Open(store.Options{ConnString: "postgres://nobody@" + mute.Addr().String() + "/nothing?sslmode=disable", Wait: 3 * time.Second})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	require.ErrorIs(t, db.Write(t.Context(), func(*store.Tx) error { return nil }), store.ErrUnavailable)
	require.ErrorIs(t, db.Ping(t.Context()), store.ErrUnavailable)
}
