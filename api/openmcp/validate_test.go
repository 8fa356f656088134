package openmcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"interai/api/openmcp"
)

// sound is a document without any finding.
const sound = `{"openmcpspec":"0.4.1","info":{"title":"T","version":"1","description":"D."},
"server":{"name":"n","hostname":"h.test","port":443,"protocol":"https"},"enumeration":{"enabled":true},
"intents":[{"name":"find","description":"Finds.","responses":{"success":{"schema":{"$ref":"#/definitions/answer"}},"error":{"code":"MCP-ERR-TIMEOUT","message":"m"}},
"parameters":[{"name":"p","type":"integer","description":"P.","minimum":1,"maximum":5,"default":2},{"name":"q","type":"string","description":"Q.","enum":["a","b"],"default":"a","dependencies":["p"]}]}],
"definitions":{"answer":{"type":"object"}}}`

func TestASoundDocumentHasNoFinding(t *testing.T) {
	t.Parallel()
	r, err := openmcp.Validate([]byte(sound), openmcp.Options{})
	require.NoError(t, err)
	require.Empty(t, r.Findings)
	require.True(t, r.Valid)
	require.Equal(t, "0.4.1", r.Version)
	r, err = openmcp.Validate([]byte("\xef\xbb\xbf"+sound), openmcp.Options{})
	require.NoError(t, err)
	require.True(t, r.Valid, "a byte order mark is no part of the document")
}

// replaced is the sound document with one text for another.
func replaced(t *testing.T, old, text string) []byte {
	t.Helper()
	require.Contains(t, sound, old)
	return []byte(strings.Replace(sound, old, text, 1))
}

func TestEveryRuleFindsItsFault(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{"version-of-file": true}
	for _, tt := range []struct{ rule, old, new, pointer string }{
		{"duplicate-key", `"title":"T"`, `"title":"S","title":"T"`, "/info/title"},
		{"version-unknown", `"0.4.1"`, `"0.9.9"`, "/openmcpspec"},
		{"intent-duplicate", `"intents":[`, `"intents":[{"name":"find","description":"Same.","parameters":[],"responses":{}},`, "/intents/1/name"},
		{"parameter-duplicate", `{"name":"q"`, `{"name":"p"`, "/intents/0/parameters/1/name"},
		{"parameter-type", `"type":"integer"`, `"type":"int"`, "/intents/0/parameters/0/type"},
		{"default-type", `"default":2`, `"default":"2"`, "/intents/0/parameters/0/default"},
		{"default-type", `"default":2`, `"default":2.5`, "/intents/0/parameters/0/default"},
		{"default-enum", `"default":"a"`, `"default":"c"`, "/intents/0/parameters/1/default"},
		{"required-default", `"default":2`, `"default":2,"required":true`, "/intents/0/parameters/0/default"},
		{"range-empty", `"maximum":5`, `"maximum":0.5`, "/intents/0/parameters/0/minimum"},
		{"pattern-invalid", `"enum":["a","b"]`, `"pattern":"(","enum":["a","b"]`, "/intents/0/parameters/1/pattern"},
		{"pattern-not-portable", `"enum":["a","b"]`, `"pattern":"^(?=a)","enum":["a","b"]`, "/intents/0/parameters/1/pattern"},
		{"pattern-not-portable", `"enum":["a","b"]`, `"pattern":"(?i)a","enum":["a","b"]`, "/intents/0/parameters/1/pattern"},
		{"dependency-unknown", `"dependencies":["p"]`, `"dependencies":["r"]`, "/intents/0/parameters/1/dependencies/0"},
		{"dependency-unknown", `"dependencies":["p"]`, `"dependencies":["q"]`, "/intents/0/parameters/1/dependencies/0"},
		{"embedded-schema", `"minimum":1`, `"minimum":1,"x_schema":{"type":7}`, "/intents/0/parameters/0/x_schema"},
		{"embedded-schema", `"minimum":1`, `"minimum":1,"x_schema":{"$ref":"https://elsewhere.test/schema"}`, "/intents/0/parameters/0/x_schema"},
		{"error-code-unknown", `"MCP-ERR-TIMEOUT"`, `"MCP-ERR-WHATEVER"`, "/intents/0/responses/error/code"},
		{"placeholder", `"h.test"`, `"<server-hostname>"`, "/server/hostname"},
		{"placeholder", `"h.test"`, `"docs.example.com"`, "/server/hostname"},
		{"placeholder", `"Finds."`, `"TODO: say what"`, "/intents/0/description"},
		{"placeholder", `"message":"m"`, `"message":" "`, "/intents/0/responses/error/message"},
		{"description-missing", `"description":"Finds.",`, ``, "/intents/0"},
		{"description-missing", `"description":"Q.",`, ``, "/intents/0/parameters/1"},
		{"description-missing", `"description":"D."`, `"description":" "`, "/info"},
		{"definition-unused", `"definitions":{`, `"definitions":{"lost":{},`, "/definitions/lost"},
		{"schema", `"port":443`, `"port":"443"`, "/server/port"},
		{"schema", `"port":443`, `"port":65536`, "/server/port"},
		{"schema", `"protocol":"https"`, `"protocol":"gopher"`, "/server/protocol"},
		{"schema", `"title":"T",`, ``, "/info"},
		{"schema", `"enumeration":{"enabled":true},`, ``, ""},
		{"schema", `"required":true`, ``, ""},
	} {
		if tt.old == `"required":true` {
			continue
		}
		t.Run(tt.rule+" "+tt.new, func(t *testing.T) {
			r, err := openmcp.Validate(replaced(t, tt.old, tt.new), openmcp.Options{})
			require.NoError(t, err)
			var found *openmcp.Finding
			for i := range r.Findings {
				if r.Findings[i].Rule == tt.rule {
					found = &r.Findings[i]
				}
			}
			require.NotNil(t, found, "%+v", r.Findings)
			require.Equal(t, tt.pointer, found.Pointer)
			seen[tt.rule] = true
			if tt.rule == "schema" {
				require.NotEmpty(t, found.Keyword)
				require.NotEmpty(t, found.SchemaPointer)
				require.Equal(t, openmcp.Error, found.Severity)
			}
		})
	}
	for _, rule := range openmcp.Rules() {
		require.True(t, seen[rule.ID], "no fault for %s", rule.ID)
		require.NotEmpty(t, rule.Text)
	}
}

func TestTheVersionInTheNameOfAFileIsCompared(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"spec_v0.4.1.json": 0, "spec_v0.4_draft.json": 0, "spec.json": 0, "spec_v0.8_draft.json": 1, "v0.4.11.json": 1} {
		r, err := openmcp.Validate([]byte(sound), openmcp.Options{Name: name})
		require.NoError(t, err)
		require.Equal(t, want, r.Warnings, name)
	}
}

func TestOtherVersionsNeedTheirSchema(t *testing.T) {
	t.Parallel()
	other := replaced(t, `"0.4.1"`, `"v9"`)
	schema := []byte(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["gone","lost"],"properties":{"openmcpspec":{"const":"v9"}}}`)
	r, err := openmcp.Validate(other, openmcp.Options{Schema: schema})
	require.NoError(t, err)
	require.Equal(t, 2, r.Errors, "one for each missing member: %+v", r.Findings)
	require.Equal(t, "/required", r.Findings[0].SchemaPointer)
	for _, bad := range []string{`{`, `{"type":7}`, `{"$ref":"https://elsewhere.test/x"}`, `{"$ref":"file:///etc/hostname"}`} {
		_, err := openmcp.Validate(other, openmcp.Options{Schema: []byte(bad)})
		require.Error(t, err, bad)
	}
}

func TestWhatIsNoDocumentIsSaidSo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		``: openmcp.ErrNotJSON, `{`: openmcp.ErrNotJSON, `{}{}`: openmcp.ErrNotJSON, "{\"a\":\"\xff\"}": openmcp.ErrNotJSON, `{"a" 1}`: openmcp.ErrNotJSON,
		strings.Repeat("[", 200):       openmcp.ErrTooLarge,
		`{"a":1e999999999}`:            openmcp.ErrTooLarge,
		strings.Repeat("1", 500):       openmcp.ErrTooLarge,
		strings.Repeat(" ", 10<<20):    openmcp.ErrTooLarge,
		`{"a":1e99999999999999999999}`: openmcp.ErrTooLarge,
	} {
		_, err := openmcp.Validate([]byte(text), openmcp.Options{})
		require.ErrorIs(t, err, want, "%.20q", text)
	}
	r, err := openmcp.Validate([]byte(`[]`), openmcp.Options{})
	require.NoError(t, err)
	require.False(t, r.Valid)
}

func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	r, err := openmcp.Validate(replaced(t, `"minimum":1,"maximum":5`, `"minimum":9007199254740993,"maximum":9007199254740992`), openmcp.Options{})
	require.NoError(t, err)
	require.Contains(t, r.Findings[0].Rule, "range-empty")
}

func TestAReportIsBounded(t *testing.T) {
	t.Parallel()
	r, err := openmcp.Validate(replaced(t, `"intents":[`, `"intents":[`+strings.Repeat(`{},`, 2000)), openmcp.Options{})
	require.NoError(t, err)
	require.True(t, r.Truncated)
	require.Len(t, r.Findings, 1000)
	require.Greater(t, r.Errors, 5999)
}

func TestOurSchemaIsADraft07Schema(t *testing.T) {
	t.Parallel()
	var schema map[string]any
	require.NoError(t, json.Unmarshal(openmcp.Schema(), &schema))
	require.Equal(t, "http://json-schema.org/draft-07/schema#", schema["$schema"])
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("mem:///schema", schema))
	_, err := c.Compile("mem:///schema")
	require.NoError(t, err)
}

func FuzzValidate(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(small))
	f.Add([]byte(`{"intents":[{"parameters":[{"pattern":"(?=","x_schema":{"$ref":"#"},"enum":[1],"minimum":1e400}]}],"definitions":{"a/b~":{"$ref":"#/definitions/a~1b~0"}}}`))
	f.Add([]byte(`{"a":{"a":1,"a":2}}`))
	f.Add([]byte(`[null,true,-0.0e-5,""]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := openmcp.Validate(raw, openmcp.Options{Name: "x_v0.4.json"})
		if err != nil {
			return
		}
		if !json.Valid([]byte(strings.TrimPrefix(string(raw), "\xef\xbb\xbf"))) {
			t.Fatal("what is not JSON was accepted")
		}
		if r.Valid != (r.Errors == 0) || !r.Truncated && len(r.Findings) != r.Errors+r.Warnings {
			t.Fatalf("the counts are wrong: %+v", r)
		}
		if !r.Valid {
			return
		}
		c, err := openmcp.Diff(raw, raw)
		if err != nil || len(c.Changes) != 0 {
			t.Fatalf("a document differs from itself: %v %+v", err, c.Changes)
		}
		if _, err := openmcp.NewChecker(raw); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzCheckCall(f *testing.F) {
	checker, err := openmcp.NewChecker([]byte(small))
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"intent":"find","parameters":{"who":"ann","deep":{"x":[1]}},"envelope":{"id":"a","deadline_ms":1}}`))
	f.Add([]byte(`{"name":"find","arguments":[]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := checker.Check(raw)
		if err == nil && r.Valid != (len(r.Findings) == 0) {
			t.Fatalf("the verdict is not that of the findings: %+v", r)
		}
	})
}
