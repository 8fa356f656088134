// Package stack runs a whole node inside a test: a database of its own, workers, and the real HTTP interface on a
// loopback port. It is for tests only.
package stack

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"interai/api/mcp"
	"interai/api/node"
	"interai/api/tools"
	"interai/config"
	"interai/internal/pgtest"
	"interai/migrations"
	"interai/store"
)

// patience bounds each wait of the kit.
const patience = 30 * time.Second

// Stack is a running node with its local identities.
type Stack struct {
	// URL is the MCP endpoint, ConnString the database.
	URL, ConnString string
	Store           *store.Store
	Node            *node.Node
	// Human and Agent are the local identities, Key the agent's.
	Human, Agent store.ID
	Key          string

	t      testing.TB
	server *httptest.Server
	next   int
}

// Option changes a stack before it starts.
type Option func(*options)

type options struct {
	config map[string]string
	roles  node.Roles
	conn   string
}

// With sets a configuration option.
func With(name, value string) Option { return func(o *options) { o.config[name] = value } }

// WithoutWorkers starts a node that accepts evidence and computes nothing.
func WithoutWorkers() Option { return func(o *options) { o.roles.Workers = false } }

// On uses a database that exists already instead of a fresh one.
func On(connString string) Option { return func(o *options) { o.conn = connString } }

// Migrate is what test databases are made with.
func Migrate(ctx context.Context, connString string) error {
	return migrations.Up(ctx, connString, slog.New(slog.DiscardHandler))
}

// Start runs a node until the test ends.
func Start(t testing.TB, opts ...Option) *Stack {
	t.Helper()
	o := options{config: map[string]string{
		"writes-per-hour": "10000000", "claims-per-day": "10000000", "reads-per-hour": "10000000", "failures-per-minute": "10000000", "workers": "2", "db-conns": "8",
	}, roles: node.Roles{API: true, Workers: true}}
	for _, option := range opts {
		option(&o)
	}
	if o.conn == "" {
		o.conn = pgtest.NewMigrated(t, Migrate)
		o.config["auto-migrate"] = cmp.Or(o.config["auto-migrate"], "false")
	}
	o.config["database-url"], o.config["data-dir"] = o.conn, t.TempDir()
	cfg, err := config.Load(o.config, nil, "")
	if err != nil {
		t.Fatal("configure the stack: ", err)
	}
	n, err := node.Open(cfg, "test", Logger(t), o.roles)
	if err != nil {
		t.Fatal("open the stack: ", err)
	}
	handler, err := n.Handler()
	if err != nil {
		t.Fatal("build the stack's interface: ", err)
	}
	server := httptest.NewServer(handler)
	n.URL = server.URL
	s := &Stack{URL: server.URL + "/mcp", ConnString: o.conn, Store: n.Store, Node: n, t: t, server: server}
	t.Cleanup(s.stop)
	n.Begin(t.Context())
	select {
	case <-n.Ready():
	case err := <-n.Failed():
		t.Fatal("start the stack: ", err)
	case <-time.After(patience):
		t.Fatal("the stack did not start in time")
	}
	s.Key = n.Local.Key
	s.Human, s.Agent = s.parse(n.Local.Human), s.parse(n.Local.Agent)
	return s
}

func (s *Stack) stop() {
	s.server.CloseClientConnections()
	s.server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Node.Stop(ctx); err != nil {
		s.t.Error("stop the stack: ", err)
	}
}

func (s *Stack) parse(text string) store.ID {
	id, err := store.ParseID(text)
	if err != nil {
		s.t.Fatal("read a local identity: ", err)
	}
	return id
}

// Party makes a new party: a human with an agent, and the agent's key.
func (s *Stack) Party(verification store.Verification) (human, agent store.ID, key string) {
	s.t.Helper()
	s.next++
	ctx := s.t.Context()
	h, err := s.Store.CreateActor(ctx, store.NewActor{
		Kind: store.KindUser, Name: fmt.Sprintf("human %d", s.next), Verification: verification,
	})
	if err != nil {
		s.t.Fatal("make a human: ", err)
	}
	a, err := s.Store.CreateActor(ctx, store.NewActor{
		Kind: store.KindAgent, Name: fmt.Sprintf("agent %d", s.next), Controller: h.ID,
	})
	if err != nil {
		s.t.Fatal("make an agent: ", err)
	}
	return h.ID, a.ID, s.KeyOf(a.ID, tools.DefaultScopes()...)
}

// KeyOf makes a key for an actor.
func (s *Stack) KeyOf(actor store.ID, scopes ...string) string {
	s.t.Helper()
	key, err := node.IssueKey(s.t.Context(), s.Store, actor, "test", scopes, nil)
	if err != nil {
		s.t.Fatal("make a key: ", err)
	}
	return key
}

// Client connects a real MCP client.
func (s *Stack) Client(key string) *mcp.Client {
	s.t.Helper()
	client, err := mcp.Dial(s.t.Context(), s.URL, key)
	if err != nil {
		s.t.Fatal("connect a client: ", err)
	}
	s.t.Cleanup(func() { _ = client.Close() })
	return client
}

// Call calls a tool with a key and decodes its answer into out, which may be nil.
func (s *Stack) Call(client *mcp.Client, tool string, args, out any) error {
	s.t.Helper()
	raw, err := client.Call(s.t.Context(), tool, args, nil)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// Must is Call for calls that cannot fail.
func (s *Stack) Must(client *mcp.Client, tool string, args, out any) {
	s.t.Helper()
	if err := s.Call(client, tool, args, out); err != nil {
		s.t.Fatalf("call %s: %v", tool, err)
	}
}

// Eventually polls until the condition holds.
func (s *Stack) Eventually(what string, holds func() bool) {
	s.t.Helper()
	Eventually(s.t, what, holds)
}

// Eventually polls until the condition holds, and fails the test when it does not in time.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	EventuallyWithin(t, patience, what, holds)
}

// EventuallyWithin does the same for what may take longer.
func EventuallyWithin(t testing.TB, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(limit)
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatal("did not happen in time: ", what)
		}
		<-ticker.C
	}
}

// Settled waits until trust includes all evidence, and answers the totals.
func (s *Stack) Settled() store.TrustTotals {
	s.t.Helper()
	var totals store.TrustTotals
	s.Eventually("trust includes all evidence", func() bool {
		var err error
		totals, err = s.Store.TrustTotals(s.t.Context())
		return err == nil && totals.Lagging == 0
	})
	return totals
}

// Raw posts a body to the MCP endpoint as it is.
func (s *Stack) Raw(key, body string) (int, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.URL, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

// Logger writes warnings and errors to the test's log.
func Logger(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

type testWriter struct{ t testing.TB }

// Write may come after the test's end, when a logger must not be used any more.
func (w testWriter) Write(p []byte) (int, error) {
	if w.t.Context().Err() == nil {
		w.t.Log(string(p))
	}
	return len(p), nil
}
