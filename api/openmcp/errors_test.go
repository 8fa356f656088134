package openmcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/openmcp"
	"interai/api/ops"
	"interai/internal/stack"
	"interai/store"
)

type fields = map[string]any

// planted is a text with the form of a credential.
const planted = "postgres://svc:q7Zt0001XnB9LwK4@db.acme-prod.net:5432/main"

// described is the part of a document that is about errors.
type described struct {
	root   any
	Errors []openmcp.Failure `json:"x_interai_errors"`
	seen   map[string]map[string]bool
}

func describe(t *testing.T, document []byte) *described {
	t.Helper()
	d := &described{seen: map[string]map[string]bool{}}
	require.NoError(t, json.Unmarshal(document, d))
	var err error
	d.root, err = jsonschema.UnmarshalJSON(bytes.NewReader(document))
	require.NoError(t, err)
	return d
}

// compile makes a validator of a schema at a place of the document.
func (d *described) compile(t *testing.T, pointer string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("mem:///document", d.root))
	s, err := c.Compile("mem:///document#" + pointer)
	require.NoError(t, err)
	return s
}

// provoked holds a real error against what the document says of its code.
func (d *described) provoked(t *testing.T, e *ops.Error) {
	t.Helper()
	require.NotNil(t, e)
	raw, err := json.Marshal(e)
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	require.NoError(t, d.compile(t, "/definitions/errorEnvelope").Validate(value), "%s", raw)
	details := value.(fields)["details"].(fields)
	i := d.index(t, e.Code)
	at, err := json.Marshal(i)
	require.NoError(t, err)
	require.NoError(t, d.compile(t, "/x_interai_errors/"+string(at)+"/payload_schema").Validate(details), "%s", raw)
	require.NoError(t, d.compile(t, "/intents/0/responses/error/payload_schema").Validate(details), "%s", raw)
	require.Equal(t, openmcp.CodeOf(e.Code), d.Errors[i].Code)
	if !d.Errors[i].RetryableByDetails {
		require.Equal(t, d.Errors[i].Retryable, e.Details.Retryable, "%s", raw)
	}
	if len(d.Errors[i].RecoveryHints) > 0 && (e.Code != ops.ValidationFailed || len(e.Details.Problems) > 0) {
		require.NotEmpty(t, e.Details.RecoveryHints, "%s", raw)
	}
	if d.seen[string(e.Code)] == nil {
		d.seen[string(e.Code)] = map[string]bool{}
	}
	for name := range details {
		d.seen[string(e.Code)][name] = true
	}
}

func (d *described) index(t *testing.T, code ops.Code) int {
	t.Helper()
	for i, failure := range d.Errors {
		if failure.Ours == string(code) {
			return i
		}
	}
	t.Fatalf("%s is not described", code)
	return -1
}

// failed is the error of a call, which must have one.
func failed(t *testing.T, s *stack.Stack, client *mcp.Client, tool string, args any, envelope fields) *ops.Error {
	t.Helper()
	var meta fields
	if envelope != nil {
		meta = fields{ops.EnvelopeMember: envelope}
	}
	_, err := client.Call(t.Context(), tool, args, meta)
	var e *ops.Error
	require.ErrorAs(t, err, &e, "%s", tool)
	return e
}

func TestEveryCodeIsSentAsItIsDescribed(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.WithoutWorkers(), stack.With("writes-per-hour", "12"), stack.With("reads-per-hour", "1000"))
	status, body := get(t, strings.TrimSuffix(s.URL, "/mcp")+openmcp.Path)
	require.Equal(t, http.StatusOK, status)
	d := describe(t, body)
	agent := s.Client(s.Key)
	_, _, otherKey := s.Party(store.Verification{})
	other := s.Client(otherKey)

	var item struct{ ID string }
	s.Must(agent, "publish", fields{"content_type": "note", "title": "Retry with jitter", "idempotency_key": "k1"}, &item)
	rejected := failed(t, s, other, "publish", fields{"content_type": "note", "title": "Key", "body_markdown": planted}, nil)
	for _, e := range []*ops.Error{
		failed(t, s, agent, "get", fields{"id": "cnt_01h2xcejqtf2nbrexx3vqjhp41"}, nil),
		failed(t, s, agent, "get", fields{"id": "garbage", "limit": 1000}, nil),
		failed(t, s, agent, "search", fields{"query": "x", "cursor": "nothing"}, nil),
		failed(t, s, agent, "get", fields{"id": item.ID}, fields{"deadline_ms": -1}),
		failed(t, s, agent, "report_usage", fields{"target": s.Agent.String(), "result": "success"}, nil),
		failed(t, s, agent, "review", fields{"target": item.ID, "verdict": "confirmed"}, nil),
		failed(t, s, other, "publish", fields{"content_type": "note", "title": "Mine now", "revision_of": item.ID}, nil),
		failed(t, s, agent, "publish", fields{"content_type": "note", "title": "Another", "idempotency_key": "k1"}, nil),
		failed(t, s, s.Client(s.KeyOf(s.Agent, "read")), "publish", fields{"content_type": "note", "title": "x"}, nil),
		rejected, appeal(t, s, other, rejected),
		failed(t, s, other, "publish", fields{"content_type": "note", "title": "Mail", "body_markdown": "Ask ann.miller@gmail.com about it."}, nil),
		refused(t, s.URL, http.StatusUnauthorized), refused(t, strings.TrimSuffix(s.URL, "/mcp")+openmcp.Path, http.StatusMethodNotAllowed),
	} {
		d.provoked(t, e)
	}
	for range 20 { // until nothing is left of the hour
		_, err := other.Call(t.Context(), "publish", fields{"content_type": "note", "title": "More"}, nil)
		var e *ops.Error
		if errors.As(err, &e) && e.Code == ops.RateLimited {
			d.provoked(t, e)
			break
		}
	}
	internal(t, d)
	d.complete(t)
}

// appeal is the answer to an appeal against a rejection about which nobody has decided yet.
func appeal(t *testing.T, s *stack.Stack, client *mcp.Client, rejected *ops.Error) *ops.Error {
	t.Helper()
	var id string
	require.NoError(t, json.Unmarshal(rejected.Details.Extra["case"], &id))
	return failed(t, s, client, "review", fields{"target": id, "verdict": "contradicted", "rationale_markdown": "It is a placeholder."}, nil)
}

// refused is the error of an HTTP request that reaches no operation.
func refused(t *testing.T, url string, status int) *ops.Error {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{}`))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, status, response.StatusCode)
	var out struct{ Error *ops.Error }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&out))
	return out.Error
}

// failing are the ways in which a handler can end a call.
func failing(ctx context.Context, c *ops.Call, mode string) error {
	switch mode {
	case "wait":
		<-ctx.Done()
		return ctx.Err()
	case "committed":
		c.MarkAudited()
		return errors.New("broken behind the commit")
	case "broken":
		return errors.New("broken")
	case "unavailable":
		return ops.Unavailable("database_unavailable", 1)
	default:
		return ops.NewError(ops.Code(mode), "It went wrong.")
	}
}

// internal provokes what a healthy server does not do, through the real executor, and errors without hints of their own:
// these have the documented ones.
func internal(t *testing.T, d *described) {
	t.Helper()
	type in struct {
		Mode string `json:"mode" validate:"required"`
	}
	type out struct{}
	run := func(ctx context.Context, c *ops.Call, in *in) (*out, error) { return nil, failing(ctx, c, in.Mode) }
	reg, err := ops.NewRegistry(
		ops.Define(ops.Spec{Name: "look", Title: "Look", Description: "Looks.", Effect: ops.Read, Scope: "read"}, run),
		ops.Define(ops.Spec{Name: "keep", Title: "Keep", Description: "Keeps.", Effect: ops.Write, Scope: "read"}, run),
	)
	require.NoError(t, err)
	x := ops.NewExecutor(reg, ops.WithLogger(stack.Logger(t)))
	execute := func(operation, mode string) *ops.Error {
		return x.Execute(t.Context(), ops.Call{
			Operation: operation, Arguments: json.RawMessage(`{"mode":"` + mode + `"}`),
			Caller: &ops.Caller{Scopes: []string{"read"}}, Meta: ops.Meta{Deadline: 20e6},
		}).Err
	}
	hints := map[string]bool{}
	for _, mode := range []string{"wait", "committed", "broken", "unavailable"} {
		for _, operation := range []string{"look", "keep"} {
			e := execute(operation, mode)
			require.Equal(t, ops.InternalError, e.Code)
			d.provoked(t, e)
			for _, hint := range e.Details.RecoveryHints {
				hints[hint] = true
			}
		}
	}
	documented := d.Errors[d.index(t, ops.InternalError)].RecoveryHints
	require.Len(t, hints, len(documented), "each outcome has its hint")
	for _, hint := range documented {
		require.True(t, hints[hint], hint)
	}
	for _, code := range ops.Codes() {
		e := execute("look", string(code))
		want := d.Errors[d.index(t, code)]
		require.Equal(t, code, e.Code)
		if want.RetryableByDetails || code == ops.ValidationFailed || code == ops.ContentRejected {
			continue // their hints depend on their details
		}
		d.provoked(t, e)
		for i := range want.RecoveryHints {
			want.RecoveryHints[i] = strings.ReplaceAll(want.RecoveryHints[i], "{scope}", "read")
		}
		require.Equal(t, want.RecoveryHints, e.Details.RecoveryHints, code)
		require.Equal(t, want.Retryable, e.Details.Retryable, code)
	}
}

// complete looks whether every code and every documented member was really sent.
func (d *described) complete(t *testing.T) {
	t.Helper()
	require.Len(t, d.Errors, len(ops.Codes()))
	for _, failure := range d.Errors {
		require.NotEmpty(t, d.seen[failure.Ours], "%s was never sent", failure.Ours)
		schema, ok := failure.PayloadSchema.(fields)
		require.True(t, ok)
		require.Equal(t, false, schema["additionalProperties"], failure.Ours)
		for name := range schema["properties"].(fields) {
			if name == "recovery_hints" && len(failure.RecoveryHints) == 0 {
				continue
			}
			require.True(t, d.seen[failure.Ours][name], "%s: details.%s was never sent", failure.Ours, name)
		}
	}
}

func get(t *testing.T, url string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	var body bytes.Buffer
	_, err = body.ReadFrom(response.Body)
	require.NoError(t, err)
	return response.StatusCode, body.Bytes()
}

func TestTheDocumentIsServedForTheAddressOfTheReader(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.WithoutWorkers())
	base := strings.TrimSuffix(s.URL, "/mcp")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+openmcp.Path, http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	_ = response.Body.Close()
	require.Equal(t, "application/json", response.Header.Get("Content-Type"))
	tag := response.Header.Get("ETag")
	require.NotEmpty(t, tag)
	r.Header.Set("If-None-Match", tag)
	response, err = http.DefaultClient.Do(r)
	require.NoError(t, err)
	_ = response.Body.Close()
	require.Equal(t, http.StatusNotModified, response.StatusCode)

	_, body := get(t, base+openmcp.Path)
	require.Contains(t, string(body), base+"/mcp")
	require.NotContains(t, string(body), s.Key)
	require.NotContains(t, string(body), s.ConnString)
	report, err := openmcp.Validate(body, openmcp.Options{})
	require.NoError(t, err)
	require.Empty(t, report.Findings)
	var d openmcp.Document
	require.NoError(t, json.Unmarshal(body, &d))
	s.Must(s.Client(s.Key), "whoami", nil, nil)
	_, metrics := get(t, base+"/metrics")
	for _, name := range d.Analytics.Metrics {
		require.Contains(t, string(metrics), name)
	}
	for _, endpoint := range d.Server.Endpoints {
		if !strings.HasSuffix(endpoint, "/mcp") {
			status, _ := get(t, endpoint)
			require.Equal(t, http.StatusOK, status, endpoint)
		}
	}
	require.Equal(t, 10_000_000, d.Analytics.UsageQuota)
}

func TestTheEnvelopeIsKeptInTheAuditRow(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.WithoutWorkers())
	client := s.Client(s.Key)
	envelope := fields{"id": "req-77", "trace_id": "trace-77"}
	meta := fields{ops.EnvelopeMember: envelope}
	_, err := client.Call(t.Context(), "publish", fields{"content_type": "note", "title": "A write"}, meta)
	require.NoError(t, err)
	_, err = client.Call(t.Context(), "search", fields{"query": "a read"}, meta)
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), s.ConnString)
	require.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	s.Eventually("both rows are there", func() bool {
		var n int
		require.NoError(t, conn.QueryRow(t.Context(),
			`select count(*) from mcp_calls where run->>'envelope_id' = 'req-77' and run->>'trace_id' = 'trace-77'`).Scan(&n))
		return n == 2
	})
	_, err = client.Call(t.Context(), "search", fields{"query": "x"}, fields{ops.EnvelopeMember: fields{"id": planted}})
	require.NoError(t, err)
	s.Eventually("the masked row is there", func() bool {
		var masked, plain int
		require.NoError(t, conn.QueryRow(t.Context(),
			`select count(*) filter (where run->>'envelope_id' is not null), count(*) filter (where run::text like '%q7Zt%') from mcp_calls`).Scan(&masked, &plain))
		require.Zero(t, plain)
		return masked == 3
	})
}

func TestAKeyInTheEnvelopeMakesAWriteSafeToRepeat(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.WithoutWorkers())
	client := s.Client(s.Key)
	send := func(title, key string) (id string, err error) {
		raw, err := client.Call(t.Context(), "publish", fields{"content_type": "note", "title": title}, fields{ops.EnvelopeMember: fields{"idempotency_key": key}})
		if err != nil {
			return "", err
		}
		var out struct{ ID string }
		require.NoError(t, json.Unmarshal(raw, &out))
		return out.ID, nil
	}
	first, err := send("Once", "key-1")
	require.NoError(t, err)
	again, err := send("Once", "key-1")
	require.NoError(t, err)
	require.Equal(t, first, again)
	_, err = send("Something else", "key-1")
	require.Equal(t, ops.IdempotencyConflict, ops.CodeOf(err))
	e := failed(t, s, client, "publish", fields{"content_type": "note", "title": "x", "idempotency_key": "a"}, fields{"idempotency_key": "b"})
	require.Equal(t, ops.ValidationFailed, e.Code)
}
