package public

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
)

const browserAccepts = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// ask is get with an Accept header.
func ask(h http.Handler, method, path, accept string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, http.NoBody)
	r.Host = "localhost:8080"
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func withPages(t *testing.T) http.Handler {
	t.Helper()
	return serveWith(t, func() (*evidence.DocumentOutput, error) { return nil, errors.New("not read") })
}

func TestTheRootSaysWhatThisIs(t *testing.T) {
	h := withPages(t)
	for accept, media := range map[string]string{
		browserAccepts: "text/html; charset=utf-8", "text/html": "text/html; charset=utf-8", "": "text/plain; charset=utf-8",
		"*/*": "text/plain; charset=utf-8", "application/json": "text/plain; charset=utf-8", "text/html;q=0, */*": "text/plain; charset=utf-8",
	} {
		w := ask(h, http.MethodGet, "/", accept)
		require.Equal(t, http.StatusOK, w.Code, accept)
		require.Equal(t, media, w.Header().Get("Content-Type"), accept)
		require.Equal(t, "Accept", w.Header().Get("Vary"))
		require.NotEmpty(t, w.Header().Get("ETag"))
		for _, part := range []string{"http://localhost:8080/mcp", "/llms.txt", "/ai.md"} {
			require.Contains(t, w.Body.String(), part, accept)
		}
		head := ask(h, http.MethodHead, "/", accept)
		require.Equal(t, http.StatusOK, head.Code)
		require.Empty(t, head.Body.String())
	}
	w := ask(h, http.MethodGet, "/", browserAccepts)
	require.Equal(t, pagePolicy, w.Header().Get("Content-Security-Policy"))
	require.Contains(t, w.Body.String(), `claude mcp add --transport http inter-ai http://localhost:8080/mcp`)
	require.Contains(t, w.Body.String(), assetPath("page.css"))
	require.NotContains(t, w.Body.String(), "<script")
	require.Equal(t, http.StatusMethodNotAllowed, ask(h, http.MethodPost, "/", browserAccepts).Code)
}

func TestBrowsersGetAPageForWhatIsNotThere(t *testing.T) {
	h := withPages(t)
	for _, path := range []string{"/nothing", "/sse", "/mcp/x", "/assets/nothing.css"} {
		w := ask(h, http.MethodGet, path, browserAccepts)
		require.Equal(t, http.StatusNotFound, w.Code, path)
		require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		require.Contains(t, w.Body.String(), `href="/"`)
		require.NotContains(t, w.Body.String(), path, "the reader's text is not repeated")
		for method, accept := range map[string]string{http.MethodGet: "application/json", http.MethodPost: browserAccepts} {
			w = ask(h, method, path, accept)
			require.Equal(t, http.StatusNotFound, w.Code)
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.Contains(t, w.Body.String(), "MCP is at /mcp.")
		}
	}
}

func TestPagesLeadHome(t *testing.T) {
	h := serveWith(t, func() (*evidence.DocumentOutput, error) {
		return &evidence.DocumentOutput{GetOutput: evidence.GetOutput{ID: anyID, Kind: "space"}}, nil
	})
	require.Contains(t, get(h, http.MethodGet, "/"+anyID).Body.String(), `<a class="name" href="/">`)
}
