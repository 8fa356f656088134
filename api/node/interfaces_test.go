package node_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/openmcp"
	"interai/api/ops"
	"interai/api/tools"
	"interai/evidence"
	"interai/internal/boundary"
	"interai/internal/stack"
)

// The three descriptions of the interface, as clients read them over the wire.
type (
	listedTool struct {
		Name, Title, Description  string
		InputSchema, OutputSchema map[string]any
		Annotations               map[string]any
	}
	describedPath struct {
		OperationID   string `json:"operationId"` //nolint:tagliatelle // a name of OpenAPI
		Summary       string
		Description   string
		Consequential bool `json:"x-openai-isConsequential"` //nolint:tagliatelle // a name of the importer
		RequestBody   struct{ Content map[string]content }
		Responses     map[string]struct{ Content map[string]content }
	}
	content struct{ Schema map[string]any }
	intent  struct {
		Name, Description string
		Title             string `json:"x_title"`
		Closed            bool   `json:"x_closed"`
		Parameters        []map[string]any
		Responses         struct {
			Success struct{ Schema map[string]any }
		}
		Metadata struct {
			Scopes      []string       `json:"rbac_scopes"`
			Annotations map[string]any `json:"x_mcp_annotations"`
		}
	}
)

// fetched reads a document of a node.
func fetched(t *testing.T, s *stack.Stack, path string, into any) {
	t.Helper()
	response, err := http.Get(strings.TrimSuffix(s.URL, "/mcp") + path)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, string(raw))
	require.NoError(t, json.Unmarshal(raw, into))
}

// rpc sends one message over plain HTTP and answers its result.
func rpc(t *testing.T, s *stack.Stack, message string, into any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(message))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+s.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	var answer struct{ Result json.RawMessage }
	require.NoError(t, json.Unmarshal(raw, &answer), string(raw))
	require.NoError(t, json.Unmarshal(answer.Result, into), string(raw))
}

// bare is a schema without the empty properties that some importers want objects to have, and without the extensions by
// which OpenMCPSpec says more than JSON Schema can.
func bare(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if empty, ok := member.(map[string]any); ok && name == "properties" && len(empty) == 0 || strings.HasPrefix(name, "x_") {
				continue
			}
			out[name] = bare(member)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = bare(v[i])
		}
		return out
	default:
		return value
	}
}

// arguments puts an intent's parameters together as one schema again. What a parameter says flatly must be what its schema
// says.
func (i *intent) arguments(t *testing.T) map[string]any {
	t.Helper()
	properties, required := map[string]any{}, []any{}
	for _, p := range i.Parameters {
		name, ok := p["name"].(string)
		require.True(t, ok)
		require.NotContains(t, properties, name, "each is named once")
		schema, ok := p["x_schema"].(map[string]any)
		require.True(t, ok, name)
		for _, word := range []string{"type", "description", "enum", "pattern", "minimum", "maximum", "format", "default"} {
			require.Equal(t, schema[word], p[word], "%s: %s", name, word)
		}
		properties[name] = schema
		if p["required"] == true {
			required = append(required, name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	if i.Closed {
		out["additionalProperties"] = false
	}
	return out
}

// sorted is a schema whose required names are in order: a list of them is a set.
func sorted(schema map[string]any) map[string]any {
	out := maps.Clone(schema)
	if required, ok := out["required"].([]any); ok {
		required = slices.Clone(required)
		slices.SortFunc(required, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		out["required"] = required
	}
	return out
}

// TestAllInterfacesSayTheSame holds tools/list, OpenAPI and OpenMCPSpec against each other as one node serves them: names,
// order, titles, descriptions, schemas with all their bounds, required fields, answers, effects and errors. That these
// bounds are the executor's is held by the boundary values of api/openmcp, and here on the wire.
func TestAllInterfacesSayTheSame(t *testing.T) {
	t.Parallel()
	token := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(token, []byte(strings.Repeat("reflection-", 4)+"\n"), 0o600))
	s := stack.Start(t, stack.With("actions-token-file", token), stack.With("public-url", "https://inter-ai.invalid"))
	var list struct{ Tools []listedTool }
	rpc(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, &list)
	var openAPI struct {
		Paths      map[string]map[string]describedPath
		Components struct{ Schemas map[string]map[string]any }
	}
	fetched(t, s, "/openapi.json", &openAPI)
	var openMCP struct {
		Intents     []intent
		Definitions map[string]map[string]any
	}
	fetched(t, s, "/openmcpspec.json", &openMCP)

	require.Len(t, list.Tools, 9)
	require.Len(t, openAPI.Paths, len(list.Tools))
	require.Len(t, openMCP.Intents, len(list.Tools))
	for i, tool := range list.Tools {
		t.Run(tool.Name, func(t *testing.T) {
			theirs := openMCP.Intents[i]
			require.Equal(t, []string{tool.Name, tool.Title, tool.Description}, []string{theirs.Name, theirs.Title, theirs.Description})
			require.Equal(t, bare(sorted(tool.InputSchema)), bare(sorted(theirs.arguments(t))))
			require.Equal(t, tool.OutputSchema, theirs.Responses.Success.Schema)
			require.Equal(t, tool.Title, tool.Annotations["title"])
			delete(tool.Annotations, "title")
			require.Equal(t, tool.Annotations, theirs.Metadata.Annotations)

			path, ok := openAPI.Paths["/actions/v1/"+tool.Name]
			require.True(t, ok)
			post := path["post"]
			require.Equal(t, []string{tool.Name, tool.Title, tool.Description}, []string{post.OperationID, post.Summary, post.Description})
			require.Equal(t, tool.InputSchema, post.RequestBody.Content["application/json"].Schema)
			require.Equal(t, tool.Annotations["readOnlyHint"] == true, !post.Consequential)
			answersAgree(t, &tool, post.Responses["200"].Content["application/json"].Schema)
			for status, response := range post.Responses {
				if status != "200" {
					require.Equal(t, map[string]any{"$ref": "#/components/schemas/Error"}, response.Content["application/json"].Schema, status)
				}
			}
		})
	}
	failure := openAPI.Components.Schemas["Error"]["properties"].(map[string]any)["error"]
	require.Equal(t, bare(openMCP.Definitions["errorEnvelope"]), bare(failure), "one form of errors")
	var codes []any
	for _, code := range ops.Codes() {
		codes = append(codes, string(code))
	}
	require.Equal(t, codes, failure.(map[string]any)["properties"].(map[string]any)["code"].(map[string]any)["enum"])
}

// TestWhatTheDocumentsForbidIsRefusedByEveryInterface sends every call that is just outside of a bound, as the served
// OpenMCPSpec document says, over MCP and over Actions: both refuse it with the same problems.
func TestWhatTheDocumentsForbidIsRefusedByEveryInterface(t *testing.T) {
	t.Parallel()
	const token = "boundary-values-boundary-values-boundary"
	path := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(path, []byte(token+"\n"), 0o600))
	s := stack.Start(t, stack.With("actions-token-file", path), stack.With("actions-calls-per-minute", "1000000"))
	var document json.RawMessage
	fetched(t, s, "/openmcpspec.json", &document)
	checker, err := openmcp.NewChecker(document)
	require.NoError(t, err)
	registry, err := tools.NewRegistry(&evidence.Service{})
	require.NoError(t, err)
	refused := 0
	for _, op := range registry.Operations() {
		name := op.Spec().Name
		boundary.Each(t, op, func(what string, arguments map[string]any) {
			raw, err := json.Marshal(arguments)
			require.NoError(t, err)
			verdict, err := checker.Check([]byte(`{"intent":"` + name + `","parameters":` + string(raw) + `}`))
			require.NoError(t, err)
			if verdict.Valid || len(raw) > 100_000 { // large ones are the boundary values' own test
				return
			}
			var result struct {
				StructuredContent struct{ Error ops.Error }
			}
			rpc(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":`+string(raw)+`}}`, &result)
			e := result.StructuredContent.Error
			require.Equal(t, ops.ValidationFailed, e.Code, "%s %s", name, what)
			require.NotEmpty(t, e.Details.Problems)
			require.Equal(t, e.Details.Problems, overActions(t, s, token, name, raw).Details.Problems, "%s %s", name, what)
			refused++
		})
	}
	require.Greater(t, refused, 300)
}

// overActions sends a call that fails and answers the failure.
func overActions(t *testing.T, s *stack.Stack, token, operation string, arguments []byte) ops.Error {
	t.Helper()
	url := strings.TrimSuffix(s.URL, "/mcp") + "/actions/v1/" + operation
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(arguments))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusBadRequest, response.StatusCode)
	var failure struct{ Error ops.Error }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&failure))
	return failure.Error
}

// answersAgree compares an answer's schemas. A write over Actions may answer without the result that was too large.
func answersAgree(t *testing.T, tool *listedTool, actions map[string]any) {
	t.Helper()
	mine, theirs := bare(tool.OutputSchema).(map[string]any), bare(actions).(map[string]any)
	mineMembers, _ := mine["properties"].(map[string]any)
	theirMembers := maps.Clone(theirs["properties"].(map[string]any))
	omitted := []string{"omitted", "reason", "operation", "id", "hint"}
	for name, member := range mineMembers {
		if name != "error" { // a failure has its own status and body there
			require.Equal(t, member, theirMembers[name], name)
		}
		delete(theirMembers, name)
	}
	for name := range theirMembers {
		require.Equal(t, false, tool.Annotations["readOnlyHint"], "%s: a read is never omitted", name)
		require.Contains(t, omitted, name)
	}
}
