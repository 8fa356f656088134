package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxBatch bounds the messages of one body: each is a goroutine and an answer in
// memory until all are done.
const maxBatch = 50

// flaw is why a body cannot be served, in our words: the SDK's own name its Go types.
type flaw struct {
	code    int64
	message string
	id      json.RawMessage // of the message, where it has a usable one
}

// flawOf looks for the first flaw of a body that is valid JSON; nil means that all
// its messages have their form.
func flawOf(body []byte) *flaw {
	body = bytes.TrimSpace(body)
	if body[0] != '[' {
		return flawOfMessage(body)
	}
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) != nil || len(batch) == 0 {
		return &flaw{code: jsonrpc.CodeInvalidRequest, message: "a batch has at least one message"}
	}
	if len(batch) > maxBatch {
		return &flaw{code: jsonrpc.CodeInvalidRequest, message: fmt.Sprintf("a batch has at most %d messages", maxBatch)}
	}
	for _, message := range batch {
		if f := flawOfMessage(message); f != nil {
			f.id = nil // the answer is to the batch
			return f
		}
	}
	return nil
}

// flawOfMessage checks the form of one message, and the parameters of a tool call as
// far as the SDK reads them.
func flawOfMessage(raw []byte) *flaw {
	message, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return &flaw{code: jsonrpc.CodeInvalidRequest, message: "not a JSON-RPC 2.0 message"}
	}
	var envelope struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(raw, &envelope) != nil || !isID(envelope.ID) {
		return &flaw{code: jsonrpc.CodeInvalidRequest, message: "an id is a string or an integer"}
	}
	request, ok := message.(*jsonrpc.Request)
	if !ok || request.Method != "tools/call" || len(request.Params) == 0 {
		return nil
	}
	if json.Unmarshal(request.Params, new(sdk.CallToolParamsRaw)) != nil {
		return &flaw{code: jsonrpc.CodeInvalidParams, message: "the params of tools/call have not their form", id: envelope.ID}
	}
	return nil
}

// isID reports whether an ID comes back as it was sent: the SDK cuts fractions off and
// wraps what is beyond an int64. A notification has none.
func isID(raw json.RawMessage) bool {
	if len(raw) == 0 || raw[0] == '"' || string(raw) == "null" {
		return true
	}
	_, err := strconv.ParseInt(string(raw), 10, 64)
	const exact = 1 << 53 // the SDK reads numbers as doubles
	value, _ := strconv.ParseFloat(string(raw), 64)
	return err == nil && value >= -exact && value <= exact
}
