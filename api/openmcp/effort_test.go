package openmcp

import (
	"encoding/json"
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
