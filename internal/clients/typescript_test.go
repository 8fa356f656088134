//go:build !conformance

package clients

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/internal/stack"
	"interai/store"
)

// world is a node with what the calls need to be refused in every way.
type world struct {
	*stack.Stack
	content, foreignUse, agent string
	leaked                     string // a key of somebody, which must not be published
	reader                     string // a key that may read only
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s := stack.Start(t)
	w := &world{Stack: s, agent: s.Agent.String(), reader: s.KeyOf(s.Agent, "read")}
	_, _, other := s.Party(store.Verification{})
	_, _, w.leaked = s.Party(store.Verification{})
	var published, used struct{ ID string }
	s.Must(s.Client(s.Key), "publish", map[string]any{
		"content_type": "note", "title": "A note for clients", "body_markdown": "Text.", "idempotency_key": "first",
	}, &published)
	s.Must(s.Client(other), "report_usage", map[string]any{
		"target": published.ID, "usage_type": "implementation", "result": "success", "real_world_use": true,
	}, &used)
	w.content, w.foreignUse = published.ID, used.ID
	// A search waits until its deadline. No transaction may idle that long elsewhere.
	conn, err := pgx.Connect(t.Context(), s.ConnString)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	_, err = conn.Exec(t.Context(), `begin; set local idle_in_transaction_session_timeout = 0; lock table search_docs in access exclusive mode`)
	require.NoError(t, err)
	return w
}

// refused are calls with the code that each is refused with.
func (w *world) refused() map[ops.Code]toolCall {
	review := func(more map[string]any) map[string]any {
		args := map[string]any{"target": w.content, "verdict": "confirmed", "confidence": 0.8}
		maps.Copy(args, more)
		return args
	}
	return map[ops.Code]toolCall{
		ops.NotFound:         {Name: "get", Arguments: map[string]any{"id": "cnt_00000000000000000000000000"}},
		ops.InvalidTarget:    {Name: "rate", Arguments: map[string]any{"target": w.foreignUse, "dimension": "clarity", "score": 10}},
		ops.ValidationFailed: {Name: "search", Arguments: map[string]any{"query": "a", "limit": 51}},
		ops.SelfReview:       {Name: "review", Arguments: review(nil)},
		ops.NotAuthor:        {Name: "report_usage", Arguments: map[string]any{"retract": w.foreignUse}},
		ops.IdempotencyConflict: {Name: "publish", Arguments: map[string]any{
			"content_type": "note", "title": "Something else", "body_markdown": "Text.", "idempotency_key": "first",
		}},
		ops.ContentRejected: {Name: "publish", Arguments: map[string]any{
			"content_type": "note", "title": "A note", "body_markdown": "Send " + w.leaked + " with it.",
		}},
		ops.InternalError: {
			Name: "search", Arguments: map[string]any{"query": "a"},
			Meta: map[string]any{"openmcpspec/envelope": map[string]any{"deadline_ms": 200}},
		},
	}
}

func TestTypeScriptClientsSeeAnswersAndAllElevenCodes(t *testing.T) {
	dir, w := programs(t), newWorld(t)
	limited := stack.Start(t, stack.With("reads-per-hour", "1"))
	program := binary(t)
	onStdio := func(s *stack.Stack, key string) wish {
		env := map[string]string{"INTERAI_READS_PER_HOUR": "10000000"}
		for _, setting := range overStdio(t, s) {
			name, value, _ := strings.Cut(setting, "=")
			env[name] = value
		}
		env["INTERAI_API_KEY"] = key
		return wish{Command: program, Args: []string{"stdio"}, Env: env}
	}
	overHTTP := func(s *stack.Stack, key string) wish { return wish{URL: s.URL, Key: key} }
	for name, tt := range map[string]struct {
		sdk, era string
		to       func(*stack.Stack, string) wish
	}{
		"v1 http": {"v1", "", overHTTP}, "v2 http": {"v2", "", overHTTP}, "v2 http modern": {"v2", "modern", overHTTP},
		"v1 stdio": {"v1", "", onStdio}, "v2 stdio": {"v2", "", onStdio}, "v2 stdio modern": {"v2", "modern", onStdio},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(at wish, calls ...toolCall) session {
				at.SDK, at.Era, at.Calls = tt.sdk, tt.era, calls
				return typescript(t, dir, at)
			}
			who, ask := toolCall{Name: "whoami", Progress: true}, w.refused()
			codes := slices.Sorted(maps.Keys(ask))
			calls := []toolCall{who}
			for _, code := range codes {
				calls = append(calls, ask[code])
			}
			s := run(tt.to(w.Stack, w.Key), calls...)
			require.Empty(t, s.Thrown)
			require.Equal(t, tools(), s.Tools)
			succeeded(t, s.Calls[0], w.agent)
			for i, code := range codes {
				failed(t, s.Calls[i+1], code)
			}
			failed(t, run(tt.to(w.Stack, w.reader), toolCall{Name: "publish", Arguments: map[string]any{"content_type": "note", "title": "A"}}).Calls[0],
				ops.ForbiddenScope)
			_, _, fresh := limited.Party(store.Verification{})
			busy := tt.to(limited, fresh)
			if busy.Env != nil {
				busy.Env["INTERAI_READS_PER_HOUR"] = "1"
			}
			search := toolCall{Name: "search", Arguments: map[string]any{"query": "a"}}
			s = run(busy, search, search)
			require.False(t, s.Calls[0].IsError, s.Calls[0].Text)
			failed(t, s.Calls[1], ops.RateLimited)
			s = run(tt.to(w.Stack, "iai_unknown"), who)
			if len(s.Calls) > 0 { // without HTTP there is no status: each call says it
				failed(t, s.Calls[0], ops.Unauthenticated)
				return
			}
			require.Contains(t, s.Thrown, "unauthenticated")
			s = run(tt.to(w.Stack, ""), who)
			require.Contains(t, s.Thrown, "Authorization: Bearer", "it says what to send: %s", s.Thrown)
		})
	}
}

// succeeded checks that the client has the answer in both forms.
func succeeded(t *testing.T, got seen, agent string) {
	t.Helper()
	require.Empty(t, got.Thrown)
	require.False(t, got.IsError, got.Text)
	var me struct {
		ActorID string `json:"actor_id"`
	}
	require.NoError(t, json.Unmarshal(got.Structured, &me))
	require.Equal(t, agent, me.ActorID)
	require.Contains(t, got.Text, agent, "text is sufficient alone")
}

// failed checks that the client has the refusal in both forms: v1 validates the structured content of errors too.
func failed(t *testing.T, got seen, code ops.Code) {
	t.Helper()
	require.Empty(t, got.Thrown, "the client hides %s", code)
	require.True(t, got.IsError, "%s: %s", code, got.Text)
	var answer struct {
		Error struct{ Code ops.Code }
	}
	require.NoError(t, json.Unmarshal(got.Structured, &answer), code)
	require.Equal(t, code, answer.Error.Code, got.Text)
	require.Contains(t, got.Text, string(code), "text is sufficient alone")
}
