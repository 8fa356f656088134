package mcp

import (
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"interai/api/ops"
)

// messageNesting is what surrounds the arguments of a call: batch, message, params.
const messageNesting = 3

// tooDeep reports whether a text opens more than limit objects and lists inside one another. It reads only brackets and
// strings, so it answers for a text that is no JSON as well, before anything recursive sees it.
func tooDeep(text []byte, limit int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++ // the next character is part of the string, whatever it is
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// refuseDepth answers a message that is nested too deeply: a call in-band, as its arguments would be.
func refuseDepth(w http.ResponseWriter, r *http.Request, body []byte, nesting int) {
	message := fmt.Sprintf("a message is nested at most %d levels deep", nesting)
	call := readCall(body)
	if call == nil {
		writeFailure(w, http.StatusBadRequest, flaw{code: jsonrpc.CodeInvalidRequest, message: message})
		return
	}
	e := ops.InvalidField("", "depth", fmt.Sprintf("is nested too deeply: at most %d levels", nesting))
	if !answerCall(w, r, call, e) {
		writeFailure(w, http.StatusBadRequest, flaw{code: jsonrpc.CodeInvalidRequest, message: message, id: call.ID})
	}
}
