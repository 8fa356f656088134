package openmcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/openmcp"
	"interai/api/ops"
	"interai/internal/boundary"
)

// judge runs a call up to its admission, behind which nothing is about its arguments any more.
func judge(t *testing.T, reg *ops.Registry, operation string, arguments []byte) (valid bool, problems string) {
	t.Helper()
	stop := ops.NewError(ops.RateLimited, "Valid.")
	x := ops.NewExecutor(reg, ops.WithAdmission(func(context.Context, *ops.Call) (func(), error) { return nil, stop }))
	r := x.Execute(t.Context(), ops.Call{
		Operation: operation, Arguments: arguments,
		Caller: &ops.Caller{Actor: "ai_1", Scopes: []string{"read", "publish", "usage", "review", "rate"}},
	})
	require.Contains(t, []ops.Code{ops.RateLimited, ops.ValidationFailed}, r.Err.Code)
	return r.Err.Code == ops.RateLimited, r.Text
}

func TestBoundaryValuesAreJudgedAsTheExecutorDoes(t *testing.T) {
	t.Parallel()
	reg := registry(t)
	checker, err := openmcp.NewChecker(document(t, site()))
	require.NoError(t, err)
	tried := map[string]map[bool]int{}
	check := func(t *testing.T, operation, what string, arguments map[string]any) {
		t.Helper()
		raw, err := json.Marshal(arguments)
		require.NoError(t, err)
		want, problems := judge(t, reg, operation, raw)
		call := append([]byte(`{"intent":"`+operation+`","parameters":`), append(raw, '}')...)
		got, err := checker.Check(call)
		require.NoError(t, err)
		require.Equal(t, want, got.Valid, "%s %s: %v\n%s", operation, what, got.Findings, problems)
		kind := what[strings.LastIndex(what, " ")+1:]
		if tried[kind] == nil {
			tried[kind] = map[bool]int{}
		}
		tried[kind][want]++
	}
	for _, op := range reg.Operations() {
		boundary.Each(t, op, func(what string, arguments map[string]any) { check(t, op.Spec().Name, what, arguments) })
	}
	for _, kind := range []string{"maxLength", "maxBytes", "minimum", "maximum", "minItems", "maxItems", "enum", "absent", "null"} {
		require.Positive(t, tried[kind][true], "%s: nothing was inside", kind)
		require.Positive(t, tried[kind][false], "%s: nothing was outside", kind)
	}
}

func TestTheSizeOfAllArgumentsIsJudgedAsTheExecutorDoes(t *testing.T) {
	t.Parallel()
	reg, doc := registry(t), document(t, site())
	op, _ := reg.Lookup("whoami")
	for size, want := range map[int]bool{op.MaxInputBytes(): true, op.MaxInputBytes() + 1: false} {
		raw := []byte("{" + strings.Repeat(" ", size-2) + "}")
		valid, _ := judge(t, reg, "whoami", raw)
		require.Equal(t, want, valid)
		got, err := checkCall(doc, append([]byte(`{"name":"whoami","arguments":`), append(raw, '}')...))
		require.NoError(t, err)
		require.Equal(t, want, got.Valid)
	}
}

// checkCall checks one call.
func checkCall(document, call []byte) (openmcp.CallReport, error) {
	k, err := openmcp.NewChecker(document)
	if err != nil {
		return openmcp.CallReport{}, err
	}
	return k.Check(call)
}

// small is a document of somebody else, with flat parameters only.
const small = `{"openmcpspec":"v0.4.1","info":{"title":"T","version":"1"},"server":{"name":"n","hostname":"h","port":1,"protocol":"http"},
"enumeration":{},"intents":[{"name":"find","responses":{},"parameters":[
{"name":"who","type":"string","pattern":"^[a-z]+$","required":true,"pii":true},
{"name":"when","type":"string","format":"date"},
{"name":"until","type":"string","dependencies":["when"]},
{"name":"how","type":"string","enum":["a","b"],"gdpr_sensitive":true},
{"name":"odd","type":"file"},
{"name":"look","type":"string","pattern":"^(?=a)b$"},
{"name":"many","type":"integer","minimum":1,"maximum":3},
{"name":"deep","type":"object","x_schema":{"type":"object","properties":{"x":{"type":"array","maxItems":1,"items":{"$ref":"#/definitions/int"}}}}}
]}],"definitions":{"int":{"type":"integer"}}}`

func TestCallsAreHeldAgainstTheDocument(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rule, call, pointer, found string }{
		{"valid", `{"intent":"find","parameters":{"who":"ann","many":3,"when":"2026-01-02","until":"x","deep":{"x":[1]}}}`, "", ""},
		{"other words for the same", `{"name":"find","arguments":{"who":"ann"}}`, "", ""},
		{"an unknown type is not checked", `{"name":"find","arguments":{"who":"ann","odd":[1]}}`, "", ""},
		{"what RE2 cannot check is not checked", `{"name":"find","arguments":{"who":"ann","look":"zzz"}}`, "", ""},
		{"both words", `{"name":"find","intent":"find","arguments":{"who":"ann"}}`, "/name", "call-form"},
		{"a member that is none", `{"name":"find","args":{},"arguments":{"who":"ann"}}`, "/args", "call-form"},
		{"no object", `[1]`, "", "call-form"},
		{"arguments that are no object", `{"name":"find","arguments":[1]}`, "/arguments", "call-form"},
		{"no intent", `{"parameters":{}}`, "/intent", "intent-unknown"},
		{"an unknown intent", `{"intent":"lose","parameters":{}}`, "/intent", "intent-unknown"},
		{"an unknown parameter", `{"intent":"find","parameters":{"who":"ann","what/ever":1}}`, "/parameters/what~1ever", "parameter-unknown"},
		{"a missing parameter", `{"intent":"find"}`, "/parameters", "parameter-missing"},
		{"a wrong type", `{"intent":"find","parameters":{"who":7}}`, "/parameters/who", "schema"},
		{"a broken pattern", `{"intent":"find","parameters":{"who":"Ann"}}`, "/parameters/who", "schema"},
		{"a broken format", `{"intent":"find","parameters":{"who":"ann","when":"soon"}}`, "/parameters/when", "schema"},
		{"a value that is none of the enum", `{"intent":"find","parameters":{"who":"ann","how":"c"}}`, "/parameters/how", "schema"},
		{"below the minimum", `{"intent":"find","parameters":{"who":"ann","many":0}}`, "/parameters/many", "schema"},
		{"above the maximum", `{"intent":"find","parameters":{"who":"ann","many":4}}`, "/parameters/many", "schema"},
		{"a fraction", `{"intent":"find","parameters":{"who":"ann","many":1.5}}`, "/parameters/many", "schema"},
		{"a dependency", `{"intent":"find","parameters":{"who":"ann","until":"x"}}`, "/parameters", "parameter-missing"},
		{"deep inside, by a definition", `{"intent":"find","parameters":{"who":"ann","deep":{"x":["a"]}}}`, "/parameters/deep/x/0", "schema"},
		{"too many items deep inside", `{"intent":"find","parameters":{"who":"ann","deep":{"x":[1,2]}}}`, "/parameters/deep/x", "schema"},
		{"an envelope of wrong types", `{"intent":"find","parameters":{"who":"ann"},"envelope":{"deadline_ms":"5"}}`, "/envelope/deadline_ms", "schema"},
		{"an envelope without time", `{"intent":"find","parameters":{"who":"ann"},"envelope":{"deadline_ms":0}}`, "/envelope/deadline_ms", "schema"},
		{"an envelope that is none", `{"intent":"find","parameters":{"who":"ann"},"envelope":[]}`, "/envelope", "schema"},
		{"a member that stands twice", `{"intent":"find","parameters":{"who":"ann","who":"bob"}}`, "/parameters/who", "duplicate-key"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			r, err := checkCall([]byte(small), []byte(tt.call))
			require.NoError(t, err)
			require.Equal(t, tt.found == "", r.Valid, "%+v", r.Findings)
			if tt.found == "" {
				require.Empty(t, r.Findings)
				return
			}
			require.Len(t, r.Findings, 1, "%+v", r.Findings)
			require.Equal(t, tt.pointer, r.Findings[0].Pointer)
			require.Equal(t, tt.found, r.Findings[0].Rule)
		})
	}
}

func TestFlaggedParametersOfACallAreListed(t *testing.T) {
	t.Parallel()
	r, err := checkCall([]byte(small), []byte(`{"intent":"find","parameters":{"who":"ann","how":"a","many":1}}`))
	require.NoError(t, err)
	require.Equal(t, []openmcp.Sensitive{{Parameter: "who", PII: true}, {Parameter: "how", GDPRSensitive: true}}, r.Sensitive)
	r, err = checkCall(document(t, site()), []byte(`{"intent":"search","parameters":{"query":"x"}}`))
	require.NoError(t, err)
	require.True(t, r.Valid)
	require.Empty(t, r.Sensitive)
}

func TestTheExampleOfTheEnvelopeIsAValidCall(t *testing.T) {
	t.Parallel()
	var d openmcp.Document
	require.NoError(t, json.Unmarshal(document(t, site()), &d))
	e := d.Envelope.Request
	call, err := json.Marshal(map[string]any{"intent": e.Intent, "parameters": e.Parameters, "envelope": map[string]any{
		"id": e.ID, "deadline_ms": e.DeadlineMS, "idempotency_key": e.IdempotencyKey, "trace_id": e.TraceID,
	}})
	require.NoError(t, err)
	r, err := checkCall(document(t, site()), call)
	require.NoError(t, err)
	require.True(t, r.Valid, "%+v", r.Findings)
}

func TestNothingIsHeldAgainstAnInvalidDocument(t *testing.T) {
	t.Parallel()
	_, err := checkCall([]byte(`{"openmcpspec":"v0.4.1"}`), []byte(`{}`))
	require.ErrorIs(t, err, openmcp.ErrInvalidDocument)
	_, err = checkCall([]byte(small), []byte(`{`))
	require.ErrorIs(t, err, openmcp.ErrNotJSON)
	_, err = checkCall([]byte(`{`), []byte(`{}`))
	require.ErrorIs(t, err, openmcp.ErrNotJSON)
}
