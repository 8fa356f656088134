package actions

import (
	"encoding/json"
	"net/http"
	"strconv"
	"unicode/utf8"

	"interai/api/openapi"
	"interai/api/ops"
)

// MaxAnswerChars bounds an answer in characters. Hosts of GPT Actions take less than 100,000 (OpenAI, production
// notes); no character of JSON has more than four bytes, so that this bounds bytes as well.
const MaxAnswerChars = 95_000

// answerTooLarge is the executor's reason for an answer over its own bound.
const answerTooLarge = "answer_too_large"

func (h *Handler) fits(body []byte) bool { return utf8.RuneCount(body) <= h.cfg.MaxAnswerChars }

// run executes a call and answers it.
func (h *Handler) run(w http.ResponseWriter, r *http.Request, op ops.Operation, call ops.Call) {
	result := h.cfg.Executor.Execute(r.Context(), call)
	write := op.Spec().Effect == ops.Write
	switch {
	case write && result.Err != nil && result.Err.Details.Reason == answerTooLarge && result.Err.Details.Outcome == ops.OutcomeCommitted:
		sendOmitted(w, op, "")
	case result.Err == nil && !h.fits(result.Structured) && write:
		sendOmitted(w, op, storedID(result.Structured))
	case result.Err == nil && !h.fits(result.Structured):
		h.answer(w, h.shorter(r.Context(), op, call, result))
	default:
		h.answer(w, result)
	}
}

// answer sends a result that is small enough, or an error.
func (h *Handler) answer(w http.ResponseWriter, result ops.Result) {
	if result.Err == nil {
		send(w, http.StatusOK, result.Structured)
		return
	}
	e := h.fitting(result.Err)
	if e.Details.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.Details.RetryAfter))
	}
	send(w, openapi.StatusOf(e), e.Structured())
}

// fitting is an error that may be sent: of one that is too large, the extras go first, then most of the problems.
func (h *Handler) fitting(e *ops.Error) *ops.Error {
	if h.fits(e.Structured()) {
		return e
	}
	short := *e
	short.Details.Extra = nil
	for !h.fits(short.Structured()) && len(short.Details.Problems) > 0 {
		short.Details.Problems = short.Details.Problems[:len(short.Details.Problems)/2]
	}
	return &short
}

// sendOmitted says that a write has happened whose answer is too large. It is a success: who is told of a failure
// would write again.
func sendOmitted(w http.ResponseWriter, op ops.Operation, id string) {
	body, err := json.Marshal(openapi.NewOmitted(op.Spec().Name, id))
	if err != nil { // strings always encode
		body = []byte(`{"omitted":true}`)
	}
	send(w, http.StatusOK, body)
}

// storedID is the id in a write's answer, "" when it names none.
func storedID(structured []byte) string {
	var out struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(structured, &out) != nil {
		return ""
	}
	return out.ID
}

func send(w http.ResponseWriter, status int, body []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) //nolint:gosec // JSON, and says so; the client may be gone; there is nobody else to tell
}
