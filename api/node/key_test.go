package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/node"
	"interai/api/ops"
	"interai/api/tools"
	"interai/evidence"
	"interai/internal/stack"
	"interai/store"
)

func whoami(t *testing.T, s *stack.Stack, key string) evidence.WhoamiOutput {
	t.Helper()
	var me evidence.WhoamiOutput
	s.Must(s.Client(key), "whoami", map[string]any{}, &me)
	return me
}

func TestAKeyThatExpiresSoonIsSaid(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	_, agent, forever := s.Party(store.Verification{})
	me := whoami(t, s, forever)
	require.Nil(t, me.KeyExpiresAt)
	require.Equal(t, []string{}, me.Warnings)
	for _, tt := range []struct {
		rule   string
		left   time.Duration
		warned bool
	}{
		{"a year away", 365 * 24 * time.Hour, false}, {"a month away", 31 * 24 * time.Hour, false}, {"within a month", 29 * 24 * time.Hour, true},
	} {
		row := store.Key{Actor: agent, Scopes: []string{tools.ScopeRead}, ExpiresAt: new(time.Now().Add(tt.left))}
		key, err := node.MakeKey(t.Context(), s.Store, &row)
		require.NoError(t, err)
		me := whoami(t, s, key)
		require.WithinDuration(t, *row.ExpiresAt, *me.KeyExpiresAt, time.Second, tt.rule)
		require.Equal(t, tt.warned, len(me.Warnings) == 1, tt.rule)
		require.NoError(t, s.Store.RevokeKey(t.Context(), row.ID, "rotation"))
	}
	require.Empty(t, whoami(t, s, forever).Warnings, "another key of the actor, revoked in order, is nothing to warn of")
}

func TestAKeyOfOursInContentIsRevokedAndItsOwnerHearsOfIt(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	_, owner, leaked := s.Party(store.Verification{})
	other := s.KeyOf(owner, tools.DefaultScopes()...)
	whoami(t, s, leaked)
	err := s.Call(s.Client(s.Key), "publish", map[string]any{
		"content_type": "note", "title": "How to call it", "body_markdown": "Send `Authorization: Bearer " + leaked + "` and it answers.",
	}, nil)
	require.Equal(t, ops.ContentRejected, ops.CodeOf(err))
	require.NotContains(t, err.Error(), leaked[17:])
	s.Eventually("the key is refused", func() bool {
		status, _ := s.Raw(leaked, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`)
		return status == 401
	})
	warnings := whoami(t, s, other).Warnings
	require.Len(t, warnings, 1)
	require.Contains(t, warnings[0], leaked[4:16])
	require.NotContains(t, warnings[0], leaked[17:])
	keys, err := s.Store.Keys(t.Context(), owner)
	require.NoError(t, err)
	require.Equal(t, store.RevokedLeaked, keys[0].RevokedReason)
}
