package mcp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// streaming serves streams that last until their context ends, each beginning with a line.
func streaming(t *testing.T, cfg *HTTPConfig) (url string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cfg.stream(w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "open\n")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func open(t *testing.T, url string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func TestStreamsOfAPartyAreBounded(t *testing.T) {
	cfg := newStand(t, Options{}).bounded(t)
	cfg.StreamLifetime = time.Hour
	url := streaming(t, cfg)
	first := open(t, url)
	require.Equal(t, http.StatusOK, first.StatusCode)
	require.Equal(t, "no", first.Header.Get("X-Accel-Buffering"))

	second := open(t, url)
	require.Equal(t, http.StatusServiceUnavailable, second.StatusCode)
	require.NotEmpty(t, second.Header.Get("Retry-After"))
	text, err := io.ReadAll(second.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), `"retryable":true`)

	require.NoError(t, first.Body.Close())
	require.Eventually(t, func() bool {
		again := open(t, url)
		return again.StatusCode == http.StatusOK && again.Body.Close() == nil
	}, soon, 5*time.Millisecond, "a place that is left is free")
}

func TestAStreamEndsAfterItsLifetime(t *testing.T) {
	cfg := newStand(t, Options{}).bounded(t)
	cfg.StreamLifetime = 50 * time.Millisecond
	text, err := io.ReadAll(open(t, streaming(t, cfg)).Body)
	require.NoError(t, err, "it ends in order")
	require.Equal(t, "open\n", string(text))
	require.Eventually(t, func() bool { active, _ := cfg.Streams.Load(); return active == 0 }, soon, time.Millisecond)
}

// TestASubscriptionToWhatNeverChangesEndsAtOnce holds what the capabilities say: no list changes while the server runs.
func TestASubscriptionToWhatNeverChangesEndsAtOnce(t *testing.T) {
	s := newStand(t, Options{})
	status, header, text := s.post(t, s.serve(t), `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{`+
		`"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`, func(r *http.Request) {
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", "subscriptions/listen")
	})
	require.Equal(t, http.StatusOK, status, text)
	require.Equal(t, "text/event-stream", header.Get("Content-Type"))
	require.Contains(t, text, `"resultType":"complete"`)
}

func TestReadsOfAPartyAreBoundedUntilTheirAnswersAreRead(t *testing.T) {
	s := newStand(t, Options{})
	for name, c := range map[string]struct {
		body string
		read bool
	}{
		"a read":             {echoCall("1"), true},
		"a write":            {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{}}}`, false},
		"a resource":         {`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"interai://about"}}`, true},
		"a list":             {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, false},
		"an unknown tool":    {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}`, false},
		"a batch with one":   {`[{"jsonrpc":"2.0","id":1,"method":"tools/list"},` + echoCall("2") + `]`, true},
		"params of no form":  {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, false},
		"a read in its text": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{"text":"echo"}}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			messages, _ := inspect([]byte(c.body))
			require.Equal(t, c.read, slices.ContainsFunc(messages, s.reads))
		})
	}
}
