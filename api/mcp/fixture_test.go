package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"interai/api/auth"
	"interai/api/limits"
	"interai/api/ops"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echoIn and echoOut give back what they get.
type echoIn struct {
	Text  string   `json:"text" validate:"required,max=100000" doc:"What to say."`
	Big   int64    `json:"big"`
	Tags  []string `json:"tags"`
	Limit int      `json:"limit" validate:"gte=1,lte=50" default:"10"`
}

type echoOut struct {
	Said  string   `json:"text"`
	Big   int64    `json:"big"`
	Tags  []string `json:"tags"`
	Limit int      `json:"limit"`
	Actor string   `json:"actor"`
}

// Text is the readable rendering.
func (e *echoOut) Text() string { return "echo: " + e.Said }

// actIn chooses how the operation behaves.
type actIn struct {
	Mode string `json:"mode" validate:"required"`
}

type saveIn struct {
	Text string `json:"text" validate:"required"`
	Key  string `json:"idempotency_key" validate:"max=100"`
}

func (s *saveIn) GetIdempotencyKey() string  { return s.Key }
func (s *saveIn) SetIdempotencyKey(k string) { s.Key = k }

type saveOut struct {
	Key string `json:"key"`
}

// recorder keeps audit entries.
type recorder struct {
	mu      sync.Mutex
	entries []ops.Entry
}

func (r *recorder) Audit(_ context.Context, e ops.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = append(r.entries, e)
}

func (r *recorder) last(t testing.TB) ops.Entry {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	require.NotEmpty(t, r.entries)
	return r.entries[len(r.entries)-1]
}

// stand is a server with three operations and one good key.
type stand struct {
	down atomic.Bool // no credential can be looked up
	*Server
	audit   *recorder
	log     *syncBuffer
	key     auth.Key
	started chan struct{} // a waiting handler has begun
	ended   chan error    // and has seen this end of its context
}

// syncBuffer is a log that may be written and read at once.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func newStand(t testing.TB, opts Options, options ...ops.Option) *stand {
	t.Helper()
	key, err := auth.Generate()
	require.NoError(t, err)
	s := &stand{audit: &recorder{}, log: &syncBuffer{}, key: key, started: make(chan struct{}, 100), ended: make(chan error, 100)}
	reg, err := ops.NewRegistry(
		ops.Define(ops.Spec{Name: "echo", Title: "Echo", Description: "Says it again.", Effect: ops.Read, Scope: "read"}, s.echo),
		ops.Define(ops.Spec{Name: "save", Title: "Save", Description: "Stores it.", Effect: ops.Write, Scope: "publish", Hints: ops.Hints{Idempotent: true}}, s.save),
		ops.Define(ops.Spec{Name: "act", Title: "Act", Description: "Behaves as told.", Effect: ops.Read}, s.act),
	)
	require.NoError(t, err)
	log := slog.New(slog.NewTextHandler(s.log, nil))
	options = append([]ops.Option{ops.WithAuditor(s.audit), ops.WithLogger(log)}, options...)
	opts.Logger = log
	s.Server, err = NewServer(ops.NewExecutor(reg, options...), opts)
	require.NoError(t, err)
	return s
}

func (s *stand) echo(_ context.Context, c *ops.Call, in *echoIn) (*echoOut, error) {
	c.SetMeta("interai/test", "<x>")
	return &echoOut{Said: in.Text, Big: in.Big, Tags: in.Tags, Limit: in.Limit, Actor: c.Caller.Actor}, nil
}

func (s *stand) save(_ context.Context, c *ops.Call, in *saveIn) (*saveOut, error) {
	return &saveOut{Key: in.Key}, nil
}

func (s *stand) act(ctx context.Context, _ *ops.Call, in *actIn) (*saveOut, error) {
	switch {
	case in.Mode == "panic":
		panic("secret state")
	case in.Mode == "wait":
		s.started <- struct{}{}
		<-ctx.Done()
		s.ended <- ctx.Err()
		return nil, ctx.Err()
	case in.Mode == "error":
		return nil, errors.New("secret cause")
	case slices.Contains(ops.Codes(), ops.Code(in.Mode)):
		return nil, ops.NewError(ops.Code(in.Mode), "It went <wrong>.")
	default:
		return &saveOut{Key: in.Mode}, nil
	}
}

// verify knows the stand's key and one whose look-up fails.
func (s *stand) verify(_ context.Context, k auth.Key) (*ops.Caller, error) {
	if s.down.Load() {
		return nil, auth.ErrUnavailable
	}
	if k != s.key {
		return nil, auth.ErrUnauthenticated
	}
	return &ops.Caller{Actor: "ai_1", Kind: "ai", Root: "usr_1", Scopes: []string{"read", "publish"}, KeyID: k.ID()}, nil
}

// bounded is a configuration with small bounds: bodies of 200,000 bytes, four streams, one for each party.
func (s *stand) bounded(t testing.TB) *HTTPConfig {
	t.Helper()
	bodies, err := limits.NewBodies(limits.BodiesConfig{Memory: 1 << 20, Ordinary: 200_000, Large: 200_000, Patience: soon})
	require.NoError(t, err)
	requests, err := limits.NewGate(limits.GateConfig{Active: 100, ActivePerKey: 50, Queue: 100})
	require.NoError(t, err)
	streams, err := limits.NewGate(limits.GateConfig{Active: 4, ActivePerKey: 1, Queue: 1})
	require.NoError(t, err)
	return &HTTPConfig{
		Bearer: auth.NewBearer(s.verify, auth.WithLogger(slog.New(slog.DiscardHandler))), Bodies: bodies,
		Requests: requests, Reads: requests, Streams: streams, StreamLifetime: soon, MaxNesting: ops.DefaultMaxNesting,
	}
}

// serve starts an HTTP server with the layers that surround the handler.
func (s *stand) serve(t testing.TB, change ...func(*http.Server)) string {
	t.Helper()
	return s.serveWith(t, s.bounded(t), change...)
}

func (s *stand) serveWith(t testing.TB, cfg *HTTPConfig, change ...func(*http.Server)) string {
	t.Helper()
	h := s.HTTPHandler(*cfg)
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	mux.Handle("/mcp/", h)
	guarded := limits.NewHosts("").Middleware(limits.NewOrigins("").Middleware(mux))
	server := httptest.NewUnstartedServer(guarded)
	for _, c := range change {
		c(server.Config)
	}
	server.Start()
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// era is a protocol era as raw HTTP clients speak it.
type era struct {
	name    string
	version string
}

func eras() []era {
	return []era{{"legacy", "2025-11-25"}, {"modern", "2026-07-28"}}
}

// request builds a raw tools/call.
func (e era) request(t testing.TB, s *stand, url, tool, args, meta string) *http.Request {
	t.Helper()
	members := strings.TrimSuffix(strings.TrimPrefix(meta, "{"), "}")
	if e.version >= "2026" {
		base := `"io.modelcontextprotocol/protocolVersion":"` + e.version + `","io.modelcontextprotocol/clientCapabilities":{},` +
			`"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"9"}`
		members = strings.TrimSuffix(base+","+members, ",")
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{%s}}}`, tool, args, members)
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+s.key.Reveal())
	r.Header.Set("MCP-Protocol-Version", e.version)
	if e.version >= "2026" {
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", tool)
	}
	return r
}

// answer is a JSON-RPC answer to a tools/call.
type answer struct {
	Result *struct {
		Meta              map[string]json.RawMessage `json:"_meta"` //nolint:tagliatelle // a name of the protocol
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	Error *struct {
		Code    int
		Message string
	}
}

// do sends a request and returns status, header and body.
func do(t testing.TB, r *http.Request) (int, http.Header, string) {
	t.Helper()
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	http.DefaultClient.CloseIdleConnections()
	return resp.StatusCode, resp.Header, string(body)
}

// call sends a tools/call and decodes its JSON answer.
func call(t testing.TB, e era, s *stand, url, tool, args, meta string) answer {
	t.Helper()
	status, _, body := do(t, e.request(t, s, url, tool, args, meta))
	require.Equal(t, http.StatusOK, status, body)
	var a answer
	require.NoError(t, json.Unmarshal([]byte(body), &a), body)
	return a
}

// connect opens a session of the SDK's own client at a protocol version.
func connect(t testing.TB, s *stand, url, version string) *sdk.ClientSession {
	t.Helper()
	transport := &keyed{key: s.key.Reveal(), next: http.DefaultTransport.(*http.Transport).Clone()}
	t.Cleanup(transport.CloseIdleConnections)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: transport}, DisableStandaloneSSE: true,
	}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// soon bounds a wait for an event that must come.
const soon = 30 * time.Second
