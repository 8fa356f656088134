// Package pgcut is a proxy in front of PostgreSQL that cuts connections at COMMIT, for tests of what becomes of a
// write whose outcome nobody heard. It is for tests only.
//
// Start reading at [Start].
package pgcut

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Mode says what happens to the next COMMIT.
type Mode int

// The modes. All but Pass cut the client's connection, once, and then fall back to Pass.
const (
	// Pass lets everything through.
	Pass Mode = iota
	// Lose cuts both sides before the server hears of the COMMIT: the server rolls back.
	Lose
	// Hide lets the server commit and keeps its answer from the client.
	Hide
	// Delay cuts the client off and lets the server hear of the COMMIT only when Release is called.
	Delay
)

// commit is what the driver sends: a simple query (PostgreSQL manual, "Message Formats").
var commit = []byte("Q\x00\x00\x00\x0bcommit\x00")

// begin is how the driver opens a transaction, behind the length of a simple query.
var begin = []byte("begin")

// cancel starts the message of a connection that asks the server to give a statement up. The driver sends it when a
// connection breaks; it would race with the COMMIT that the proxy passes on, and is dropped.
var cancel = []byte("\x00\x00\x00\x10\x04\xd2\x16\x2e")

// Proxy is a running proxy.
type Proxy struct {
	// ConnString reaches the database through the proxy.
	ConnString string

	t       testing.TB
	network string
	server  string

	mu       sync.Mutex
	mode     Mode
	marker   []byte
	down     bool
	silent   bool
	open     map[net.Conn]struct{}
	released chan struct{}
	links    sync.WaitGroup
}

// Start runs a proxy in front of a database until the test ends.
func Start(t testing.TB, connString string) *Proxy {
	t.Helper()
	config, err := pgconn.ParseConfig(connString)
	if err != nil {
		t.Fatal("read the connection string: ", err)
	}
	p := &Proxy{t: t, released: make(chan struct{}), open: map[net.Conn]struct{}{}}
	p.network, p.server = pgconn.NetworkAddress(config.Host, config.Port)
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal("listen: ", err)
	}
	u := url.URL{Scheme: "postgres", Host: listener.Addr().String(), Path: "/" + config.Database, RawQuery: "sslmode=disable"}
	if u.User = url.User(config.User); config.Password != "" {
		u.User = url.UserPassword(config.User, config.Password)
	}
	p.ConnString = u.String()
	t.Cleanup(func() {
		_ = listener.Close()
		p.Up()
		p.links.Wait()
	})
	p.links.Go(func() { p.accept(listener) })
	return p
}

// Next sets what happens to the next COMMIT of a transaction in which the client sends a message with the marker; ""
// means any COMMIT.
func (p *Proxy) Next(mode Mode, marker string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode, p.marker = mode, []byte(marker)
}

// Release lets a delayed COMMIT reach the server.
func (p *Proxy) Release() { close(p.released) }

// Down cuts all connections, and every new one until Up: the database is away.
func (p *Proxy) Down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = true
	p.closeAll()
}

// Silence cuts all connections, and takes every new one without a word until Up: the database's machine is away.
func (p *Proxy) Silence() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = true
	p.closeAll()
}

// Up brings the database back.
func (p *Proxy) Up() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.silent {
		p.closeAll()
	}
	p.down, p.silent = false, false
}

func (p *Proxy) closeAll() {
	for conn := range p.open {
		_ = conn.Close()
	}
}

// admit takes a connection in, and reports whether it is for the database.
func (p *Proxy) admit(client net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		_ = client.Close()
		return false
	}
	p.open[client] = struct{}{}
	return !p.silent
}

func (p *Proxy) dismiss(client net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, client)
}

// Cut reports whether the connection that Next asked for was cut.
func (p *Proxy) Cut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mode == Pass
}

func (p *Proxy) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		if !p.admit(client) {
			continue
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), p.network, p.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.links.Go(func() {
			// What the server says ends with the client or with the server, whoever goes first.
			_, _ = io.Copy(client, server)
			_ = client.Close()
			_ = server.Close()
		})
		p.links.Go(func() { p.forward(client, server) })
	}
}

// forward passes on what the client says, and looks for markers and COMMITs in it.
func (p *Proxy) forward(client, server net.Conn) {
	defer p.dismiss(client)
	defer func() { _ = server.Close() }()
	defer func() { _ = client.Close() }()
	buffer := make([]byte, 64<<10)
	marked := false
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		said := buffer[:n]
		if bytes.HasPrefix(said, cancel) {
			return
		}
		if said[0] == 'Q' && len(said) > 5 && bytes.HasPrefix(said[5:], begin) {
			// What was said before, such as an audit row by itself, is of no transaction that is under way.
			marked = false
		}
		p.mu.Lock()
		marked = marked || bytes.Contains(said, p.marker)
		mode := Pass
		if marked && bytes.Contains(said, commit) {
			mode, p.mode = p.mode, Pass
		}
		if bytes.Contains(said, commit) {
			marked = false
		}
		p.mu.Unlock()
		switch mode {
		case Lose:
			return
		case Delay:
			_ = client.Close()
			<-p.released
			p.finish(server, said)
			return
		case Hide:
			_ = client.Close()
			p.finish(server, said)
			return
		case Pass:
		}
		if _, err := server.Write(said); err != nil {
			return
		}
	}
}

// finish lets the server hear the COMMIT and waits until it has ended the session that follows.
func (p *Proxy) finish(server net.Conn, said []byte) {
	if _, err := server.Write(said); err != nil {
		p.t.Error("pass a commit on: ", err)
		return
	}
	// A terminate message behind the COMMIT: the server commits, answers nobody, and closes.
	_, _ = server.Write([]byte("X\x00\x00\x00\x04"))
	if half, ok := server.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	var end strings.Builder
	_, _ = io.Copy(&end, server)
}
