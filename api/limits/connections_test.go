package limits

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cappedServer serves with a cap; its handler answers when the test lets it.
type cappedServer struct {
	*Connections
	addr    string
	arrived chan string   // paths of requests at work
	answer  chan struct{} // lets one of /slow be answered
}

func serveCapped(t *testing.T, limit int) *cappedServer {
	t.Helper()
	s := &cappedServer{Connections: NewConnections(limit), arrived: make(chan string, 100), answer: make(chan struct{})}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.addr = inner.Addr().String()
	server := &http.Server{
		ReadHeaderTimeout: time.Minute, ConnContext: s.ConnContext,
		Handler: s.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.arrived <- r.URL.Path
			if r.URL.Path == "/slow" {
				<-s.answer
			}
			_, _ = io.WriteString(w, "answered")
		})),
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(s.Listener(inner)) }()
	t.Cleanup(func() { close(s.answer); _ = server.Close(); <-done })
	return s
}

// peer is a client's connection.
type peer struct {
	net.Conn
	t *testing.T
	r *bufio.Reader
}

func (s *cappedServer) dial(t *testing.T) *peer {
	t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	return &peer{Conn: conn, t: t, r: bufio.NewReader(conn)}
}

func (p *peer) send(path string) {
	p.t.Helper()
	_, err := fmt.Fprintf(p, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
	require.NoError(p.t, err)
}

func (p *peer) answered() {
	p.t.Helper()
	response, err := http.ReadResponse(p.r, nil)
	require.NoError(p.t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(p.t, err)
	require.NoError(p.t, response.Body.Close())
}

// ended requires that the server closes the connection without an answer.
func (p *peer) ended() {
	p.t.Helper()
	_, err := p.r.ReadByte()
	require.Error(p.t, err)
	var timeout net.Error
	if ok := asNetError(err, &timeout); ok {
		require.False(p.t, timeout.Timeout(), "the connection is still open")
	}
}

func asNetError(err error, into *net.Error) bool {
	e, ok := err.(net.Error) //nolint:errorlint // of the connection itself
	*into = e
	return ok
}

func TestANewConnectionTakesThePlaceOfTheLongestIdleOne(t *testing.T) {
	s := serveCapped(t, 2)
	first, second := s.dial(t), s.dial(t)
	for _, p := range []*peer{first, second, first} { // the second is idle for longer
		p.send("/")
		p.answered()
	}
	third := s.dial(t)
	third.send("/")
	third.answered()
	second.ended()
	first.send("/")
	first.answered()
	require.Equal(t, 2, s.Open())
}

func TestAConnectionThatNeverFinishesItsHeadMakesRoom(t *testing.T) {
	s := serveCapped(t, 1)
	loris := s.dial(t)
	_, err := io.WriteString(loris, "GET / HTTP/1.1\r\nHost: loc")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return s.Open() == 1 }, 30*time.Second, time.Millisecond)
	healthy := s.dial(t)
	healthy.send("/")
	healthy.answered()
	loris.ended()
}

func TestARequestAtWorkIsNeverBrokenOff(t *testing.T) {
	s := serveCapped(t, 1)
	busy := s.dial(t)
	busy.send("/slow")
	require.Equal(t, "/slow", <-s.arrived)
	waiting := s.dial(t)
	waiting.send("/next")
	s.answer <- struct{}{}
	busy.answered()
	waiting.answered()
	require.Equal(t, "/next", <-s.arrived)
}

func TestAConnectionThatEndsMakesRoomAtOnce(t *testing.T) {
	s := serveCapped(t, 1)
	busy := s.dial(t)
	busy.send("/slow")
	<-s.arrived
	waiting := s.dial(t)
	waiting.send("/next")
	require.NoError(t, busy.Close())
	s.answer <- struct{}{} // its answer finds nobody
	waiting.answered()
}

func TestARequestOnALostPlaceIsNotServed(t *testing.T) {
	c := NewConnections(1)
	ours, theirs := net.Pipe()
	defer theirs.Close()
	own, wait := c.admit(ours)
	require.Zero(t, wait)
	c.now = func() time.Time { return own.since.Add(2 * minUnserved) }
	next, wait := c.admit(ours)
	require.Zero(t, wait)
	require.False(t, c.begin(own))
	require.True(t, c.begin(next))
	c.end(next)
	require.Equal(t, 1, c.Open())
}

func TestAClosedListenerAcceptsNothingMore(t *testing.T) {
	s := serveCapped(t, 1)
	busy := s.dial(t)
	busy.send("/slow")
	<-s.arrived
	s.dial(t) // accepted by the system, without a place: the cleanup must not wait for it
}
