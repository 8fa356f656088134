package mcp

import (
	"net/http"

	"interai/api/auth"
	"interai/api/limits"
	"interai/api/ops"
)

// answerOutage answers a tool call whose credential cannot be checked with the
// retryable error in-band, as every other failure of a call: many clients show their
// model nothing of an HTTP error. Anything else gets 503.
func answerOutage(bodies *limits.Bodies) auth.Outage {
	return func(w http.ResponseWriter, r *http.Request, e *ops.Error) {
		body, release, err := bodies.Read(r, "") // all whose credential cannot be checked share one party's room
		if err != nil {
			auth.Unavailable(w, e)
			return
		}
		defer release()
		if call := readCall(body); call == nil || !answerCall(w, r, call, e) {
			auth.Unavailable(w, e)
		}
	}
}
