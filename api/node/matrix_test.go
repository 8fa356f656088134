package node_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/api/tools"
	"interai/internal/stack"
	"interai/store"
)

// needs is the scope of each operation (specification v2, section 9); "" is enough for whoever has a key.
var needs = map[string]string{
	"compare": "read", "get": "read", "search": "read", "publish": "publish", "submit_experience": "publish",
	"report_usage": "usage", "review": "review", "rate": "rate", "whoami": "",
}

// post sends a call with headers as they are given, and answers its status and body.
func post(t *testing.T, url, operation string, authorization []string) (int, string) {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, operation)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header["Content-Type"] = []string{"application/json"}
	r.Header["Authorization"] = authorization
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(raw)
}

func TestEveryOperationWithEveryScopeAndEveryCredential(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	registry, err := tools.NewRegistry(nil)
	require.NoError(t, err)
	require.Len(t, registry.Operations(), len(needs), "an operation without a line in the table")

	// An actor has at most two live keys.
	var spare []store.ID
	agent := func() store.ID {
		if len(spare) == 0 {
			made, err := s.Store.CreateActor(t.Context(), store.NewActor{
				Kind: store.KindAgent, Name: fmt.Sprint("agent ", time.Now().UnixNano()), Controller: s.Human,
			})
			require.NoError(t, err)
			spare = []store.ID{made.ID, made.ID}
		}
		id := spare[0]
		spare = spare[1:]
		return id
	}
	scopes := append(tools.Scopes(), "none", "all")
	keys := map[string]string{"none": s.KeyOf(agent(), []string{}...), "all": s.KeyOf(agent(), tools.Scopes()...)}
	for _, scope := range tools.Scopes() {
		keys[scope] = s.KeyOf(agent(), scope)
	}
	good := keys["all"]
	revoked := s.KeyOf(agent(), tools.Scopes()...)
	expired := expiredKey(t, s, agent(), time.Now().Add(-time.Second))
	require.NoError(t, s.Store.RevokeKey(t.Context(), revoked[4:16], ""))
	human, _, below := s.Party(store.Verification{})
	require.NoError(t, s.Store.DisableActor(t.Context(), human))
	malformed := good[:65] + string('a'+(good[65]-'a'+1)%26)
	credentials := map[string][]string{
		"no key": nil, "an expired key": {"Bearer " + expired}, "a revoked key": {"Bearer " + revoked},
		"a key below a disabled controller": {"Bearer " + below}, "a malformed key": {"Bearer " + malformed},
		"a key that nobody has": {"Bearer " + strings.Replace(good, good[4:8], "zzzz", 1)},
		"a duplicated header":   {"Bearer " + good, "Bearer " + good}, "another scheme": {"Basic " + good}, "a bare key": {good},
	}
	for operation, needed := range needs {
		for _, scope := range scopes {
			status, body := post(t, s.URL, operation, []string{"Bearer " + keys[scope]})
			require.Equal(t, http.StatusOK, status)
			forbidden := strings.Contains(body, string(ops.ForbiddenScope))
			allowed := needed == "" || scope == "all" || scope == needed
			require.Equal(t, allowed, !forbidden, "%s with the scope %s: %s", operation, scope, body)
		}
		for rule, headers := range credentials {
			status, body := post(t, s.URL, operation, headers)
			require.Equal(t, http.StatusUnauthorized, status, "%s with %s", operation, rule)
			require.Contains(t, body, string(ops.Unauthenticated))
		}
		status, _ := post(t, s.URL+"?api_key="+good+"&access_token="+good, operation, nil)
		require.Equal(t, http.StatusUnauthorized, status, "a key in the query of %s", operation)
	}
}

func expiredKey(t *testing.T, s *stack.Stack, actor store.ID, at time.Time) string {
	t.Helper()
	key := s.KeyOf(actor, tools.Scopes()...)
	_, err := s.Store.Pool().Exec(t.Context(), `update api_keys set expires_at = $2 where id = $1`, key[4:16], at)
	require.NoError(t, err)
	return key
}
