package limits

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

var passed = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if _, err := io.ReadAll(r.Body); err != nil {
		WriteBodyError(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
})

// refused decodes a refused answer and checks its form.
func refused(t *testing.T, w *httptest.ResponseRecorder) *ops.Error {
	t.Helper()
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	var body struct{ Error *ops.Error }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
	require.True(t, body.Error.Code.Valid())
	return body.Error
}

func TestHosts(t *testing.T) {
	hosts := NewHosts("https://Inter.Example/base", "10.0.0.5", "proxy.example:8443", " ")
	tests := []struct {
		host string
		want bool
	}{
		{"localhost", true},
		{"localhost:8080", true},
		{"LOCALHOST.:1", true},
		{"127.0.0.1:8080", true},
		{"[::1]:8080", true},
		{"[::1]", true},
		{"inter.example", true},
		{"inter.example:443", true},
		{"INTER.example.", true},
		{"10.0.0.5:80", true},
		{"proxy.example:8443", true},
		{"proxy.example", false},
		{"proxy.example:80", false},
		{"evil.example", false},
		{"localhost.evil.example", false},
		{"inter.example.evil", false},
		{"", false},
		{"127.0.0.2", false},
		{"localhost@evil.example", false},
		{"evil.example:localhost", false},
	}
	for _, tt := range tests {
		t.Run(tt.host, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
			r.Host = tt.host
			w := httptest.NewRecorder()
			w.Header().Set("X-Request-Id", "req-1")
			hosts.Middleware(passed).ServeHTTP(w, r)
			if tt.want {
				require.Equal(t, http.StatusNoContent, w.Code)
				return
			}
			require.Equal(t, http.StatusForbidden, w.Code)
			e := refused(t, w)
			require.Equal(t, "host_not_allowed", e.Details.Reason)
			require.Equal(t, "req-1", e.Details.CorrelationID)
			require.Contains(t, e.Details.RecoveryHints[0], "INTERAI_ALLOWED_HOSTS")
		})
	}
}

// A page without referrers sends its own forms with the origin "null"; only the browser can say that they are its own.
func TestTheOriginNullPassesIfTheBrowserSaysThatItIsTheSame(t *testing.T) {
	origins := NewOrigins("")
	for site, want := range map[string]bool{"same-origin": true, "same-site": false, "cross-site": false, "none": false, "": false} {
		r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
		r.Header.Set("Origin", "null")
		r.Header.Set("Sec-Fetch-Site", site)
		require.Equal(t, want, origins.Allowed(r), site)
		r.Header.Set("Origin", "https://evil.example")
		require.False(t, origins.Allowed(r), site)
	}
}

func TestOrigins(t *testing.T) {
	origins := NewOrigins("https://inter.example", "http://app.example:3000")
	tests := []struct {
		rule    string
		origins []string
		host    string
		want    bool
	}{
		{"none", nil, "localhost:8080", true},
		{"allowed", []string{"http://app.example:3000"}, "localhost:8080", true},
		{"allowed by the public URL", []string{"https://inter.example"}, "localhost:8080", true},
		{"the default port is no difference", []string{"https://inter.example:443"}, "localhost:8080", true},
		{"its own", []string{"http://localhost:8080"}, "localhost:8080", true},
		{"its own behind TLS", []string{"https://other.example"}, "other.example", true},
		{"another port of this machine", []string{"http://localhost:3000"}, "localhost:8080", false},
		{"another scheme", []string{"http://inter.example"}, "localhost:8080", false},
		{"null", []string{"null"}, "localhost:8080", false},
		{"empty", []string{""}, "localhost:8080", false},
		{"foreign", []string{"https://evil.example"}, "localhost:8080", false},
		{"a longer name", []string{"https://inter.example.evil"}, "localhost:8080", false},
		{"a user", []string{"https://inter.example@evil.example"}, "localhost:8080", false},
		{"two headers", []string{"https://inter.example", "https://inter.example"}, "localhost:8080", false},
		{"an extension", []string{"chrome-extension://abc"}, "localhost:8080", false},
	}
	for _, tt := range tests {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			t.Run(tt.rule+" "+method, func(t *testing.T) {
				r := httptest.NewRequest(method, "/", http.NoBody)
				r.Host = tt.host
				r.Header["Origin"] = tt.origins
				w := httptest.NewRecorder()
				origins.Middleware(passed).ServeHTTP(w, r)
				if tt.want {
					require.Equal(t, http.StatusNoContent, w.Code)
					return
				}
				require.Equal(t, http.StatusForbidden, w.Code)
				require.Equal(t, "origin_not_allowed", refused(t, w).Details.Reason)
			})
		}
	}
}

func TestBodyCap(t *testing.T) {
	bodyCap := BodyCap(func(r *http.Request) int64 {
		if r.URL.Path == "/big" {
			return 100
		}
		return 10
	})
	tests := []struct {
		rule, path string
		body       io.Reader
		want       int
	}{
		{"within", "/", strings.NewReader("0123456789"), http.StatusNoContent},
		{"declared over", "/", strings.NewReader("0123456789x"), http.StatusRequestEntityTooLarge},
		{"undeclared over", "/", io.MultiReader(strings.NewReader("0123456789x")), http.StatusRequestEntityTooLarge},
		{"another path has another cap", "/big", strings.NewReader("0123456789x"), http.StatusNoContent},
		{"a broken body", "/", io.MultiReader(strings.NewReader("01"), brokenReader{}), http.StatusBadRequest},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			w := httptest.NewRecorder()
			bodyCap(passed).ServeHTTP(w, httptest.NewRequest(http.MethodPost, tt.path, tt.body))
			require.Equal(t, tt.want, w.Code)
			if tt.want == http.StatusRequestEntityTooLarge {
				require.Equal(t, "body_too_large", refused(t, w).Details.Reason)
				require.True(t, bytes.Contains(w.Body.Bytes(), []byte("10 bytes")))
			}
		})
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
