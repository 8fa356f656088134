package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/api/limits"
	"interai/api/mcp"
	"interai/api/ops"
)

func TestOnlyWhatMaySucceedLaterIsSentAgain(t *testing.T) {
	unknown := ops.NewError(ops.InternalError, "m")
	unknown.Details.Outcome = ops.OutcomeUnknown
	for name, c := range map[string]struct {
		err   error
		wait  time.Duration
		again bool
	}{
		"success":                     {nil, 0, false},
		"a refusal":                   {ops.NewError(ops.ValidationFailed, "m"), 0, false},
		"a conflict":                  {ops.NewError(ops.IdempotencyConflict, "m"), 0, false},
		"an outage":                   {ops.Unavailable("down", 2*time.Second), 2 * time.Second, true},
		"a limit that is near":        {ops.LimitReached("m", 3*time.Second), 3 * time.Second, true},
		"a limit that is far away":    {ops.LimitReached("m", time.Hour), time.Hour, false},
		"an unknown outcome":          {unknown, firstPause, true},
		"a broken connection":         {io.ErrUnexpectedEOF, firstPause, true},
		"a wrapped refusal":           {fmt.Errorf("w: %w", ops.NewError(ops.NotFound, "m")), 0, false},
		"an answer that is not ours":  {fmt.Errorf("w: %w", &json.UnmarshalTypeError{}), 0, false},
		"an outage without a time":    {&ops.Error{Code: ops.InternalError, Details: ops.Details{Retryable: true}}, firstPause, true},
		"an internal error like that": {ops.Internal(errors.New("m")), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			wait, again := retryable(c.err, firstPause)
			require.Equal(t, c.again, again)
			require.Equal(t, c.wait, wait)
		})
	}
}

// flakyIn is the input of an operation that fails as told, at first.
type flakyIn struct {
	Key    string `json:"idempotency_key"`
	Target string `json:"target"`
	Result string `json:"result"`
}

type flakyOut struct {
	Tries int `json:"tries"`
}

// Text is the readable rendering.
func (o *flakyOut) Text() string { return strconv.Itoa(o.Tries) }

// flaky serves one operation, report_usage, whose first failures calls end with fail.
func flaky(t *testing.T, failures int32, fail error) (dialer *mcp.Dialer, key string, tries *atomic.Int32) {
	t.Helper()
	good, err := auth.Generate()
	require.NoError(t, err)
	tries = &atomic.Int32{}
	registry, err := ops.NewRegistry(ops.Define(
		ops.Spec{Name: "report_usage", Title: "T", Description: "D.", Effect: ops.Read},
		func(context.Context, *ops.Call, *flakyIn) (*flakyOut, error) {
			if n := tries.Add(1); n <= failures {
				return nil, fail
			}
			return &flakyOut{Tries: int(tries.Load())}, nil
		}))
	require.NoError(t, err)
	quiet := slog.New(slog.DiscardHandler)
	server, err := mcp.NewServer(ops.NewExecutor(registry, ops.WithLogger(quiet)), mcp.Options{Version: "1", Logger: quiet})
	require.NoError(t, err)
	verify := func(context.Context, auth.Key) (*ops.Caller, error) {
		return &ops.Caller{Actor: "usr_1", Kind: "usr", Root: "usr_1", KeyID: good.ID()}, nil
	}
	bodies, err := limits.NewBodies(limits.BodiesConfig{Memory: 4 << 20, Ordinary: 1 << 20, Large: 2 << 20, Patience: time.Second})
	require.NoError(t, err)
	gate, err := limits.NewGate(limits.GateConfig{Active: 100, ActivePerKey: 100, Queue: 100})
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.HTTPHandler(mcp.HTTPConfig{
		Bearer: auth.NewBearer(verify, auth.WithLogger(quiet)), Bodies: bodies, Requests: gate, Reads: gate, Streams: gate,
		StreamLifetime: time.Minute, MaxNesting: ops.DefaultMaxNesting,
	}))
	listener := httptest.NewServer(mux)
	t.Cleanup(listener.Close)
	dialer, err = mcp.NewDialer(listener.URL+"/mcp", 2)
	require.NoError(t, err)
	t.Cleanup(dialer.Close)
	return dialer, good.Reveal(), tries
}

func TestACallIsSentUntilItSucceeds(t *testing.T) {
	dialer, key, tries := flaky(t, 2, &ops.Error{Code: ops.InternalError, Details: ops.Details{Retryable: true}})
	s := &session{dialer: dialer, key: key}
	defer s.close()
	var out flakyOut
	require.NoError(t, s.call(t.Context(), "report_usage", map[string]any{}, &out))
	require.Equal(t, 3, out.Tries)
	require.Equal(t, int32(3), tries.Load())
}

func TestACallThatIsRefusedIsNotSentAgain(t *testing.T) {
	dialer, key, tries := flaky(t, 99, ops.NewError(ops.NotFound, "No."))
	s := &session{dialer: dialer, key: key}
	defer s.close()
	err := s.call(t.Context(), "report_usage", map[string]any{}, &flakyOut{})
	require.Equal(t, ops.NotFound, ops.CodeOf(err))
	require.Equal(t, int32(1), tries.Load())
}

func TestACallEndsWithItsContext(t *testing.T) {
	dialer, key, _ := flaky(t, 99, ops.Unavailable("down", maxWait))
	ctx, cancel := context.WithTimeout(t.Context(), firstPause)
	defer cancel()
	s := &session{dialer: dialer, key: key}
	defer s.close()
	began := time.Now()
	require.Error(t, s.call(ctx, "report_usage", map[string]any{}, &flakyOut{}))
	require.Less(t, time.Since(began), maxWait)
}

func TestAPartyThatMeetsALimitLeavesItsRestForLater(t *testing.T) {
	dialer, key, tries := flaky(t, 99, ops.LimitReached("Enough.", time.Hour))
	d := &dataset{
		name: "s", actors: []actor{{"a", -1}}, publications: []publication{{}}, items: []item{{claim: -1}},
		reports: []report{{key: "1", args: usageArgs{}}, {key: "2", args: usageArgs{}}, {key: "3", args: usageArgs{}}},
	}
	var done int
	o := &Options{Workers: 2}
	p := newPlay(d, o, dialer, newMeter(func(n, _ int) { done = n }, []*dataset{d}))
	p.keys = []string{key}
	require.NoError(t, p.out.run(t.Context()))
	require.Equal(t, counts{sent: 0, deferred: 3, actors: 1}, p.counts())
	require.Equal(t, int32(1), tries.Load())
	require.Equal(t, 3, done)
}

func TestTheWaitForTrustEndsWithoutProgress(t *testing.T) {
	stuck := func(context.Context) (int64, error) { return 3, nil }
	require.ErrorIs(t, settled(t.Context(), time.Nanosecond, stuck), ErrTrustLags)
	left := int64(4)
	falling := func(context.Context) (int64, error) { left--; return left, nil }
	require.NoError(t, settled(t.Context(), time.Nanosecond, falling), "progress starts the patience anew")
	broken := errors.New("down")
	require.ErrorIs(t, settled(t.Context(), time.Minute, func(context.Context) (int64, error) { return 0, broken }), broken)
}

func TestTheFirstErrorEndsAllWork(t *testing.T) {
	boom := errors.New("boom")
	var ran atomic.Int32
	err := forEach(t.Context(), 3, 1000, func(ctx context.Context, i int) error {
		ran.Add(1)
		if i == 5 {
			return boom
		}
		return nil
	})
	require.ErrorIs(t, err, boom)
	require.Less(t, ran.Load(), int32(1000))
	ran.Store(0)
	require.NoError(t, forEach(t.Context(), 3, 50, func(context.Context, int) error { ran.Add(1); return nil }))
	require.Equal(t, int32(50), ran.Load())
	require.NoError(t, forEach(t.Context(), 3, 0, nil))
}
