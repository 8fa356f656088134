package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

func TestBearer(t *testing.T) {
	good, unknown, down, broken, none := newKey(t), newKey(t), newKey(t), newKey(t), newKey(t)
	verify := func(_ context.Context, k Key) (*ops.Caller, error) {
		switch k {
		case good:
			return &ops.Caller{Actor: "ai_1", KeyID: k.ID()}, nil
		case down:
			return nil, fmt.Errorf("look up key: %w", ErrUnavailable)
		case broken:
			return nil, errors.New("dsn with secret")
		case none:
			return nil, nil
		default:
			return nil, fmt.Errorf("look up key: %w", ErrUnauthenticated)
		}
	}
	const plain, invalid = `Bearer realm="inter-ai"`, `Bearer realm="inter-ai", error="invalid_token"`
	tests := []struct {
		rule      string
		headers   []string
		query     string
		status    int
		challenge string
	}{
		{"a good key passes", []string{"Bearer " + good.Reveal()}, "", 200, ""},
		{"the scheme's case does not matter", []string{"bearer  " + good.Reveal() + " "}, "", 200, ""},
		{"no header", nil, "", 401, plain},
		{"a key in the query is no key", nil, "?token=" + good.Reveal() + "&access_token=" + good.Reveal(), 401, plain},
		{"another scheme", []string{"Basic " + good.Reveal()}, "", 401, plain},
		{"a scheme alone", []string{"Bearer"}, "", 401, plain},
		{"a bare key", []string{good.Reveal()}, "", 401, plain},
		{"two headers", []string{"Bearer " + good.Reveal(), "Bearer " + good.Reveal()}, "", 401, invalid},
		{"two keys in one header", []string{"Bearer " + good.Reveal() + ", Bearer " + good.Reveal()}, "", 401, invalid},
		{"a malformed key", []string{"Bearer sk-123"}, "", 401, invalid},
		{"an unknown key", []string{"Bearer " + unknown.Reveal()}, "", 401, invalid},
		{"no database", []string{"Bearer " + down.Reveal()}, "", 503, ""},
		{"an unexpected error", []string{"Bearer " + broken.Reveal()}, "", 503, ""},
		{"no caller", []string{"Bearer " + none.Reveal()}, "", 503, ""},
	}
	h := NewBearer(verify, WithLogger(slog.New(slog.DiscardHandler))).Middleware(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, CallerFrom(r.Context()).Actor) }))
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/mcp"+tt.query, http.NoBody)
			r.Header["Authorization"] = tt.headers
			w := httptest.NewRecorder()
			w.Header().Set("X-Request-Id", "req-1")
			h.ServeHTTP(w, r)
			require.Equal(t, tt.status, w.Code)
			require.Equal(t, tt.challenge, w.Header().Get("WWW-Authenticate"))
			if tt.status == 200 {
				require.Equal(t, "ai_1", w.Body.String())
				return
			}
			var body struct{ Error *ops.Error }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.Equal(t, "req-1", body.Error.Details.CorrelationID)
			require.NotContains(t, w.Body.String(), "secret")
			if tt.status == 401 {
				require.Equal(t, ops.Unauthenticated, body.Error.Code)
				require.False(t, body.Error.Details.Retryable)
				require.Contains(t, w.Body.String(), "Authorization: Bearer")
				require.Contains(t, w.Body.String(), "interai key create")
				return
			}
			require.Equal(t, ops.InternalError, body.Error.Code)
			require.True(t, body.Error.Details.Retryable)
			require.Equal(t, "2", w.Header().Get("Retry-After"))
		})
	}
}

func TestAllFailuresOfAKeyLookAlike(t *testing.T) {
	h := NewBearer(func(context.Context, Key) (*ops.Caller, error) { return nil, ErrUnauthenticated }).Middleware(nil)
	answer := func(header string) string {
		r := httptest.NewRequest(http.MethodPost, "/mcp", http.NoBody)
		r.Header.Set("Authorization", header)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.String()
	}
	require.Equal(t, answer("Bearer malformed"), answer("Bearer "+newKey(t).Reveal()))
}

func TestResourceMetadataIsNamedOnlyWhenConfigured(t *testing.T) {
	verify := func(context.Context, Key) (*ops.Caller, error) { return nil, ErrUnauthenticated }
	w := httptest.NewRecorder()
	NewBearer(verify, WithResourceMetadata("https://a.example/x")).Middleware(nil).ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", http.NoBody))
	require.Equal(t, `Bearer realm="inter-ai", resource_metadata="https://a.example/x"`, w.Header().Get("WWW-Authenticate"))
}

func TestNoCallerOutsideTheLayer(t *testing.T) {
	require.Nil(t, CallerFrom(context.Background()))
}
