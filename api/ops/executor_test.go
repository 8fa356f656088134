package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type handler = func(context.Context, *Call, *noteIn) (*noteOut, error)

func ok(context.Context, *Call, *noteIn) (*noteOut, error) { return &noteOut{ID: "cnt_1"}, nil }

func failing(err error) handler {
	return func(context.Context, *Call, *noteIn) (*noteOut, error) { return nil, err }
}

// execute runs one call of a note operation and returns its result and audit.
func execute(t *testing.T, effect Effect, h handler, change func(*Call), options ...Option) (Result, *recorder) {
	t.Helper()
	audit := &recorder{}
	options = append([]Option{WithAuditor(audit), WithLogger(quiet())}, options...)
	x := NewExecutor(newRegistry(t, noteOp(effect, h)), options...)
	call := Call{Operation: "note", Arguments: json.RawMessage(`{"title":"t"}`), Caller: caller()}
	if change != nil {
		change(&call)
	}
	return x.Execute(context.Background(), call), audit
}

func TestExecuteAnswersAndAudits(t *testing.T) {
	r, audit := execute(t, Read, func(_ context.Context, c *Call, in *noteIn) (*noteOut, error) {
		c.SetMeta("interai/seq", 7)
		return &noteOut{ID: in.Title}, nil
	}, func(c *Call) { c.Meta.Run.Model = "m" })
	require.Nil(t, r.Err)
	require.JSONEq(t, `{"id":"t","body":"","list":[],"nested":[],"free":{},"scores":{},"big":0}`, string(r.Structured))
	require.Contains(t, r.Text, `"id": "t"`)
	require.Equal(t, "7", string(r.Meta["interai/seq"]))
	require.Len(t, audit.entries, 1)
	e := audit.entries[0]
	require.Equal(t, r.CorrelationID, e.CorrelationID.String())
	require.EqualValues(t, 7, e.CorrelationID.Version())
	require.Equal(t, `{"title":"t"}`, string(e.Request))
	require.Equal(t, "m", e.Meta.Run.Model)
	require.Equal(t, Read, e.Effect)
	require.Empty(t, e.Code)
}

func TestExecuteRefusesInOrder(t *testing.T) {
	big := json.RawMessage(`{"title":"` + strings.Repeat("x", DefaultMaxInputBytes) + `"}`)
	tests := []struct {
		rule   string
		change func(*Call)
		want   Code
	}{
		{"an unknown operation", func(c *Call) { c.Operation, c.Caller = "nope", nil }, NotFound},
		{"no credential before size", func(c *Call) { c.Caller, c.Arguments = nil, big }, Unauthenticated},
		{"size before scope", func(c *Call) { c.Arguments, c.Caller.Scopes = big, nil }, ValidationFailed},
		{"scope before schema", func(c *Call) { c.Arguments, c.Caller.Scopes = json.RawMessage(`{}`), []string{"read"} }, ForbiddenScope},
		{"schema before handler", func(c *Call) { c.Arguments = json.RawMessage(`{}`) }, ValidationFailed},
		{"empty arguments are an empty object", func(c *Call) { c.Arguments = nil }, ValidationFailed},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			r, audit := execute(t, Read, func(context.Context, *Call, *noteIn) (*noteOut, error) {
				t.Error("the handler ran")
				return &noteOut{}, nil
			}, tt.change)
			require.Equal(t, tt.want, r.Err.Code)
			require.Equal(t, r.CorrelationID, r.Err.Details.CorrelationID)
			require.Len(t, audit.entries, 1, "refused calls are audited too")
			require.Equal(t, tt.want, audit.entries[0].Code)
			require.NotContains(t, string(audit.entries[0].Request), "xxx", "content of refused arguments is not kept")
			require.True(t, json.Valid(audit.entries[0].Request))
		})
	}
}

func TestEveryErrorIsComplete(t *testing.T) {
	for _, code := range Codes() {
		t.Run(string(code), func(t *testing.T) {
			e := NewError(code, "What happened.")
			r, _ := execute(t, Write, failing(e), nil)
			require.Equal(t, code, r.Err.Code)
			require.Equal(t, code.Retryable(), r.Err.Details.Retryable)
			require.Empty(t, e.Details.CorrelationID, "the handler's value is not changed")
			var wire struct {
				Error struct {
					Code, Message string
					Details       map[string]any
				}
			}
			require.NoError(t, json.Unmarshal(r.Structured, &wire))
			require.Equal(t, string(code), wire.Error.Code)
			require.Equal(t, "What happened.", wire.Error.Message)
			require.Contains(t, wire.Error.Details, "retryable")
			require.Equal(t, r.CorrelationID, wire.Error.Details["correlation_id"])
			for _, part := range []string{string(code), "What happened.", "Retry: ", r.CorrelationID} {
				require.Contains(t, r.Text, part, "the text is sufficient alone")
			}
		})
	}
}

func TestForeignErrorsAreHidden(t *testing.T) {
	r, audit := execute(t, Read, failing(errors.New("dial tcp 10.0.0.1: secret dsn")), nil)
	require.Equal(t, InternalError, r.Err.Code)
	require.False(t, r.Err.Details.Retryable)
	require.NotContains(t, string(r.Structured)+r.Text, "dsn")
	require.NotContains(t, audit.entries[0].Summary, "dsn")
}

func TestWrappedErrorsKeepTheirCode(t *testing.T) {
	wrapped := errors.Join(errors.New("outer"), LimitReached("Too many.", 1500*time.Millisecond))
	r, _ := execute(t, Write, failing(wrapped), nil)
	require.Equal(t, RateLimited, r.Err.Code)
	require.Equal(t, 2, r.Err.Details.RetryAfter)
	require.True(t, r.Err.Details.Retryable)
	require.Contains(t, r.Text, "Retry: yes, after 2 s")
}

func TestAPanicIsAnInternalError(t *testing.T) {
	r, audit := execute(t, Read, func(context.Context, *Call, *noteIn) (*noteOut, error) { panic("secret state") }, nil)
	require.Equal(t, InternalError, r.Err.Code)
	require.NotContains(t, string(r.Structured)+r.Text, "secret state")
	require.Equal(t, InternalError, audit.entries[0].Code)
}

func TestDeadlines(t *testing.T) {
	wait := func(ctx context.Context, _ *Call, _ *noteIn) (*noteOut, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	tests := []struct {
		rule      string
		effect    Effect
		handler   handler
		retryable bool
		outcome   string
		reason    string
	}{
		{"a read may be repeated", Read, wait, true, "", "deadline_exceeded"},
		{"a write has an unknown outcome", Write, wait, false, OutcomeUnknown, "deadline_exceeded"},
		{"a committed write says so", Write, func(ctx context.Context, c *Call, in *noteIn) (*noteOut, error) {
			c.MarkAudited()
			return wait(ctx, c, in)
		}, false, OutcomeCommitted, "deadline_exceeded"},
		{"a handler that knows better is believed", Write, func(ctx context.Context, _ *Call, _ *noteIn) (*noteOut, error) {
			<-ctx.Done()
			return nil, Unavailable("database_unavailable", 2*time.Second)
		}, true, "", "database_unavailable"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			r, _ := execute(t, tt.effect, tt.handler, nil, WithDeadlines(time.Millisecond, time.Millisecond))
			require.Equal(t, InternalError, r.Err.Code)
			require.Equal(t, tt.retryable, r.Err.Details.Retryable)
			require.Equal(t, tt.retryable, r.Err.Details.RetryAfter > 0, "and says when")
			require.Equal(t, tt.outcome, r.Err.Details.Outcome)
			require.Equal(t, tt.reason, r.Err.Details.Reason)
		})
	}
}

func TestAKeyMakesAWriteOfUnknownOutcomeSafeToRepeat(t *testing.T) {
	slow := func(ctx context.Context, _ *Call, _ *noteIn) (*noteOut, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	r, _ := execute(t, Write, slow, func(c *Call) { c.Meta.EnvelopeKey = "k" }, WithDeadlines(time.Millisecond, time.Millisecond))
	require.Equal(t, OutcomeUnknown, r.Err.Details.Outcome)
	require.True(t, r.Err.Details.Retryable)
	require.Equal(t, 1, r.Err.Details.RetryAfter)
}

func TestTheEnvelopeShortensTheDeadlineOnly(t *testing.T) {
	var left time.Duration
	look := func(ctx context.Context, _ *Call, _ *noteIn) (*noteOut, error) {
		at, _ := ctx.Deadline()
		left = time.Until(at)
		return &noteOut{}, nil
	}
	execute(t, Read, look, func(c *Call) { c.Meta.Deadline = time.Second })
	require.LessOrEqual(t, left, time.Second)
	execute(t, Read, look, func(c *Call) { c.Meta.Deadline = time.Hour })
	require.LessOrEqual(t, left, DefaultReadDeadline)
	require.Greater(t, left, time.Second)
	execute(t, Write, look, nil)
	require.Greater(t, left, DefaultReadDeadline)
}

func TestIdempotencyKeys(t *testing.T) {
	tests := []struct{ rule, argument, envelope, want string }{
		{"none", "", "", ""},
		{"from the argument", "a", "", "a"},
		{"from the envelope", "", "b", "b"},
		{"the same twice", "a", "a", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			var seen, input string
			r, audit := execute(t, Write, func(_ context.Context, c *Call, in *noteIn) (*noteOut, error) {
				seen, input = c.IdempotencyKey, in.OtherKey
				return &noteOut{}, nil
			}, func(c *Call) {
				c.Arguments = json.RawMessage(`{"title":"t","idempotency_key":"` + tt.argument + `"}`)
				c.Meta.EnvelopeKey = tt.envelope
			})
			require.Nil(t, r.Err)
			require.Equal(t, tt.want, seen)
			require.Equal(t, tt.want, input)
			require.Equal(t, tt.want, audit.entries[0].IdempotencyKey)
		})
	}
	for rule, envelope := range map[string]string{"envelope": "other", "max": strings.Repeat("x", 11), "nul": "a\x00"} {
		t.Run("refused: "+rule, func(t *testing.T) {
			r, _ := execute(t, Write, ok, func(c *Call) {
				if rule == "envelope" {
					c.Arguments = json.RawMessage(`{"title":"t","idempotency_key":"a"}`)
				}
				c.Meta.EnvelopeKey = envelope
			})
			require.Equal(t, ValidationFailed, r.Err.Code)
			place := "/_meta/openmcpspec~1envelope/idempotency_key"
			if rule == "envelope" {
				place = "/idempotency_key"
			}
			require.Equal(t, place, r.Err.Details.Problems[0].Path)
			require.Equal(t, rule, r.Err.Details.Problems[0].Rule)
		})
	}
}

func TestAuditedWritesAreNotAuditedAgain(t *testing.T) {
	var entry Entry
	_, audit := execute(t, Write, func(_ context.Context, c *Call, _ *noteIn) (*noteOut, error) {
		entry = c.Entry()
		c.MarkAudited()
		return &noteOut{}, nil
	}, nil)
	require.Empty(t, audit.entries)
	require.Equal(t, `{"title":"t"}`, string(entry.Request))
	require.Equal(t, "note", entry.Operation)
}

func TestWhatTheAuditKeeps(t *testing.T) {
	mask := WithMasker(func(string, json.RawMessage) json.RawMessage { return json.RawMessage(`{"title":"***"}`) })
	tests := []struct {
		rule    string
		handler handler
		args    string
		option  Option
		want    string
	}{
		{"valid arguments are masked", ok, `{"title":"t"}`, mask, `{"title":"***"}`},
		{
			"rejected content leaves its shape only", failing(NewError(ContentRejected, "A secret.")), `{"title":"t","kind":"rich"}`, nil,
			`{"_bytes":27,"title":"string, 3 bytes","kind":"string, 6 bytes"}`,
		},
		{
			"big arguments leave their shape only", ok, `{"title":"t","extra":null,"big":1,"labels":{"a":"` + strings.Repeat("x", 9000) + `"}}`, nil,
			`{"_bytes":9052,"title":"string, 3 bytes","big":"number, 1 byte","extra":"null, 4 bytes","labels":"object, 9008 bytes"}`,
		},
		{"unknown names are counted", ok, `{"title":"t","s3cret":1}`, nil, `{"_bytes":24,"title":"string, 3 bytes","_unknown_members":1}`},
		{"broken text is measured", ok, `{"title"`, nil, `{"_bytes":8}`},
		{
			"a masker that panics keeps the shape", ok, `{"title":"t"}`,
			WithMasker(func(string, json.RawMessage) json.RawMessage { panic("x") }), `{"_bytes":13,"title":"string, 3 bytes"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			var options []Option
			if tt.option != nil {
				options = append(options, tt.option)
			}
			_, audit := execute(t, Write, tt.handler, func(c *Call) { c.Arguments = json.RawMessage(tt.args) }, options...)
			require.Equal(t, tt.want, string(audit.entries[0].Request))
		})
	}
}

func TestAdmissionWrapsTheHandler(t *testing.T) {
	var steps []string
	admit := WithAdmission(func(context.Context, *Call) (func(), error) {
		steps = append(steps, "in")
		return func() { steps = append(steps, "out") }, nil
	})
	execute(t, Read, func(context.Context, *Call, *noteIn) (*noteOut, error) {
		steps = append(steps, "run")
		panic("x")
	}, nil, admit)
	require.Equal(t, []string{"in", "run", "out"}, steps)
	r, _ := execute(t, Write, ok, nil, WithAdmission(func(context.Context, *Call) (func(), error) {
		return nil, Unavailable("busy", time.Second)
	}))
	require.Equal(t, "busy", r.Err.Details.Reason)
	require.True(t, r.Err.Details.Retryable)
}

func TestAnswersAreBounded(t *testing.T) {
	long := func(context.Context, *Call, *noteIn) (*noteOut, error) {
		return &noteOut{Body: strings.Repeat("é", 20_000)}, nil
	}
	r, _ := execute(t, Read, long, nil)
	require.LessOrEqual(t, len(r.Text), MaxTextBytes)
	require.Contains(t, r.Text, "cut here")
	require.NotContains(t, r.Text, "\uFFFD", "cut between characters")

	huge := func(_ context.Context, c *Call, _ *noteIn) (*noteOut, error) {
		c.MarkAudited()
		return &noteOut{Body: strings.Repeat("x", DefaultMaxOutputBytes)}, nil
	}
	r, _ = execute(t, Read, huge, nil)
	require.Equal(t, "answer_too_large", r.Err.Details.Reason)
	require.Empty(t, r.Err.Details.Outcome)
	r, _ = execute(t, Write, huge, nil)
	require.Equal(t, OutcomeCommitted, r.Err.Details.Outcome)
}

func TestAnswersThatCannotBeEncodedAreInternalErrors(t *testing.T) {
	nan := math.NaN()
	r, _ := execute(t, Read, func(context.Context, *Call, *noteIn) (*noteOut, error) { return &noteOut{Ratio: &nan}, nil }, nil)
	require.Equal(t, InternalError, r.Err.Code)
	r, _ = execute(t, Read, func(context.Context, *Call, *noteIn) (*noteOut, error) { return nil, nil }, nil)
	require.Equal(t, InternalError, r.Err.Code)
}

type talkingOut struct {
	ID string `json:"id"`
}

func (talkingOut) Text() string         { return "It is <here>." }
func (talkingOut) AuditSummary() string { return strings.Repeat("é", 400) }

func TestOutputsMayRenderThemselves(t *testing.T) {
	audit := &recorder{}
	op := Define(spec("talk", Read), func(context.Context, *Call, *emptyIn) (*talkingOut, error) { return &talkingOut{}, nil })
	x := NewExecutor(newRegistry(t, op), WithAuditor(audit))
	r := x.Execute(context.Background(), Call{Operation: "talk", Caller: caller()})
	require.Equal(t, "It is <here>.", r.Text)
	require.Equal(t, strings.Repeat("é", 250), audit.entries[0].Summary)
}

func TestObserverSeesEveryCallWithoutItsRequest(t *testing.T) {
	var seen []Entry
	observe := WithObserver(func(_ context.Context, e Entry) { seen = append(seen, e) })
	execute(t, Write, func(_ context.Context, c *Call, _ *noteIn) (*noteOut, error) {
		c.MarkAudited()
		return &noteOut{}, nil
	}, nil, observe)
	execute(t, Read, ok, func(c *Call) { c.Caller = nil }, observe)
	require.Len(t, seen, 2)
	require.Equal(t, Unauthenticated, seen[1].Code)
	require.Nil(t, seen[0].Request)
}

func TestAuditSurvivesAHangUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var auditErr error
	audit := auditFunc(func(ctx context.Context, _ Entry) { auditErr = ctx.Err() })
	x := NewExecutor(newRegistry(t, noteOp(Read, failing(context.Canceled))), WithAuditor(audit), WithLogger(quiet()))
	r := x.Execute(ctx, Call{Operation: "note", Arguments: json.RawMessage(`{"title":"t"}`), Caller: caller()})
	require.Equal(t, "canceled", r.Err.Details.Reason)
	require.NoError(t, auditErr, "the auditor's context is not cancelled")
}

func TestACallerThatHangsUpIsNoErrorOfTheServer(t *testing.T) {
	for level, hangUp := range map[string]bool{"ERROR": false, "INFO": true} {
		ctx, cancel := context.WithCancel(context.Background())
		if hangUp {
			cancel()
		}
		var log bytes.Buffer
		x := NewExecutor(newRegistry(t, noteOp(Read, failing(errors.New("broken")))), WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		x.Execute(ctx, Call{Operation: "note", Arguments: json.RawMessage(`{"title":"t"}`), Caller: caller()})
		require.Contains(t, log.String(), "level="+level)
		cancel()
	}
}

type auditFunc func(context.Context, Entry)

func (f auditFunc) Audit(ctx context.Context, e Entry) { f(ctx, e) }

func TestWaitIsBounded(t *testing.T) {
	for given, want := range map[time.Duration]time.Duration{-1: 0, time.Second: time.Second, time.Hour: MaxWait} {
		_, audit := execute(t, Read, ok, func(c *Call) { c.Meta.Wait = given })
		require.Equal(t, want, audit.entries[0].Meta.Wait)
	}
}
