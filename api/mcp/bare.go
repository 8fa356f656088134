package mcp

import (
	"encoding/json"
	"net/http"

	"interai/api/ops"
	"interai/api/refusal"
)

// bareCall is as much of a call as an answer without the SDK needs.
type bareCall struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// bareAnswer is the result of a tool call in the wire's own words, for calls that the SDK must not see: those without a
// known caller, and those that are nested too deeply.
type bareAnswer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  bareResult      `json:"result"`
}

type bareResult struct {
	ResultType string          `json:"resultType,omitempty"` //nolint:tagliatelle // a name of the protocol
	Content    []bareText      `json:"content"`
	Structured json.RawMessage `json:"structuredContent"` //nolint:tagliatelle // a name of the protocol
	IsError    bool            `json:"isError"`           //nolint:tagliatelle // a name of the protocol
}

type bareText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// statelessRevision is the first protocol revision whose results name their type.
const statelessRevision = "2026-07-28"

// readCall reads a tool call's ID, nil if the body is something else.
func readCall(body []byte) *bareCall {
	var call bareCall
	if json.Unmarshal(body, &call) != nil || call.Method != "tools/call" || len(call.ID) == 0 || !isID(call.ID) {
		return nil
	}
	return &call
}

// answerCall answers a tool call with an error in-band, without the SDK. It reports whether it has answered.
func answerCall(w http.ResponseWriter, r *http.Request, call *bareCall, e *ops.Error) bool {
	e.Details.CorrelationID = w.Header().Get(refusal.RequestIDHeader)
	answer := bareAnswer{Version: "2.0", ID: call.ID, Result: bareResult{
		Content: []bareText{{Type: "text", Text: e.Text()}}, Structured: e.Structured(), IsError: true,
	}}
	if r.Header.Get("MCP-Protocol-Version") >= statelessRevision {
		answer.Result.ResultType = "complete"
	}
	raw, err := json.Marshal(answer)
	if err != nil { // strings and valid JSON always encode
		return false
	}
	w.Header().Set("Content-Type", mediaJSON)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(raw) // the client may be gone; there is nobody else to tell
	return true
}
