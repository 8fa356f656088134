package ops

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"
)

// Problem is one violated rule of an input. It names the place and the rule and
// never echoes the value, which may be a secret.
type Problem struct {
	// Path is the JSON pointer (RFC 6901) of the field in the arguments; "" is
	// the whole arguments object.
	Path string `json:"path" doc:"JSON pointer of the place in the arguments, or in _meta."`
	// Rule is the short name of the violated rule: "required", "max", "type", ….
	Rule string `json:"rule" doc:"The short name of the violated rule."`
	// Message says in a sentence what is expected there.
	Message string `json:"message" doc:"What is expected there."`
}

// Error is a failure that the caller may see. Everything in it is meant for the
// caller, except the cause, which is only logged.
type Error struct {
	// Code is one of the eleven codes.
	Code Code `json:"code"`
	// Message is one sentence for a reader, without any value of the request.
	Message string `json:"message"`
	// Details say how to go on.
	Details Details `json:"details"`

	cause error
}

// NewError returns an error of code with a message for the caller.
func NewError(code Code, message string) *Error {
	return &Error{Code: code, Message: message, Details: Details{Retryable: code.Retryable()}}
}

// Errorf is NewError with a format. Do not format values of the request into it.
func Errorf(code Code, format string, args ...any) *Error {
	return NewError(code, fmt.Sprintf(format, args...))
}

// Invalid returns validation_failed with its problems.
func Invalid(problems ...Problem) *Error {
	e := NewError(ValidationFailed, "The input does not match the schema.")
	if len(problems) == 1 {
		e.Message = "The input does not match the schema: 1 problem."
	} else if len(problems) > 1 {
		e.Message = fmt.Sprintf("The input does not match the schema: %d problems.", len(problems))
	}
	e.Details.Problems = problems
	return e
}

// InvalidField returns validation_failed with one problem. Path is a JSON
// pointer such as "/subjects/0".
func InvalidField(path, rule, message string) *Error {
	return Invalid(Problem{Path: path, Rule: rule, Message: message})
}

// LimitReached returns rate_limited with its waiting time, rounded up to whole
// seconds and at least one.
func LimitReached(message string, retryAfter time.Duration) *Error {
	return NewError(RateLimited, message).WithRetryAfter(retryAfter)
}

// Unavailable returns a retryable internal_error: nothing was done, and the same
// call may be sent again after retryAfter. Reason is a snake_case word, such as
// "database_unavailable".
func Unavailable(reason string, retryAfter time.Duration) *Error {
	e := NewError(InternalError, "The service cannot answer at this moment. Nothing was changed.")
	e.Details.Retryable = true
	e.Details.Reason = reason
	return e.WithRetryAfter(retryAfter)
}

// Internal hides cause behind an internal_error that is not retryable.
func Internal(cause error) *Error {
	return NewError(InternalError, "The server failed unexpectedly. The details are logged under the correlation ID.").WithCause(cause)
}

// WithCause keeps the internal cause for logs and errors.Is; it is never sent.
func (e *Error) WithCause(cause error) *Error { e.cause = cause; return e }

// WithRetryAfter sets details.retry_after, rounded up to whole seconds, at least one.
func (e *Error) WithRetryAfter(d time.Duration) *Error {
	e.Details.RetryAfter = max(1, int(math.Ceil(d.Seconds())))
	return e
}

// WithReason sets details.reason, a snake_case word that refines the code.
func (e *Error) WithReason(reason string) *Error { e.Details.Reason = reason; return e }

// WithHints appends recovery hints: sentences that say what to do next.
func (e *Error) WithHints(hints ...string) *Error {
	e.Details.RecoveryHints = append(e.Details.RecoveryHints, hints...)
	return e
}

// WithExtra adds a further member to details. A value that cannot be encoded is
// left out: an error must never fail to be reported because of its extras.
func (e *Error) WithExtra(name string, value any) *Error {
	raw, err := marshalPlain(value)
	if err != nil {
		return e
	}
	if e.Details.Extra == nil {
		e.Details.Extra = map[string]json.RawMessage{}
	}
	e.Details.Extra[name] = raw
	return e
}

// Error returns the code and message, with the cause if there is one. It is for
// logs; callers get the structured form.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap returns the internal cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf returns the code of the first *Error in err's chain, internal_error for
// any other error, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return InternalError
}
