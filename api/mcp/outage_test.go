package mcp

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

func TestAnOutageIsARetryableErrorOfTheCall(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	c, err := Dial(context.Background(), url, s.key.Reveal())
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	s.down.Store(true)
	_, err = c.Call(context.Background(), "echo", map[string]any{"text": "t"}, nil)
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, ops.InternalError, e.Code)
	require.True(t, e.Details.Retryable)
	require.Equal(t, "database_unavailable", e.Details.Reason)
	require.Positive(t, e.Details.RetryAfter)
	s.down.Store(false)
	_, err = c.Call(context.Background(), "echo", map[string]any{"text": "t"}, nil)
	require.NoError(t, err)
}

func TestAnOutageAnswersEachEraInItsWords(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	s.down.Store(true)
	for _, e := range eras() {
		t.Run(e.name, func(t *testing.T) {
			response, err := http.DefaultClient.Do(e.request(t, s, url, "echo", `{"text":"t"}`, "{}"))
			require.NoError(t, err)
			defer func() { _ = response.Body.Close() }()
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, response.StatusCode)
			require.Contains(t, string(body), `"isError":true`)
			require.Contains(t, string(body), `"retryable":true`)
			require.Equal(t, e.version >= "2026", strings.Contains(string(body), `"resultType":"complete"`))
		})
	}
}

func TestAnOutageOfAnythingButACallIs503(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	s.down.Store(true)
	for name, body := range map[string]string{
		"a list":         `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		"a notification": `{"jsonrpc":"2.0","method":"tools/call"}`,
		"no JSON":        `{`,
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
			require.NoError(t, err)
			request.Header.Set("Authorization", "Bearer "+s.key.Reveal())
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			defer func() { _ = response.Body.Close() }()
			require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
			require.NotEmpty(t, response.Header.Get("Retry-After"))
		})
	}
}
