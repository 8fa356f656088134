package node_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/identity"
	"interai/internal/stack"
	"interai/jobs"
)

// outbox keeps what would be sent.
type outbox struct{ body string }

func (o *outbox) Send(_ context.Context, _, _, body string) error {
	o.body = body
	return nil
}

func TestALinkFromAMailIsAPageWithOneButton(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	base := strings.TrimSuffix(s.URL, "/mcp")
	queue, err := jobs.NewEnqueuer(s.Store, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	mail := &outbox{}
	_, err = identity.NewProver(s.Store, queue).SendLink(t.Context(), mail, base, s.Human, "ann@example.org")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(mail.body, base+"/verify")
	token, _, _ := strings.Cut(rest, "\n")
	link := "/verify" + token

	for range 2 {
		status, header, body := fetchURL(t, base+link)
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, body, `<form method="post"><button`)
		require.Contains(t, body, "a***@example.org")
		require.NotContains(t, body, "ann@example.org")
		require.Equal(t, "no-store", header.Get("Cache-Control"))
		require.Equal(t, "no-referrer", header.Get("Referrer-Policy"))
		require.Contains(t, header.Get("Content-Security-Policy"), "form-action 'self'")
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
	}
	press := func(origin string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+link, http.NoBody)
		require.NoError(t, err)
		r.Header.Set("Origin", origin)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(body)
	}
	status, _ := press("https://evil.example")
	require.Equal(t, http.StatusForbidden, status)
	status, body := press(base)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "is verified for "+s.Human.String())
	human, err := s.Store.Actor(t.Context(), s.Human)
	require.NoError(t, err)
	require.True(t, human.Email)
	status, body = press(base)
	require.Equal(t, http.StatusGone, status)
	require.Contains(t, body, "works once")
	status, _, _ = fetchURL(t, base+link[:len(link)-4]+"AAAA")
	require.Equal(t, http.StatusNotFound, status)
}
