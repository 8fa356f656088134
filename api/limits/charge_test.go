package limits

import (
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/internal/pgtest"
	"interai/migrations"
	"interai/store"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// charging is a limiter over a database with one party.
type charging struct {
	*Limiter

	t    *testing.T
	db   *store.Store
	call *ops.Call
	now  time.Time
}

func charges(t *testing.T, limit int) *charging {
	t.Helper()
	conn := pgtest.NewMigrated(t, func(ctx context.Context, conn string) error {
		return migrations.Up(ctx, conn, slog.New(slog.DiscardHandler))
	})
	db, err := store.Open(store.Options{ConnString: conn, MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	root, err := db.CreateActor(t.Context(), store.NewActor{Kind: store.KindUser, Name: "Human"})
	require.NoError(t, err)
	c := &charging{t: t, db: db, now: time.Now()}
	c.Limiter = NewLimiter(db, WriteLimits{WriteLimits: store.WriteLimits{Root: limit}, Rejections: 2}, slog.New(slog.DiscardHandler))
	c.Limiter.now = func() time.Time { return c.now }
	c.call = &ops.Call{Operation: "rate", Caller: &ops.Caller{Actor: root.ID.String(), Root: root.ID.String()}}
	return c
}

// run lets the limiter charge until the test ends.
func (c *charging) run() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		c.Run(ctx)
		close(ended)
	}()
	c.t.Cleanup(func() {
		cancel()
		<-ended
	})
}

func (c *charging) remaining() int {
	c.t.Helper()
	root, err := store.ParseID(c.call.Caller.Root)
	require.NoError(c.t, err)
	var a store.Allowance
	require.NoError(c.t, c.db.Read(c.t.Context(), func(v *store.Snapshot) (err error) {
		a, err = v.Allowance(c.t.Context(), root, root, c.limits.WriteLimits)
		return err
	}))
	return a.Remaining
}

func TestAChargeCanBeGivenBack(t *testing.T) {
	t.Parallel()
	c := charges(t, 3)
	c.run()
	charged, err := c.Charge(t.Context(), c.call, false)
	require.NoError(t, err)
	require.Equal(t, 2, c.remaining())
	charged.Refund(t.Context())
	require.Equal(t, 3, c.remaining())
}

func TestADenialIsAnsweredWithoutTheDatabaseForAMomentButAKeyIsLookedUp(t *testing.T) {
	t.Parallel()
	c := charges(t, 1)
	c.run()
	_, err := c.Charge(t.Context(), c.call, false)
	require.NoError(t, err)
	_, err = c.Charge(t.Context(), c.call, false)
	require.Equal(t, ops.RateLimited, ops.CodeOf(err))
	_, err = c.db.Pool().Exec(t.Context(), `delete from limits`)
	require.NoError(t, err)
	_, err = c.Charge(t.Context(), c.call, false)
	require.Equal(t, ops.RateLimited, ops.CodeOf(err), "from memory")
	c.call.IdempotencyKey = "k"
	root, err := store.ParseID(c.call.Caller.Root)
	require.NoError(t, err)
	require.NoError(t, c.db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ClaimKey(t.Context(), store.Claim{
			IdempotencyKey: store.IdempotencyKey{Actor: root, Tool: "rate", Key: "k"}, CorrelationID: uuid.New(), Answer: []byte(`{}`),
		})
		return err
	}))
	charged, err := c.Charge(t.Context(), c.call, true)
	require.NoError(t, err)
	require.True(t, charged.Replay)
	c.now = c.now.Add(denialTTL)
	_, err = c.Charge(t.Context(), c.call, false)
	require.NoError(t, err)
}

func TestWhoGivesUpBeforeItIsChargedPaysNothing(t *testing.T) {
	t.Parallel()
	c := charges(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Charge(ctx, c.call, false) // nobody charges yet
	require.ErrorIs(t, err, context.Canceled)
	c.run()
	_, err = c.Charge(t.Context(), c.call, false)
	require.NoError(t, err)
	require.Equal(t, 2, c.remaining(), "the one that waited behind it")
}

func TestWithoutADatabaseNothingIsChargedAndTheCallMayComeAgain(t *testing.T) {
	t.Parallel()
	db, err := store.Open(store.Options{ConnString: "postgres://nobody@127.0.0.1:1/none", Wait: time.Millisecond})
	require.NoError(t, err)
	defer db.Close()
	c := charges(t, 3)
	c.Limiter.db = db
	c.run()
	_, err = c.Charge(t.Context(), c.call, false)
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "database_unavailable", e.Details.Reason)
	require.True(t, e.Details.Retryable)
	c.Rejected(t.Context(), c.call.Caller.Root) // is logged
}

func TestAFullQueueIsBusyAndAnEndedLimiterStops(t *testing.T) {
	t.Parallel()
	c := charges(t, 3)
	c.queue = make(chan *asking, 1)
	c.queue <- &asking{}
	_, err := c.Charge(t.Context(), c.call, false)
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "server_busy", e.Details.Reason)
	require.True(t, e.Details.Retryable)
	c.queue = make(chan *asking, 1)
	close(c.closed)
	_, err = c.Charge(t.Context(), c.call, false)
	require.ErrorAs(t, err, &e)
	require.Equal(t, "stopping", e.Details.Reason)
}

func TestTooManyRejectionsAreKnownAtOnce(t *testing.T) {
	t.Parallel()
	c := charges(t, 3)
	for range 2 {
		c.Rejected(t.Context(), c.call.Caller.Root)
	}
	c.Rejected(t.Context(), "nobody")
	_, err := c.Charge(t.Context(), c.call, false) // nobody charges: this is from memory
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, store.DeniedRejections, e.Details.Reason)
	require.Equal(t, 3600, e.Details.RetryAfter)
}
