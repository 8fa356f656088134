package actions

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/limits"
	"interai/api/ops"
)

// goodToken is no secret of anything.
const goodToken = "an-example-token-of-forty-characters-1234"

func tokenFile(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	require.NoError(t, os.Chmod(path, mode))
	return path
}

type pageIn struct {
	IDs    []string `json:"ids" validate:"max=100" doc:"IDs."`
	Limit  int      `json:"limit" validate:"omitempty,min=1,max=50" doc:"Items a page."`
	Large  int      `json:"large" validate:"omitempty,min=0" doc:"Characters of an item."`
	Cursor string   `json:"cursor" validate:"max=10" doc:"Cursor."`
}

type pageOut struct {
	Items      []string `json:"items"`
	NextCursor string   `json:"next_cursor"`
}

type storeIn struct {
	Key   string `json:"idempotency_key" validate:"max=40" doc:"Key."`
	Large int    `json:"large" validate:"omitempty,min=0" doc:"Characters of the answer."`
	Text  string `json:"text" doc:"Text."`
}

func (s *storeIn) GetIdempotencyKey() string    { return s.Key }
func (s *storeIn) SetIdempotencyKey(key string) { s.Key = key }

type storeOut struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// world is a small server: a read with pages, a read without, a write, and a read that waits.
type world struct {
	*Handler

	path    string
	reads   []int // limits asked for
	stored  int
	hold    chan struct{}
	waiting chan struct{}
	seen    ops.Meta
}

func newWorld(t *testing.T, change func(*Config)) *world {
	t.Helper()
	w := &world{path: tokenFile(t, goodToken+"\n", 0o600), hold: make(chan struct{}), waiting: make(chan struct{}, 10)}
	registry, err := ops.NewRegistry(
		ops.Define(ops.Spec{Name: "list", Title: "List", Description: "Lists.", Effect: ops.Read}, w.list),
		ops.Define(ops.Spec{Name: "store", Title: "Store", Description: "Stores.", Effect: ops.Write, MaxInputBytes: 2 << 20, MaxOutputBytes: 1 << 20}, w.store),
		ops.Define(ops.Spec{Name: "wait", Title: "Wait", Description: "Waits.", Effect: ops.Read}, w.wait),
	)
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	token, err := OpenTokenFile(w.path, nil, log)
	require.NoError(t, err)
	bodies, err := limits.NewBodies(limits.BodiesConfig{Memory: 4 << 20, Ordinary: 64 << 10, Large: 1 << 20, Patience: time.Second})
	require.NoError(t, err)
	cfg := Config{
		Executor: ops.NewExecutor(registry, ops.WithLogger(log)), Token: token, CallsPerMinute: 1000, Concurrency: 8,
		BodyLimit: 64 << 10, Bodies: bodies, Logger: log,
		Actor: func(context.Context) (*ops.Caller, error) {
			return &ops.Caller{Actor: "ai_x", Kind: "ai", Root: "usr_x"}, nil
		},
	}
	if change != nil {
		change(&cfg)
	}
	w.Handler, err = NewHandler(cfg)
	require.NoError(t, err)
	return w
}

func (w *world) list(_ context.Context, call *ops.Call, in *pageIn) (*pageOut, error) {
	w.seen = call.Meta
	limit := in.Limit
	if limit == 0 {
		limit = 10
	}
	w.reads = append(w.reads, limit)
	out := &pageOut{NextCursor: "next"}
	for range limit {
		out.Items = append(out.Items, strings.Repeat("ä", in.Large))
	}
	return out, nil
}

func (w *world) store(_ context.Context, call *ops.Call, in *storeIn) (*storeOut, error) {
	w.stored++
	call.MarkAudited()
	return &storeOut{ID: "cnt_1", Text: strings.Repeat("x", in.Large)}, nil
}

func (w *world) wait(ctx context.Context, _ *ops.Call, _ *pageIn) (*pageOut, error) {
	w.waiting <- struct{}{}
	select {
	case <-w.hold:
		return &pageOut{}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// answered is what a caller gets.
type answered struct {
	status int
	header http.Header
	body   string
}

// fails reads the error of an answer.
func (a answered) fails(t *testing.T) *ops.Error {
	t.Helper()
	var out struct{ Error *ops.Error }
	require.NoError(t, json.Unmarshal([]byte(a.body), &out), a.body)
	require.NotNil(t, out.Error, a.body)
	return out.Error
}

func (w *world) ask(method, path, body string, change func(*http.Request)) answered {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+goodToken)
	r.Header.Set("Content-Type", "application/json")
	if change != nil {
		change(r)
	}
	recorder := httptest.NewRecorder()
	w.ServeHTTP(recorder, r)
	return answered{recorder.Code, recorder.Header(), recorder.Body.String()}
}

func (w *world) post(name, body string) answered {
	return w.ask(http.MethodPost, "/actions/v1/"+name, body, nil)
}
