package ops

import (
	"encoding/json"
	"slices"
	"strconv"
)

// Schema is the portable subset of JSON Schema that every known client accepts:
// one type each, no references, no unions, no nullable types. It is derived from
// Go structs, so the published schema and the decoder cannot disagree. All
// adapters share it; none may change it.
type Schema struct {
	// Type is "object", "array", "string", "integer", "number" or "boolean".
	Type string
	// Description is the `doc` tag.
	Description string
	// Format is informative: "date-time", "uri", "uuid", "email".
	Format string
	// Pattern is an anchored regular expression.
	Pattern string
	// Enum lists the allowed strings.
	Enum []string
	// Default is the value that an absent field takes.
	Default json.RawMessage
	// MinLength and MaxLength count characters (runes).
	MinLength, MaxLength *int
	// MaxBytes bounds the UTF-8 bytes of a string, or the raw bytes of a free
	// object. JSON Schema has no word for it: a string publishes it as maxLength.
	MaxBytes int
	// MinItems and MaxItems count array items.
	MinItems, MaxItems *int
	// UniqueItems refuses equal items.
	UniqueItems bool
	// Minimum, Maximum and their exclusive forms bound numbers.
	Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum *float64
	// Properties are in the order of the struct's fields. An object of free keys has none: an empty list is published as
	// such, nil not at all.
	Properties []Property
	// Required names the properties that must be present.
	Required []string
	// Closed refuses properties beyond Properties.
	Closed bool
	// Values is the schema of the values of an object with free keys.
	Values *Schema
	// Items is the schema of an array's items.
	Items *Schema
	// PII marks personal data for OpenMCPSpec; it is not published in JSON Schema.
	PII bool
}

// Property is a named member of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// Property returns the schema of the named member, nil when there is none.
func (s *Schema) Property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// Walk calls visit for s and every schema inside it, with its JSON pointer.
func (s *Schema) Walk(visit func(path string, s *Schema)) { s.walk("", visit) }

func (s *Schema) walk(path string, visit func(string, *Schema)) {
	visit(path, s)
	for _, p := range s.Properties {
		p.Schema.walk(path+"/properties/"+p.Name, visit)
	}
	if s.Items != nil {
		s.Items.walk(path+"/items", visit)
	}
	if s.Values != nil {
		s.Values.walk(path+"/additionalProperties", visit)
	}
}

// MarshalJSON writes the schema in a fixed key order, so that documents made of
// it are stable and can be compared byte for byte.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.append(nil), nil }

// append writes the schema as JSON Schema 2020-12.
func (s *Schema) append(dst []byte) []byte {
	w := members{dst: append(dst, '{')}
	w.text("type", s.Type)
	if s.Description != "" {
		w.text("description", s.Description)
	}
	s.appendString(&w)
	s.appendNumber(&w)
	s.appendArray(&w)
	if s.Default != nil {
		w.raw("default", s.Default)
	}
	if s.Type == "object" {
		s.appendObject(&w)
	}
	return append(w.dst, '}')
}

func (s *Schema) appendString(w *members) {
	if s.Format != "" {
		w.text("format", s.Format)
	}
	if s.Pattern != "" {
		w.text("pattern", s.Pattern)
	}
	if len(s.Enum) > 0 {
		w.list("enum", s.Enum)
	}
	w.count("minLength", s.MinLength)
	w.count("maxLength", s.maxLength())
}

// maxLength is the published bound: a string of n bytes has at most n characters.
func (s *Schema) maxLength() *int {
	if s.Type != "string" || s.MaxBytes == 0 || (s.MaxLength != nil && *s.MaxLength <= s.MaxBytes) {
		return s.MaxLength
	}
	return &s.MaxBytes
}

func (s *Schema) appendNumber(w *members) {
	w.number("minimum", s.Minimum)
	w.number("maximum", s.Maximum)
	w.number("exclusiveMinimum", s.ExclusiveMinimum)
	w.number("exclusiveMaximum", s.ExclusiveMaximum)
}

func (s *Schema) appendArray(w *members) {
	w.count("minItems", s.MinItems)
	w.count("maxItems", s.MaxItems)
	if s.UniqueItems {
		w.raw("uniqueItems", []byte("true"))
	}
	if s.Items != nil {
		w.key("items")
		w.dst = s.Items.append(w.dst)
	}
}

func (s *Schema) appendObject(w *members) {
	if s.Properties != nil || s.Closed {
		w.key("properties")
		inner := members{dst: append(w.dst, '{')}
		for _, p := range s.Properties {
			inner.key(p.Name)
			inner.dst = p.Schema.append(inner.dst)
		}
		inner.dst = append(inner.dst, '}')
		w.dst = inner.dst
	}
	if len(s.Required) > 0 {
		w.list("required", s.Required)
	}
	switch {
	case s.Values != nil:
		w.key("additionalProperties")
		w.dst = s.Values.append(w.dst)
	case s.Closed:
		w.raw("additionalProperties", []byte("false"))
	}
}

// withError returns the published form of an output schema: no root required,
// and an error member, because clients validate failed results against it too. Its members are left open: they are the
// same in every operation, and listing them in each would cost every client hundreds of tokens.
func (s *Schema) withError() *Schema {
	out := *s
	out.Required = nil
	out.Properties = append(slices.Clone(s.Properties), Property{Name: "error", Schema: &Schema{Type: "object"}})
	return &out
}

// members writes the members of one JSON object in call order.
type members struct {
	dst  []byte
	some bool
}

func (w *members) key(name string) {
	if w.some {
		w.dst = append(w.dst, ',')
	}
	w.some = true
	w.dst = append(appendString(w.dst, name), ':')
}

func (w *members) text(name, value string) {
	w.key(name)
	w.dst = appendString(w.dst, value)
}

func (w *members) raw(name string, value []byte) {
	w.key(name)
	w.dst = append(w.dst, value...)
}

func (w *members) count(name string, n *int) {
	if n != nil {
		w.key(name)
		w.dst = strconv.AppendInt(w.dst, int64(*n), 10)
	}
}

func (w *members) number(name string, n *float64) {
	if n != nil {
		w.key(name)
		w.dst = strconv.AppendFloat(w.dst, *n, 'f', -1, 64)
	}
}

func (w *members) list(name string, values []string) {
	w.key(name)
	w.dst = append(w.dst, '[')
	for i, v := range values {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.dst = appendString(w.dst, v)
	}
	w.dst = append(w.dst, ']')
}
