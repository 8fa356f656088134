package openmcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	test "testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// doubling is a schema whose definitions each name the next one twice, by a keyword: 2^n ways lead to the last.
func doubling(keyword string, n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, keyword, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"string"}}}`, n)
	return b.String()
}

func TestValidationIsBoundedInEffort(t *test.T) {
	t.Parallel()
	items := strings.TrimSuffix(strings.Repeat("1,", 100_000), ",")
	nested := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	for _, c := range []struct {
		name, schema, value string
		affordable          bool
	}{
		{"a plain schema", `{"type":"string"}`, `"a"`, true},
		{"a long list", `{"items":{"type":"integer"}}`, "[" + items + "]", true},
		{"a recursive schema on a nested value", `{"properties":{"a":{"$ref":"#"}}}`, nested, true},
		{"a reference to itself", `{"$ref":"#"}`, `1`, true},
		{"references in a circle", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `1`, true},
		{"a short doubling chain", doubling("allOf", 8), `"a"`, true},
		{"a long doubling chain of allOf", doubling("allOf", 60), `"a"`, false},
		{"a long doubling chain of anyOf", doubling("anyOf", 60), `1`, false},
		{"a long doubling chain of oneOf", doubling("oneOf", 60), `"a"`, false},
		{"doubling at each level of a value", `{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`, nested, false},
		{"doubling in items", `{"items":` + doubling("allOf", 60) + `}`, `["a"]`, false},
	} {
		t.Run(c.name, func(t *test.T) {
			t.Parallel()
			schema, _, err := decode([]byte(strings.ReplaceAll(c.schema, `"#/$defs/`, prefixOf(c.schema))))
			if err != nil {
				t.Fatal(err)
			}
			value, _, err := decode([]byte(c.value))
			if err != nil {
				t.Fatal(err)
			}
			s, err := compile(schema, jsonschema.Draft2020, true)
			if err != nil {
				t.Fatal(err)
			}
			if got := affordable(s, value); got != c.affordable {
				t.Fatalf("affordable: %t, want %t", got, c.affordable)
			}
			if c.affordable {
				return
			}
			if found := violations(s, value); len(found) != 1 || found[0].Keyword != "effort" {
				t.Fatalf("findings: %+v, want the one about the effort", found)
			}
			if allows(s, value) {
				t.Fatal("what cannot be validated must not count as allowed")
			}
		})
	}
}

// prefixOf is where the definitions of a schema stand.
func prefixOf(schema string) string {
	if strings.HasPrefix(schema, `{"items":{"$ref"`) {
		return `"#/items/$defs/`
	}
	return `"#/$defs/`
}

// TestFromLiveRepeatsDefinitionsWithinBounds: each parameter carries the definitions that it refers to, so that a server
// could make a document of any size by few bytes.
func TestFromLiveRepeatsDefinitionsWithinBounds(t *test.T) {
	t.Parallel()
	defs, properties := map[string]any{}, map[string]any{}
	for i := range 400 {
		defs[fmt.Sprint("d", i)] = map[string]any{"type": "string", "description": strings.Repeat("x", 1000)}
		properties[fmt.Sprint("p", i)] = map[string]any{"$ref": "#/$defs/d1"}
	}
	input, err := json.Marshal(map[string]any{"type": "object", "$defs": defs, "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	raw, findings, err := FromLive(Live{Tools: []LiveTool{{Name: "tool", Description: "A tool.", Input: input}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) > MaxDocumentBytes {
		t.Fatalf("the document has %d bytes", len(raw))
	}
	left := 0
	for _, f := range findings {
		if f.Rule == "left-out" && strings.HasSuffix(f.Pointer, "/x_schema") {
			left++
		}
	}
	if whole := strings.Count(string(raw), `"x_schema"`); whole == 0 || left == 0 || whole+left != 400 {
		t.Fatalf("%d parameters with their schema and %d that say why not, want 400 together", whole, left)
	}
}

// wide is a schema with n members of a keyword.
func wide(keyword string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"p%d":{"type":"string"}`, i)
	}
	return fmt.Sprintf(`{"%s":{%s}}`, keyword, strings.TrimPrefix(b.String(), ","))
}

func TestCompilingIsBoundedInEffort(t *test.T) {
	t.Parallel()
	const many = 20_000
	objects := strings.TrimSuffix(strings.Repeat(`{"a":true},`, many), ",")
	for _, c := range []struct {
		name     string
		document string
		before   compiling // effort on what was compiled before
		schema   string
		refused  bool
	}{
		{"a wide schema", `{}`, 0, wide("properties", 1000), false},
		{"a schema that is too wide", `{}`, 0, wide("properties", many), true},
		{"a list of schemas that is too long", `{}`, 0, `{"anyOf":[` + objects + `]}`, true},
		{"booleans that are schemas", `{}`, 0, `{"anyOf":[` + strings.TrimSuffix(strings.Repeat("true,", many), ",") + `]}`, true},
		{"values are no schemas", `{}`, 0, `{"enum":[` + objects + `],"examples":[` + objects + `],"const":[` + objects + `],"default":[` + objects + `]}`, false},
		{"a property that is called const", `{}`, 0, `{"properties":{"const":` + wide("properties", many) + `}}`, true},
		{"properties that are called as keywords are", `{}`, 0, `{"properties":{"enum":` + wide("properties", many) + `}}`, true},
		{"definitions that are referred to", `{"definitions":{"a":` + wide("properties", many) + `}}`, 0, `{"$ref":"#/definitions/a"}`, true},
		{"definitions over other ones", `{"definitions":{"a":{"not":{"$ref":"#/definitions/b"}},"b":` + wide("properties", many) + `}}`, 0, `{"$ref":"#/definitions/a"}`, true},
		{"definitions by a name", `{"definitions":{"b":{"$anchor":"b","properties":` + wide("x", many) + `}}}`, 0, `{"$ref":"#b"}`, true},
		{"definitions of others", `{"definitions":{"a":{"type":"string"},"b":` + wide("properties", many) + `}}`, 0, `{"$ref":"#/definitions/a"}`, false},
		{"a document that is a schema itself", `{"definitions":{"a":{"type":"string"}},"properties":` + wide("x", many) + `}`, 0, `{"$ref":"#/definitions/a"}`, true},
		{"too many in all", `{}`, maxCompiling - 100, `{"items":{"items":{"items":{"items":{"items":{"items":{"items":{"items":{"items":{"items":{}}}}}}}}}}}`, true},
		{"just as many", `{}`, maxCompiling - 100, `{"items":{}}`, false},
	} {
		t.Run(c.name, func(t *test.T) {
			t.Parallel()
			e := &embedded{document: decoded(t, c.document), effort: c.before}
			_, err := e.compile(decoded(t, c.schema), []string{"definitions", "a"})
			if got := errors.Is(err, ErrTooLarge); got != c.refused || !c.refused && err != nil {
				t.Fatalf("%v, want a refusal: %t", err, c.refused)
			}
		})
	}
}

func TestScalarsAreComparedByTheirOwnKeywords(t *test.T) {
	t.Parallel()
	s := object(decoded(t, wide("properties", 20_000)))
	s["type"], s["enum"] = "string", []any{"a", "b"}
	if values, few := finite(s); !few || len(values) != 2 {
		t.Fatalf("%v, few: %t", values, few)
	}
}

func decoded(t *test.T, text string) any {
	t.Helper()
	value, _, err := decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}
