package node_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/internal/stack"
	"interai/store"
)

// limited requires that a call was refused by a limit, and answers the details.
func limited(t *testing.T, reason string, err error) ops.Details {
	t.Helper()
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, ops.RateLimited, e.Code)
	require.Equal(t, reason, e.Details.Reason)
	require.True(t, e.Details.Retryable)
	require.Positive(t, e.Details.RetryAfter)
	return e.Details
}

// target publishes an item and takes its author's limit away first.
func target(t *testing.T, s *stack.Stack) string {
	t.Helper()
	lift := store.MaxCapacity
	require.NoError(t, s.Store.SetLimits(t.Context(), s.Human, store.OwnLimits{Writes: &lift}))
	var item evidence.PublishOutput
	s.Must(s.Client(s.Key), "publish", map[string]any{"content_type": "note", "title": "A target"}, &item)
	return item.ID
}

func use(item, key string) map[string]any {
	args := map[string]any{"target": item, "result": "success"}
	if key != "" {
		args["idempotency_key"] = key
	}
	return args
}

func rows(t *testing.T, s *stack.Stack, sql string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, s.Store.Pool().QueryRow(t.Context(), sql, args...).Scan(&n))
	return n
}

func TestThirtyTwoWritersOverTwoNodesPassExactlyTheLimit(t *testing.T) {
	t.Parallel()
	const limit, writers = 48, 32
	first := stack.Start(t, stack.With("writes-per-hour", strconv.Itoa(limit)))
	second := stack.Start(t, stack.On(first.ConnString), stack.With("writes-per-hour", strconv.Itoa(limit)))
	item := target(t, first)
	_, agent, key := first.Party(store.Verification{Vouched: true})
	clients := []*mcp.Client{first.Client(key), second.Client(key)}
	before := time.Now()
	var passed atomic.Int64
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for range 3 {
				err := first.Call(clients[i%2], "report_usage", use(item, ""), nil)
				switch ops.CodeOf(err) {
				case "":
					passed.Add(1)
				case ops.RateLimited:
				default:
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, int64(limit), passed.Load())
	require.Equal(t, limit, rows(t, first, `select count(*) from evidence where actor_id = $1`, agent.UUID), "a denial writes nothing")

	// One more passes 75 s after the first: what passed since is told, to the second.
	for _, client := range clients {
		var me evidence.WhoamiOutput
		first.Must(client, "whoami", map[string]any{}, &me)
		require.Equal(t, limit, me.RateLimits.WritesPerHour)
		require.Zero(t, me.RateLimits.Remaining)
		details := limited(t, store.DeniedParty, first.Call(client, "report_usage", use(item, ""), nil))
		took := int(time.Since(before)/time.Second) + 1
		require.LessOrEqual(t, me.RateLimits.RetryAfter, 75)
		require.GreaterOrEqual(t, me.RateLimits.RetryAfter, 75-took)
		require.InDelta(t, me.RateLimits.RetryAfter, details.RetryAfter, 1+float64(took))
	}
	_, _, other := first.Party(store.Verification{})
	first.Must(first.Client(other), "report_usage", use(item, ""), nil)
}

func TestAReplayIsFree(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("writes-per-hour", "2"))
	item := target(t, s)
	_, agent, key := s.Party(store.Verification{})
	client := s.Client(key)
	for tool, args := range map[string]map[string]any{
		"report_usage": use(item, "k"), "publish": {"content_type": "note", "title": "Mine", "idempotency_key": "k"},
	} {
		first, err := client.Call(t.Context(), tool, args, nil)
		require.NoError(t, err)
		for range 5 {
			again, err := client.Call(t.Context(), tool, args, nil)
			require.NoError(t, err)
			require.JSONEq(t, string(first), string(again))
		}
	}
	limited(t, store.DeniedParty, s.Call(client, "report_usage", use(item, "another"), nil))
	s.Must(client, "report_usage", use(item, "k"), nil)
	conflict := use(item, "k")
	conflict["result"] = "failure"
	require.Equal(t, ops.IdempotencyConflict, ops.CodeOf(s.Call(client, "report_usage", conflict, nil)))
	require.Equal(t, 1, rows(t, s, `select count(*) from evidence where actor_id = $1`, agent.UUID))
	require.Equal(t, 1, rows(t, s, `select count(*) from contents where author_id = $1`, agent.UUID))
}

func TestConcurrentRequestsWithOneKeyCostOneWrite(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("writes-per-hour", "50"))
	item := target(t, s)
	_, _, key := s.Party(store.Verification{})
	client := s.Client(key)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if err := s.Call(client, "report_usage", use(item, "one"), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s.Eventually("what was charged for replays is given back", func() bool {
		var me evidence.WhoamiOutput
		s.Must(client, "whoami", map[string]any{}, &me)
		return me.RateLimits.Remaining == 49
	})
}

func TestARefusedWriteStillCountsAndAReadDoesNot(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("writes-per-hour", "3"), stack.With("actor-writes-per-hour", "2"))
	item := target(t, s)
	_, _, key := s.Party(store.Verification{})
	client := s.Client(key)
	remaining := func() evidence.RateLimits {
		var me evidence.WhoamiOutput
		s.Must(client, "whoami", map[string]any{}, &me)
		return me.RateLimits
	}
	require.Equal(t, evidence.RateLimits{WritesPerHour: 2, Remaining: 2}, remaining(), "the smaller of both")
	require.Equal(t, ops.ValidationFailed, ops.CodeOf(s.Call(client, "report_usage", map[string]any{"target": item, "result": "great"}, nil)))
	require.Equal(t, 2, remaining().Remaining, "a call that breaks its schema is no write")
	require.Equal(t, ops.NotFound, ops.CodeOf(s.Call(client, "report_usage", use("cnt_01m8p3wrg8f658qzehythpppe1", ""), nil)))
	require.Equal(t, 1, remaining().Remaining)
	s.Must(client, "get", map[string]any{"id": item}, nil)
	s.Must(client, "report_usage", use(item, ""), nil)
	limited(t, store.DeniedActor, s.Call(client, "report_usage", use(item, ""), nil))
}

func TestBytesAreBoundedToo(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("writes-per-hour", "10"))
	_, _, key := s.Party(store.Verification{})
	client := s.Client(key)
	large := map[string]any{"content_type": "note", "title": "Large", "body_markdown": strings.Repeat("word ", 40_000)}
	for range 6 { // 1,200,000 bytes are more than ten writes may bring
		s.Must(client, "publish", large, nil)
	}
	limited(t, store.DeniedBytes, s.Call(client, "publish", map[string]any{"content_type": "note", "title": "Small"}, nil))
}

func TestNewClaimsAreBoundedAndExistingOnesAreNot(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("claims-per-day", "50"))
	client := s.Client(s.Key)
	publish := func(from, to int) error {
		claims := []map[string]any{}
		for i := from; i < to; i++ {
			claims = append(claims, map[string]any{"text": fmt.Sprintf("Queue number %d keeps the order of its messages.", i)})
		}
		return s.Call(client, "publish", map[string]any{"content_type": "note", "title": "Claims", "claims": claims}, nil)
	}
	require.NoError(t, publish(0, 30))
	before := rows(t, s, `select count(*) from contents`)
	limited(t, store.DeniedClaims, publish(30, 60))
	require.Equal(t, before, rows(t, s, `select count(*) from contents`), "nothing of it is written")
	require.NoError(t, publish(0, 30), "they exist")
	require.NoError(t, publish(10, 50))
}

func TestRejectionsEndThePartysWritesOnAllNodes(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("rejections-per-hour", "3"))
	other := stack.Start(t, stack.On(s.ConnString))
	item := target(t, s)
	_, _, key := s.Party(store.Verification{})
	for range 3 {
		s.Must(s.Client(key), "report_usage", use(item, ""), nil)
		leaked, err := auth.Generate()
		require.NoError(t, err)
		rejected := use(item, "")
		rejected["note"] = "I called it with " + leaked.Reveal() + " and it worked."
		require.Equal(t, ops.ContentRejected, ops.CodeOf(s.Call(s.Client(key), "report_usage", rejected, nil)))
	}
	for _, client := range []*mcp.Client{s.Client(key), other.Client(key)} {
		details := limited(t, store.DeniedRejections, s.Call(client, "report_usage", use(item, ""), nil))
		require.InDelta(t, 3600, details.RetryAfter, 60)
		var me evidence.WhoamiOutput
		s.Must(client, "whoami", map[string]any{}, &me)
		require.Zero(t, me.RateLimits.Remaining)
	}
	s.Must(s.Client(s.Key), "report_usage", use(item, ""), nil)
}

func TestAReaderHasItsOwnLimit(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("reads-per-hour", "3"))
	client := s.Client(s.Key)
	for range 3 {
		s.Must(client, "whoami", map[string]any{}, nil)
	}
	details := limited(t, "reads_limit", s.Call(client, "whoami", map[string]any{}, nil))
	require.InDelta(t, 1200, details.RetryAfter, 60)
	s.Must(client, "publish", map[string]any{"content_type": "note", "title": "A write"}, nil)
}

func TestADeniedCallIsAuditedAndNothingElse(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("writes-per-hour", "1"))
	item := target(t, s)
	_, agent, key := s.Party(store.Verification{})
	client := s.Client(key)
	s.Must(client, "report_usage", use(item, ""), nil)
	for range 3 {
		limited(t, store.DeniedParty, s.Call(client, "report_usage", use(item, "k"), nil))
	}
	s.Eventually("the refused calls are audited", func() bool {
		return rows(t, s, `select count(*) from mcp_calls where actor_id = $1 and code = 'rate_limited'`, agent.UUID) == 3
	})
	require.Zero(t, rows(t, s, `select count(*) from idempotency_keys where actor_id = $1`, agent.UUID))
}

func TestTheTextOfWhoamiSaysTheSame(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("writes-per-hour", "1"))
	item := target(t, s)
	_, _, key := s.Party(store.Verification{})
	s.Must(s.Client(key), "report_usage", use(item, ""), nil)
	_, body := s.Raw(key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`)
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	require.Contains(t, answer.Result.Content[0].Text, "Writes an hour: 1, left now: 0.\nThe next write passes in ")
}
