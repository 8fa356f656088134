// Package refusal owns how a request is refused outside the protocol: one HTTP answer in the error shape that tools
// use, so that clients read one form. It decides nothing about when.
//
// Start reading at [Write].
package refusal

import (
	"net/http"
	"strconv"

	"interai/api/ops"
)

// RequestIDHeader names the request in the access log and in refusals. The outermost layer sets it on the response;
// refusals repeat it as their correlation ID, since no audit row exists for them.
const RequestIDHeader = "X-Request-Id"

// Write answers with an error.
func Write(w http.ResponseWriter, status int, e *ops.Error) {
	e.Details.CorrelationID = w.Header().Get(RequestIDHeader)
	body := e.Structured()
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if e.Details.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(e.Details.RetryAfter))
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone; there is nobody else to tell
}
