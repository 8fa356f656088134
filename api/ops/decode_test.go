package ops

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDecodeFillsTypedFieldsExactly(t *testing.T) {
	in, problems := decodeNote(t, `{"title":"a\u00e9\ud83d\ude00\"\\\/\n","kind":"rich","name":"a_b","score":0,
		"big":9007199254740993,"small":255,"flag":false,"tags":["x","y"],
		"parts":[{"id":"p1","n":1},{"name":"q","n":2}],"other":{"id":"o","n":7},
		"extra":{"k":[1,{"z":null}]},"labels":{"l":"v"},"when":"2026-01-02T03:04:05Z","contact":"é"}`)
	require.Empty(t, problems)
	require.Equal(t, "aé😀\"\\/\n", in.Title)
	require.Equal(t, int64(9007199254740993), in.Big, "an int64 must not pass through a double")
	require.Equal(t, uint8(255), in.Small)
	require.Equal(t, 0.0, *in.Score)
	require.False(t, *in.Flag)
	require.Equal(t, 10, in.Limit, "the default")
	require.Equal(t, []string{"x", "y"}, in.Tags)
	require.Equal(t, "q", in.Parts[1].Name)
	require.Equal(t, 7, *in.Other.N)
	require.Equal(t, `{"k":[1,{"z":null}]}`, string(in.Extra), "null inside a free object stays")
	require.Equal(t, map[string]string{"l": "v"}, in.Labels)
	require.True(t, in.When.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)))
}

func TestDecodeTreatsNullAsAbsentAtEveryDepth(t *testing.T) {
	in, problems := decodeNote(t, `{"title":"t","kind":null,"score":null,"limit":null,"tags":null,"extra":null,
		"labels":null,"when":null,"other":null,"parts":[{"id":null,"name":"n","n":1}]}`)
	require.Empty(t, problems)
	require.Nil(t, in.Score)
	require.Equal(t, 10, in.Limit, "null takes the default too")
	require.Nil(t, in.Extra)
	require.Empty(t, in.Parts[0].ID)
}

func TestDecodeAcceptsIntegersInAnyNotation(t *testing.T) {
	for _, text := range []string{"10", "10.0", "1e1", "100e-1"} {
		in, problems := decodeNote(t, `{"title":"t","limit":`+text+`}`)
		require.Empty(t, problems, text)
		require.Equal(t, 10, in.Limit)
	}
}

func TestDecodeNamesPlaceAndRule(t *testing.T) {
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	tests := []struct{ rule, text, path, name string }{
		{"a required field is missed", `{}`, "/title", "required"},
		{"null is no value for a required field", `{"title":null}`, "/title", "required"},
		{"a required string is not empty", `{"title":""}`, "/title", "min"},
		{"a string is bounded in characters", `{"title":"` + strings.Repeat("é", 21) + `"}`, "/title", "max"},
		{"a string is bounded in bytes", `{"title":"t","contact":"ééééé"}`, "/contact", "maxbytes"},
		{"a string is not a number", `{"title":1}`, "/title", "type"},
		{"an enum is closed", `{"title":"t","kind":"odd"}`, "/kind", "oneof"},
		{"a pattern rule has its own name", `{"title":"t","name":"A b"}`, "/name", "snake_case"},
		{"a number has a minimum", `{"title":"t","score":-0.5}`, "/score", "min"},
		{"a number has a maximum", `{"title":"t","score":100.5}`, "/score", "max"},
		{"an integer has no fraction", `{"title":"t","limit":1.5}`, "/limit", "type"},
		{"an integer fits its type", `{"title":"t","small":256}`, "/small", "range"},
		{"an unsigned integer is not negative", `{"title":"t","small":-1}`, "/small", "range"},
		{"an int64 has an end", `{"title":"t","big":9223372036854775808}`, "/big", "range"},
		{"a double has an end", `{"title":"t","score":1e999}`, "/score", "range"},
		{"a boolean is not a word", `{"title":"t","flag":"true"}`, "/flag", "type"},
		{"a list is bounded", `{"title":"t","tags":["a","b","c","d"]}`, "/tags", "max"},
		{"items are bounded", `{"title":"t","tags":["a","toolong"]}`, "/tags/1", "max"},
		{"required items are not empty", `{"title":"t","tags":[""]}`, "/tags/0", "min"},
		{"null is no item", `{"title":"t","tags":[null]}`, "/tags/0", "type"},
		{"a nested field is missed", `{"title":"t","parts":[{"id":"a"}]}`, "/parts/0/n", "required"},
		{"a nested unknown field is refused", `{"title":"t","parts":[{"id":"a","n":1,"m":2}]}`, "/parts/0/m", "unknown"},
		{"a nested pointer is checked", `{"title":"t","other":{"id":"a","n":0}}`, "/other/n", "min"},
		{"a rule between fields of an item", `{"title":"t","parts":[{"n":1}]}`, "/parts/0/id", "required_without"},
		{"a rule between fields", `{"title":"t","retract":"a","needed":"b"}`, "/needed", "excluded_with"},
		{"an unknown field is refused", `{"title":"t","zzzzz":1}`, "/zzzzz", "unknown"},
		{"a slash in a name is escaped", `{"title":"t","a/b~c":1}`, "/a~1b~0c", "unknown"},
		{"a key is given once", `{"title":"t","title":"u"}`, "/title", "duplicate"},
		{"a key is given once by any spelling", `{"title":"t","t\u0069tle":"u"}`, "/title", "duplicate"},
		{"a key of a free object is given once", `{"title":"t","extra":{"a":{"b":1,"b":2}}}`, "/extra/a/b", "duplicate"},
		{"a key of a map is given once", `{"title":"t","labels":{"a":"1","a":"2"}}`, "/labels/a", "duplicate"},
		{"map values have a type", `{"title":"t","labels":{"a":1}}`, "/labels/a", "type"},
		{"a free object is an object", `{"title":"t","extra":[1]}`, "/extra", "type"},
		{"a free object is bounded", `{"title":"t","extra":{"a":"` + strings.Repeat("x", 64) + `"}}`, "/extra", "maxbytes"},
		{"a time has its form", `{"title":"t","when":"yesterday"}`, "/when", "format"},
		{"invalid UTF-8 is refused", "{\"title\":\"a\xff\"}", "/title", "utf8"},
		{"a lone surrogate is refused", `{"title":"\ud800"}`, "/title", "utf8"},
		{"a wrong pair is refused", `{"title":"\ud800\u0041"}`, "/title", "utf8"},
		{"an escaped NUL is refused", `{"title":"a\u0000"}`, "/title", "nul"},
		{"an escaped NUL in a free object is refused", `{"title":"t","extra":{"a":["\u0000"]}}`, "/extra/a/0", "nul"},
		{"invalid UTF-8 in a free object is refused", "{\"title\":\"t\",\"extra\":{\"a\":\"\xc0\"}}", "/extra/a", "utf8"},
		{"a double has a smallest value", `{"title":"t","score":1e-999}`, "/score", "range"},
		{"a number that would become zero is refused", `{"title":"t","extra":{"a":1e-16000}}`, "/extra/a", "range"},
		{"a zero with a vast exponent is refused", `{"title":"t","extra":{"a":[0e99999]}}`, "/extra/a/0", "range"},
		{"a zero with an exponent beyond any integer is refused", `{"title":"t","extra":{"a":-0.0e-99999999999999999999}}`, "/extra/a", "range"},
		{"a huge number in a free object is refused", `{"title":"t","extra":{"a":1e999}}`, "/extra/a", "range"},
		{"nesting is capped", `{"title":"t","extra":{"a":` + deep + `}}`, "/extra/a" + strings.Repeat("/0", 62), "depth"},
		{"arguments are an object", `[1]`, "", "type"},
		{"arguments are not null", `null`, "", "type"},
		{"text behind the object is refused", `{"title":"t"} x`, "", "json"},
		{"a second object is refused", `{"title":"t"}{}`, "", "json"},
		{"a cut text is refused", `{"title":"t"`, "", "json"},
		{"a trailing comma is refused", `{"title":"t",}`, "", "json"},
		{"a raw NUL is refused", "{\"title\":\"a\x00\"}", "/title", "json"},
		{"a raw control character is refused", "{\"title\":\"a\nb\"}", "/title", "json"},
		{"a bad escape is refused", `{"title":"\x"}`, "/title", "json"},
		{"a bad number is refused", `{"title":"t","limit":1.}`, "/limit", "json"},
		{"an empty value is refused", `{"title":"t","limit":}`, "/limit", "json"},
		{"NUL behind the object is refused", "{\"title\":\"t\"}\x00", "", "json"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			_, problems := decodeNote(t, tt.text)
			require.Len(t, problems, 1, "exactly one problem: %v", problems)
			require.Equal(t, tt.path, problems[0].Path)
			require.Equal(t, tt.name, problems[0].Rule)
			require.NotEmpty(t, problems[0].Message)
		})
	}
}

func TestDecodeListsAllProblemsAtOnce(t *testing.T) {
	_, problems := decodeNote(t, `{"kind":"odd","limit":0,"tags":[1,"toolong"],"nmae":"x","parts":[{"n":1}],"retract":"a","needed":"b"}`)
	places := map[string]string{}
	for _, p := range problems {
		places[p.Path] = p.Rule
	}
	require.Equal(t, map[string]string{
		"/kind": "oneof", "/limit": "min", "/tags/0": "type", "/tags/1": "max", "/nmae": "unknown",
		"/title": "required", "/parts/0/id": "required_without", "/needed": "excluded_with",
	}, places)
}

func TestDecodeSuggestsTheFieldThatWasMeant(t *testing.T) {
	_, problems := decodeNote(t, `{"title":"t","nmae":"x"}`)
	require.Contains(t, problems[0].Message, `did you mean "name"?`)
}

func TestDecodeBoundsTheProblems(t *testing.T) {
	items := strings.Repeat(`{"bad":1},`, 100)
	_, problems := decodeNote(t, `{"title":"t","parts":[`+strings.TrimSuffix(items, ",")+`]}`)
	require.Len(t, problems, 50)
}

func TestDecodeNeverEchoesAValue(t *testing.T) {
	const secret = "s3cr3tvalue"
	_, problems := decodeNote(t, fmt.Sprintf(`{"title":%q,"kind":%q,"name":%q,"score":%q,"tags":[%q],"when":%q}`,
		strings.Repeat(secret, 5), secret, secret+" ", secret, secret, secret))
	require.NotEmpty(t, problems)
	require.NotContains(t, Invalid(problems...).Text(), secret)
}

func TestUnknownNamesAreBoundedInPaths(t *testing.T) {
	_, problems := decodeNote(t, `{"title":"t","`+strings.Repeat("n", 5000)+`\u0007":1}`)
	require.Less(t, len(problems[0].Path), 100)
}

// evidenceIn is the shape of the evidence tools: everything is demanded unless a
// retraction is sent (DECISIONS 6).
type evidenceIn struct {
	Retract string   `json:"retract" validate:"omitempty,max=40"`
	Target  string   `json:"target" validate:"required_without=Retract,excluded_with=Retract,omitempty,max=40"`
	Score   *float64 `json:"score" validate:"required_without=Retract,excluded_with=Retract,omitempty,gte=0,lte=100"`
	Real    *bool    `json:"real_world_use" validate:"required_without=Retract"`
}

func TestRequiredWithoutRetract(t *testing.T) {
	op := Define(spec("rate", Write), func(context.Context, *Call, *evidenceIn) (*noteOut, error) { return &noteOut{}, nil })
	require.NoError(t, op.err)
	require.Empty(t, op.InputSchema().Required, "no schema-level required")
	tests := []struct {
		rule, text string
		rules      []string
	}{
		{"a retraction needs nothing else", `{"retract":"rat_1"}`, nil},
		{"a complete record is fine", `{"target":"ent_1","score":0,"real_world_use":false}`, nil},
		{"a record misses all at once", `{}`, []string{"/target required_without", "/score required_without", "/real_world_use required_without"}},
		{"a retraction excludes a record", `{"retract":"rat_1","target":"ent_1"}`, []string{"/target excluded_with"}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			_, err := op.decode([]byte(tt.text), 0, nil)
			if tt.rules == nil {
				require.NoError(t, err)
				return
			}
			var e *Error
			require.ErrorAs(t, err, &e)
			var got []string
			for _, p := range e.Details.Problems {
				got = append(got, p.Path+" "+p.Rule)
				require.Contains(t, p.Message, "retract")
			}
			require.Equal(t, tt.rules, got)
		})
	}
}
