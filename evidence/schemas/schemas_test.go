package schemas

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func load(t testing.TB) *Set {
	t.Helper()
	set, err := Load()
	require.NoError(t, err)
	return set
}

func TestEveryPromisedTypeHasASchema(t *testing.T) {
	t.Parallel()
	set := load(t)
	require.Equal(t, []string{"code", "comparison", "configuration", "dataset", "procedure", "prompt", "skill"}, set.Types())
	for _, contentType := range set.Types() {
		document, ok := set.Document(contentType)
		require.True(t, ok)
		require.Equal(t, "interai://schemas/"+contentType, document.URI)
		require.NotEmpty(t, document.Version)
		require.NotEmpty(t, document.Title)
		require.NotEmpty(t, document.Description)
		var text map[string]any
		require.NoError(t, json.Unmarshal(document.JSON, &text))
		require.Equal(t, "https://json-schema.org/draft/2020-12/schema", text["$schema"])
		optionalAndOpen(t, contentType, text)
	}
	_, ok := set.Document("note")
	require.False(t, ok)
}

// optionalAndOpen walks a schema: nothing is required, nothing is closed, everything is explained, and nothing is used
// that the check does not know.
func optionalAndOpen(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	for name := range schema {
		require.Contains(t, []string{"$schema", "$id", "version", "title", "description", "type", "properties", "items", "format"}, name, at)
	}
	require.NotEmpty(t, schema["type"], at)
	if format, has := schema["format"]; has {
		require.Equal(t, embeddedSchema, format, at)
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		inner, ok := property.(map[string]any)
		require.True(t, ok, at+"."+name)
		require.NotEmpty(t, inner["description"], at+"."+name)
		optionalAndOpen(t, at+"."+name, inner)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		optionalAndOpen(t, at+"[]", items)
	}
}

func TestWrongTypesAreNamedByPointerAndRule(t *testing.T) {
	t.Parallel()
	set := load(t)
	for name, c := range map[string]struct {
		contentType, data string
		want              []string
	}{
		"an empty object":              {"code", `{}`, nil},
		"nothing":                      {"code", ``, nil},
		"fields that fit":              {"code", `{"language":"go","dependencies":["a 1"],"files":[{"path":"a.go"}]}`, nil},
		"unknown fields":               {"code", `{"mood":1,"files":[{"mood":[]}]}`, nil},
		"an unknown type":              {"poem", `{"language":5}`, nil},
		"a number for a string":        {"code", `{"language":5}`, []string{"/language type"}},
		"null for a string":            {"code", `{"language":null}`, []string{"/language type"}},
		"a string for a list":          {"code", `{"dependencies":"a"}`, []string{"/dependencies type"}},
		"a wrong item":                 {"code", `{"dependencies":["a",1,true]}`, []string{"/dependencies/1 type", "/dependencies/2 type"}},
		"a wrong field of an item":     {"procedure", `{"steps":[{"text":"a"},{"text":{}}]}`, []string{"/steps/1/text type"}},
		"a fraction for an integer":    {"dataset", `{"rows":1.5}`, []string{"/rows type"}},
		"a whole number as a fraction": {"dataset", `{"rows":2.0}`, nil},
		"an integer for a number":      {"prompt", `{"temperature":1}`, nil},
		"a string for a boolean":       {"prompt", `{"variables":[{"required":"yes"}]}`, []string{"/variables/0/required type"}},
		"several at once":              {"skill", `{"name":1,"version":2,"tools":[3]}`, []string{"/name type", "/tools/0 type", "/version type"}},
		"a local reference":            {"prompt", `{"input_schema":{"$ref":"#/$defs/a"}}`, nil},
		"a remote reference":           {"prompt", `{"input_schema":{"a":[{"$ref":"https://x.example/s"}]}}`, []string{"/input_schema/a/0/$ref local_reference"}},
		"a relative reference":         {"skill", `{"inputs":{"$dynamicRef":"other.json"}}`, []string{"/inputs/$dynamicRef local_reference"}},
		"a field called $ref":          {"configuration", `{"settings":{"$ref":"https://x.example/s"}}`, nil},
		"names with slashes":           {"prompt", `{"input_schema":{"a/b~c":{"$ref":"x"}}}`, []string{"/input_schema/a~1b~0c/$ref local_reference"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range set.Check(c.contentType, json.RawMessage(c.data)) {
				require.NotEmpty(t, p.Message)
				got = append(got, p.Path+" "+p.Rule)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestManyProblemsAreCut(t *testing.T) {
	t.Parallel()
	data := `{"dependencies":[` + strings.TrimSuffix(strings.Repeat("1,", 5000), ",") + `]}`
	require.Len(t, load(t).Check("code", json.RawMessage(data)), maxProblems)
}

func TestLongNamesInPathsAreCut(t *testing.T) {
	t.Parallel()
	data := fmt.Sprintf(`{"input_schema":{%q:{"$ref":"x"}}}`, strings.Repeat("é", 500))
	problems := load(t).Check("prompt", json.RawMessage(data))
	require.Len(t, problems, 1)
	require.Less(t, len(problems[0].Path), 120)
}

func TestWrongDocumentsAreRefused(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"no JSON": `{`, "no version": `{"$id":"interai://schemas/x","type":"object"}`,
		"another ID":       `{"$id":"interai://schemas/y","version":"1","type":"object"}`,
		"an invalid type":  `{"$id":"interai://schemas/x","version":"1","type":"object","properties":{"a":{"type":"text"}}}`,
		"a missing type":   `{"$id":"interai://schemas/x","version":"1","type":"object","properties":{"a":{"description":"b"}}}`,
		"a remote pointer": `{"$id":"interai://schemas/x","version":"1","type":"object","properties":{"a":{"type":"object","$ref":"https://x.example/s"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := &Set{documents: map[string]Document{}, checks: map[string]*node{}}
			require.Error(t, set.add("x", []byte(raw)))
		})
	}
}

// The check agrees with the library's own judgement of the whole schema, but for references inside embedded schemas.
func TestTheCheckAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	set := load(t)
	rapid.Check(t, func(t *rapid.T) {
		contentType := rapid.SampledFrom(set.Types()).Draw(t, "type")
		document, _ := set.Document(contentType)
		var schema jsonschema.Schema
		if err := json.Unmarshal(document.JSON, &schema); err != nil {
			t.Fatal(err)
		}
		whole, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		value := drawLike(t, &schema, 0)
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if want, got := whole.Validate(value) == nil, len(set.Check(contentType, data)) == 0; want != got {
			t.Fatalf("%s: library %t, check %t", data, want, got)
		}
	})
}

// drawLike draws a value that mostly follows a schema.
func drawLike(t *rapid.T, schema *jsonschema.Schema, depth int) any {
	if depth > 0 && rapid.IntRange(0, 7).Draw(t, "stray") == 0 {
		return rapid.SampledFrom([]any{"text", 1.5, 2.0, true, nil, []any{}, map[string]any{}}).Draw(t, "value")
	}
	switch schema.Type {
	case "object":
		out := map[string]any{}
		for name, property := range schema.Properties {
			if rapid.Bool().Draw(t, name) {
				out[name] = drawLike(t, property, depth+1)
			}
		}
		return out
	case "array":
		out := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			out = append(out, drawLike(t, schema.Items, depth+1))
		}
		return out
	case "integer":
		return float64(rapid.IntRange(-5, 5).Draw(t, "integer"))
	case "number":
		return rapid.Float64Range(-5, 5).Draw(t, "number")
	case "boolean":
		return rapid.Bool().Draw(t, "boolean")
	default:
		return rapid.StringN(0, 5, 20).Draw(t, "text")
	}
}
