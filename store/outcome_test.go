package store_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/internal/pgcut"
	"interai/store"
)

// claimed is a claim of a fresh key.
func claimed(by store.ID) store.Claim {
	return store.Claim{
		IdempotencyKey: store.IdempotencyKey{Actor: by, Tool: "tool", Key: name()}, Digest: [32]byte{1},
		CorrelationID: uuid.Must(uuid.NewV7()), Answer: json.RawMessage(`{"a": 1}`),
	}
}

func TestTheOutcomeOfABrokenCommitIsFoundOut(t *testing.T) {
	t.Parallel()
	db, conn := setup(t)
	human := actor(t, db, store.KindUser, store.ID{})
	target := entities(t, db, human, 1)[0]
	proxy := pgcut.Start(t, conn)
	cut := open(t, proxy.ConnString)
	write := func(claim store.Claim) error {
		return cut.Write(t.Context(), func(tx *store.Tx) error {
			_, _, err := tx.AppendEvidence(t.Context(), []store.Append{{Evidence: usage(target, human), Claim: &claim}})
			return err
		})
	}
	for rule, c := range map[string]struct {
		mode    pgcut.Mode
		durable bool
	}{
		"the server never heard of it":         {pgcut.Lose, false},
		"the server committed and was unheard": {pgcut.Hide, true},
		"the server is still at it":            {pgcut.Delay, true},
	} {
		t.Run(rule, func(t *testing.T) {
			before := number(t, db, `select count(*) from evidence`)
			claim := claimed(human)
			proxy.Next(c.mode, "")
			require.ErrorIs(t, write(claim), store.ErrOutcomeUnknown)
			if c.mode == pgcut.Delay {
				waiting := make(chan struct{})
				go func() {
					defer close(waiting)
					defer proxy.Release()
					for waits := 0; waits == 0; {
						if db.Pool().QueryRow(t.Context(), `select count(*) from pg_stat_activity
							where datname = current_database() and wait_event_type = 'Lock'`).Scan(&waits) != nil {
							return
						}
					}
				}()
				defer func() { <-waiting }()
			}
			again := claim
			again.CorrelationID = uuid.Must(uuid.NewV7())
			replay, durable, err := db.ResolveOutcome(t.Context(), again)
			require.NoError(t, err)
			require.Equal(t, c.durable, durable)
			rows := number(t, db, `select count(*) from evidence`) - before
			if !c.durable {
				require.Zero(t, rows)
				require.NoError(t, write(claim), "nothing stands in the way of the next attempt")
				return
			}
			require.Equal(t, 1, rows)
			require.Equal(t, claim.CorrelationID, replay.CorrelationID)
			require.Equal(t, claim.Digest, replay.Digest)
			require.JSONEq(t, string(claim.Answer), string(replay.Answer))
		})
	}
	require.Zero(t, number(t, db, `select count(*) from target_heads where last_seq <> (select count(*) from evidence)`))
}

func TestABackendThatDiesBeforeTheCommitWroteNothing(t *testing.T) {
	t.Parallel()
	db, conn := setup(t)
	human := actor(t, db, store.KindUser, store.ID{})
	target := entities(t, db, human, 1)[0]
	victim := open(t, conn)
	err := victim.Write(t.Context(), func(tx *store.Tx) error {
		if _, _, err := tx.AppendEvidence(t.Context(), []store.Append{{Evidence: usage(target, human)}}); err != nil {
			return err
		}
		var pid int
		if err := tx.Pgx().QueryRow(t.Context(), `select pg_backend_pid()`).Scan(&pid); err != nil {
			return err
		}
		exec(t, db, `select pg_terminate_backend($1, 5000)`, pid)
		_, _, err := tx.AppendEvidence(t.Context(), []store.Append{{Evidence: usage(target, human)}})
		return err
	})
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.NotErrorIs(t, err, store.ErrOutcomeUnknown)
	require.Zero(t, number(t, db, `select count(*) from evidence`))
	require.NoError(t, victim.Write(t.Context(), func(*store.Tx) error { return nil }), "the next call works")
}

func TestKeysExpireByAge(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	human := actor(t, db, store.KindUser, store.ID{})
	var claims []store.Claim
	require.NoError(t, db.Write(t.Context(), func(tx *store.Tx) error {
		for range 5 {
			claim := claimed(human)
			claims = append(claims, claim)
			if taken, err := tx.ClaimKey(t.Context(), claim); err != nil || !taken {
				t.Error("a fresh key was refused: ", err)
			}
		}
		return nil
	}))
	now, err := db.Now(t.Context())
	require.NoError(t, err)
	for i, claim := range claims {
		exec(t, db, `update idempotency_keys set created_at = $2 where key = $1`, claim.Key, now.Add(time.Duration(i-3)*time.Hour))
	}
	dropped, err := db.DropKeysBefore(t.Context(), now.Add(-30*time.Minute), 2)
	require.NoError(t, err)
	require.EqualValues(t, 2, dropped, "at most the limit")
	dropped, err = db.DropKeysBefore(t.Context(), now.Add(-30*time.Minute), 2)
	require.NoError(t, err)
	require.EqualValues(t, 1, dropped)
	for i, claim := range claims {
		_, err := db.Replay(t.Context(), claim.IdempotencyKey)
		if i < 3 {
			require.ErrorIs(t, err, store.ErrNotFound)
		} else {
			require.NoError(t, err)
		}
	}
	require.NoError(t, db.Write(t.Context(), func(tx *store.Tx) error {
		for i, claim := range claims {
			taken, err := tx.ClaimKey(t.Context(), claim)
			require.NoError(t, err)
			require.Equal(t, i < 3, taken, "an expired key is free again")
		}
		return nil
	}))
}
