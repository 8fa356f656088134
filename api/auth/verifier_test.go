package auth

import (
	"context"
	"log/slog"
	"net/netip"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/migrations"
	"interai/store"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// holder is a database with one agent and a key of it.
type holder struct {
	t     *testing.T
	db    *store.Store
	agent store.ID
	key   Key
	now   time.Time
}

func setup(t *testing.T, more ...func(*store.Key)) *holder {
	t.Helper()
	conn := pgtest.NewMigrated(t, func(ctx context.Context, conn string) error {
		return migrations.Up(ctx, conn, slog.New(slog.DiscardHandler))
	})
	db, err := store.Open(store.Options{ConnString: conn, MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	h := &holder{t: t, db: db, key: newKey(t), now: time.Now()}
	human, err := db.CreateActor(t.Context(), store.NewActor{Kind: store.KindUser, Name: "Human"})
	require.NoError(t, err)
	agent, err := db.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: "Agent", Controller: human.ID})
	require.NoError(t, err)
	h.agent = agent.ID
	row := store.Key{ID: h.key.ID(), Hash: h.key.Hash(), Actor: agent.ID, Scopes: []string{"read"}}
	for _, change := range more {
		change(&row)
	}
	require.NoError(t, db.CreateKey(t.Context(), row, store.ID{}))
	return h
}

// node is the verifier of one node, by the holder's clock.
func (h *holder) node(listening bool) *Verifier {
	v := NewVerifier(h.db, slog.New(slog.DiscardHandler))
	v.now = func() time.Time { return h.now }
	v.reset(listening)
	return v
}

func (h *holder) from(v *Verifier, addr string) error {
	ctx := h.t.Context()
	if addr != "" {
		ctx = withAddr(ctx, netip.MustParseAddr(addr))
	}
	_, err := v.Verify(ctx, h.key)
	return err
}

func TestWithoutAListenerARevokedKeyIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	v := h.node(false)
	require.NoError(t, h.from(v, ""))
	require.NoError(t, h.db.RevokeKey(t.Context(), h.key.ID(), ""))
	require.ErrorIs(t, h.from(v, ""), ErrUnauthenticated)
}

func TestAListenerThatDiedUnnoticedLetsARevokedKeyLiveFifteenSeconds(t *testing.T) {
	t.Parallel()
	h := setup(t)
	v := h.node(true) // no notification will ever come
	require.NoError(t, h.from(v, ""))
	require.NoError(t, h.db.RevokeKey(t.Context(), h.key.ID(), ""))
	h.now = h.now.Add(15*time.Second - 1)
	require.NoError(t, h.from(v, ""))
	h.now = h.now.Add(1)
	require.ErrorIs(t, h.from(v, ""), ErrUnauthenticated)
}

func TestEveryNodeHearsOfARevokedKey(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	nodes := []*Verifier{h.node(false), h.node(false)}
	ended := make(chan struct{}, len(nodes))
	for _, v := range nodes {
		go func() {
			v.Run(ctx)
			ended <- struct{}{}
		}()
		require.Eventually(t, func() bool {
			v.mu.Lock()
			defer v.mu.Unlock()
			return v.listening
		}, 30*time.Second, time.Millisecond)
		require.NoError(t, h.from(v, ""))
	}
	owner, revoked, err := RevokeLeaked(t.Context(), h.db, h.key.Reveal())
	require.NoError(t, err)
	require.True(t, revoked)
	require.Equal(t, h.agent, owner)
	for _, v := range nodes { // by a clock that stands still, so only the notification can tell
		require.Eventually(t, func() bool { return h.from(v, "") != nil }, 30*time.Second, time.Millisecond)
	}
	cancel()
	for range nodes {
		<-ended
	}
}

func TestWhatIsNoKeyOfOursIsNotLookedUp(t *testing.T) {
	t.Parallel()
	h := setup(t)
	typo := []byte(h.key.Reveal())
	typo[20] ^= 1
	for _, text := range []string{"", "nonsense", string(typo), newKey(t).Reveal()} {
		_, revoked, err := RevokeLeaked(t.Context(), h.db, text)
		require.NoError(t, err)
		require.False(t, revoked)
	}
	require.NoError(t, h.from(h.node(false), ""))
}

func TestAKeyServesOnlyItsNetworks(t *testing.T) {
	t.Parallel()
	h := setup(t, func(k *store.Key) {
		k.AllowedFrom = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32")}
	})
	v := h.node(true)
	for addr, served := range map[string]bool{
		"192.0.2.7": true, "2001:db8:9::1": true, "198.51.100.1": false, "2001:db9::1": false, "": false,
	} {
		err := h.from(v, addr)
		require.Equal(t, served, err == nil, addr)
	}
}

func TestAKeyEndsWhenItExpiresThoughItIsCached(t *testing.T) {
	t.Parallel()
	expires := time.Now().Add(14 * time.Second) // before it would be looked up again
	h := setup(t, func(k *store.Key) { k.ExpiresAt = &expires })
	v := h.node(true)
	require.NoError(t, h.from(v, ""))
	h.now = expires
	require.ErrorIs(t, h.from(v, ""), ErrUnauthenticated)
}

func TestUsesAreKeptWithTheirNetworkAlone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	v := h.node(true)
	require.NoError(t, h.from(v, "192.0.2.77"))
	require.Equal(t, netip.MustParsePrefix("192.0.2.0/24"), v.used[h.key.ID()].From)
	require.NoError(t, h.from(v, ""))
	require.False(t, v.used[h.key.ID()].From.IsValid())
}
