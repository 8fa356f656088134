package actions

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"interai/api/auth"
	"interai/api/ops"
	"interai/api/refusal"
)

// unavailableRetryAfter is told while the actor cannot be looked up: a database restart takes about that long.
const unavailableRetryAfter = 2 * time.Second

// authenticate answers who calls, nil when it has refused the request.
func (h *Handler) authenticate(w http.ResponseWriter, r *http.Request) *ops.Caller {
	if !h.cfg.Token.Matches(r.Context(), tokenOf(r)) {
		unauthenticated(w)
		return nil
	}
	caller, err := h.cfg.Actor(r.Context())
	switch {
	case errors.Is(err, auth.ErrUnauthenticated):
		h.note(r, true)
		unauthenticated(w)
		return nil
	case err != nil:
		h.cfg.Logger.ErrorContext(r.Context(), "the actor of Actions cannot be looked up", "error", err)
		refusal.Write(w, http.StatusServiceUnavailable, ops.Unavailable("database_unavailable", unavailableRetryAfter).
			WithHints("Wait details.retry_after seconds, then send the same call again."))
		return nil
	}
	h.note(r, false)
	return caller
}

// note logs when the actor begins to be nobody, and when it is somebody again.
func (h *Handler) note(r *http.Request, absent bool) {
	h.mu.Lock()
	changed := h.absent != absent
	h.absent = absent
	h.mu.Unlock()
	switch {
	case changed && absent:
		h.cfg.Logger.WarnContext(r.Context(), "the actor of Actions is unknown or disabled: every call is refused")
	case changed:
		h.cfg.Logger.InfoContext(r.Context(), "the actor of Actions is known again")
	}
}

// tokenOf is the token of a request's one Authorization header, "" for anything else.
func tokenOf(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

// unauthenticated answers the same bytes to everybody, whatever was wrong and whatever was asked for. Only the header
// that names the request differs.
func unauthenticated(w http.ResponseWriter) {
	body := ops.NewError(ops.Unauthenticated, "The bearer token is missing or invalid.").
		WithHints("Send one header, Authorization: Bearer, with the token that the operator of this server has made for Actions.").Structured()
	header := w.Header()
	header.Set("WWW-Authenticate", `Bearer realm="inter-ai actions"`)
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = w.Write(body) // the client may be gone; there is nobody else to tell
}
