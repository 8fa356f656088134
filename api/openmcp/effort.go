package openmcp

import "github.com/santhosh-tekuri/jsonschema/v6"

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
