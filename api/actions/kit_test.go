package actions_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/internal/stack"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// token is no secret of anything.
const token = "an-example-token-of-forty-characters-1234"

// origin is where the world would reach the node of a test.
const origin = "https://inter-ai.invalid"

// kit is a running node with Actions.
type kit struct {
	*stack.Stack

	t    *testing.T
	path string // of the token file
	seen *exchanges
}

// start runs a node whose Actions speak for the local agent.
func start(t *testing.T, opts ...stack.Option) *kit {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(path, []byte(token+"\n"), 0o600))
	opts = append([]stack.Option{
		stack.With("actions-token-file", path), stack.With("actions-calls-per-minute", "100000"), stack.With("public-url", origin),
	}, opts...)
	return &kit{Stack: stack.Start(t, opts...), t: t, path: path}
}

type fields = map[string]any

// reply is what came over the wire.
type reply struct {
	status int
	header http.Header
	body   string
}

// into decodes the body.
func (r reply) into(t *testing.T, out any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(r.body), out), r.body)
}

// code is the error's code and reason.
func (r reply) code(t *testing.T) string {
	t.Helper()
	var out struct {
		Error struct {
			Code    string
			Details struct{ Reason string }
		}
	}
	r.into(t, &out)
	return strings.TrimSuffix(out.Error.Code+": "+out.Error.Details.Reason, ": ")
}

// request sends anything to the node.
func (k *kit) request(method, path, body string, headers ...string) reply {
	k.t.Helper()
	r, err := http.NewRequestWithContext(k.t.Context(), method, strings.TrimSuffix(k.URL, "/mcp")+path, strings.NewReader(body))
	require.NoError(k.t, err)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(k.t, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	require.NoError(k.t, err)
	got := reply{response.StatusCode, response.Header, string(raw)}
	if k.seen != nil {
		k.seen.add(method, path, headers, body, got)
	}
	return got
}

// post calls an operation as a host does.
func (k *kit) post(operation string, arguments any) reply {
	k.t.Helper()
	body, err := json.Marshal(arguments)
	require.NoError(k.t, err)
	return k.request(http.MethodPost, "/actions/v1/"+operation, string(body), "Authorization", "Bearer "+token, "Content-Type", "application/json")
}

// query reads one row.
func (k *kit) query(sql string, into any, args ...any) {
	k.t.Helper()
	require.NoError(k.t, k.Store.Pool().QueryRow(k.t.Context(), sql, args...).Scan(into), sql)
}

// must is post for calls that cannot fail.
func (k *kit) must(operation string, arguments, out any) {
	k.t.Helper()
	got := k.post(operation, arguments)
	require.Equal(k.t, http.StatusOK, got.status, got.body)
	if out != nil {
		got.into(k.t, out)
	}
}
