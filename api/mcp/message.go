package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/ops"
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

// asked is what one message asks for: its method, and the tool of a tools/call.
type asked struct{ method, tool string }

// inspect tells what the messages of a body that is valid JSON ask for, or its first flaw.
func inspect(body []byte) ([]asked, *flaw) {
	body = bytes.TrimSpace(body)
	if body[0] != '[' {
		one, f := inspectMessage(body)
		return []asked{one}, f
	}
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) != nil || len(batch) == 0 {
		return nil, &flaw{code: jsonrpc.CodeInvalidRequest, message: "a batch has at least one message"}
	}
	if len(batch) > maxBatch {
		return nil, &flaw{code: jsonrpc.CodeInvalidRequest, message: fmt.Sprintf("a batch has at most %d messages", maxBatch)}
	}
	all := make([]asked, len(batch))
	for i, message := range batch {
		var f *flaw
		if all[i], f = inspectMessage(message); f != nil {
			f.id = nil // the answer is to the batch
			return nil, f
		}
	}
	return all, nil
}

// inspectMessage checks the form of one message, and the parameters of a tool call as
// far as the SDK reads them.
func inspectMessage(raw []byte) (asked, *flaw) {
	message, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return asked{}, &flaw{code: jsonrpc.CodeInvalidRequest, message: "not a JSON-RPC 2.0 message"}
	}
	var envelope struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(raw, &envelope) != nil || !isID(envelope.ID) {
		return asked{}, &flaw{code: jsonrpc.CodeInvalidRequest, message: "an id is a string or an integer"}
	}
	request, ok := message.(*jsonrpc.Request)
	if !ok {
		return asked{}, nil
	}
	it := asked{method: request.Method}
	if request.Method != "tools/call" || len(request.Params) == 0 {
		return it, nil
	}
	var params sdk.CallToolParamsRaw
	if json.Unmarshal(request.Params, &params) != nil {
		return asked{}, &flaw{code: jsonrpc.CodeInvalidParams, message: "the params of tools/call have not their form", id: envelope.ID}
	}
	it.tool = params.Name
	return it, nil
}

// reads reports whether a message may have a large answer: a read, of an operation or of a resource.
func (s *Server) reads(it asked) bool {
	switch it.method {
	case "resources/read":
		return true
	case "tools/call":
		op, known := s.exec.Registry().Lookup(it.tool)
		return known && op.Spec().Effect == ops.Read
	}
	return false
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
