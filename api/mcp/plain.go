package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// jsonFailures turns the SDK's plain-text refusals into JSON-RPC errors of the same
// status: a client of a protocol reads its errors in the protocol's form.
func jsonFailures(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &failureCatcher{ResponseWriter: w}
		next.ServeHTTP(c, r)
		if c.status == 0 {
			return
		}
		text := strings.TrimSpace(c.text.String())
		code := int64(jsonrpc.CodeInvalidRequest)
		if strings.HasPrefix(text, unhandled) {
			code, text = jsonrpc.CodeMethodNotFound, "method not found"
		}
		body, _ := r.Context().Value(bodyKey{}).([]byte)
		w.Header().Del("Content-Length")
		writeFailure(w, c.status, flaw{code: code, message: text, id: onlyID(body)})
	})
}

// unhandled starts the SDK's refusal of a method that it does not know.
const unhandled = "JSON RPC not handled"

// maxFailureBytes bounds the text that is kept of a refusal.
const maxFailureBytes = 512

// failureCatcher holds a plain-text refusal back and passes everything else on.
type failureCatcher struct {
	http.ResponseWriter

	status int // of the refusal; 0: there is none
	text   bytes.Buffer
}

// WriteHeader notices a refusal.
func (c *failureCatcher) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(c.Header().Get("Content-Type"), "text/plain") {
		c.status = status
		return
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write keeps the text of a refusal.
func (c *failureCatcher) Write(p []byte) (int, error) {
	if c.status == 0 {
		return c.ResponseWriter.Write(p) //nolint:wrapcheck // the writer's own error
	}
	c.text.Write(p[:min(len(p), maxFailureBytes-c.text.Len())])
	return len(p), nil
}

// Unwrap lets http.ResponseController reach the connection, to flush events.
func (c *failureCatcher) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// onlyID is the ID of the one message of a body, null if there is none.
func onlyID(body []byte) json.RawMessage {
	var message struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &message) != nil { // a batch
		return nil
	}
	return message.ID
}
