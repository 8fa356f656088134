package limits

import (
	"container/list"
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// minUnserved is how long a connection is left alone before it may make room for another: its request is on the way.
const minUnserved = time.Second

// Connections caps the open connections of a listener. When all are taken, a new one takes the place of that which has
// been without a request for the longest time: connections that wait, or that never finish saying what they want, cost
// others nothing. Requests at work are never broken off; if all connections have one, the next waits in the system's
// backlog.
type Connections struct {
	limit int
	now   func() time.Time

	freed chan struct{} // has an element after a connection was closed

	mu       sync.Mutex
	open     map[*connection]struct{}
	unserved *list.List // of *connection without a request, that which has been so for the longest first
}

// NewConnections allows limit connections, at least one.
func NewConnections(limit int) *Connections {
	return &Connections{
		limit: max(limit, 1), now: time.Now, freed: make(chan struct{}, 1), open: map[*connection]struct{}{}, unserved: list.New(),
	}
}

// Open answers how many connections there are.
func (c *Connections) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// Listener is l with the cap.
func (c *Connections) Listener(l net.Listener) net.Listener {
	return &cappedListener{Listener: l, cap: c, closed: make(chan struct{})}
}

// ConnContext is for http.Server: requests know their connection by it.
func (c *Connections) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	if wrapped, ok := conn.(interface{ NetConn() net.Conn }); ok { // of TLS
		conn = wrapped.NetConn()
	}
	if own, ok := conn.(*connection); ok {
		return context.WithValue(ctx, connectionKey{}, own)
	}
	return ctx
}

// Middleware notes which connections have a request at work. It must be the outermost layer.
func (c *Connections) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, ok := r.Context().Value(connectionKey{}).(*connection); ok {
			if !c.begin(conn) {
				panic(http.ErrAbortHandler) // its place was given away while the request arrived: nothing of it is done
			}
			defer c.end(conn)
		}
		next.ServeHTTP(w, r)
	})
}

type connectionKey struct{}

// connection is one that counts.
type connection struct {
	net.Conn

	cap      *Connections
	close    sync.Once
	requests int           // at work; more than one with HTTP/2
	since    time.Time     // without a request
	place    *list.Element // among the unserved
}

// Close gives the place back.
func (c *connection) Close() error {
	c.close.Do(func() { c.cap.remove(c) })
	if err := c.Conn.Close(); err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}

func (c *Connections) remove(conn *connection) {
	c.mu.Lock()
	c.forget(conn)
	c.mu.Unlock()
	select {
	case c.freed <- struct{}{}:
	default:
	}
}

func (c *Connections) forget(conn *connection) {
	delete(c.open, conn)
	if conn.place != nil {
		c.unserved.Remove(conn.place)
		conn.place = nil
	}
}

// begin notes a request, unless the connection has lost its place.
func (c *Connections) begin(conn *connection) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, open := c.open[conn]; !open {
		return false
	}
	conn.requests++
	if conn.place != nil {
		c.unserved.Remove(conn.place)
		conn.place = nil
	}
	return true
}

func (c *Connections) end(conn *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn.requests--
	if _, open := c.open[conn]; open && conn.requests == 0 {
		c.wait(conn)
	}
}

// wait puts a connection at the end of the unserved.
func (c *Connections) wait(conn *connection) {
	conn.since, conn.place = c.now(), c.unserved.PushBack(conn)
}

// admit counts a connection if there is room, or makes room. Without it answers how long until a connection may have
// been without a request for long enough.
func (c *Connections) admit(conn net.Conn) (*connection, time.Duration) {
	c.mu.Lock()
	var idle *connection
	if len(c.open) >= c.limit {
		var wait time.Duration
		if idle, wait = c.idlest(); wait > 0 {
			c.mu.Unlock()
			return nil, wait
		}
		c.forget(idle)
	}
	own := &connection{Conn: conn, cap: c}
	c.open[own] = struct{}{}
	c.wait(own)
	c.mu.Unlock()
	if idle != nil {
		_ = idle.Close() // its place is given away whatever its end looks like
	}
	return own, 0
}

// idlest is the connection that has been without a request for the longest time, or how long to wait for one.
func (c *Connections) idlest() (*connection, time.Duration) {
	front := c.unserved.Front()
	if front == nil {
		return nil, minUnserved
	}
	conn, ok := front.Value.(*connection)
	if !ok {
		return nil, minUnserved
	}
	return conn, minUnserved - c.now().Sub(conn.since)
}

type cappedListener struct {
	net.Listener

	cap    *Connections
	once   sync.Once
	closed chan struct{}
}

// Accept waits for a connection, and for room.
func (l *cappedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err //nolint:wrapcheck // http.Server looks at the listener's own errors
	}
	for {
		own, wait := l.cap.admit(conn)
		if own != nil {
			return own, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-l.cap.freed:
		case <-timer.C:
		case <-l.closed:
			timer.Stop()
			_ = conn.Close()
			return nil, net.ErrClosed
		}
		timer.Stop()
	}
}

// Close ends the listener; its connections stay.
func (l *cappedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	if err := l.Listener.Close(); err != nil {
		return fmt.Errorf("close the listener: %w", err)
	}
	return nil
}
