package ops

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSchemaIsDerivedFromTheStruct(t *testing.T) {
	op := Define[noteIn, noteOut](spec("note", Write), nil)
	got, err := json.Marshal(op.InputSchema().Property("title"))
	require.NoError(t, err)
	require.Equal(t, `{"type":"string","description":"What it is about.","minLength":1,"maxLength":20}`, string(got))

	tests := []struct{ field, want string }{
		{"kind", `{"type":"string","description":"How it is written.","enum":["plain","rich"]}`},
		{"name", `{"type":"string","pattern":"^[a-z][a-z0-9_]*$"}`},
		{"score", `{"type":"number","minimum":0,"maximum":100}`},
		{"big", `{"type":"integer"}`},
		{"small", `{"type":"integer","minimum":0}`},
		{"limit", `{"type":"integer","minimum":1,"maximum":50,"default":10}`},
		{"flag", `{"type":"boolean"}`},
		{"tags", `{"type":"array","maxItems":3,"items":{"type":"string","minLength":1,"maxLength":5}}`},
		{"other", `{"type":"object","properties":{"id":{"type":"string","maxLength":8},"name":{"type":"string"},"n":{"type":"integer","minimum":1}},"required":["n"],"additionalProperties":false}`},
		{"extra", `{"type":"object","properties":{}}`},
		{"labels", `{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`},
		{"when", `{"type":"string","format":"date-time"}`},
		{"contact", `{"type":"string","maxLength":8}`},
	}
	for _, tt := range tests {
		t.Run(tt.field, func(t *testing.T) {
			s := op.InputSchema().Property(tt.field)
			require.Equal(t, tt.want, string(s.append(nil)))
		})
	}
	require.True(t, op.InputSchema().Property("contact").PII)
	require.Equal(t, []string{"title"}, op.InputSchema().Required)
}

func TestEmptyInputHasAClosedSchema(t *testing.T) {
	op := Define[emptyIn, noteOut](spec("whoami", Read), nil)
	require.Equal(t, `{"type":"object","properties":{},"additionalProperties":false}`, string(op.InputSchema().append(nil)))
}

func TestOutputSchemaAdmitsErrorsAndRequiresNothing(t *testing.T) {
	op := Define[noteIn, noteOut](spec("note", Read), nil)
	s := op.OutputSchema()
	require.Equal(t, "object", s.Type)
	require.Empty(t, s.Required)
	require.NotNil(t, s.Property("error"))
	require.Nil(t, op.output.schema.Property("error"), "the encoder's plan has no error member")

	raw := s.append(nil)
	var parsed jsonschema.Schema
	require.NoError(t, json.Unmarshal(raw, &parsed))
	resolved, err := parsed.Resolve(nil)
	require.NoError(t, err)
	var failure any
	require.NoError(t, json.Unmarshal(Invalid(Problem{Path: "/a", Rule: "b", Message: "c"}).Structured(), &failure))
	require.NoError(t, resolved.Validate(failure), "clients validate errors against the output schema")
	success, err := op.encode(&noteOut{})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(success, &failure))
	require.NoError(t, resolved.Validate(failure))
}

func TestSchemasArePortable(t *testing.T) {
	allowed := map[string]bool{
		"type": true, "description": true, "format": true, "pattern": true, "enum": true, "minLength": true, "maxLength": true,
		"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "minItems": true, "maxItems": true,
		"uniqueItems": true, "items": true, "default": true, "properties": true, "required": true, "additionalProperties": true,
	}
	op := Define[noteIn, noteOut](spec("note", Read), nil)
	for _, s := range []*Schema{op.InputSchema(), op.OutputSchema()} {
		seen := 0
		s.Walk(func(path string, s *Schema) {
			seen++
			require.Contains(t, []string{"object", "array", "string", "integer", "number", "boolean"}, s.Type, path)
			var raw map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(s.append(nil), &raw), path)
			for key := range raw {
				require.True(t, allowed[key], "%s has the keyword %s", path, key)
			}
			if s.Type == "array" {
				require.NotNil(t, s.Items, path)
			}
		})
		require.Greater(t, seen, 10)
	}
}

func TestSchemaAgreesWithAnotherValidator(t *testing.T) {
	op := Define[plainIn, noteOut](spec("plain", Read), nil)
	var parsed jsonschema.Schema
	require.NoError(t, json.Unmarshal(op.InputSchema().append(nil), &parsed))
	resolved, err := parsed.Resolve(nil)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		field := rapid.SampledFrom([]string{"title", "kind", "name", "score", "limit", "flag", "tags", "items", "extra", "map", "short"}).Draw(t, "field")
		value := rapid.SampledFrom([]string{`""`, `"plain"`, `"a b"`, `-1`, `0`, `100`, `101`, `1.5`, `true`, `[]`, `["a"]`, `["toolong"]`, `{}`, `{"a":"b"}`, `[{"n":1}]`, `[{"n":0}]`, `[{}]`, `"0123456789012345678901"`}).Draw(t, "value")
		text := `{"title":"t","flag":true,"tags":["x"],` + string(appendString(nil, field)) + `:` + value + `}`
		if field == "title" || field == "flag" || field == "tags" {
			text = `{` + string(appendString(nil, field)) + `:` + value + `}`
		}
		var instance any
		if err := json.Unmarshal([]byte(text), &instance); err != nil {
			t.Fatal(err)
		}
		_, ours := op.decode([]byte(text), 0, nil)
		theirs := resolved.Validate(instance)
		if (ours == nil) != (theirs == nil) {
			t.Fatalf("%s\nours: %v\ntheirs: %v", text, ours, theirs)
		}
	})
}

func TestEncodeNeverWritesNullOrHTMLEscapes(t *testing.T) {
	op := Define[noteIn, noteOut](spec("note", Read), nil)
	raw, err := op.encode(&noteOut{ID: "a<b>&c", Body: "é\u2028", Big: 9007199254740993})
	require.NoError(t, err)
	require.Equal(t, `{"id":"a<b>&c","body":"é`+"\u2028"+`","list":[],"nested":[],"free":{},"scores":{},"big":9007199254740993}`, string(raw))
}

func TestEncodeSortsKeysAndKeepsOrder(t *testing.T) {
	op := Define[noteIn, noteOut](spec("note", Read), nil)
	ratio := 0.25
	raw, err := op.encode(&noteOut{
		Key: "k", Ratio: &ratio, List: []string{"z", "a"}, Nested: []pairOut{{A: "x"}},
		Free: json.RawMessage(`{ "b" : 1 }`), Scores: map[string]pairOut{"z": {}, "a": {B: 1}},
	})
	require.NoError(t, err)
	require.Equal(t, `{"id":"","body":"","key":"k","list":["z","a"],"nested":[{"a":"x","b":0}],"ratio":0.25,"free":{"b":1},`+
		`"scores":{"a":{"a":"","b":1},"z":{"a":"","b":0}},"big":0}`, string(raw))
}

type (
	badRequired struct {
		N int `json:"n" validate:"required"`
	}
	badOptional struct {
		Kind string `json:"kind" validate:"oneof=a b"`
	}
	badPointer struct {
		N *int `json:"n" validate:"max=3"`
	}
	badTag struct {
		A string `json:"a" validate:"omitempty,alphanum"`
	}
	badName struct {
		A string
	}
	badType struct {
		A any `json:"a"`
	}
	badRaw struct {
		A json.RawMessage `json:"a"`
	}
	badRecursive struct {
		A []badRecursive `json:"a"`
	}
	badDefault struct {
		A int `json:"a" default:"x"`
	}
	badDefaultRange struct {
		A int `json:"a" validate:"min=5" default:"3"`
	}
	badEnum struct {
		A int `json:"a" validate:"omitempty,oneof=1 2"`
	}
	badBytes struct {
		A []byte `json:"a"`
	}
	badError struct {
		Error string `json:"error"`
	}
)

func TestDefineRefusesWhatASchemaCannotSay(t *testing.T) {
	tests := []struct {
		rule string
		op   Operation
		want string
	}{
		{"required numbers are pointers", defineIn[badRequired](), "must be a pointer"},
		{"optional rules need omitempty", defineIn[badOptional](), "needs omitempty"},
		{"optional pointers need omitempty", defineIn[badPointer](), "needs omitempty"},
		{"tags are known", defineIn[badTag](), `validate tag "alphanum" is unknown`},
		{"fields have JSON names", defineIn[badName](), "not lower_snake_case"},
		{"types are portable", defineIn[badType](), "no portable schema"},
		{"raw values are objects", defineIn[badRaw](), `schema:"object"`},
		{"types do not contain themselves", defineIn[badRecursive](), "contains itself"},
		{"defaults have the type", defineIn[badDefault](), "default x"},
		{"defaults keep the rules", defineIn[badDefaultRange](), "at least 5"},
		{"enums are strings", defineIn[badEnum](), "oneof needs a string"},
		{"bytes are base64 strings", defineIn[badBytes](), "base64"},
		{"error is reserved", Define(spec("x", Read), func(context.Context, *Call, *emptyIn) (*badError, error) { return nil, nil }), "reserved"},
		{"a handler is given", Define[emptyIn, noteOut](spec("x", Read), nil), "handler is missing"},
		{"an input is a struct", Define(spec("x", Read), func(context.Context, *Call, *int) (*noteOut, error) { return nil, nil }), "not a struct"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			_, err := NewRegistry(tt.op)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestJSONNamesAreUnique(t *testing.T) {
	text := reflect.TypeFor[string]()
	twice := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: text, Tag: `json:"a"`}, {Name: "B", Type: text, Tag: `json:"a"`},
	})
	_, err := compile(twice, nil, false)
	require.ErrorContains(t, err, "used twice")
}

func defineIn[In any]() Operation {
	return Define(spec("x", Read), func(context.Context, *Call, *In) (*noteOut, error) { return &noteOut{}, nil })
}

func TestAnswersMayLeaveTheirPartsOpen(t *testing.T) {
	type part struct {
		Inner string `json:"inner"`
	}
	type out struct {
		One  *part  `json:"one,omitempty" schema:"open" doc:"A part."`
		Many []part `json:"many" schema:"open"`
	}
	op := Define[struct{}, out](spec("note", Read), nil)
	one, err := json.Marshal(op.OutputSchema().Property("one"))
	require.NoError(t, err)
	require.Equal(t, `{"type":"object","description":"A part."}`, string(one))
	many, err := json.Marshal(op.OutputSchema().Property("many"))
	require.NoError(t, err)
	require.Equal(t, `{"type":"array","items":{"type":"object"}}`, string(many))

	encoded, err := op.encode(&out{One: &part{Inner: "a"}, Many: []part{{Inner: "b"}}})
	require.NoError(t, err)
	require.JSONEq(t, `{"one":{"inner":"a"},"many":[{"inner":"b"}]}`, string(encoded))

	type in struct {
		One *part `json:"one" schema:"open"`
	}
	require.ErrorContains(t, Define[in, out](spec("note", Read), nil).err, "only answers may leave a schema open")
	type list struct {
		Words []string `json:"words" schema:"open"`
	}
	require.ErrorContains(t, Define[struct{}, list](spec("note", Read), nil).err, "can be left open")
}
