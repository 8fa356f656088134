package public

import (
	"log/slog"
	"net/http"
	"time"
)

// Timeouts of the listener (MCP.md section 7.3). There is no write timeout: calls
// have their own deadlines, and an event stream may live long.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 32 << 10
)

// NewServer returns an HTTP server with the listener's timeouts. Its own messages
// (broken TLS handshakes, panics of the standard library) go to log as warnings.
func NewServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
