package identity

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/jobs"
	"interai/migrations"
	"interai/store"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

const site = "https://inter.example"

// bundle is a database with a prover, a human, and mail that is only kept.
type bundle struct {
	*Prover

	t      *testing.T
	db     *store.Store
	human  store.ID
	bodies []string
	fails  error
}

func (b *bundle) Send(_ context.Context, _, _, body string) error {
	b.bodies = append(b.bodies, body)
	return b.fails
}

func setup(t *testing.T) *bundle {
	t.Helper()
	conn := pgtest.NewMigrated(t, func(ctx context.Context, conn string) error {
		return migrations.Up(ctx, conn, slog.New(slog.DiscardHandler))
	})
	db, err := store.Open(store.Options{ConnString: conn, MaxConns: 8})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	queue, err := jobs.NewEnqueuer(db, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	b := &bundle{t: t, db: db, Prover: NewProver(db, queue)}
	b.human = b.actor(store.KindUser, "Human", store.ID{})
	return b
}

func (b *bundle) actor(kind store.Kind, name string, controller store.ID) store.ID {
	b.t.Helper()
	a, err := b.db.CreateActor(b.t.Context(), store.NewActor{Kind: kind, Name: name, Controller: controller})
	require.NoError(b.t, err)
	return a.ID
}

func (b *bundle) verification(id store.ID) store.Verification {
	b.t.Helper()
	a, err := b.db.Actor(b.t.Context(), id)
	require.NoError(b.t, err)
	return a.Verification
}

// link sends a link and answers its token.
func (b *bundle) link(actor store.ID, address string) string {
	b.t.Helper()
	_, err := b.SendLink(b.t.Context(), b, site, actor, address)
	require.NoError(b.t, err)
	_, rest, found := strings.Cut(b.bodies[len(b.bodies)-1], site+"/verify/")
	require.True(b.t, found)
	token, _, _ := strings.Cut(rest, "\n")
	return token
}

func TestALinkVerifiesOnceWhatItWasSentFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	sent, err := b.SendLink(t.Context(), b, site, b.human, "Ann@Example.org")
	require.NoError(t, err)
	require.Equal(t, "a***@example.org", sent.Masked)
	require.NotContains(t, b.bodies[0], "Human", "what an actor calls itself is nobody's to send")
	token := b.link(b.human, "ann@example.org")
	for range 2 { // looking proves nothing
		proof, err := b.Look(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, "ann@example.org", proof.Subject)
		require.Equal(t, store.Verification{}, b.verification(b.human))
	}
	proof, err := b.Confirm(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, b.human, proof.Actor)
	require.Equal(t, store.Verification{Email: true}, b.verification(b.human))
	_, err = b.Confirm(t.Context(), token)
	require.ErrorIs(t, err, store.ErrProved)
	proved, err := b.db.Proved(t.Context(), b.human)
	require.NoError(t, err)
	require.Len(t, proved, 1)
	var woken int
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), `select count(*) from river.river_job where args->>'actor' = $1`, b.human.String()).Scan(&woken))
	require.Equal(t, 1, woken, "what the party has touched is computed anew")
}

func TestOfManyConfirmationsAtOnceOneProves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.link(b.human, "ann@example.org")
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = b.Confirm(context.Background(), token) })
	}
	all.Wait()
	passed := 0
	for _, err := range errs {
		if err == nil {
			passed++
			continue
		}
		require.ErrorIs(t, err, store.ErrProved)
	}
	require.Equal(t, 1, passed)
}

func TestOneAddressSpeaksForOneParty(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org := b.actor(store.KindOrg, "Organisation", store.ID{})
	member := b.actor(store.KindUser, "Member", org)
	for _, actor := range []store.ID{org, member} {
		_, err := b.Confirm(t.Context(), b.link(actor, "team@example.org"))
		require.NoError(t, err, "two of one party may share it")
	}
	_, err := b.Confirm(t.Context(), b.link(b.human, "team@example.org"))
	require.ErrorIs(t, err, store.ErrExists)
	require.Equal(t, store.Verification{}, b.verification(b.human))
}

func TestALinkEndsAfterADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	start := time.Now()
	b.now = func() time.Time { return start.Add(-25 * time.Hour) }
	token := b.link(b.human, "ann@example.org")
	_, err := b.Look(t.Context(), token)
	require.NoError(t, err, "by this clock it is young")
	_, err = b.Confirm(t.Context(), token)
	require.ErrorIs(t, err, store.ErrExpired, "the database's clock decides")
	b.now = time.Now
	_, err = b.Look(t.Context(), token)
	require.ErrorIs(t, err, store.ErrExpired)
}

func TestOnlyOurOwnLinksAreLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.link(b.human, "ann@example.org")
	flipped := []byte(token)
	flipped[30] ^= 1
	unknown := linkToken([]byte("key"), &store.Proof{ID: uuid.New()})
	for _, bad := range []string{"", "x", token[:63], token + "A", string(flipped), unknown, "../" + token, strings.ToUpper(token)} {
		_, err := b.Confirm(t.Context(), bad)
		require.ErrorIs(t, err, ErrLink, bad)
	}
	// A row that says something else than what was signed proves nothing.
	_, err := b.db.Pool().Exec(t.Context(), `update proofs set subject = 'eve@example.org'`)
	require.NoError(t, err)
	_, err = b.Confirm(t.Context(), token)
	require.ErrorIs(t, err, ErrLink)
}

func TestWhoMayNotProveGetsNoMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	agent := b.actor(store.KindAgent, "Agent", b.human)
	missing, err := store.NewID(store.KindUser)
	require.NoError(t, err)
	for _, tt := range []struct {
		actor   store.ID
		address string
		want    error
	}{
		{b.human, "nonsense", ErrAddress}, {agent, "ann@example.org", store.ErrNotFound}, {missing, "ann@example.org", store.ErrNotFound},
	} {
		_, err := b.SendLink(t.Context(), b, site, tt.actor, tt.address)
		require.ErrorIs(t, err, tt.want)
	}
	require.Empty(t, b.bodies)
	b.fails = errors.New("the server is down")
	_, err = b.SendLink(t.Context(), b, site, b.human, "ann@example.org")
	require.ErrorIs(t, err, b.fails)
}

// zone answers TXT records.
type zone struct {
	records map[string][]string
	err     error
}

func (z zone) LookupTXT(_ context.Context, name string) ([]string, error) {
	if z.err != nil {
		return nil, z.err
	}
	found, ok := z.records[name]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return found, nil
}

func TestADomainIsVerifiedByItsRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	org := b.actor(store.KindOrg, "Organisation", store.ID{})
	domain, value, err := b.Record(t.Context(), org, "Example.org.")
	require.NoError(t, err)
	require.Equal(t, "example.org", domain)
	require.Regexp(t, `^interai-verification=[A-Za-z0-9_-]{43}$`, value)
	_, again, err := b.Record(t.Context(), org, "example.org")
	require.NoError(t, err)
	require.Equal(t, value, again, "it is the same whenever it is asked for")
	_, others, err := b.Record(t.Context(), b.human, "example.org")
	require.NoError(t, err)
	require.NotEqual(t, value, others)
	broken := errors.New("refused")
	for _, tt := range []struct {
		rule string
		zone zone
		want error
	}{
		{"no domain", zone{}, ErrNoRecord},
		{"other records", zone{records: map[string][]string{domain: {"v=spf1 -all", others, value + "x"}}}, ErrNoRecord},
		{"another name", zone{records: map[string][]string{"www." + domain: {value}}}, ErrNoRecord},
		{"no answer", zone{err: broken}, broken},
	} {
		require.ErrorIs(t, b.CheckDomain(t.Context(), tt.zone, org, domain), tt.want, tt.rule)
		require.Equal(t, store.Verification{}, b.verification(org), tt.rule)
	}
	have := zone{records: map[string][]string{domain: {"v=spf1 -all", value, others}}}
	require.NoError(t, b.CheckDomain(t.Context(), have, org, domain))
	require.Equal(t, store.Verification{Domain: true}, b.verification(org))
	require.NoError(t, b.CheckDomain(t.Context(), have, org, domain), "it stays true")
	require.ErrorIs(t, b.CheckDomain(t.Context(), have, b.human, domain), store.ErrExists, "one domain speaks for one party")
	agent := b.actor(store.KindAgent, "Agent", org)
	_, _, err = b.Record(t.Context(), agent, domain)
	require.ErrorIs(t, err, store.ErrNotFound)
	_, _, err = b.Record(t.Context(), org, "co.uk")
	require.ErrorIs(t, err, ErrDomain)
}

func FuzzToken(f *testing.F) {
	f.Add(linkToken([]byte("k"), &store.Proof{}))
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		if _, signature, err := parseToken(token); err == nil && len(signature) != 32 {
			t.Fatal("a signature has 32 bytes")
		}
	})
}
