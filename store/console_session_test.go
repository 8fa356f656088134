package store_test

import (
	"crypto/sha256"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/store"
)

func TestSessionsOfTheConsoleEndByThemselves(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	who := actor(t, db, store.KindUser, store.ID{})
	require.NoError(t, db.CreateKey(t.Context(), store.Key{ID: "abcdefghijkl", Actor: who, Name: "k", Scopes: []string{"moderate"}}, store.ID{}))
	begin := func(name string) [32]byte {
		session := store.ConsoleSession{Hash: sha256.Sum256([]byte(name)), KeyID: "abcdefghijkl", Actor: who, CSRF: sha256.Sum256([]byte("c" + name))}
		require.NoError(t, db.CreateConsoleSession(t.Context(), &session))
		return session.Hash
	}
	run := func(sql string, args ...any) {
		_, err := db.Pool().Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	hash := begin("a")
	found, err := db.ConsoleSession(t.Context(), hash)
	require.NoError(t, err)
	require.Equal(t, who, found.Actor)
	require.Equal(t, "abcdefghijkl", found.KeyID)
	require.Equal(t, sha256.Sum256([]byte("ca")), found.CSRF)

	run(`update console_sessions set seen_at = clock_timestamp() - interval '29 minutes'`)
	again, err := db.ConsoleSession(t.Context(), hash)
	require.NoError(t, err)
	require.False(t, again.SeenAt.Before(found.SeenAt), "a look keeps it alive")
	for rule, sql := range map[string]string{
		"idle":  `update console_sessions set seen_at = clock_timestamp() - interval '30 minutes'`,
		"old":   `update console_sessions set created_at = clock_timestamp() - interval '12 hours'`,
		"ended": `delete from console_sessions`,
	} {
		hash := begin(rule)
		run(sql)
		_, err := db.ConsoleSession(t.Context(), hash)
		require.ErrorIs(t, err, store.ErrNotFound, rule)
	}
	begin("last")
	require.Equal(t, 1, number(t, db, `select count(*) from console_sessions`), "what has ended is cleared")
	for i := range 12 {
		begin(strconv.Itoa(i))
	}
	require.Equal(t, 10, number(t, db, `select count(*) from console_sessions`))
	require.NoError(t, db.EndConsoleSession(t.Context(), sha256.Sum256([]byte("11"))))
	require.NoError(t, db.EndConsoleSession(t.Context(), sha256.Sum256([]byte("11"))), "twice is once")
	run(`delete from api_keys`)
	require.Zero(t, number(t, db, `select count(*) from console_sessions`), "they end with their key")
}

func TestExcerptsBeginBeforeTheFirstMask(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	who := actor(t, db, store.KindUser, store.ID{})
	open := func(c store.NewCase) store.ID {
		id, err := store.NewID(store.KindCase)
		require.NoError(t, err)
		c.ID, c.Origin, c.Reason, c.Actor, c.Root = id, store.OriginRejection, "secret", who, who
		c.Correlation, c.Fingerprint = uuid.New(), sha256.Sum256([]byte(id.String()))
		_, opened, err := db.OpenCase(t.Context(), &c)
		require.NoError(t, err)
		require.True(t, opened)
		return id
	}
	long := ""
	for range 100 {
		long += "0123456789"
	}
	value := sha256.Sum256([]byte("value"))
	finding := store.CaseFinding{Rule: "r", Kind: "secret", Action: "reject", Path: "/b", Line: 1, Column: 1, Length: 5, Mark: value}
	marked := open(store.NewCase{
		Masked:   []store.MaskedText{{Path: "/a", Text: "first"}, {Path: "/b", Text: long + "[secret:r] end"}},
		Findings: []store.CaseFinding{finding},
	})
	same := open(store.NewCase{Masked: []store.MaskedText{{Path: "/a", Text: "only this"}}, Findings: []store.CaseFinding{finding}})
	empty := open(store.NewCase{})
	var out map[store.ID]store.CaseExcerpt
	var counts store.CaseCounts
	require.NoError(t, db.Read(t.Context(), func(v *store.Snapshot) (err error) {
		if counts, err = v.CaseCounts(t.Context(), store.CaseQuery{Rule: "r"}); err != nil {
			return err
		}
		out, err = v.CaseExcerpts(t.Context(), []store.ID{marked, same, empty})
		return err
	}))
	require.Equal(t, store.CaseCounts{Open: 2, All: 2}, counts)
	require.Equal(t, long[len(long)-60:]+"[secret:r] end", out[marked].Text)
	require.Equal(t, store.CaseExcerpt{Text: "only this", Seen: 2, SeenBy: 1}, out[same])
	require.Equal(t, store.CaseExcerpt{Seen: 1, SeenBy: 1}, out[empty])
}
