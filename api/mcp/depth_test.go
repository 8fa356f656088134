package mcp

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// nested is a list in a list in a list, levels deep.
func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

func TestDepthIsThatOfBracketsOutsideOfStrings(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		deep bool
	}{
		"just as deep as it may be": {nested(5), false},
		"one level more":            {nested(6), true},
		"objects and lists":         {`{"a":[{"b":[{}]}]}`, false},
		"and one more":              {`{"a":[{"b":[{"c":[]}]}]}`, true},
		"many side by side":         {`[[],[],[],[],[],[],[]]`, false},
		"brackets in a string":      {`["[[[[[[[["]`, false},
		"after an escaped quote":    {`["\"[[[[[[[["]`, false},
		"after an escaped escape":   {`["\\",[[[[[]]]]]]`, true},
		"no JSON":                   {`}}}}[[[[`, false},
		"an open string":            {`"[[[[[[[[[`, false},
		"nothing":                   {``, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.deep, tooDeep([]byte(c.text), 5)) })
	}
}

// A text of the standard library's own encoder is as deep as it was built.
func TestDepthAgreesWithWhatWasEncoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := rapid.IntRange(1, 30).Draw(t, "levels")
		var value any = rapid.String().Draw(t, "leaf")
		for range levels {
			if rapid.Bool().Draw(t, "list") {
				value = []any{rapid.String().Draw(t, "beside"), value}
			} else {
				value = map[string]any{rapid.String().Draw(t, "key"): value}
			}
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if tooDeep(text, levels) || !tooDeep(text, levels-1) {
			t.Fatalf("%d levels: %s", levels, text)
		}
	})
}

func FuzzDepth(f *testing.F) {
	for _, seed := range []string{`[]`, `{"a":"\""}`, `"[`, `\`, nested(70)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			tooDeep(text, 3) // must not fail
			return
		}
		decoder, depth, deepest := json.NewDecoder(strings.NewReader(string(text))), 0, 0
		for {
			token, err := decoder.Token()
			if err != nil {
				break
			}
			switch token {
			case json.Delim('{'), json.Delim('['):
				depth++
				deepest = max(deepest, depth)
			case json.Delim('}'), json.Delim(']'):
				depth--
			}
		}
		require.False(t, tooDeep(text, deepest))
		if deepest > 0 {
			require.True(t, tooDeep(text, deepest-1))
		}
	})
}

func TestADeeplyNestedMessageIsAnsweredInItsForm(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	for _, e := range eras() {
		for name, levels := range map[string]int{"a little too deep": 65, "129 levels": 129, "very deep": 9_000} {
			t.Run(e.name+", "+name, func(t *testing.T) {
				a := call(t, e, s, url, "echo", `{"text":"t","free":`+nested(levels-1)+`}`, `{}`)
				require.True(t, a.Result.IsError)
				require.Contains(t, string(a.Result.StructuredContent), "at most 64 levels")
				require.Contains(t, string(a.Result.StructuredContent), `"code":"validation_failed"`)
			})
		}
	}
	for name, body := range map[string]string{
		"a call beyond what JSON readers take": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":` + nested(50_000) + `}}}`,
		"another method":                       `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":` + nested(129) + `}`,
		"no JSON":                              nested(129)[:200],
		"a deep _meta":                         `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":` + nested(129) + `}}}`,
		"a batch of deep":                      `[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":` + nested(129) + `}}]`,
	} {
		t.Run(name, func(t *testing.T) {
			status, _, answer := s.post(t, url, body, nil)
			require.Equal(t, http.StatusBadRequest, status)
			require.Contains(t, answer, "nested at most 64 levels deep")
		})
	}
}
