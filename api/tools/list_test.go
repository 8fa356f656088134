package tools_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/api/tools"
	"interai/evidence"
	"interai/internal/pgtest"
	"interai/internal/stack"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// Bounds of what a model has to read before it can call anything. A token is about four bytes of JSON or English.
const (
	bytesPerToken        = 4
	maxListTokens        = 6000
	maxDescriptionTokens = 120
)

// tool is one entry of tools/list.
type tool struct {
	Name         string         `json:"name"`
	Description  string         `json:"description"`
	InputSchema  map[string]any `json:"inputSchema"`  //nolint:tagliatelle // the protocol names it
	OutputSchema map[string]any `json:"outputSchema"` //nolint:tagliatelle // the protocol names it
	Annotations  map[string]any `json:"annotations"`
}

// list asks a running node for its tools, as a client does.
func list(t *testing.T) (raw json.RawMessage, all []tool) {
	t.Helper()
	s := stack.Start(t, stack.WithoutWorkers())
	status, body := s.Raw(s.Key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	require.Equal(t, 200, status, body)
	var answer struct {
		Result struct {
			Tools      json.RawMessage `json:"tools"`
			NextCursor string          `json:"nextCursor"` //nolint:tagliatelle // the protocol names it
		} `json:"result"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	require.Empty(t, answer.Result.NextCursor, "one page holds all")
	require.NoError(t, json.Unmarshal(answer.Result.Tools, &all))
	return answer.Result.Tools, all
}

// golden compares with a file, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o600))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "if this is meant: go test ./api/tools -update")
}

func TestToolsListIsStableSmallAndPortable(t *testing.T) {
	t.Parallel()
	raw, all := list(t)
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, raw, "", "  "))
	indented.WriteByte('\n')
	golden(t, "tools_list.json", indented.Bytes())

	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, raw))
	require.Less(t, compact.Len()/bytesPerToken, maxListTokens)
	registry, err := tools.NewRegistry(&evidence.Service{})
	require.NoError(t, err)
	var names []string
	for _, op := range registry.Operations() {
		names = append(names, op.Spec().Name)
	}
	require.Len(t, all, len(names))
	for i, tool := range all {
		t.Run(tool.Name, func(t *testing.T) {
			require.Equal(t, names[i], tool.Name)
			require.LessOrEqual(t, len(tool.Description)/bytesPerToken, maxDescriptionTokens)
			portable(t, "input", tool.InputSchema, true)
			portable(t, "output", tool.OutputSchema, false)
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				require.Contains(t, tool.Annotations, hint, "a hint that is absent may default to true")
			}
		})
	}
}

// spoken are the keywords that all clients understand.
var spoken = []string{
	"type", "properties", "required", "items", "enum", "description", "default", "additionalProperties", "minLength", "maxLength",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems", "uniqueItems", "pattern", "format", "$schema", "title",
}

// portable walks a schema: models and clients stumble over references, alternatives, lists of types, and inputs that
// take what nobody reads.
func portable(t *testing.T, at string, schema map[string]any, input bool) {
	t.Helper()
	for keyword := range schema {
		require.True(t, slices.Contains(spoken, keyword), "%s: %s", at, keyword)
	}
	kind, ok := schema["type"].(string)
	require.True(t, ok, "%s: type is %v", at, schema["type"])
	if values, ok := schema["enum"].([]any); ok {
		for _, value := range values {
			require.IsType(t, "", value, at)
		}
		require.Equal(t, "string", kind)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		portable(t, at+"[]", items, input)
	} else {
		require.NotEqual(t, "array", kind, "%s: a list of what?", at)
	}
	properties, ok := schema["properties"].(map[string]any)
	if input {
		require.True(t, kind != "object" || ok, "%s: an object of what?", at)
	}
	if input && len(properties) > 0 {
		require.Equal(t, false, schema["additionalProperties"], at)
	}
	for name, property := range properties {
		inner, ok := property.(map[string]any)
		require.True(t, ok, at+"."+name)
		portable(t, at+"."+name, inner, input)
		if input {
			require.NotEmpty(t, inner["description"], "%s.%s is not explained", at, name)
		}
	}
	for _, name := range listOf(schema["required"]) {
		require.Contains(t, properties, name)
	}
}

func listOf(value any) []string {
	var out []string
	values, _ := value.([]any)
	for _, v := range values {
		name, _ := v.(string)
		out = append(out, name)
	}
	return out
}

func TestScopesOfOperations(t *testing.T) {
	t.Parallel()
	registry, err := tools.NewRegistry(&evidence.Service{})
	require.NoError(t, err)
	for name, want := range map[string]ops.Spec{
		"compare": {Scope: "read", Effect: ops.Read},
		"get":     {Scope: "read", Effect: ops.Read}, "publish": {Scope: "publish", Effect: ops.Write},
		"report_usage": {Scope: "usage", Effect: ops.Write}, "review": {Scope: "review", Effect: ops.Write},
		"rate": {Scope: "rate", Effect: ops.Write}, "submit_experience": {Scope: "publish", Effect: ops.Write},
		"whoami": {Effect: ops.Read},
	} {
		op, known := registry.Lookup(name)
		require.True(t, known)
		require.Equal(t, want.Scope, op.Spec().Scope, name)
		require.Equal(t, want.Effect, op.Spec().Effect, name)
		require.Equal(t, want.Effect == ops.Write, op.Keyed(), name)
	}
	require.NotContains(t, tools.DefaultScopes(), "moderate")
}
