package ops

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// kind says how a node is decoded and encoded.
type kind int

const (
	kindString kind = iota
	kindInt
	kindUint
	kindFloat
	kindBool
	kindText   // a type with MarshalText and UnmarshalText
	kindRaw    // json.RawMessage that holds an object
	kindStruct // closed object
	kindMap    // object with free keys
	kindSlice
)

// node is the compiled plan of one Go type at one place: what the decoder, the
// encoder and the published schema all follow.
type node struct {
	kind    kind
	typ     reflect.Type // without pointer
	ptr     bool
	schema  *Schema
	pattern *regexp.Regexp
	rule    Rule // of pattern
	fields  []field
	elem    *node // slice items, map values
}

// field is one member of a struct node.
type field struct {
	name      string
	index     []int
	node      *node
	required  bool
	omitEmpty bool
	omitZero  bool
}

// planner compiles types. In output mode constraints only document.
type planner struct {
	rules  map[string]Rule
	output bool
	open   map[reflect.Type]bool // types being compiled, to refuse recursion
	errs   []error
}

var (
	rawType         = reflect.TypeFor[json.RawMessage]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	fieldName       = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
)

// compile plans the struct type t.
func compile(t reflect.Type, rules []Rule, output bool) (*node, error) {
	p := planner{rules: map[string]Rule{}, output: output, open: map[reflect.Type]bool{}}
	for _, r := range append(BuiltinRules(), rules...) {
		p.rules[r.Name] = r
	}
	if t.Kind() != reflect.Struct || t == rawType {
		return nil, fmt.Errorf("%s is not a struct", t)
	}
	n := p.node(t.Name(), t, "")
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return n, nil
}

func (p *planner) failf(where, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...)))
}

// node plans type t; schemaTag is the field's `schema` tag.
func (p *planner) node(where string, t reflect.Type, schemaTag string) *node {
	n := &node{typ: t}
	if t.Kind() == reflect.Pointer {
		n.ptr, n.typ = true, t.Elem()
	}
	switch {
	case n.typ == rawType:
		if schemaTag != "object" {
			p.failf(where, `json.RawMessage needs the tag schema:"object"`)
		}
		n.kind, n.schema = kindRaw, p.free(nil)
	case p.isText(n.typ):
		n.kind, n.schema = kindText, &Schema{Type: "string"}
		if n.typ.PkgPath() == "time" && n.typ.Name() == "Time" {
			n.schema.Format = "date-time"
		}
	case n.typ.Implements(jsonMarshaler), reflect.PointerTo(n.typ).Implements(jsonUnmarshaler):
		p.failf(where, "%s has its own JSON form, which has no schema", n.typ)
		n.schema = &Schema{Type: "string"}
	default:
		p.basic(where, n)
	}
	return n
}

// free is the schema of an object with free keys. Some hosts of models refuse an input that says nothing about the
// properties of an object; in answers the words would only cost their readers.
func (p *planner) free(values *Schema) *Schema {
	s := &Schema{Type: "object", Values: values}
	if !p.output {
		s.Properties = []Property{}
	}
	return s
}

// isText reports whether t travels as a string through its text methods.
func (p *planner) isText(t reflect.Type) bool {
	if p.output {
		return t.Implements(textMarshaler) || reflect.PointerTo(t).Implements(textMarshaler)
	}
	return reflect.PointerTo(t).Implements(textUnmarshaler)
}

// basic plans the kinds without methods.
func (p *planner) basic(where string, n *node) {
	switch n.typ.Kind() {
	case reflect.String:
		n.kind, n.schema = kindString, &Schema{Type: "string"}
	case reflect.Bool:
		n.kind, n.schema = kindBool, &Schema{Type: "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.kind, n.schema = kindInt, &Schema{Type: "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		zero := 0.0
		n.kind, n.schema = kindUint, &Schema{Type: "integer", Minimum: &zero}
	case reflect.Float32, reflect.Float64:
		n.kind, n.schema = kindFloat, &Schema{Type: "number"}
	case reflect.Slice:
		if n.typ.Elem().Kind() == reflect.Uint8 {
			p.failf(where, "bytes have no portable schema: use a base64 string")
		}
		n.kind = kindSlice
		n.elem = p.node(where+"[]", n.typ.Elem(), "object")
		n.schema = &Schema{Type: "array", Items: n.elem.schema}
	case reflect.Map:
		if n.typ.Key().Kind() != reflect.String {
			p.failf(where, "map keys must be strings")
		}
		n.kind = kindMap
		n.elem = p.node(where+"{}", n.typ.Elem(), "object")
		n.schema = p.free(n.elem.schema)
	case reflect.Struct:
		n.kind, n.schema = kindStruct, &Schema{Type: "object", Closed: true}
		p.fields(where, n)
	default:
		p.failf(where, "%s has no portable schema", n.typ)
		n.schema = &Schema{Type: "string"}
	}
}

// fields plans the members of a struct, embedded ones flattened.
func (p *planner) fields(where string, n *node) {
	if p.open[n.typ] {
		p.failf(where, "%s contains itself", n.typ)
		return
	}
	p.open[n.typ] = true
	defer delete(p.open, n.typ)
	for _, f := range reflect.VisibleFields(n.typ) {
		if f.Anonymous && (f.Type.Kind() != reflect.Struct || f.Tag.Get("json") != "") {
			p.failf(where+"."+f.Name, "only plain structs may be embedded, without a JSON name")
		}
		if !f.IsExported() || f.Anonymous || f.Tag.Get("json") == "-" {
			continue
		}
		p.field(where, n, f)
	}
}

// leaveOpen publishes only that a member of an answer is an object, or a list of
// objects. Listing the members of every part of a large answer would cost each
// client thousands of tokens before its first call.
func (p *planner) leaveOpen(where string, n *node) {
	switch {
	case !p.output:
		p.failf(where, "only answers may leave a schema open")
	case n.kind == kindStruct:
		n.schema = &Schema{Type: "object"}
	case n.kind == kindSlice && n.elem.kind == kindStruct:
		n.schema = &Schema{Type: "array", Items: &Schema{Type: "object"}}
	default:
		p.failf(where, "only an object or a list of objects can be left open")
	}
}

// field plans one member: its name, type, constraints, documentation.
func (p *planner) field(where string, n *node, f reflect.StructField) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	where += "." + f.Name
	if !fieldName.MatchString(name) {
		p.failf(where, "json name %q is not lower_snake_case", name)
		return
	}
	if n.schema.Property(name) != nil {
		p.failf(where, "json name %q is used twice", name)
		return
	}
	member := field{name: name, index: f.Index}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			member.omitEmpty = true
		case "omitzero":
			member.omitZero = true
		default:
			p.failf(where, "json option %q is not supported", option)
		}
	}
	member.node = p.node(where, f.Type, f.Tag.Get("schema"))
	if f.Tag.Get("schema") == "open" {
		p.leaveOpen(where, member.node)
	}
	s := member.node.schema
	s.Description = f.Tag.Get("doc")
	s.PII = f.Tag.Get("pii") == "true"
	member.required = p.constrain(where, member.node, f)
	if member.required {
		n.schema.Required = append(n.schema.Required, name)
	}
	n.fields = append(n.fields, member)
	n.schema.Properties = append(n.schema.Properties, Property{Name: name, Schema: s})
}
