package openapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"interai/api/openapi"
	"interai/api/ops"
	"interai/api/tools"
	"interai/evidence"
)

var update = flag.Bool("update", false, "write the golden file anew")

func registry(t *testing.T) *ops.Registry {
	t.Helper()
	registry, err := tools.NewRegistry(&evidence.Service{})
	require.NoError(t, err)
	return registry
}

// options are those of the golden file: fixed, with a name that never exists (RFC 2606).
func options() openapi.Options {
	return openapi.Options{
		Origin: "https://inter-ai.invalid", Title: "Inter-AI", Version: "test",
		Description: "A shared, traceable experience layer for AI agents.",
	}
}

func document(t *testing.T) []byte {
	t.Helper()
	raw, err := openapi.Document(registry(t), options())
	require.NoError(t, err)
	return raw
}

func TestTheDocumentIsTheGoldenFile(t *testing.T) {
	t.Parallel()
	pretty, err := openapi.Pretty(document(t))
	require.NoError(t, err)
	path := filepath.Join("testdata", "openapi.json")
	if *update {
		require.NoError(t, os.WriteFile(path, pretty, 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(pretty), "if this is meant: go test ./api/openapi -update")
}

func TestTheDocumentIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	first := document(t)
	for range 20 {
		require.Equal(t, first, document(t))
	}
}

func TestTheDocumentIsValidOpenAPI(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(document(t))
	require.NoError(t, err)
	require.NoError(t, doc.Validate(context.Background()))
	require.Equal(t, "3.1.0", doc.OpenAPI)
}

// parsed is as much of the document as the tests look at.
type parsed struct {
	Paths map[string]map[string]struct {
		OperationID   string `json:"operationId"`              //nolint:tagliatelle // OpenAPI names it
		Consequential *bool  `json:"x-openai-isConsequential"` //nolint:tagliatelle // OpenAI names it
		Summary       string
		Description   string
		Parameters    json.RawMessage
		RequestBody   struct {
			Required bool
			Content  map[string]struct{ Schema json.RawMessage }
		} `json:"requestBody"` //nolint:tagliatelle // OpenAPI names it
		Responses map[string]struct {
			Content map[string]struct{ Schema json.RawMessage }
		}
	}
	Servers    []struct{ URL string }
	Security   []map[string][]string
	Components struct {
		Schemas         map[string]json.RawMessage
		SecuritySchemes map[string]struct{ Type, Scheme string } `json:"securitySchemes"` //nolint:tagliatelle // OpenAPI names it
	}
}

func TestTheDocumentSaysWhatTheRegistrySays(t *testing.T) {
	t.Parallel()
	var doc parsed
	require.NoError(t, json.Unmarshal(document(t), &doc))
	require.Equal(t, "https://inter-ai.invalid", doc.Servers[0].URL)
	require.Equal(t, []map[string][]string{{"bearer": {}}}, doc.Security)
	require.Equal(t, "http", doc.Components.SecuritySchemes["bearer"].Type)
	require.Equal(t, "bearer", doc.Components.SecuritySchemes["bearer"].Scheme)
	require.Contains(t, doc.Components.Schemas, "Error")
	operations := registry(t).Operations()
	require.Len(t, doc.Paths, len(operations))
	for _, op := range operations {
		spec := op.Spec()
		item := doc.Paths["/actions/v1/"+spec.Name]
		require.Len(t, item, 1, "only POST")
		post := item["post"]
		require.Equal(t, spec.Name, post.OperationID)
		require.Equal(t, spec.Title, post.Summary)
		require.Equal(t, spec.Description, post.Description)
		require.Equal(t, spec.Effect == ops.Write, *post.Consequential)
		require.Empty(t, post.Parameters)
		require.True(t, post.RequestBody.Required)
		input, err := op.InputSchema().MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, string(input), string(post.RequestBody.Content["application/json"].Schema), "exactly the schema of MCP")
		require.NotContains(t, string(input), "$ref")
		_, conflict := post.Responses["409"]
		require.Equal(t, op.Keyed(), conflict)
		output := string(post.Responses["200"].Content["application/json"].Schema)
		require.Equal(t, spec.Effect == ops.Write, strings.Contains(output, `"omitted"`))
	}
}

// Objects must say their properties and lists their items; descriptions have an end.
func TestEverySchemaIsWithinTheImportersLimits(t *testing.T) {
	t.Parallel()
	var doc map[string]any
	require.NoError(t, json.Unmarshal(document(t), &doc))
	var walk func(at string, value any)
	walk = func(at string, value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				walk(at+"[]", item)
			}
		case map[string]any:
			if v["type"] == "object" {
				require.Contains(t, v, "properties", at)
			}
			if v["type"] == "array" {
				require.Contains(t, v, "items", at)
			}
			for _, name := range []string{"description", "summary"} {
				if text, ok := v[name].(string); ok {
					require.LessOrEqual(t, len([]rune(text)), 300, at)
				}
			}
			for name, inner := range v {
				walk(at+"/"+name, inner)
			}
		}
	}
	walk("", doc)
}

func TestTheDocumentHoldsNothingOfTheProcess(t *testing.T) {
	t.Parallel()
	pretty, err := openapi.Pretty(document(t))
	require.NoError(t, err)
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	for _, secret := range []string{
		"iai_", "postgres:", "postgresql", "dbname", "password", "localhost", "127.0.0.1", "::1", "/var/lib", "/home/", "/tmp", home + "/",
		"/mcp", "/healthz", "/readyz", "/metrics", "/console", "smtp", "http://", "INTERAI_", ".json\"",
	} {
		require.NotContains(t, string(pretty), secret)
	}
	require.Equal(t, 1, bytes.Count(pretty, []byte("https://")), "the origin alone")
}

type noIn struct{}

type noOut struct {
	Text string `json:"text"`
}

func many(t *testing.T, n int) *ops.Registry {
	t.Helper()
	var list []ops.Operation
	for i := range n {
		list = append(list, ops.Define(ops.Spec{
			Name: "op_" + string(rune('a'+i/26)) + string(rune('a'+i%26)), Title: "T", Description: "D.", Effect: ops.Read,
		}, func(context.Context, *ops.Call, *noIn) (*noOut, error) { return &noOut{}, nil }))
	}
	registry, err := ops.NewRegistry(list...)
	require.NoError(t, err)
	return registry
}

func TestWhatImportersRefuseIsNotBuilt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		operations int
		change     func(*openapi.Options)
		want       string
	}{
		"30 operations are the most":        {31, nil, "rule operations: importers take 1 to 30 operations, not 31"},
		"an empty registry says nothing":    {0, nil, "rule operations"},
		"the pretty form is bounded too":    {1, func(o *openapi.Options) { o.Description = strings.Repeat("x", 800_000) }, "rule size"},
		"the origin is checked":             {1, func(o *openapi.Options) { o.Origin = "http://example.org" }, "origin: scheme: rule https"},
		"a title is required":               {1, func(o *openapi.Options) { o.Title = "" }, "title, version and description are required"},
		"30 operations are few enough":      {30, nil, ""},
		"nothing is wrong with an ordinary": {1, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			if test.change != nil {
				test.change(&o)
			}
			_, err := openapi.Document(many(t, test.operations), o)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
}
