package store_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/antiabuse/gcra"
	"interai/internal/pgtest"
	"interai/store"
)

// party makes a human with some agents.
func party(t *testing.T, db *store.Store, agents int) (root store.ID, ai []store.ID) {
	t.Helper()
	root = actor(t, db, store.KindUser, store.ID{})
	for range agents {
		ai = append(ai, actor(t, db, store.KindAgent, root))
	}
	return root, ai
}

func pending(root, by store.ID) store.PendingWrite {
	return store.PendingWrite{Root: root, IdempotencyKey: store.IdempotencyKey{Actor: by, Tool: "rate"}, Bytes: 1}
}

// times is the same write n times.
func times(w store.PendingWrite, n int) []store.PendingWrite {
	out := make([]store.PendingWrite, n)
	for i := range out {
		out[i] = w
	}
	return out
}

func charge(t require.TestingT, db *store.Store, limits store.WriteLimits, writes ...store.PendingWrite) []store.Charge {
	charges, err := db.Charge(context.Background(), limits, writes)
	require.NoError(t, err)
	require.Len(t, charges, len(writes))
	return charges
}

func passed(charges []store.Charge) (n int) {
	for _, c := range charges {
		if c.Denied == nil {
			n++
		}
	}
	return n
}

func allowance(t *testing.T, db *store.Store, root, by store.ID, limits store.WriteLimits) store.Allowance {
	t.Helper()
	var out store.Allowance
	require.NoError(t, db.Read(t.Context(), func(v *store.Snapshot) (err error) {
		out, err = v.Allowance(t.Context(), root, by, limits)
		return err
	}))
	return out
}

func TestAPartyWritesAsMuchAsItsLimitAndOthersAreNotAffected(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	limits := store.WriteLimits{Root: 5}
	root, ai := party(t, db, 2)
	require.Equal(t, store.Allowance{WritesPerHour: 5, Remaining: 5}, allowance(t, db, root, ai[0], limits))
	require.Equal(t, 1, passed(charge(t, db, limits, pending(root, ai[0]))))
	require.Equal(t, 4, allowance(t, db, root, ai[1], limits).Remaining, "what one agent writes counts for all")
	charges := charge(t, db, limits, times(pending(root, ai[1]), 7)...)
	require.Equal(t, 4, passed(charges[:4]), "first come, first served")
	for _, c := range charges[4:] {
		require.Equal(t, store.DeniedParty, c.Denied.Reason)
		require.Equal(t, 720, gcra.Seconds(c.Denied.Wait))
	}
	a := allowance(t, db, root, ai[1], limits)
	require.Zero(t, a.Remaining)
	require.Equal(t, store.DeniedParty, a.Reason)
	require.Equal(t, 720, gcra.Seconds(a.Wait))
	other, others := party(t, db, 1)
	require.Equal(t, 5, passed(charge(t, db, limits, times(pending(other, others[0]), 5)...)))
}

func TestAnActorsOwnLimitBindsBeforeItsPartys(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	limits := store.WriteLimits{Root: 10, Actor: 3}
	root, ai := party(t, db, 2)
	var mixed []store.PendingWrite
	for range 4 {
		mixed = append(mixed, pending(root, ai[0]), pending(root, ai[1]))
	}
	charges := charge(t, db, limits, mixed...)
	require.Equal(t, 6, passed(charges))
	require.Equal(t, store.DeniedActor, charges[6].Denied.Reason)
	require.Equal(t, 1200, gcra.Seconds(charges[6].Denied.Wait))
	require.Equal(t, 4, allowance(t, db, root, root, store.WriteLimits{Root: 10}).Remaining, "what an actor was denied costs its party nothing")
	require.Equal(t, store.DeniedActor, allowance(t, db, root, ai[0], limits).Reason)
	require.Equal(t, 3, passed(charge(t, db, limits, times(pending(root, root), 4)...)), "the controller is an actor too")
	require.Equal(t, 3, number(t, db, `select count(*) from limits where scope = 'actor'`))
}

func TestAnActorWithoutALimitOfItsOwnHasNoRow(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	root, ai := party(t, db, 1)
	charge(t, db, store.WriteLimits{Root: 5}, pending(root, ai[0]))
	charge(t, db, store.WriteLimits{Root: 5, Actor: 5}, pending(root, ai[0]))
	require.Zero(t, number(t, db, `select count(*) from limits where scope = 'actor'`))
}

func TestAReplayIsFreeEvenWhenNothingElsePasses(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	root, ai := party(t, db, 1)
	key := store.IdempotencyKey{Actor: ai[0], Tool: "rate", Key: "k"}
	require.NoError(t, db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ClaimKey(t.Context(), store.Claim{IdempotencyKey: key, CorrelationID: uuid.New(), Answer: []byte(`{}`)})
		return err
	}))
	replay := store.PendingWrite{Root: root, IdempotencyKey: key}
	other := replay
	other.Tool = "review"
	limits := store.WriteLimits{Root: 1}
	charges := charge(t, db, limits, replay, replay, other, replay)
	require.Equal(t, []bool{true, true, false, true}, []bool{charges[0].Replay, charges[1].Replay, charges[2].Replay, charges[3].Replay})
	charges = charge(t, db, limits, other, replay)
	require.NotNil(t, charges[0].Denied)
	require.True(t, charges[1].Replay)
	for range 30 {
		_, err := db.CountRejection(t.Context(), root, 30)
		require.NoError(t, err)
	}
	require.True(t, charge(t, db, limits, replay)[0].Replay, "not even while the party may not write")
}

func TestTwoNodesTogetherPassExactlyTheLimit(t *testing.T) {
	t.Parallel()
	db, conn := setup(t)
	nodes := []*store.Store{db, open(t, conn)}
	const limit, writers = 60, 32
	for _, limits := range []store.WriteLimits{{Root: limit}, {Root: 1000, Actor: limit / 4}} {
		root, ai := party(t, db, 4)
		var all sync.WaitGroup
		var n atomic.Int64
		for i := range writers {
			all.Go(func() {
				for range 4 {
					charges, err := nodes[i%2].Charge(context.Background(), limits, times(pending(root, ai[i%4]), 1+i%3))
					if err != nil {
						t.Error(err)
						return
					}
					n.Add(int64(passed(charges)))
				}
			})
		}
		all.Wait()
		require.Equal(t, int64(limit), n.Load())
		require.Zero(t, allowance(t, db, root, ai[0], limits).Remaining)
	}
}

func TestARefundGivesBackWhatWasCharged(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	limits := store.WriteLimits{Root: 10, Actor: 2}
	root, ai := party(t, db, 1)
	write := pending(root, ai[0])
	write.Bytes = 10 << 20
	charges := charge(t, db, limits, write, write)
	require.Equal(t, store.DeniedBytes, charge(t, db, limits, write)[0].Denied.Reason, "20 MB are more than ten writes have")
	for _, c := range charges {
		require.NoError(t, db.Refund(t.Context(), write, c))
	}
	require.Equal(t, 2, allowance(t, db, root, ai[0], limits).Remaining)
	require.Equal(t, 10, allowance(t, db, root, root, store.WriteLimits{Root: 10}).Remaining)
	require.NoError(t, db.Refund(t.Context(), write, store.Charge{Replay: true}))
	require.Equal(t, 2, passed(charge(t, db, limits, write, write)))
}

func TestBytesPassWholeAsLongAsThereIsRoom(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	limits := store.WriteLimits{Root: 100} // 10,240,000 bytes
	root, ai := party(t, db, 1)
	large, small := pending(root, ai[0]), pending(root, ai[0])
	large.Bytes = 15_360_000
	began := time.Now()
	require.Equal(t, 1, passed(charge(t, db, limits, large)), "even more than there is")
	denied := charge(t, db, limits, small)[0].Denied
	require.Equal(t, store.DeniedBytes, denied.Reason)
	require.InDelta(t, 1800, gcra.Seconds(denied.Wait), 2+time.Since(began).Seconds())
	require.Equal(t, store.DeniedBytes, allowance(t, db, root, ai[0], limits).Reason)
}

func TestTooManyRejectionsEndAllWritesForAnHour(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	limits := store.WriteLimits{Root: 100}
	root, ai := party(t, db, 1)
	for i := range 3 {
		wait, err := db.CountRejection(t.Context(), root, 3)
		require.NoError(t, err)
		require.Equal(t, i == 2, wait > 0, "the third")
	}
	denied := charge(t, db, limits, pending(root, ai[0]))[0].Denied
	require.Equal(t, store.DeniedRejections, denied.Reason)
	require.Equal(t, 3600, gcra.Seconds(denied.Wait))
	a := allowance(t, db, root, ai[0], limits)
	require.Zero(t, a.Remaining)
	require.Equal(t, store.DeniedRejections, a.Reason)
	blocked, err := db.Limits(t.Context(), store.ID{})
	require.NoError(t, err)
	require.Len(t, blocked, 1, "operators see who may not write")
	require.Equal(t, root, blocked[0].Actor)
	require.NotNil(t, blocked[0].BlockedUntil)
	exec(t, db, `update limits set blocked_until = blocked_until - 3600000001, tat = tat - 3600000001`)
	require.Equal(t, 1, passed(charge(t, db, limits, pending(root, ai[0]))))
	wait, err := db.CountRejection(t.Context(), root, 3)
	require.NoError(t, err)
	require.Zero(t, wait, "an hour later all is forgotten")
	first, _ := party(t, db, 0)
	wait, err = db.CountRejection(t.Context(), first, 1)
	require.NoError(t, err)
	require.Positive(t, wait, "a limit of one is reached by the first")
}

func TestOwnLimitsReplaceTheConfiguredOnes(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	limits := store.WriteLimits{Root: 10}
	root, ai := party(t, db, 2)
	two, fifty, none := 2, 50, 0
	require.NoError(t, db.SetLimits(t.Context(), root, store.OwnLimits{Writes: &fifty, Claims: &fifty}))
	require.Equal(t, 50, allowance(t, db, root, ai[0], limits).WritesPerHour, "agents follow their party")
	require.NoError(t, db.SetLimits(t.Context(), ai[0], store.OwnLimits{Writes: &two}))
	require.Equal(t, store.Allowance{WritesPerHour: 2, Remaining: 2}, allowance(t, db, root, ai[0], limits))
	require.Equal(t, 2, passed(charge(t, db, limits, times(pending(root, ai[0]), 3)...)))
	require.Equal(t, 48, passed(charge(t, db, limits, times(pending(root, ai[1]), 60)...)))
	require.NoError(t, db.SetLimits(t.Context(), ai[0], store.OwnLimits{Writes: &none}))
	require.Equal(t, 50, allowance(t, db, root, ai[0], limits).WritesPerHour)
	shown, err := db.Limits(t.Context(), root)
	require.NoError(t, err)
	require.Len(t, shown, 2)
	require.Equal(t, 50, shown[1].Capacity)
	require.ErrorIs(t, db.SetLimits(t.Context(), ai[0], store.OwnLimits{Claims: &fifty}), store.ErrControllerRule)
	missing, err := store.NewID(store.KindUser)
	require.NoError(t, err)
	require.ErrorIs(t, db.SetLimits(t.Context(), missing, store.OwnLimits{Writes: &two}), store.ErrNotFound)
}

func TestWhoMovesTakesAlongWhatItsPartyHasUsed(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	limits := store.WriteLimits{Root: 10}
	from, ai := party(t, db, 1)
	to, _ := party(t, db, 0)
	charge(t, db, limits, times(pending(from, ai[0]), 7)...)
	charge(t, db, limits, times(pending(to, to), 2)...)
	require.NoError(t, db.SetController(t.Context(), ai[0], to, func(*store.Tx) error { return nil }))
	require.Equal(t, 3, allowance(t, db, to, ai[0], limits).Remaining, "the larger of both")
	require.Equal(t, 3, allowance(t, db, from, from, limits).Remaining)
	require.NoError(t, db.SetController(t.Context(), ai[0], from, func(*store.Tx) error { return nil }))
	require.Equal(t, 3, allowance(t, db, from, ai[0], limits).Remaining, "there and back gives nothing")
}

func TestNewClaimsAndNewActorsOfAPartyAreBoundedByTheDay(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	root, _ := party(t, db, 0)
	take := func(n int) error {
		return db.Write(t.Context(), func(tx *store.Tx) error { return tx.TakeClaims(t.Context(), root, n, 50) })
	}
	require.NoError(t, take(0))
	began := time.Now()
	require.NoError(t, take(30))
	var denied *store.Denial
	require.ErrorAs(t, take(40), &denied)
	require.Equal(t, store.DeniedClaims, denied.Reason)
	require.InDelta(t, 20*1728, gcra.Seconds(denied.Wait), 2+time.Since(began).Seconds(), "until twenty are back")
	require.NoError(t, take(20))

	agent := func(perDay int) error {
		_, err := db.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: name(), Controller: root, PerDay: perDay})
		return err
	}
	require.NoError(t, agent(2))
	require.NoError(t, agent(2))
	require.ErrorAs(t, agent(2), &denied)
	require.Equal(t, store.DeniedActors, denied.Reason)
	require.NoError(t, agent(0), "operators are not bounded")
	require.Equal(t, 3, number(t, db, `select count(*) from actors where kind = 'ai'`), "who was refused was not made")
}

func TestADenialWritesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a cluster of its own")
	}
	t.Parallel()
	conn := pgtest.NewCluster(t).ConnString()
	require.NoError(t, migrate(t.Context(), conn))
	db := open(t, conn)
	exec(t, db, `checkpoint`)
	limits := store.WriteLimits{Root: 1}
	root, ai := party(t, db, 1)
	charge(t, db, limits, pending(root, ai[0]))
	write := pending(root, ai[0])
	write.Key = "never seen"
	position := func() (lsn string) {
		require.NoError(t, db.Pool().QueryRow(t.Context(), `select pg_current_wal_insert_lsn()::text`).Scan(&lsn))
		return lsn
	}
	// The server writes now and then for itself; between two such moments nothing is written.
	require.Eventually(t, func() bool {
		before := position()
		for range 50 {
			require.Zero(t, passed(charge(t, db, limits, write, pending(root, ai[0]))))
		}
		return position() == before
	}, 30*time.Second, time.Millisecond)
}

// model is what Charge promises, write by write.
type model struct {
	limits            store.WriteLimits
	root, actor, byte map[store.ID]int64
}

func (m *model) rate(t require.TestingT, capacity int) gcra.Rate {
	r, err := gcra.New(capacity, time.Hour)
	require.NoError(t, err)
	return r
}

// step checks the charges of one statement.
func (m *model) step(t require.TestingT, writes []store.PendingWrite, charges []store.Charge) {
	now := store.ChargedAt(charges[0])
	own := m.limits.Actor != 0 && m.limits.Actor < m.limits.Root
	root, actor := m.rate(t, m.limits.Root), m.rate(t, max(m.limits.Actor, 1))
	full := map[store.ID]bool{}
	for id, tat := range m.byte {
		full[id] = tat >= now+time.Hour.Microseconds()
	}
	for i, w := range writes {
		c := charges[i]
		require.Equal(t, now, store.ChargedAt(c))
		rootTAT, rootOK := root.Take(m.root[w.Root], now, 1)
		actorTAT, actorOK := actor.Take(m.actor[w.Actor], now, 1)
		switch {
		case full[w.Root]:
			require.Equal(t, store.DeniedBytes, c.Denied.Reason)
			require.Equal(t, time.Duration(m.byte[w.Root]-now-time.Hour.Microseconds()+1)*time.Microsecond, c.Denied.Wait)
		case rootOK && (actorOK || !own):
			require.Nil(t, c.Denied, "write %d", i)
			m.root[w.Root] = rootTAT
			m.byte[w.Root] = max(m.byte[w.Root], now) + store.ChargedBytes(c)
			if own {
				m.actor[w.Actor] = actorTAT
			}
		default:
			wait := root.Wait(m.root[w.Root], now)
			if own {
				wait = max(wait, actor.Wait(m.actor[w.Actor], now))
			}
			require.NotNil(t, c.Denied, "write %d", i)
			require.Equal(t, wait, c.Denied.Wait, "write %d", i)
		}
	}
}

func TestChargesFollowTheModel(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	rapid.Check(t, func(rt *rapid.T) {
		capacity := rapid.OneOf(rapid.IntRange(1, 12), rapid.IntRange(1_000_000, store.MaxCapacity))
		m := &model{
			limits: store.WriteLimits{Root: capacity.Draw(rt, "root limit")},
			root:   map[store.ID]int64{}, actor: map[store.ID]int64{}, byte: map[store.ID]int64{},
		}
		if rapid.Bool().Draw(rt, "own limits") {
			m.limits.Actor = capacity.Draw(rt, "actor limit")
		}
		var actors []store.PendingWrite
		for range 2 {
			root, ai := party(t, db, 2)
			actors = append(actors, pending(root, root), pending(root, ai[0]), pending(root, ai[1]))
		}
		for range rapid.IntRange(1, 8).Draw(rt, "statements") {
			writes := rapid.SliceOfN(rapid.SampledFrom(actors), 1, 8).Draw(rt, "writes")
			for i := range writes {
				writes[i].Bytes = rapid.SampledFrom([]int{0, 1, 100 << 10, 1 << 20}).Draw(rt, fmt.Sprint("bytes ", i))
			}
			m.step(rt, writes, charge(rt, db, m.limits, writes...))
		}
	})
}
