package ops

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// noteIn uses every kind of field and rule that the deriver knows.
type noteIn struct {
	Title    string            `json:"title" validate:"required,max=20" doc:"What it is about."`
	Kind     string            `json:"kind" validate:"omitempty,oneof=plain rich" doc:"How it is written."`
	Name     string            `json:"name" validate:"omitempty,snake_case"`
	Score    *float64          `json:"score" validate:"omitempty,gte=0,lte=100"`
	Big      int64             `json:"big"`
	Small    uint8             `json:"small"`
	Limit    int               `json:"limit" validate:"gte=1,lte=50" default:"10"`
	Flag     *bool             `json:"flag"`
	Tags     []string          `json:"tags" validate:"max=3,dive,required,max=5"`
	Parts    []partIn          `json:"parts" validate:"max=60,dive"`
	Other    *partIn           `json:"other"`
	Extra    json.RawMessage   `json:"extra" schema:"object" validate:"omitempty,maxbytes=64"`
	Labels   map[string]string `json:"labels"`
	When     time.Time         `json:"when"`
	Contact  string            `json:"contact" pii:"true" validate:"maxbytes=8"`
	Retract  string            `json:"retract"`
	Needed   string            `json:"needed" validate:"excluded_with=Retract"`
	OtherKey string            `json:"idempotency_key" validate:"max=10"`
}

func (n *noteIn) GetIdempotencyKey() string  { return n.OtherKey }
func (n *noteIn) SetIdempotencyKey(k string) { n.OtherKey = k }

type partIn struct {
	ID   string `json:"id" validate:"required_without=Name,omitempty,max=8"`
	Name string `json:"name"`
	N    *int   `json:"n" validate:"required,min=1"`
}

type noteOut struct {
	ID      string             `json:"id"`
	Body    string             `json:"body"`
	Key     string             `json:"key,omitempty"`
	List    []string           `json:"list"`
	Nested  []pairOut          `json:"nested"`
	Ratio   *float64           `json:"ratio"`
	Free    json.RawMessage    `json:"free" schema:"object"`
	Scores  map[string]pairOut `json:"scores"`
	Created time.Time          `json:"created,omitzero"`
	Big     int64              `json:"big"`
}

type pairOut struct {
	A string  `json:"a"`
	B float64 `json:"b"`
}

type emptyIn struct{}

func spec(name string, effect Effect) Spec {
	return Spec{Name: name, Title: "Note", Description: "Keeps a note.", Scope: "publish", Effect: effect}
}

// recorder is an Auditor that keeps everything.
type recorder struct {
	mu      sync.Mutex
	entries []Entry
}

func (r *recorder) Audit(_ context.Context, e Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = append(r.entries, e)
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func caller() *Caller {
	return &Caller{Actor: "ai_1", Kind: "ai", Root: "usr_1", Scopes: []string{"read", "publish"}}
}

func newRegistry(t testing.TB, operations ...Operation) *Registry {
	t.Helper()
	reg, err := NewRegistry(operations...)
	require.NoError(t, err)
	return reg
}

// noteOp is an operation whose handler is given.
func noteOp(effect Effect, run func(context.Context, *Call, *noteIn) (*noteOut, error)) Operation {
	return Define(spec("note", effect), run)
}

// decodeNote runs the decoder alone.
func decodeNote(t testing.TB, text string) (*noteIn, []Problem) {
	t.Helper()
	op := noteOp(Read, func(context.Context, *Call, *noteIn) (*noteOut, error) { return &noteOut{}, nil })
	require.NoError(t, op.err)
	in, err := op.decode([]byte(text), 0, nil)
	if err == nil {
		return in.(*noteIn), nil
	}
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, ValidationFailed, e.Code)
	return nil, e.Details.Problems
}
