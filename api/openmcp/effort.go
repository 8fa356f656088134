package openmcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The steps of one validation, schemas that are held against values, are bounded by what an honest schema needs for the
// values that there are: a chain of schemas that each name the next one twice takes 2 to the power of its length.
const (
	leastEffort     = 200_000
	effortPerMember = 50
)

// maxEffortDepth bounds the schemas that lead to one another; references in a circle are the library's to report.
const maxEffortDepth = 10_000

// affordable reports whether a value can be held against a schema within the bound. It counts the most that validation
// can take, since the library offers no way to stop it.
func affordable(s *jsonschema.Schema, value any) bool {
	e := effort{left: leastEffort + effortPerMember*size(value), here: map[*jsonschema.Schema]bool{}}
	return e.count(s, value, 0)
}

// size is how many values a value has in it, itself included.
func size(value any) int {
	n := 1
	for _, member := range object(value) {
		n += size(member)
	}
	for _, item := range list(value) {
		n += size(item)
	}
	return n
}

type effort struct {
	left int
	here map[*jsonschema.Schema]bool // that lead to the present one, for the same value
}

// count reports whether there is effort left after a schema and all that it leads to.
func (e *effort) count(s *jsonschema.Schema, value any, depth int) bool {
	if s == nil || e.here[s] {
		return true
	}
	if e.left--; e.left < 0 || depth > maxEffortDepth {
		return false
	}
	e.here[s] = true
	defer delete(e.here, s)
	for _, next := range inPlace(s) {
		if !e.count(next, value, depth+1) {
			return false
		}
	}
	members, items := object(value), list(value)
	if len(members) == 0 && len(items) == 0 {
		return true
	}
	above := e.here
	e.here = map[*jsonschema.Schema]bool{}
	defer func() { e.here = above }()
	return e.members(s, members, depth+1) && e.items(s, items, depth+1)
}

// inPlace are the schemas that are held against the same value. Which of several dynamic references counts is not known
// before; the nearest one is taken.
func inPlace(s *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.ContentSchema}
	if s.DynamicRef != nil {
		out = append(out, s.DynamicRef.Ref)
	}
	for _, some := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		out = append(out, some...)
	}
	for _, next := range s.DependentSchemas {
		out = append(out, next)
	}
	for _, next := range s.Dependencies {
		out = append(out, schemaIn(next))
	}
	return out
}

// members counts what is held against the members of an object.
func (e *effort) members(s *jsonschema.Schema, members map[string]any, depth int) bool {
	for name, member := range members {
		if !e.count(s.PropertyNames, name, depth) {
			return false
		}
		next := []*jsonschema.Schema{s.Properties[name], schemaIn(s.AdditionalProperties), s.UnevaluatedProperties}
		for _, pattern := range s.PatternProperties {
			next = append(next, pattern)
		}
		if !e.all(next, member, depth) {
			return false
		}
	}
	return true
}

// items counts what is held against the items of a list.
func (e *effort) items(s *jsonschema.Schema, items []any, depth int) bool {
	tuple, _ := s.Items.([]*jsonschema.Schema)
	for i, item := range items {
		next := []*jsonschema.Schema{s.Contains, schemaIn(s.Items), schemaIn(s.AdditionalItems), s.Items2020, s.UnevaluatedItems}
		for _, positions := range [][]*jsonschema.Schema{tuple, s.PrefixItems} {
			if i < len(positions) {
				next = append(next, positions[i])
			}
		}
		if !e.all(next, item, depth) {
			return false
		}
	}
	return true
}

func (e *effort) all(schemas []*jsonschema.Schema, value any, depth int) bool {
	for _, s := range schemas {
		if !e.count(s, value, depth) {
			return false
		}
	}
	return true
}

// schemaIn is the schema in a keyword that may hold something else.
func schemaIn(v any) *jsonschema.Schema { s, _ := v.(*jsonschema.Schema); return s }

// The library looks for every schema that it meets among all that it has met, so that compiling takes time with the square
// of their number. All that a document has may take as much as four schemas of the largest size.
const (
	maxSchemas   = 10_000
	maxCompiling = 4 * maxSchemas * maxSchemas
)

var errTooManySchemas = fmt.Errorf("it has more than %d schemas in it, or the document has too many: %w", maxSchemas, ErrTooLarge)

// compiling is the effort that the schemas of one document have taken, at most maxCompiling.
type compiling int

// afford reports whether so many schemas may be compiled together, and counts the effort.
func (c *compiling) afford(n int) bool {
	more := compiling(n * n)
	if n > maxSchemas || *c+more > maxCompiling {
		return false
	}
	*c += more
	return true
}

// compile makes a validator of a schema that needs nothing around it.
func (c *compiling) compile(schema any) (*jsonschema.Schema, error) {
	if !c.afford(schemasIn(schema)) {
		return nil, errTooManySchemas
	}
	return compile(schema, jsonschema.Draft2020, true)
}

// schemasIn is how many schemas may be in a value: every object and every boolean that is no mere data.
func schemasIn(value any) int {
	n := 0
	walkSchemas(value, func(map[string]any) {}, &n)
	return n
}

func walkSchemas(value any, visit func(map[string]any), n *int) {
	switch v := value.(type) {
	case bool:
		*n++
	case []any:
		for _, item := range v {
			walkSchemas(item, visit, n)
		}
	case map[string]any:
		*n++
		visit(v)
		for name, member := range v {
			// A list there is data; what else has such a name may be the schema of a property.
			if _, isList := member.([]any); !isList || !slices.Contains([]string{"enum", "examples", "const", "default"}, name) {
				walkSchemas(member, visit, n)
			}
		}
	}
}

// reachable is how many schemas may have to be compiled for one that stands in the document, with all that it leads to.
func (e *embedded) reachable(schema any) int {
	n, seen, wait := 0, map[string]bool{}, []any{schema}
	visit := func(s map[string]any) {
		for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			ref, ok := s[keyword].(string)
			if !ok || seen[ref] {
				continue
			}
			seen[ref] = true
			var target any = e.document // by a name, it may be anything
			if path, ok := strings.CutPrefix(ref, "#/"); ok {
				if found := lookup(e.document, path); found != nil {
					target = found
				}
			}
			wait = append(wait, target)
		}
	}
	for len(wait) > 0 && n <= maxSchemas {
		next := wait[0]
		wait = wait[1:]
		walkSchemas(next, visit, &n)
	}
	// The document itself is looked at as the schema that all stand in.
	for name, member := range object(e.document) {
		if !known(name) {
			walkSchemas(member, func(map[string]any) {}, &n)
		}
	}
	return n
}

// known reports whether a member of a document's root is one of the specification's, or an extension: no keyword of a
// schema.
func known(name string) bool {
	switch name {
	case "openmcpspec", "info", "server", "envelope", "intents", "enumeration", "lifecycle", "testing", "analytics", "definitions", "$defs":
		return true
	}
	return strings.HasPrefix(name, "x_")
}
