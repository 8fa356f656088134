package public

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// long is a bound that no test reaches.
const long = time.Hour

func serveBounded(t *testing.T, cfg ServerConfig) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := NewServer(cfg, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			w.WriteHeader(http.StatusRequestTimeout)
			return
		}
		if r.URL.Path == "/endless" {
			for err := error(nil); err == nil; _, err = w.Write(make([]byte, 1<<20)) {
			}
		}
	}), slog.New(slog.DiscardHandler))
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener, "", "") }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.NoError(t, <-done)
	})
	return listener.Addr().String()
}

// TestEveryStallEndsTheConnection lets a client stop at each point of an exchange. Without the bound it would wait until
// the test's own deadline.
func TestEveryStallEndsTheConnection(t *testing.T) {
	const soon = 50 * time.Millisecond
	const head = "POST / HTTP/1.1\r\nHost: localhost\r\n"
	for name, c := range map[string]struct {
		bound func(cfg *ServerConfig)
		send  string
		read  bool // the client reads an answer first
	}{
		"before the head":    {func(c *ServerConfig) { c.Header = soon }, "", false},
		"within the head":    {func(c *ServerConfig) { c.Header = soon }, head, false},
		"within the body":    {func(c *ServerConfig) { c.Read = soon }, head + "Content-Length: 10\r\n\r\nhalf", false},
		"after an answer":    {func(c *ServerConfig) { c.Idle = soon }, head + "Content-Length: 0\r\n\r\n", true},
		"within an answer":   {func(c *ServerConfig) { c.Write = soon }, "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n", false},
		"with a head of 1MB": {func(*ServerConfig) {}, head + "X: " + strings.Repeat("x", 1<<20), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := ServerConfig{Header: long, Read: long, Idle: long, Write: long, Connections: 10}
			c.bound(&cfg)
			conn, err := net.Dial("tcp", serveBounded(t, cfg))
			require.NoError(t, err)
			defer func() { _ = conn.Close() }()
			require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
			_, _ = io.WriteString(conn, c.send) // the server may end it before all is sent
			reader := bufio.NewReader(conn)
			if c.read {
				response, err := http.ReadResponse(reader, nil)
				require.NoError(t, err)
				require.Equal(t, http.StatusOK, response.StatusCode)
			}
			if strings.Contains(c.send, "/endless") {
				untilBroken(t, conn)
				return
			}
			_, err = io.Copy(io.Discard, reader)
			require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the connection is still open")
		})
	}
}

func untilBroken(t *testing.T, conn net.Conn) {
	t.Helper()
	require.Eventually(t, func() bool { // the client reads nothing; what it sends finds nobody after the end
		_, err := fmt.Fprint(conn, "x")
		return err != nil
	}, time.Minute, 5*time.Millisecond)
}
