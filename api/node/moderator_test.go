package node_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/evidence/moderation"
	"interai/internal/stack"
	"interai/store"
)

// The local moderator decides about what the local agent sends: it is nobody of the same party.
func TestTheLocalModeratorIsAPartyOfItsOwn(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	key, err := auth.Parse(s.Node.Local.ModeratorKey)
	require.NoError(t, err)
	found, err := s.Store.Credential(t.Context(), key.ID())
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"read", "moderate"}, found.Key.Scopes)
	require.Equal(t, store.KindUser, found.Actor.ID.Kind)
	require.Equal(t, "local moderator", found.Actor.DisplayName)
	require.Equal(t, store.Verification{}, found.Actor.Verification, "it vouches for nothing")
	agent, err := s.Store.Actor(t.Context(), s.Agent)
	require.NoError(t, err)
	m := moderation.Moderator{Actor: found.Actor.ID, Root: found.Actor.Root, Scopes: found.Key.Scopes}
	require.True(t, m.May())
	require.False(t, m.OwnParty(&store.Case{NewCase: store.NewCase{Actor: agent.ID, Root: agent.Root}, RootNow: agent.Root}))
}
