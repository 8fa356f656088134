package public

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"interai/api/limits"
	"interai/api/ops"
	"interai/api/refusal"
)

// logBuffer is a log that may be written and read at once.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// serve builds a handler with changes and returns its log.
func serve(t *testing.T, change func(*Config)) (http.Handler, *logBuffer) {
	t.Helper()
	log := &logBuffer{}
	cfg := Config{
		Ready: func(context.Context) string { return "" },
		Hosts: limits.NewHosts(""), Origins: limits.NewOrigins(""),
		Logger: slog.New(slog.NewJSONHandler(log, nil)),
		MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "mcp "+r.Method)
		}),
		Metrics: prometheus.NewRegistry(),
	}
	if change != nil {
		change(&cfg)
	}
	h, err := NewHandler(cfg)
	require.NoError(t, err)
	return h, log
}

func get(h http.Handler, method, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, http.NoBody)
	r.Host = "localhost:8080"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestRoutes(t *testing.T) {
	registry := prometheus.NewRegistry()
	counter := prometheus.NewCounter(prometheus.CounterOpts{Name: "interai_test_total", Help: "x"})
	registry.MustRegister(counter)
	h, _ := serve(t, func(c *Config) {
		c.Metrics = registry
		c.Mount = func(router gin.IRouter) { router.GET("/extra", func(c *gin.Context) { c.String(200, "extra") }) }
	})
	tests := []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/healthz", 200, `{"status":"ok"}`},
		{"HEAD", "/healthz", 200, ""},
		{"GET", "/readyz", 200, `{"status":"ready"}`},
		{"GET", "/metrics", 200, "interai_test_total 0"},
		{"POST", "/mcp", 200, "mcp POST"},
		{"POST", "/mcp/", 200, "mcp POST"},
		{"DELETE", "/mcp", 200, "mcp DELETE"},
		{"GET", "/extra", 200, "extra"},
		{"GET", "/", 404, `"not_found"`},
		{"GET", "/mcp/x", 404, `"not_found"`},
		{"POST", "/sse", 404, `"MCP is at /mcp."`},
		{"GET", "/.well-known/oauth-authorization-server", 404, `"not_found"`},
		{"GET", "/.well-known/oauth-protected-resource/mcp", 404, `"not_found"`},
		{"POST", "/healthz", 405, `"method_not_allowed"`},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			w := get(h, tt.method, tt.path)
			require.Equal(t, tt.status, w.Code)
			require.Contains(t, w.Body.String(), tt.body)
			require.NotEmpty(t, w.Header().Get(refusal.RequestIDHeader))
			require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
			require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
			if tt.status >= 400 {
				var body struct{ Error *ops.Error }
				require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
				require.Equal(t, w.Header().Get(refusal.RequestIDHeader), body.Error.Details.CorrelationID)
			}
		})
	}
}

func TestNotReadySaysWhy(t *testing.T) {
	h, _ := serve(t, func(c *Config) {
		c.Ready = func(ctx context.Context) string {
			if _, bounded := ctx.Deadline(); !bounded {
				return "unbounded"
			}
			return "database_unavailable"
		}
	})
	w := get(h, "GET", "/readyz")
	require.Equal(t, 503, w.Code)
	require.JSONEq(t, `{"status":"unavailable","reason":"database_unavailable"}`, w.Body.String())
	require.Equal(t, 200, get(h, "GET", "/healthz").Code, "health does not follow readiness")
}

func TestOptionalRoutesAreUnknownWhenNotGiven(t *testing.T) {
	h, _ := serve(t, func(c *Config) { c.MCP, c.Metrics = nil, nil })
	require.Equal(t, 404, get(h, "POST", "/mcp").Code)
	require.NotContains(t, get(h, "POST", "/mcp").Body.String(), "MCP is at", "nobody is sent to where nothing is")
	require.Equal(t, 404, get(h, "GET", "/metrics").Code)
}

func TestEveryRouteIsGuarded(t *testing.T) {
	h, _ := serve(t, nil)
	for _, path := range []string{"/healthz", "/mcp", "/metrics", "/unknown"} {
		r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
		r.Host = "evil.example"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, 403, w.Code, path)
		r = httptest.NewRequest(http.MethodGet, path, http.NoBody)
		r.Host = "localhost"
		r.Header.Set("Origin", "null")
		w = httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, 403, w.Code, path)
	}
}

func TestAPanicIsAnswered(t *testing.T) {
	h, log := serve(t, func(c *Config) {
		c.MCP = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret state") })
	})
	w := get(h, "POST", "/mcp")
	require.Equal(t, 500, w.Code)
	require.Contains(t, w.Body.String(), `"internal_error"`)
	require.NotContains(t, w.Body.String(), "secret state")
	require.Contains(t, log.String(), "secret state")
	require.Contains(t, log.String(), `"status":500`)
}

func TestAPanicAfterHalfAnAnswerBreaksTheConnection(t *testing.T) {
	h, _ := serve(t, func(c *Config) {
		c.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			panic("x")
		})
	})
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { get(h, "POST", "/mcp") })
}

func TestTheAccessLogKeepsNothingOfTheClient(t *testing.T) {
	h, log := serve(t, func(c *Config) {
		c.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	})
	r := httptest.NewRequest(http.MethodPost, "/secret-path?token=iai_secret", http.NoBody)
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer iai_secret")
	r.Header.Set(refusal.RequestIDHeader, "bad id\nsecret")
	h.ServeHTTP(httptest.NewRecorder(), r)
	r = httptest.NewRequest("SECRET", "/mcp", http.NoBody)
	r.Host = "localhost"
	r.Header.Set(refusal.RequestIDHeader, "proxy-id-1")
	h.ServeHTTP(httptest.NewRecorder(), r)
	require.NotContains(t, strings.ToLower(log.String()), "secret")
	require.Contains(t, log.String(), `"request_id":"proxy-id-1"`)
	require.Contains(t, log.String(), `"status":404`)
	require.Contains(t, log.String(), `"bytes":`)
	get(h, "GET", "/mcp")
	require.Contains(t, log.String(), `"route":"/mcp"`)
}

func TestProbesAndAnsweredCallsAreNotLoggedAtInfo(t *testing.T) {
	h, log := serve(t, nil)
	get(h, "GET", "/mcp")
	get(h, "GET", "/healthz")
	get(h, "GET", "/readyz")
	get(h, "GET", "/metrics")
	require.Empty(t, log.String())
}

func TestEventStreamsAreFlushedThroughAllLayers(t *testing.T) {
	next := make(chan struct{})
	h, _ := serve(t, func(c *Config) {
		c.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "first")
			_ = http.NewResponseController(w).Flush()
			<-next
			_, _ = io.WriteString(w, "second")
		})
	})
	server := httptest.NewServer(h)
	defer server.Close()
	resp, err := http.Post(server.URL+"/mcp", "application/json", nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	first := make([]byte, 5)
	_, err = io.ReadFull(resp.Body, first)
	require.NoError(t, err, "the first part arrives while the handler waits")
	close(next)
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, "second", string(rest))
}

func TestWhatIsRequired(t *testing.T) {
	_, err := NewHandler(Config{})
	require.Error(t, err)
}
