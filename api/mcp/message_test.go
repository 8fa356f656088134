package mcp

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// post sends a body as it is.
func (s *stand) post(t *testing.T, url, body string, change func(*http.Request)) (status int, header http.Header, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+s.key.Reveal())
	r.Header.Set("Content-Type", mediaJSON)
	if change != nil {
		change(r)
	}
	return do(t, r)
}

// echoCall is a tool call with an ID as JSON.
func echoCall(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"echo","arguments":{"text":"t"}}}`
}

func TestFlawedMessagesAreAnsweredInTheProtocolsForm(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	params := func(params string) string {
		return `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":` + params + `}`
	}
	for rule, tt := range map[string]struct {
		body   string
		change func(*http.Request)
		status int
		code   int64
		id     string
	}{
		"a number":                     {`5`, nil, 400, -32600, `null`},
		"null":                         {`null`, nil, 400, -32600, `null`},
		"an empty object":              {`{}`, nil, 400, -32600, `null`},
		"an empty batch":               {` []`, nil, 400, -32600, `null`},
		"a batch of numbers":           {`[1]`, nil, 400, -32600, `null`},
		"another version":              {strings.Replace(echoCall("1"), "2.0", "1.0", 1), nil, 400, -32600, `null`},
		"an ID that is an object":      {echoCall(`{}`), nil, 400, -32600, `null`},
		"an ID with a fraction":        {echoCall(`1.5`), nil, 400, -32600, `null`},
		"an ID that no double holds":   {echoCall(`9223372036854775807`), nil, 400, -32600, `null`},
		"an ID beyond an int64":        {echoCall(`1e400`), nil, 400, -32600, `null`},
		"a call without an ID":         {`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}`, nil, 400, -32600, `null`},
		"an unknown method":            {`{"jsonrpc":"2.0","id":7,"method":"nope"}`, nil, 400, -32601, `7`},
		"parameters in a list":         {params(`[]`), nil, 200, -32602, `"a"`},
		"a name that is a number":      {params(`{"name":5}`), nil, 200, -32602, `"a"`},
		"a _meta that is a list":       {params(`{"name":"echo","_meta":[]}`), nil, 200, -32602, `"a"`},
		"a number that no double is":   {params(`{"name":"echo","_meta":{"x":1e999}}`), nil, 200, -32602, `"a"`},
		"another media type":           {echoCall(`1`), func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, -32600, `1`},
		"an unknown revision":          {echoCall(`1`), func(r *http.Request) { r.Header.Set("MCP-Protocol-Version", "1999-01-01") }, 400, -32600, `1`},
		"an event to go on from":       {echoCall(`"x"`), func(r *http.Request) { r.Header.Set("Last-Event-ID", "5") }, 400, -32600, `"x"`},
		"a batch with a flawed member": {`[` + echoCall(`1`) + `,` + params(`[]`) + `]`, nil, 400, -32602, `null`},
	} {
		t.Run(rule, func(t *testing.T) {
			status, header, answer := s.post(t, url, tt.body, tt.change)
			require.Equal(t, tt.status, status, answer)
			require.Equal(t, mediaJSON, header.Get("Content-Type"))
			var failure struct {
				Version string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
				Error   struct {
					Code    int64  `json:"code"`
					Message string `json:"message"`
				} `json:"error"`
			}
			require.NoError(t, json.Unmarshal([]byte(answer), &failure), answer)
			require.Equal(t, "2.0", failure.Version)
			require.JSONEq(t, tt.id, string(failure.ID))
			require.Equal(t, tt.code, failure.Error.Code)
			require.NotEmpty(t, failure.Error.Message)
			for _, internal := range []string{"Go ", "jsonrpc2", "mcp.", "unmarshal"} {
				require.NotContains(t, failure.Error.Message, internal)
			}
		})
	}
}

func TestIDsComeBackAsTheyWereSent(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	for _, id := range []string{`0`, `-1`, `9007199254740992`, `-9007199254740992`, `""`, `"1"`, `"\u00e9"`} {
		t.Run(id, func(t *testing.T) {
			status, _, answer := s.post(t, url, echoCall(id), nil)
			require.Equal(t, 200, status, answer)
			var got struct {
				ID json.RawMessage `json:"id"`
			}
			require.NoError(t, json.Unmarshal([]byte(answer), &got))
			require.JSONEq(t, id, string(got.ID))
		})
	}
}

func TestABatchIsBounded(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	batch := func(n int) string {
		calls := make([]string, n)
		for i := range calls {
			calls[i] = echoCall(strconv.Itoa(i))
		}
		return "[" + strings.Join(calls, ",") + "]"
	}
	status, _, answer := s.post(t, url, batch(maxBatch), nil)
	require.Equal(t, 200, status, answer)
	require.Equal(t, maxBatch, strings.Count(answer, `"echo: t"`))
	before := len(s.audit.entries)
	status, _, answer = s.post(t, url, batch(maxBatch+1), nil)
	require.Equal(t, 400, status)
	require.Contains(t, answer, "-32600")
	require.Len(t, s.audit.entries, before, "no operation ran")
}
