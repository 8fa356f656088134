package schemas

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Problem is one thing that does not fit.
type Problem struct {
	// Path is a JSON pointer (RFC 6901) into the object, "" for the whole.
	Path string
	// Rule is the keyword of JSON Schema that is broken, or local_reference.
	Rule string
	// Message says what was expected. It repeats no value.
	Message string
}

const (
	// maxProblems bounds an answer: a list of ten thousand wrong items is one mistake.
	maxProblems = 20
	// maxSegmentBytes bounds one segment of a path, since names of free objects are the caller's text.
	maxSegmentBytes = 64
	// embeddedSchema is the format of a field that holds a JSON Schema itself.
	embeddedSchema = "json-schema"
	// ruleReference is the rule that a reference inside of such a field must keep.
	ruleReference = "local_reference"
)

// node is the check of one place. The library validates a place against one keyword at a time, so that a problem has
// its pointer and its rule, which the library's own errors hide in prose.
type node struct {
	keywords   []keyword
	properties map[string]*node
	items      *node
	embedded   bool
}

type keyword struct {
	rule, message string
	schema        *jsonschema.Resolved
}

// compile makes the check of a schema that uses no other keywords than type, properties, items and annotations.
func compile(schema *jsonschema.Schema) (*node, error) {
	n := &node{embedded: schema.Format == embeddedSchema}
	// The library takes any word for a type.
	if !slices.Contains([]string{"object", "array", "string", "integer", "number", "boolean"}, schema.Type) {
		return nil, fmt.Errorf("%q has no type that is checked: %q", schema.Description, schema.Type)
	}
	resolved, err := (&jsonschema.Schema{Type: schema.Type}).Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("prepare type %s: %w", schema.Type, err)
	}
	n.keywords = []keyword{{rule: "type", message: "must be of type " + schema.Type, schema: resolved}}
	if schema.Items != nil {
		if n.items, err = compile(schema.Items); err != nil {
			return nil, err
		}
	}
	if len(schema.Properties) > 0 {
		n.properties = map[string]*node{}
	}
	for name, property := range schema.Properties {
		if n.properties[name], err = compile(property); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return n, nil
}

// findings are the problems so far.
type findings struct{ list []Problem }

func (f *findings) add(path, rule, message string) {
	if len(f.list) < maxProblems {
		f.list = append(f.list, Problem{Path: path, Rule: rule, Message: message})
	}
}

// walk checks a value and what is inside it. A value of the wrong type is not looked into.
func (n *node) walk(path string, value any, found *findings) {
	for _, k := range n.keywords {
		if k.schema.Validate(value) != nil {
			found.add(path, k.rule, k.message)
			return
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if property := n.properties[name]; property != nil {
				property.walk(path+"/"+segment(name), v[name], found)
			}
		}
	case []any:
		for i, item := range v {
			if n.items != nil {
				n.items.walk(fmt.Sprintf("%s/%d", path, i), item, found)
			}
		}
	}
	if n.embedded {
		references(path, value, found)
	}
}

// references finds references that leave the embedded schema: readers would fetch them.
func references(path string, value any, found *findings) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			target, isText := v[name].(string)
			if (name == "$ref" || name == "$dynamicRef") && isText && !strings.HasPrefix(target, "#") {
				found.add(path+"/"+segment(name), ruleReference, "must refer to a place inside the same schema, as in #/$defs/name")
			}
			references(path+"/"+segment(name), v[name], found)
		}
	case []any:
		for i, item := range v {
			references(fmt.Sprintf("%s/%d", path, i), item, found)
		}
	}
}

// segment is a name as a segment of a pointer, on one line and bounded.
func segment(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	if len(name) > maxSegmentBytes {
		name = strings.ToValidUTF8(name[:maxSegmentBytes], "") + "…"
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
