package evidence

import (
	"errors"
	"fmt"

	"interai/antiabuse/gcra"
	"interai/store"
)

// Codes of the domain's errors (specification v2, section 10).
const (
	CodeNotFound            = "not_found"
	CodeInvalidTarget       = "invalid_target"
	CodeValidationFailed    = "validation_failed"
	CodeSelfReview          = "self_review"
	CodeNotAuthor           = "not_author"
	CodeIdempotencyConflict = "idempotency_conflict"
	CodeForbiddenScope      = "forbidden_scope"
	CodeRateLimited         = "rate_limited"
	CodeInternalError       = "internal_error"
)

// ErrNotReplayed answers a call that may only be replayed, when its key holds no answer.
var ErrNotReplayed = errors.New("the idempotency key holds no answer")

// Problem is one broken rule of an input. It never repeats a value.
type Problem struct {
	// Path is a JSON pointer into the arguments (RFC 6901).
	Path    string
	Rule    string
	Message string
}

// Error is a refusal that the caller may read.
type Error struct {
	Code     string
	Message  string
	Reason   string
	Problems []Problem
	// Retryable says that the same call may succeed later; RetryAfter in seconds says when.
	Retryable  bool
	RetryAfter int
	// Outcome is "unknown" for a write of which nobody can say whether it is durable.
	Outcome string
	Hints   []string
}

// Error is the message with its code.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

func notFound(path string) *Error {
	return &Error{
		Code: CodeNotFound, Message: fmt.Sprintf("`%s` does not exist or is not visible to you", path),
		Hints: []string{"Check the ID; private objects answer not_found to those who may not see them."},
	}
}

func invalidTarget(path, accepted string) *Error {
	return &Error{
		Code: CodeInvalidTarget, Message: fmt.Sprintf("`%s` must be the ID of %s", path, accepted),
		Problems: []Problem{{Path: "/" + path, Rule: "target_kind", Message: "must be the ID of " + accepted}},
	}
}

func notAuthor(message string) *Error { return &Error{Code: CodeNotAuthor, Message: message} }

func selfReview() *Error {
	return &Error{
		Code:    CodeSelfReview,
		Message: "you, or another actor of your party, wrote this; only others may judge it",
		Hints:   []string{"To correct it, publish a new revision. To say how it worked for you, use report_usage."},
	}
}

func idempotencyConflict() *Error {
	return &Error{
		Code:    CodeIdempotencyConflict,
		Message: "this idempotency_key was used for a different request",
		Hints:   []string{"Use a new key for a new request; to repeat a request send it unchanged."},
	}
}

func claimsLimit(denied *store.Denial) *Error {
	return &Error{
		Code: CodeRateLimited, Message: "your party has made as many new claims as it may in a day", Reason: denied.Reason,
		Retryable: true, RetryAfter: gcra.Seconds(denied.Wait),
		Hints: []string{"Wait for retry_after seconds, or state existing claims by their ID: these are not counted."},
	}
}

func overloaded() *Error {
	return &Error{
		Code: CodeInternalError, Message: "too many writes are waiting", Reason: "overloaded",
		Retryable: true, RetryAfter: 1, Hints: []string{"Wait for retry_after seconds, then send the same call again."},
	}
}

func unavailable() *Error {
	return &Error{
		Code: CodeInternalError, Message: "the database is unavailable; nothing was written",
		Reason: "database_unavailable", Retryable: true, RetryAfter: 1,
		Hints: []string{"Wait for retry_after seconds, then send the same call again."},
	}
}

func outcomeUnknown() *Error {
	return &Error{
		Code: CodeInternalError, Message: "the connection to the database broke during the commit: the write may or may not be stored",
		Outcome: "unknown",
		Hints:   []string{"Look whether the write is there before you send it again. With an idempotency_key the server can tell."},
	}
}

// outcomeOpen is outcomeUnknown for a write with an idempotency key, when the database was gone before it could be
// asked: sending the call again is safe, and learns the truth.
func outcomeOpen() *Error {
	e := outcomeUnknown()
	e.Reason, e.Retryable, e.RetryAfter = "database_unavailable", true, 1
	e.Hints = []string{"Wait for retry_after seconds, then send the same call again with the same idempotency_key: it is done once."}
	return e
}

// problems collects every broken rule of an input, and what was changed in its texts.
type problems struct {
	list []Problem
	// labels are what stands out in the texts, warnings what their author is told.
	labels, warnings []string
}

func (p *problems) addf(path, rule, format string, args ...any) {
	p.list = append(p.list, Problem{Path: path, Rule: rule, Message: fmt.Sprintf(format, args...)})
}

func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return &Error{
		Code: CodeValidationFailed, Message: "the input breaks one or more rules; see details.problems", Problems: p.list,
	}
}

// readable turns the store's transient errors into ones that the caller may read.
func readable(err error) error {
	var own *Error
	var denied *store.Denial
	switch {
	case err == nil || errors.As(err, &own):
		return err
	case errors.As(err, &denied):
		return errors.Join(claimsLimit(denied), err)
	case errors.Is(err, store.ErrContended):
		return errors.Join(overloaded(), err)
	case errors.Is(err, store.ErrUnavailable):
		return errors.Join(unavailable(), err)
	case errors.Is(err, store.ErrOutcomeUnknown):
		return errors.Join(outcomeUnknown(), err)
	}
	return err
}
