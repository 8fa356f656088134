// Package limits owns the bounds of the HTTP surface: which Host and Origin may
// speak to it, how many bytes a body has, how many connections are open and how
// many calls run at once.
//
// It never authenticates and never counts writes per party: the first is api/auth,
// the second is a rule of the domain. Start reading at [Gate] and [Hosts].
package limits

import (
	"net/http"
	"strconv"

	"interai/api/ops"
)

// requestIDHeader is set on the response by the outermost layer; refusals repeat
// it as their correlation ID, since no audit row exists for them.
const requestIDHeader = "X-Request-Id"

// refuse answers with the error shape that tools use, so that clients read one form.
func refuse(w http.ResponseWriter, status int, e *ops.Error) {
	e.Details.CorrelationID = w.Header().Get(requestIDHeader)
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
