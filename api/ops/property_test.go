package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// genValue draws a value that fits a schema, as JSON text.
func genValue(t *rapid.T, s *Schema, label string) string {
	switch s.Type {
	case "string":
		return string(appendString(nil, genString(t, s, label)))
	case "integer", "number":
		low, high := -1000.0, 1000.0
		if s.Minimum != nil {
			low = *s.Minimum
		}
		if s.Maximum != nil {
			high = *s.Maximum
		}
		if s.Minimum != nil && s.Maximum == nil {
			high = low + 200
		}
		if s.Type == "integer" {
			return plain(float64(rapid.IntRange(int(low), int(high)).Draw(t, label)))
		}
		return plain(rapid.Float64Range(low, high).Draw(t, label))
	case "boolean":
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, label)
	case "array":
		low, high := 0, 4
		if s.MinItems != nil {
			low = *s.MinItems
		}
		if s.MaxItems != nil {
			high = min(*s.MaxItems, low+4)
		}
		var items []string
		for range rapid.IntRange(low, high).Draw(t, label) {
			items = append(items, genValue(t, s.Items, label+"[]"))
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		return genObject(t, s, label)
	}
}

func genString(t *rapid.T, s *Schema, label string) string {
	switch {
	case len(s.Enum) > 0:
		return rapid.SampledFrom(s.Enum).Draw(t, label)
	case s.Pattern != "":
		return rapid.StringMatching(s.Pattern).Draw(t, label)
	case s.Format == "date-time":
		return "2026-05-06T07:08:09.000000001Z"
	}
	low, high := 0, 12
	if s.MinLength != nil {
		low = *s.MinLength
	}
	if s.maxLength() != nil {
		high = *s.maxLength()
	}
	runes := rapid.Rune().Filter(func(r rune) bool { return r != 0 && utf8.ValidRune(r) })
	if s.MaxBytes > 0 {
		runes = rapid.RuneFrom([]rune("abc<>&\"\\\n\u2028"))
		high /= 3
	}
	return rapid.StringOfN(runes, low, high, -1).Draw(t, label)
}

func genObject(t *rapid.T, s *Schema, label string) string {
	var members []string
	for _, p := range s.Properties {
		required := slices.Contains(s.Required, p.Name)
		switch {
		case required || rapid.Bool().Draw(t, label+"."+p.Name+"?"):
			members = append(members, string(appendString(nil, p.Name))+":"+genValue(t, p.Schema, label+"."+p.Name))
		case rapid.Bool().Draw(t, label+"."+p.Name+"=null"):
			members = append(members, string(appendString(nil, p.Name))+":null")
		}
	}
	if !s.Closed {
		for i := range rapid.IntRange(0, 2).Draw(t, label+"#") {
			value := `{"x":[1,"ü",null]}`
			if s.Values != nil {
				value = genValue(t, s.Values, label+"{}")
			}
			members = append(members, `"k`+plain(float64(i))+`":`+value)
		}
	}
	shuffled := rapid.Permutation(members).Draw(t, label+" order")
	return "{" + strings.Join(shuffled, ", ") + "}"
}

// plainIn has no rules between fields, so its schema says everything about it.
type plainIn struct {
	Title string            `json:"title" validate:"required,max=20"`
	Kind  string            `json:"kind" validate:"omitempty,oneof=plain rich"`
	Name  string            `json:"name" validate:"omitempty,snake_case"`
	URL   string            `json:"url" validate:"omitempty,web_url"`
	Score *float64          `json:"score" validate:"omitempty,gte=0,lte=100"`
	Big   int64             `json:"big"`
	Limit int               `json:"limit" validate:"gte=1,lte=50" default:"10"`
	Flag  *bool             `json:"flag" validate:"required"`
	Tags  []string          `json:"tags" validate:"required,min=1,max=3,dive,required,max=5"`
	Items []plainItem       `json:"items" validate:"max=4,dive"`
	Item  *plainItem        `json:"item"`
	Extra json.RawMessage   `json:"extra" schema:"object"`
	Map   map[string]string `json:"map"`
	Short string            `json:"short" validate:"maxbytes=12"`
}

type plainItem struct {
	N    *int   `json:"n" validate:"required,min=1,max=9"`
	Text string `json:"text" validate:"omitempty,min=2,max=4"`
}

func TestWhateverFitsTheSchemaIsAccepted(t *testing.T) {
	op := Define[plainIn, noteOut](spec("plain", Read), nil)
	require.NotNil(t, op.input)
	rapid.Check(t, func(t *rapid.T) {
		text := genValue(t, op.InputSchema(), "in")
		if _, err := op.decode([]byte(text), 0, nil); err != nil {
			e, ok := errors.AsType[*Error](err)
			require.True(t, ok, "%v", err)
			t.Fatalf("%s\n%s", e.Text(), text)
		}
	})
}

func TestDecodeOfEncodeIsIdentity(t *testing.T) {
	op := Define[plainIn, noteOut](spec("plain", Read), nil)
	rapid.Check(t, func(t *rapid.T) {
		first, err := op.decode([]byte(genValue(t, op.InputSchema(), "in")), 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		in := first.(*plainIn)
		in.Kind, in.Name, in.URL = orElse(in.Kind, "rich"), orElse(in.Name, "n"), orElse(in.URL, "https://a.example/x")
		for i := range in.Items {
			in.Items[i].Text = orElse(in.Items[i].Text, "aa")
		}
		if in.Item != nil {
			in.Item.Text = orElse(in.Item.Text, "aa")
		}
		in.Big = rapid.Int64().Draw(t, "big")
		text, err := op.input.encode(nil, reflect.ValueOf(in).Elem())
		if err != nil {
			t.Fatal(err)
		}
		second, err := op.decode(text, 0, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		again, err := op.input.encode(nil, reflect.ValueOf(second).Elem())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, again) || second.(*plainIn).Big != in.Big {
			t.Fatalf("not the same:\n%s\n%s", text, again)
		}
	})
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func TestStringsSurviveEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		var back string
		if err := json.Unmarshal(appendString(nil, s), &back); err != nil {
			t.Fatal(err)
		}
		if back != strings.ToValidUTF8(s, "\uFFFD") {
			t.Fatalf("%q became %q", s, back)
		}
	})
}
