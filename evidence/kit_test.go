package evidence_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/jobs"
	"interai/store"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = checks.Value.Set(propertyChecks) // a number is always accepted
	}
	os.Exit(pgtest.Main(m))
}

// fields is an input or an answer as JSON has it.
type fields = map[string]any

// bundle is a node with two parties: the local agent, who writes, and another one, who uses what was written.
type bundle struct {
	*stack.Stack

	t            *testing.T
	author, user *mcp.Client
	userID       store.ID
}

func setup(t *testing.T, options ...stack.Option) *bundle {
	t.Helper()
	s := stack.Start(t, options...)
	b := &bundle{Stack: s, t: t, author: s.Client(s.Key)}
	_, id, key := s.Party(store.Verification{Vouched: true})
	b.user, b.userID = s.Client(key), id
	return b
}

// publish publishes with the least that is needed; more adds fields or replaces them.
func (b *bundle) publish(client *mcp.Client, more fields) evidence.PublishOutput {
	b.t.Helper()
	var out evidence.PublishOutput
	b.Must(client, "publish", draft(more), &out)
	return out
}

// use reports one success of a target.
func (b *bundle) use(client *mcp.Client, target string) evidence.RecordOutput {
	b.t.Helper()
	var out evidence.RecordOutput
	b.Must(client, "report_usage", fields{"target": target, "result": "success"}, &out)
	return out
}

// get reads an object.
func (b *bundle) get(client *mcp.Client, id string, include ...string) evidence.GetOutput {
	b.t.Helper()
	var out evidence.GetOutput
	args := fields{"id": id}
	if len(include) > 0 {
		args["include"] = include
	}
	b.Must(client, "get", args, &out)
	return out
}

// raw calls a tool and answers the JSON of the result as it came.
func (b *bundle) raw(client *mcp.Client, tool string, args any) (string, error) {
	raw, err := client.Call(b.t.Context(), tool, args, nil)
	return string(raw), err
}

// text calls a tool as the author does, and answers the text that a model reads.
func (b *bundle) text(tool string, args fields) string {
	b.t.Helper()
	encoded, err := json.Marshal(args)
	require.NoError(b.t, err)
	_, body := b.Raw(b.Key, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, encoded))
	answer := decode[struct {
		Result struct{ Content []struct{ Text string } }
	}](b.t, body)
	require.NotEmpty(b.t, answer.Result.Content, body)
	return answer.Result.Content[0].Text
}

// setController moves an actor under another controller, as an operator does.
func (b *bundle) setController(actor, controller store.ID) error {
	enqueuer, err := jobs.NewEnqueuer(b.Store, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return enqueuer.SetController(b.t.Context(), b.Store, actor, controller)
}

// count runs a query that answers one number.
func (b *bundle) count(sql string, args ...any) int {
	b.t.Helper()
	var n int
	require.NoError(b.t, b.Store.Pool().QueryRow(b.t.Context(), sql, args...).Scan(&n))
	return n
}

// fails requires an error code and answers the error.
func fails(t *testing.T, code ops.Code, err error) *ops.Error {
	t.Helper()
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Code, "%s", e.Text())
	return e
}

// broken lists the rules that an input broke, as "path rule".
func broken(e *ops.Error) []string {
	var out []string
	for _, p := range e.Details.Problems {
		out = append(out, p.Path+" "+p.Rule)
	}
	return out
}

func draft(more fields) fields {
	args := fields{"content_type": "note", "title": "A note"}
	maps.Copy(args, more)
	return args
}

func fresh(t *testing.T, kind store.Kind) string {
	t.Helper()
	id, err := store.NewID(kind)
	require.NoError(t, err)
	return id.String()
}

// together runs n calls at once and answers their results in order.
func together(n int, call func(i int) (string, error)) ([]string, []error) {
	answers, errs := make([]string, n), make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			answers[i], errs[i] = call(i)
		})
	}
	close(start)
	all.Wait()
	return answers, errs
}

func decode[T any](t *testing.T, raw string) T {
	t.Helper()
	var out T
	require.NoError(t, json.Unmarshal([]byte(raw), &out))
	return out
}
