package public

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"interai/api/limits"
)

const (
	// maxHeaderBytes bounds the head of a request.
	maxHeaderBytes = 32 << 10
	// maxStreamsPerConn bounds the requests at once of one connection with HTTP/2.
	maxStreamsPerConn = 100
)

// ServerConfig bounds what the clients of a listener may hold. All fields must be positive.
type ServerConfig struct {
	// Header and Read are how long the head of a request, and a whole one, may take; Idle how long a connection may be
	// without one.
	Header, Read, Idle time.Duration
	// Write is how long a client may take nothing of its answer. A whole answer may take any time: calls have their own
	// deadlines, and an event stream lives long.
	Write time.Duration
	// Connections are how many may be open.
	Connections int
}

// Server is an HTTP server with its bounds.
type Server struct {
	*http.Server

	connections *limits.Connections
}

// NewServer returns a bounded server. Its own messages (broken TLS handshakes, panics of the standard library) go to
// log as warnings.
func NewServer(cfg ServerConfig, handler http.Handler, log *slog.Logger) *Server {
	connections := limits.NewConnections(cfg.Connections)
	return &Server{connections: connections, Server: &http.Server{
		Handler:           connections.Middleware(limits.SteadyWrites(cfg.Write)(handler)),
		ConnContext:       connections.ConnContext,
		ReadHeaderTimeout: cfg.Header,
		ReadTimeout:       cfg.Read,
		IdleTimeout:       cfg.Idle,
		MaxHeaderBytes:    maxHeaderBytes,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreamsPerConn},
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}
}

// Serve accepts connections of a listener until the server is shut down, with TLS if there is a certificate.
func (s *Server) Serve(listener net.Listener, cert, key string) error {
	listener = s.connections.Listener(listener)
	var err error
	if cert != "" {
		err = s.ServeTLS(listener, cert, key)
	} else {
		err = s.Server.Serve(listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}
