package public

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"interai/api/ops"
	"interai/api/refusal"
)

var harmlessID = regexp.MustCompile(`^[A-Za-z0-9._-]{8,64}$`)

// requestID names the request. A name that a proxy has set is kept if it is harmless.
func requestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(refusal.RequestIDHeader)
		if !harmlessID.MatchString(id) {
			id = newID()
		}
		w.Header().Set(refusal.RequestIDHeader, id)
		next.ServeHTTP(w, r)
	})
}

// newID returns a UUIDv7, or one of the time alone when randomness fails.
func newID() string {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.NewSHA1(uuid.Nil, []byte(time.Now().String()))
	}
	return id.String()
}

// routeKey carries a *string that the router fills with the matched pattern.
type routeKey struct{}

// noteRoute tells the access log which route matched. The path itself is the
// client's text and stays out of the log.
func noteRoute(c *gin.Context) {
	if route, ok := c.Request.Context().Value(routeKey{}).(*string); ok {
		*route = c.FullPath()
	}
}

// accessLog writes one line for each request: at debug level for probes, and for answered protocol calls, each of
// which has an audit row that says more.
func accessLog(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, route := time.Now(), ""
		seen := &recorder{ResponseWriter: w}
		ctx := context.WithValue(r.Context(), routeKey{}, &route)
		defer func() {
			if !log.Enabled(r.Context(), levelOf(route, seen.code())) {
				return
			}
			log.LogAttrs(r.Context(), levelOf(route, seen.code()), "http request",
				slog.String("request_id", w.Header().Get(refusal.RequestIDHeader)),
				slog.String("method", methodOf(r.Method)),
				slog.String("route", route),
				slog.Int("status", seen.code()),
				slog.Int64("bytes", seen.bytes),
				slog.Duration("duration", time.Since(start)),
				slog.String("remote", remoteHost(r.RemoteAddr)))
		}()
		next.ServeHTTP(seen, r.WithContext(ctx))
	})
}

func levelOf(route string, status int) slog.Level {
	switch {
	case route == "/healthz", route == "/readyz", route == "/metrics":
		return slog.LevelDebug
	case (route == "/mcp" || route == "/mcp/" || route == actionsRoute) && status < http.StatusBadRequest:
		return slog.LevelDebug
	default:
		return slog.LevelInfo
	}
}

// methodOf keeps invented methods out of the log.
func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	default:
		return "other"
	}
}

func remoteHost(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return ""
	}
	return host
}

// recoverPanics answers 500 for a panic of an HTTP handler. Handlers of the MCP SDK
// run elsewhere and have their own.
func recoverPanics(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // a panic value, compared as net/http does
				panic(p)
			}
			log.ErrorContext(r.Context(), "http handler panicked", "request_id", w.Header().Get(refusal.RequestIDHeader),
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if seen, ok := w.(*recorder); ok && seen.status != 0 {
				panic(http.ErrAbortHandler) // half an answer is out: break the connection
			}
			refusal.Write(w, http.StatusInternalServerError, ops.Internal(nil))
		}()
		next.ServeHTTP(w, r)
	})
}

// securityHeaders are strict defaults; a page that needs more sets its own policy.
func securityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
