package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

const sentTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// echoed is the answered envelope of a result.
func echoed(t *testing.T, a answer) ops.Envelope {
	t.Helper()
	require.NotNil(t, a.Result)
	var e ops.Envelope
	require.NoError(t, json.Unmarshal(a.Result.Meta[ops.EnvelopeMember], &e), "%s", a.Result.Meta)
	return e
}

// ways are the transports with a function that calls over each.
func ways(t *testing.T, s *stand) map[string]func(tool, args, meta string) answer {
	t.Helper()
	url := s.serve(t)
	out := map[string]func(string, string, string) answer{}
	for _, e := range eras() {
		out["http "+e.name] = func(tool, args, meta string) answer { return call(t, e, s, url, tool, args, meta) }
	}
	out["stdio"] = func(tool, args, meta string) answer {
		answers, _ := pipe(t, s, strings.Join([]string{initialize, initialized, fmt.Sprintf(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s}}`, tool, args, meta)}, "\n"))
		return answers["1"]
	}
	return out
}

func TestTheEnvelopeIsAnswered(t *testing.T) {
	for _, tt := range []struct{ rule, tool, args, envelope, want string }{
		{"with its id and trace", "echo", `{"text":"t"}`, `{"id":"r-1","trace_id":"t-1"}`, `{"id":"r-1","status":"success","trace_id":"t-1"}`},
		{"on an error too", "act", `{"mode":"not_found"}`, `{"id":"r-2"}`, `{"id":"r-2","status":"error"}`},
		{"when it is empty", "echo", `{"text":"t"}`, `{}`, `{"status":"success"}`},
		{"with members that nobody knows", "echo", `{"text":"t"}`, `{"id":"r","session_id":"s","x":[1]}`, `{"id":"r","status":"success"}`},
		{"with null for what is absent", "echo", `{"text":"t"}`, `{"id":null,"deadline_ms":null}`, `{"status":"success"}`},
		{"also when it is refused", "echo", `{"text":"t"}`, `{"id":"r","deadline_ms":0}`, `{"id":"r","status":"error"}`},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s := newStand(t, Options{})
			for way, send := range ways(t, s) {
				a := send(tt.tool, tt.args, `{"openmcpspec/envelope":`+tt.envelope+`}`)
				require.JSONEq(t, tt.want, string(a.Result.Meta[ops.EnvelopeMember]), way)
			}
		})
	}
}

func TestWithoutAnEnvelopeNoneIsAnswered(t *testing.T) {
	s := newStand(t, Options{})
	for way, send := range ways(t, s) {
		require.NotContains(t, send("echo", `{"text":"t"}`, `{}`).Result.Meta, ops.EnvelopeMember, way)
	}
}

func TestTheTraceOfTheEnvelopeIsTheCallsIfItHasNone(t *testing.T) {
	s := newStand(t, Options{})
	for way, send := range ways(t, s) {
		e := echoed(t, send("echo", `{"text":"t"}`, `{"openmcpspec/envelope":{"trace_id":"`+sentTrace+`"}}`))
		require.Equal(t, sentTrace, e.TraceID, way)
		require.Equal(t, sentTrace, s.audit.last(t).Meta.TraceParent, way)
		e = echoed(t, send("echo", `{"text":"t"}`, `{"traceparent":"`+sentTrace+`","openmcpspec/envelope":{}}`))
		require.Equal(t, sentTrace, e.TraceID, way)
	}
}

func TestAWrongEnvelopeIsRefusedAtItsPlace(t *testing.T) {
	const at = "/_meta/openmcpspec~1envelope"
	for _, tt := range []struct{ envelope, path, rule string }{
		{`[1]`, "", "type"},
		{`"x"`, "", "type"},
		{`7`, "", "type"},
		{`false`, "", "type"},
		{`{"id":7}`, "/id", "type"},
		{`{"id":""}`, "/id", "min"},
		{`{"id":"a\u0000b"}`, "/id", "printable"},
		{`{"id":"` + strings.Repeat("x", 257) + `"}`, "/id", "maxbytes"},
		{`{"trace_id":{}}`, "/trace_id", "type"},
		{`{"trace_id":"\n"}`, "/trace_id", "printable"},
		{`{"deadline_ms":"5"}`, "/deadline_ms", "type"},
		{`{"deadline_ms":1.5}`, "/deadline_ms", "type"},
		{`{"deadline_ms":0}`, "/deadline_ms", "min"},
		{`{"deadline_ms":-1}`, "/deadline_ms", "min"},
		{`{"deadline_ms":3600001}`, "/deadline_ms", "max"},
		{`{"deadline_ms":1e300}`, "/deadline_ms", "max"},
		{`{"deadline_ms":true}`, "/deadline_ms", "type"},
		{`{"idempotency_key":1}`, "/idempotency_key", "type"},
		{`{"idempotency_key":""}`, "/idempotency_key", "min"},
		{`{"idempotency_key":"` + strings.Repeat("k", 101) + `"}`, "/idempotency_key", "max"},
	} {
		t.Run(tt.path+" "+tt.rule, func(t *testing.T) {
			s := newStand(t, Options{})
			for way, send := range ways(t, s) {
				a := send("save", `{"text":"t"}`, `{"openmcpspec/envelope":`+tt.envelope+`}`)
				require.True(t, a.Result.IsError, way)
				e := errorIn(a.Result.StructuredContent)
				require.NotNil(t, e, way)
				require.Equal(t, ops.ValidationFailed, e.Code, way)
				require.Len(t, e.Details.Problems, 1, way)
				require.Equal(t, at+tt.path, e.Details.Problems[0].Path, way)
				require.Equal(t, tt.rule, e.Details.Problems[0].Rule, way)
			}
		})
	}
}

func TestEverythingWrongInAnEnvelopeIsNamedAtOnce(t *testing.T) {
	s := newStand(t, Options{})
	a := call(t, eras()[0], s, s.serve(t), "echo", `{"text":"t"}`, `{"openmcpspec/envelope":{"id":1,"trace_id":2,"deadline_ms":"3","idempotency_key":4}}`)
	require.Len(t, errorIn(a.Result.StructuredContent).Details.Problems, 4)
}

func TestTheDeadlineOfTheEnvelopeEndsABlockedCall(t *testing.T) {
	s := newStand(t, Options{})
	for way, send := range ways(t, s) {
		a := send("act", `{"mode":"wait"}`, `{"openmcpspec/envelope":{"id":"r","deadline_ms":20}}`)
		e := errorIn(a.Result.StructuredContent)
		require.NotNil(t, e, way)
		require.Equal(t, ops.InternalError, e.Code, way)
		require.Equal(t, "deadline_exceeded", e.Details.Reason, way)
		require.ErrorIs(t, <-s.ended, context.DeadlineExceeded, way)
		require.Equal(t, ops.StatusError, echoed(t, a).Status, way)
	}
}

func TestASecretInAnEnvelopeIsNeitherKeptNorRepeated(t *testing.T) {
	clean := func(text string) string { return strings.ReplaceAll(text, "PLANTED", "…") }
	s := newStand(t, Options{}, ops.WithCleaner(clean))
	for way, send := range ways(t, s) {
		e := echoed(t, send("echo", `{"text":"t"}`, `{"openmcpspec/envelope":{"id":"PLANTED","trace_id":"PLANTED"}}`))
		require.Equal(t, ops.Envelope{ID: "…", Status: ops.StatusSuccess, TraceID: "…"}, e, way)
		require.Equal(t, "…", s.audit.last(t).Meta.EnvelopeID, way)
	}
}

// cut is an answer that left something out.
type cut struct {
	Rest bool `json:"rest"`
}

func (c *cut) Incomplete() bool { return c.Rest }

func TestAnAnswerThatWasCutIsPartial(t *testing.T) {
	reg, err := ops.NewRegistry(ops.Define(ops.Spec{Name: "cut", Title: "Cut", Description: "Cuts.", Effect: ops.Read},
		func(context.Context, *ops.Call, *struct{}) (*cut, error) { return &cut{Rest: true}, nil }))
	require.NoError(t, err)
	r := ops.NewExecutor(reg).Execute(t.Context(), ops.Call{Operation: "cut", Caller: local(), Meta: ops.Meta{Enveloped: true}})
	require.Equal(t, &ops.Envelope{Status: ops.StatusPartial}, r.Envelope)
}
