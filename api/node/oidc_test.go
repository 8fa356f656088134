package node_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/stack"
)

// fetchURL answers the status, headers and body of a GET.
func fetchURL(t *testing.T, url string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, response.Header, string(body)
}

func TestTheResourceSaysWhoseTokensItTakes(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("oidc-issuer", "https://id.example"), stack.With("public-url", "https://inter.example"))
	base := strings.TrimSuffix(s.URL, "/mcp")
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		status, header, body := fetchURL(t, base+path)
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "application/json", header.Get("Content-Type"))
		require.Equal(t, "*", header.Get("Access-Control-Allow-Origin"))
		var metadata map[string]any
		require.NoError(t, json.Unmarshal([]byte(body), &metadata))
		require.Equal(t, "https://inter.example/mcp", metadata["resource"])
		require.Equal(t, []any{"https://id.example"}, metadata["authorization_servers"])
		require.Equal(t, []any{"header"}, metadata["bearer_methods_supported"])
		require.Contains(t, metadata["scopes_supported"], "publish")
	}
	response, err := http.Post(s.URL, "application/json", strings.NewReader(`{}`))
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
	require.Contains(t, response.Header.Get("WWW-Authenticate"), `resource_metadata="https://inter.example/.well-known/oauth-protected-resource/mcp"`)
	require.Contains(t, response.Header.Get("WWW-Authenticate"), `scope="read publish usage review rate"`)
}

func TestWithoutAnIssuerThereIsNoMetadata(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	status, _, _ := fetchURL(t, strings.TrimSuffix(s.URL, "/mcp")+"/.well-known/oauth-protected-resource")
	require.Equal(t, http.StatusNotFound, status)
}
