package openmcp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/api/openmcp"
)

func TestADocumentIsMadeOfALiveServer(t *testing.T) {
	t.Parallel()
	raw, left, err := openmcp.FromLive(openmcp.Live{
		URL: "https://tools.test:8443/mcp", Name: "tools", Title: "Tools", Version: "7", Instructions: "Use it.", Revision: "2025-11-25",
		Tools: []openmcp.LiveTool{
			{
				Name: "find", Title: "Find", Description: "Finds.", Output: json.RawMessage(`{"type":"object"}`),
				Annotations: &openmcp.Annotations{ReadOnly: true},
				Input: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["q"],"$defs":{"n":{"type":"integer"}},"properties":{
					"q":{"type":["string","null"],"description":"Q."},
					"n":{"$ref":"#/$defs/n","description":"N."},
					"e":{"enum":["a","b"],"default":"a","description":"E."},
					"o":{"anyOf":[{"type":"boolean"},{"type":"null"}],"description":"O."},
					"i":{"type":"integer","enum":[1,2],"minimum":0,"description":"I."}}}`),
			},
		},
	})
	require.NoError(t, err)
	require.Empty(t, left)
	var d openmcp.Document
	require.NoError(t, json.Unmarshal(raw, &d))
	require.Equal(t, "tools.test", d.Server.Hostname)
	require.Equal(t, 8443, d.Server.Port)
	require.Equal(t, "Use it.", d.Info.Description)
	require.True(t, d.Intents[0].Closed)
	types := map[string]string{}
	for _, p := range d.Intents[0].Parameters {
		types[p.Name] = p.Type
		require.Equal(t, p.Name == "q", p.Required)
	}
	require.Equal(t, map[string]string{"q": "string", "n": "integer", "e": "string", "i": "integer", "o": "boolean"}, types)
	checker, err := openmcp.NewChecker(raw)
	require.NoError(t, err)
	for call, valid := range map[string]bool{
		`{"intent":"find","parameters":{"q":"x","n":1,"e":"b","i":2}}`: true,
		`{"intent":"find","parameters":{"q":null,"o":null}}`:           true,
		`{"intent":"find","parameters":{"q":"x","o":1}}`:               false,
		`{"intent":"find","parameters":{"q":"x","n":"1"}}`:             false,
		`{"intent":"find","parameters":{"q":"x","i":3}}`:               false,
		`{"intent":"find","parameters":{}}`:                            false,
	} {
		r, err := checker.Check([]byte(call))
		require.NoError(t, err)
		require.Equal(t, valid, r.Valid, "%s: %+v", call, r.Findings)
	}
}

func TestWhatIsWrongInALiveServerIsLeftOutAndSaid(t *testing.T) {
	t.Parallel()
	for rule, input := range map[string]string{
		"a default of another type":    `{"properties":{"p":{"type":"string","default":null}}}`,
		"a default that is none":       `{"properties":{"p":{"type":"string","enum":["a"],"default":"b"}}}`,
		"a pattern that does not":      `{"properties":{"p":{"type":"string","pattern":"("}}}`,
		"bounds the wrong way round":   `{"properties":{"p":{"type":"integer","minimum":2,"maximum":1}}}`,
		"a reference to nowhere":       `{"properties":{"p":{"$ref":"#/$defs/none"}}}`,
		"a reference to somebody":      `{"properties":{"p":{"$ref":"https://elsewhere.test/x"}}}`,
		"a keyword without a place":    `{"anyOf":[{"required":["p"]}]}`,
		"a schema that is none":        `{"properties":{"p":{"type":7}}}`,
		"a parameter without a name":   `{"properties":{"":{"type":"string"}}}`,
		"something else than a schema": `{`,
	} {
		raw, left, err := openmcp.FromLive(openmcp.Live{Name: "n", Tools: []openmcp.LiveTool{{Name: "t", Input: json.RawMessage(input)}, {Name: "t"}, {}}})
		require.NoError(t, err, rule)
		said := 0
		for _, f := range left {
			if f.Rule == "left-out" {
				said++
			}
		}
		require.GreaterOrEqual(t, said, 3, "%s: %+v", rule, left)
		var d openmcp.Document
		require.NoError(t, json.Unmarshal(raw, &d))
		require.Len(t, d.Intents, 1)
	}
	_, _, err := openmcp.FromLive(openmcp.Live{URL: "nowhere"})
	require.Error(t, err)
}

func TestWhateverALiveServerTellsTheDocumentIsValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]string{`"string"`, `"integer"`, `["string","null"]`, `7`, `null`, `"(?=a)"`, `"("`, `[]`, `["a",1]`, `{}`, `true`, `-1.5`, `1e300`, `"#/x"`, `"<x>"`})
		schema := "{"
		for i, keyword := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"type", "enum", "default", "pattern", "minimum", "maximum", "format", "$ref", "description", "items", "properties", "required", "anyOf", "const"}), 0, 6, rapid.ID[string]).Draw(t, "keywords") {
			if i > 0 {
				schema += ","
			}
			schema += `"` + keyword + `":` + value.Draw(t, keyword)
		}
		schema += "}"
		tool := openmcp.LiveTool{
			Name: rapid.String().Draw(t, "name"), Description: rapid.String().Draw(t, "description"),
			Input: json.RawMessage(`{"properties":{"p":` + schema + `,"q":` + value.Draw(t, "q") + `},"required":` + value.Draw(t, "required") + `}`), Output: json.RawMessage(schema),
		}
		raw, _, err := openmcp.FromLive(openmcp.Live{Name: rapid.String().Draw(t, "server"), Instructions: rapid.String().Draw(t, "instructions"), Tools: []openmcp.LiveTool{tool}})
		require.NoError(t, err)
		report, err := openmcp.Validate(raw, openmcp.Options{})
		require.NoError(t, err)
		require.True(t, report.Valid)
	})
}
