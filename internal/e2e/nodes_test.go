package e2e

import (
	"testing"
	"time"

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
	agent := answer[map[string]any](t, cli(t, env, "actor", "create", "--kind", "ai", "--name", "Agent", "--controller", human["id"].(string), "--json"))
	t.Run("a revoked key", func(t *testing.T) {
		refusedAfter(t, env, nodes, agent["id"].(string), func(key map[string]any) []string {
			return []string{"key", "revoke", key["id"].(string)}
		})
	})
	t.Run("a disabled actor", func(t *testing.T) {
		refusedAfter(t, env, nodes, agent["id"].(string), func(map[string]any) []string {
			return []string{"actor", "disable", agent["id"].(string)}
		})
	})
}

// refusedAfter makes a key, uses it on all nodes, switches it off, and requires that all of them refuse it soon.
func refusedAfter(t *testing.T, env []string, nodes []*server, agent string, off func(key map[string]any) []string) {
	t.Helper()
	key := answer[map[string]any](t, cli(t, env, "key", "create", "--actor", agent, "--json"))
	var clients []*mcp.Client
	for _, n := range nodes {
		client := n.dial(key["key"].(string))
		_, err := client.Call(t.Context(), "whoami", nil, nil)
		require.NoError(t, err)
		clients = append(clients, client)
	}
	require.Zero(t, cli(t, env, off(key)...).code)
	switched := time.Now()
	for _, client := range clients {
		eventually(t, "the key is refused", func() bool {
			_, err := client.Call(t.Context(), "whoami", nil, nil)
			return ops.CodeOf(err) == ops.Unauthenticated
		})
	}
	require.Less(t, time.Since(switched), time.Second)
}
