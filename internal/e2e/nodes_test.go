package e2e

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/internal/pgtest"
)

func TestASwitchedOffCredentialIsRefusedOnEveryNodeWithinASecond(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	env := []string{databaseURL(conn)}
	nodes := []*server{serve(t, t.TempDir(), env...), serve(t, t.TempDir(), env...)}
	require.NotEqual(t, nodes[0].credentials.Agent, nodes[1].credentials.Agent, "each data directory has its own identities")
	human := answer[map[string]any](t, cli(t, env, "actor", "create", "--kind", "usr", "--name", "Owner", "--verified", "email", "--json"))
	owner := human["id"].(string)
	t.Run("a revoked key", func(t *testing.T) {
		refusedAfter(t, env, nodes, owner, func(_, key string) []string { return []string{"key", "revoke", key} })
	})
	t.Run("a disabled actor", func(t *testing.T) {
		refusedAfter(t, env, nodes, owner, func(agent, _ string) []string { return []string{"actor", "disable", agent} })
	})
}

// refusedAfter makes an agent with a key, uses it on all nodes, switches it off, and requires that none of them serves a call that
// began a second later. A machine that is busy may hold a notification up once, and hardly three times in a row; without
// notifications it would take fifteen seconds each time.
func refusedAfter(t *testing.T, env []string, nodes []*server, owner string, off func(agent, key string) []string) {
	t.Helper()
	var late time.Duration
	for range 3 {
		if late = servedAfter(t, env, nodes, owner, off); late < time.Second {
			return
		}
		t.Logf("a call was served that began %s after the key was switched off", late)
	}
	require.Less(t, late, time.Second)
}

// servedAfter answers how long after the key was switched off the last call began that was served.
func servedAfter(t *testing.T, env []string, nodes []*server, owner string, off func(agent, key string) []string) time.Duration {
	t.Helper()
	made := answer[map[string]any](t, cli(t, env, "actor", "create", "--kind", "ai", "--name", "Agent "+uuid.NewString(), "--controller", owner, "--json"))
	agent := made["id"].(string)
	key := answer[map[string]any](t, cli(t, env, "key", "create", "--actor", agent, "--json"))
	var clients []*mcp.Client
	for _, n := range nodes {
		client := n.dial(key["key"].(string))
		_, err := client.Call(t.Context(), "whoami", nil, nil)
		require.NoError(t, err)
		clients = append(clients, client)
	}
	require.Zero(t, cli(t, env, off(agent, key["id"].(string))...).code)
	switched, last := time.Now(), time.Duration(0)
	for _, client := range clients {
		eventually(t, "the key is refused", func() bool {
			began := time.Since(switched)
			_, err := client.Call(t.Context(), "whoami", nil, nil)
			if err == nil {
				last = max(last, began)
			}
			return ops.CodeOf(err) == ops.Unauthenticated
		})
	}
	return last
}
