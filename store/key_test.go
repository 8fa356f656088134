package store_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/store"
)

// key is a stored key of an actor; its hash is that of nothing.
func key(t *testing.T, db *store.Store, owner store.ID, id string, more ...func(*store.Key)) store.Key {
	t.Helper()
	k := store.Key{ID: id, Actor: owner, Scopes: []string{"read"}, Hash: [32]byte{1, 2, 3}}
	for _, change := range more {
		change(&k)
	}
	require.NoError(t, db.CreateKey(t.Context(), k, store.ID{}))
	return k
}

func stored(t *testing.T, db *store.Store, id string) store.Key {
	t.Helper()
	found, err := db.Credential(t.Context(), id)
	require.NoError(t, err)
	return found.Key
}

func TestTwoKeysOfAnActorMayLiveSoThatOneCanReplaceTheOther(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	_, ai := party(t, db, 1)
	past := time.Now().Add(-time.Minute)
	key(t, db, ai[0], "expired00001", func(k *store.Key) { k.ExpiresAt = &past })
	key(t, db, ai[0], "first0000001")
	key(t, db, ai[0], "second000001")
	err := db.CreateKey(t.Context(), store.Key{ID: "third0000001", Actor: ai[0], Scopes: []string{"read"}}, store.ID{})
	require.ErrorIs(t, err, store.ErrTooManyKeys)
	require.NoError(t, db.RevokeKey(t.Context(), "first0000001", ""))
	key(t, db, ai[0], "third0000001")
}

func TestARevokedKeySaysWhyAndLeavesAnEvent(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	_, ai := party(t, db, 1)
	key(t, db, ai[0], "rotated00001")
	require.NoError(t, db.RevokeKey(t.Context(), "rotated00001", "rotation"))
	first := stored(t, db, "rotated00001")
	require.NotNil(t, first.RevokedAt)
	require.Equal(t, "rotation", first.RevokedReason)
	require.NoError(t, db.RevokeKey(t.Context(), "rotated00001", "again"))
	require.Equal(t, first, stored(t, db, "rotated00001"), "the first reason stays")
	require.ErrorIs(t, db.RevokeKey(t.Context(), "missing00001", ""), store.ErrNotFound)
	require.Equal(t, 1, number(t, db, `select count(*) from mcp_calls where tool = 'key create' and adapter = 'operator' and request->>'key' = 'rotated00001'`))
	require.Equal(t, 1, number(t, db, `select count(*) from mcp_calls where tool = 'key revoke' and request->>'reason' = 'rotation'`))
	require.Zero(t, number(t, db, `select count(*) from mcp_calls where request::text like '%hash%'`))
}

func TestOnlyTheVeryKeyThatWasFoundIsRevoked(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	_, ai := party(t, db, 1)
	k := key(t, db, ai[0], "leaked000001")
	for _, tt := range []struct {
		rule    string
		id      string
		hash    [32]byte
		revoked bool
	}{
		{"an unknown key", "unknown00001", k.Hash, false},
		{"a made-up secret behind a known ID", k.ID, [32]byte{9}, false},
		{"the key itself", k.ID, k.Hash, true},
		{"once revoked it is nobody's any more", k.ID, k.Hash, false},
	} {
		owner, revoked, err := db.RevokeLeaked(t.Context(), tt.id, tt.hash)
		require.NoError(t, err, tt.rule)
		require.Equal(t, tt.revoked, revoked, tt.rule)
		if tt.revoked {
			require.Equal(t, ai[0], owner)
		}
	}
	require.Equal(t, store.RevokedLeaked, stored(t, db, k.ID).RevokedReason)
	require.Equal(t, 1, number(t, db, `select count(*) from mcp_calls where tool = 'key revoke'`))
}

func TestWhoIsSwitchedOffSwitchesOffAllBelow(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	top := actor(t, db, store.KindOrg, store.ID{})
	middle := actor(t, db, store.KindOrg, top)
	human := actor(t, db, store.KindUser, middle)
	agent := actor(t, db, store.KindAgent, human)
	beside := actor(t, db, store.KindAgent, top)
	key(t, db, agent, "below0000001")
	key(t, db, beside, "beside000001")
	require.NoError(t, db.DisableActor(t.Context(), middle))
	require.NotNil(t, stored(t, db, "below0000001").RevokedAt)
	require.Empty(t, stored(t, db, "below0000001").RevokedReason)
	require.Nil(t, stored(t, db, "beside000001").RevokedAt)
	a, err := db.Actor(t.Context(), agent)
	require.NoError(t, err)
	require.NotNil(t, a.DisabledAt)
	a, err = db.Actor(t.Context(), top)
	require.NoError(t, err)
	require.Nil(t, a.DisabledAt)
}

func TestTheLastUseOfAKeyHasAMomentAndANetwork(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	_, ai := party(t, db, 1)
	networks := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32")}
	key(t, db, ai[0], "used00000001", func(k *store.Key) { k.AllowedFrom = networks })
	require.Nil(t, stored(t, db, "used00000001").LastUsedFrom)
	at := time.Now().UTC().Truncate(time.Microsecond)
	require.NoError(t, db.TouchKeys(t.Context(), map[string]store.KeyUse{"used00000001": {At: at, From: networks[0]}}))
	require.NoError(t, db.TouchKeys(t.Context(), map[string]store.KeyUse{"used00000001": {At: at.Add(-time.Hour)}}))
	k := stored(t, db, "used00000001")
	require.True(t, at.Equal(*k.LastUsedAt), "an older use that is told later is older")
	require.Equal(t, networks[0], *k.LastUsedFrom)
	require.Equal(t, networks, k.AllowedFrom)
}
