package ops

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type screenedItem struct {
	Name string `json:"name" validate:"max=50"`
	Blob string `json:"blob" validate:"max=50" scan:"base64"`
}

type screenedInput struct {
	Title string            `json:"title" validate:"max=50"`
	Body  *string           `json:"body" scan:"markdown"`
	Tags  []string          `json:"tags"`
	Items []screenedItem    `json:"items"`
	Words map[string]string `json:"words"`
	Free  json.RawMessage   `json:"free" schema:"object"`
	Count int               `json:"count"`
	Key   string            `json:"idempotency_key" validate:"max=200"`
}

func (in *screenedInput) GetIdempotencyKey() string    { return in.Key }
func (in *screenedInput) SetIdempotencyKey(key string) { in.Key = key }

type screenedOutput struct {
	Done bool `json:"done"`
}

func screenedOperation(t *testing.T, effect Effect, run func(*Call) error) *Registry {
	t.Helper()
	reg, err := NewRegistry(Define(Spec{Name: "keep", Title: "Keep", Description: "Keeps it.", Effect: effect, Scope: "publish"},
		func(_ context.Context, c *Call, _ *screenedInput) (*screenedOutput, error) {
			if err := run(c); err != nil {
				return nil, err
			}
			return &screenedOutput{Done: true}, nil
		}))
	require.NoError(t, err)
	return reg
}

func ran(*Call) error { return nil }

func screenedCall(arguments string) Call {
	return Call{Operation: "keep", Arguments: json.RawMessage(arguments), Caller: &Caller{Actor: "ai_1", Root: "usr_1", Scopes: []string{"publish"}}}
}

func TestTheScreenSeesEveryStringWithItsPlace(t *testing.T) {
	var seen []Text
	x := NewExecutor(screenedOperation(t, Write, ran), WithScreen(func(_ context.Context, _ *Call, _ Effect, texts []Text) (Clearance, error) {
		seen = texts
		return Clearance{}, nil
	}))
	r := x.Execute(context.Background(), screenedCall(`{"title":"T","body":"B","tags":["a","b"],"items":[{"name":"n","blob":"eA=="}],
		"words":{"k/1":"v"},"free":{"a~b":{"deep":["x",7]},"flag":true,"run":["curl","-u"]},"count":3,"idempotency_key":"K"}`))
	require.Nil(t, r.Err)
	require.Equal(t, []Text{
		{Path: "/title", Name: "title", Value: "T"},
		{Path: "/body", Name: "body", Value: "B", Format: "markdown"},
		{Path: "/tags/0", Name: "tags", Value: "a"},
		{Path: "/tags/1", Name: "tags", Value: "b"},
		{Path: "/items/0/name", Name: "name", Value: "n"},
		{Path: "/items/0/blob", Name: "blob", Value: "eA==", Format: "base64"},
		{Path: "/words/k~11", Name: "words", Value: "k/1", IsName: true, Free: true},
		{Path: "/words/k~11", Name: "k/1", Value: "v"},
		{Path: "/free/a~0b", Value: "a~b", IsName: true, Free: true},
		{Path: "/free/a~0b/deep", Name: "a~b", Value: "deep", IsName: true, Free: true},
		{Path: "/free/a~0b/deep/0", Name: "deep", Value: "x", Free: true},
		{Path: "/free/a~0b/deep/1", Name: "deep", Value: "7", Free: true},
		{Path: "/free/flag", Value: "flag", IsName: true, Free: true},
		{Path: "/free/run", Value: "run", IsName: true, Free: true},
		{Path: "/free/run/0", Name: "run", Value: "curl", Free: true},
		{Path: "/free/run/1", Name: "run", Value: "-u", Free: true},
		{Path: "/free/run", Name: "run", Value: "curl -u", Format: "object"},
		{Path: "/free", Value: `{"a~b":{"deep":["x",7]},"flag":true,"run":["curl","-u"]}`, Format: "object"},
		{Path: "/idempotency_key", Name: "idempotency_key", Value: "K"},
	}, seen)
}

func TestWhoAsksForTheRequestBeforeItIsScreenedSeesNothingAndSpoilsNothing(t *testing.T) {
	log := &recorder{}
	x := NewExecutor(screenedOperation(t, Write, ran), WithAuditor(log), WithScreen(
		func(_ context.Context, c *Call, _ Effect, _ []Text) (Clearance, error) {
			require.NotContains(t, string(c.AuditRequest()), "Pools")
			return Clearance{}, nil
		}))
	require.Nil(t, x.Execute(context.Background(), screenedCall(`{"title":"Pools"}`)).Err)
	require.Contains(t, string(log.entries[0].Request), "Pools")
}

func TestWhatTheScreenRefusesReachesNeitherHandlerNorAudit(t *testing.T) {
	for rule, refusal := range map[string]error{
		"a rejection":       NewError(ContentRejected, "It holds a secret."),
		"a broken screen":   errors.New("no database"),
		"a screen's outage": Unavailable("database_unavailable", 1),
	} {
		t.Run(rule, func(t *testing.T) {
			log := &recorder{}
			handler := func(*Call) error { t.Error("the handler ran"); return nil }
			x := NewExecutor(screenedOperation(t, Write, handler), WithAuditor(log), WithScreen(
				func(context.Context, *Call, Effect, []Text) (Clearance, error) { return Clearance{}, refusal }))
			r := x.Execute(context.Background(), screenedCall(`{"title":"PLANTED"}`))
			require.NotNil(t, r.Err)
			require.NotContains(t, string(log.entries[0].Request), "PLANTED")
			require.NotContains(t, string(r.Structured), "PLANTED")
		})
	}
}

func TestAWithheldCallRunsAndLeavesNoArguments(t *testing.T) {
	log := &recorder{}
	x := NewExecutor(screenedOperation(t, Read, func(c *Call) error {
		require.True(t, c.Withheld())
		return nil
	}), WithAuditor(log), WithScreen(func(context.Context, *Call, Effect, []Text) (Clearance, error) { return Clearance{Withhold: true}, nil }))
	require.Nil(t, x.Execute(context.Background(), screenedCall(`{"title":"PLANTED"}`)).Err)
	require.NotContains(t, string(log.entries[0].Request), "PLANTED")
}

func TestTheScreenLearnsWhatBecameOfTheCall(t *testing.T) {
	for _, fails := range []bool{false, true} {
		var told []bool
		x := NewExecutor(screenedOperation(t, Write, func(*Call) error {
			if fails {
				return NewError(NotFound, "Nothing is there.")
			}
			return nil
		}), WithScreen(func(context.Context, *Call, Effect, []Text) (Clearance, error) {
			return Clearance{Done: func(_ context.Context, out any) { told = append(told, out != nil) }}, nil
		}))
		x.Execute(context.Background(), screenedCall(`{}`))
		require.Equal(t, []bool{!fails}, told)
	}
}

func TestWhatACallSaysOfItselfIsMasked(t *testing.T) {
	clean := func(s string) string { return strings.ReplaceAll(s, "PLANTED", "[masked]") }
	log := &recorder{}
	x := NewExecutor(screenedOperation(t, Write, ran), WithAuditor(log), WithCleaner(clean))
	c := screenedCall(`{"PLANTED":1}`)
	c.Meta = Meta{Client: "PLANTED/1", UserAgent: "PLANTED", Run: Run{Model: "PLANTED", Provider: "PLANTED", RunID: "PLANTED"}, EnvelopeID: "PLANTED"}
	r := x.Execute(context.Background(), c)
	require.Equal(t, "/[masked]", r.Err.Details.Problems[0].Path)
	c.Operation = "PLANTED"
	x.Execute(context.Background(), c)
	for _, e := range log.entries {
		e.Caller = nil
		all, err := json.Marshal(e)
		require.NoError(t, err)
		require.NotContains(t, string(all), "PLANTED")
	}
	require.Equal(t, "[masked]", log.entries[1].Operation)
}

func TestAReplayIsNeitherChargedNorScannedNorKept(t *testing.T) {
	log, charges, screens := &recorder{}, 0, 0
	held := true
	x := NewExecutor(screenedOperation(t, Write, func(c *Call) error {
		if c.ReplayOnly && !held {
			return ErrNotReplayed
		}
		return nil
	}), WithAuditor(log),
		WithCharger(func(_ context.Context, _ *Call, look bool) (Charge, error) {
			if look {
				return Charge{Replay: true}, nil
			}
			charges++
			return Charge{}, nil
		}),
		WithScreen(func(context.Context, *Call, Effect, []Text) (Clearance, error) { screens++; return Clearance{}, nil }))
	send := func() {
		require.Nil(t, x.Execute(context.Background(), screenedCall(`{"title":"T9","idempotency_key":"K"}`)).Err)
	}
	send()
	require.Equal(t, [2]int{0, 0}, [2]int{charges, screens})
	require.NotContains(t, string(log.entries[0].Request), "T9")
	held = false // the key was forgotten between the look and the handler
	send()
	require.Equal(t, [2]int{1, 1}, [2]int{charges, screens})
	require.Contains(t, string(log.entries[1].Request), "T9")
}

func TestAChargeIsGivenBackOnlyWhenTheServerFailed(t *testing.T) {
	for rule, tt := range map[string]struct {
		err    error
		refund int
	}{
		"success":                          {nil, 0},
		"a refusal":                        {NewError(NotFound, "Nothing is there."), 0},
		"an unexpected failure":            {errors.New("broken"), 1},
		"an outage":                        {Unavailable("database_unavailable", 1), 1},
		"a written call that failed later": {errCommitted, 0},
		"what another call was answered":   {errReplayed, 1},
	} {
		t.Run(rule, func(t *testing.T) {
			refunds := 0
			x := NewExecutor(screenedOperation(t, Write, func(c *Call) error {
				if errors.Is(tt.err, errCommitted) {
					c.MarkAudited()
				}
				if errors.Is(tt.err, errReplayed) {
					c.MarkReplayed()
					return nil
				}
				return tt.err
			}), WithCharger(func(context.Context, *Call, bool) (Charge, error) {
				return Charge{Refund: func(context.Context) { refunds++ }}, nil
			}))
			x.Execute(context.Background(), screenedCall(`{}`))
			require.Equal(t, tt.refund, refunds)
		})
	}
}

var (
	errCommitted = errors.New("broken behind the commit")
	errReplayed  = errors.New("no error")
)
