package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
)

// list decodes a printed list.
func list(t *testing.T, r result) []map[string]any {
	t.Helper()
	return answer[[]map[string]any](t, r)
}

func TestLimitsKeysAndProofsOnTheCommandLine(t *testing.T) {
	t.Parallel()
	env := []string{databaseURL(pgtest.New(t))}
	run := func(args ...string) result { return cli(t, env, append(args, "--json")...) }
	human := answer[map[string]any](t, run("actor", "create", "--kind", "usr", "--name", "Owner"))["id"].(string)
	agent := answer[map[string]any](t, run("actor", "create", "--kind", "ai", "--name", "Agent", "--controller", human))["id"].(string)

	shown := list(t, run("limit", "set", human, "--writes", "1000", "--claims", "100"))
	require.Len(t, shown, 2)
	require.Equal(t, "claims", shown[0]["scope"])
	require.InDelta(t, 100, shown[0]["limit"], 0)
	require.Equal(t, "root", shown[1]["scope"])
	require.Equal(t, true, shown[1]["own"])
	require.InDelta(t, 5, list(t, run("limit", "set", agent, "--writes", "5"))[0]["limit"], 0)
	require.Equal(t, false, list(t, run("limit", "set", human, "--writes", "0", "--claims", "0"))[1]["own"])
	require.Empty(t, list(t, run("limit", "show")), "nobody is blocked")
	require.Contains(t, cli(t, env, "limit", "show").out, "Nobody is kept from writing.")
	for _, bad := range [][]string{
		{"limit", "set", human},
		{"limit", "set", human, "--writes", "-1"},
		{"limit", "set", human, "--claims", "7"},
		{"limit", "set", "nobody", "--writes", "1"},
		{"key", "create", "--actor", agent, "--from", "everywhere"},
		{"actor", "verify-domain", human, "co.uk"},
		{"actor", "verify-email", human, "ann@example.org"},
		{"actor", "link-oidc", agent, "--subject", "s"},
		{"actor", "link-oidc", agent, "--scopes", "all"},
	} {
		require.Equal(t, 2, cli(t, env, bad...).code, bad)
	}

	key := answer[map[string]any](t, run("key", "create", "--actor", agent, "--from", "192.0.2.1/24,2001:db8::/32"))
	require.Equal(t, []any{"192.0.2.0/24", "2001:db8::/32"}, key["allowed_from"])
	require.NotEmpty(t, key["expires_at"], "a year by default")
	require.Zero(t, run("key", "revoke", key["id"].(string), "--reason", "rotation").code)
	listed := list(t, run("key", "list", "--actor", agent))
	require.Equal(t, "rotation", listed[0]["revoked_reason"])
	require.NotContains(t, listed[0], "key")

	record := answer[map[string]any](t, run("actor", "verify-domain", human, "Example.org"))
	require.Equal(t, "example.org", record["domain"])
	require.Contains(t, record["txt_record"], "interai-verification=")
	require.Equal(t, 1, run("actor", "verify-domain", agent, "example.org").code, "an agent proves nothing")

	const issuer = "https://id.example"
	links := list(t, run("actor", "link-oidc", agent, "--issuer", issuer, "--subject", "ann", "--scopes", "read"))
	require.Equal(t, issuer, links[0]["issuer"])
	require.Equal(t, 1, run("actor", "link-oidc", human, "--issuer", issuer, "--subject", "ann").code, "it is the agent's")
	require.Len(t, list(t, run("actor", "link-oidc", agent)), 1)
	require.Empty(t, list(t, run("actor", "link-oidc", agent, "--issuer", issuer, "--subject", "ann", "--remove")))
}
