package mcp

import (
	"encoding/json"
	"io"
	"net/http"

	"interai/api/auth"
	"interai/api/ops"
	"interai/api/refusal"
)

// outageCall is as much of a request as an outage's answer needs.
type outageCall struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// outageAnswer is the result of a tool call in the wire's own words: the SDK cannot be
// asked, since it is only reached by authenticated requests.
type outageAnswer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  outageResult    `json:"result"`
}

type outageResult struct {
	ResultType string          `json:"resultType,omitempty"` //nolint:tagliatelle // a name of the protocol
	Content    []outageText    `json:"content"`
	Structured json.RawMessage `json:"structuredContent"` //nolint:tagliatelle // a name of the protocol
	IsError    bool            `json:"isError"`           //nolint:tagliatelle // a name of the protocol
}

type outageText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// statelessRevision is the first protocol revision whose results name their type.
const statelessRevision = "2026-07-28"

// answerOutage answers a tool call whose credential cannot be checked with the
// retryable error in-band, as every other failure of a call: many clients show their
// model nothing of an HTTP error. Anything else gets 503.
func answerOutage(maxBytes int64) auth.Outage {
	return func(w http.ResponseWriter, r *http.Request, e *ops.Error) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBytes))
		var call outageCall
		if err != nil || json.Unmarshal(body, &call) != nil || call.Method != "tools/call" || len(call.ID) == 0 {
			auth.Unavailable(w, e)
			return
		}
		e.Details.CorrelationID = w.Header().Get(refusal.RequestIDHeader)
		answer := outageAnswer{Version: "2.0", ID: call.ID, Result: outageResult{
			Content: []outageText{{Type: "text", Text: e.Text()}}, Structured: e.Structured(), IsError: true,
		}}
		if r.Header.Get("MCP-Protocol-Version") >= statelessRevision {
			answer.Result.ResultType = "complete"
		}
		raw, err := json.Marshal(answer)
		if err != nil { // strings and valid JSON always encode
			auth.Unavailable(w, e)
			return
		}
		w.Header().Set("Content-Type", mediaJSON)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(raw) // the client may be gone; there is nobody else to tell
	}
}
