package ops

import "slices"

// Code is the machine-readable kind of a failure. There are exactly eleven;
// clients may switch on them exhaustively (specification v2, section 10).
type Code string

// The eleven error codes of the Inter-AI specification v2, section 10.
const (
	// Unauthenticated: missing, invalid, expired or revoked credential.
	Unauthenticated Code = "unauthenticated"
	// NotFound: the ID does not exist or is not visible to the caller.
	NotFound Code = "not_found"
	// InvalidTarget: the target is of a kind which the operation does not accept.
	InvalidTarget Code = "invalid_target"
	// ValidationFailed: the input does not match the schema; see Details.Problems.
	ValidationFailed Code = "validation_failed"
	// SelfReview: the reviewer shares a root controller with the author.
	SelfReview Code = "self_review"
	// NotAuthor: the record to change or to build on is another actor's.
	NotAuthor Code = "not_author"
	// IdempotencyConflict: the same key came with a different request.
	IdempotencyConflict Code = "idempotency_conflict"
	// ForbiddenScope: the credential lacks the operation's scope.
	ForbiddenScope Code = "forbidden_scope"
	// RateLimited: a limit is reached; Details.RetryAfter says for how long.
	RateLimited Code = "rate_limited"
	// ContentRejected: a secret, personal data or disallowed content was found.
	ContentRejected Code = "content_rejected"
	// InternalError: an unexpected failure; its text is logged, never returned.
	InternalError Code = "internal_error"
)

// Codes lists all eleven codes in the specification's order.
func Codes() []Code {
	return []Code{
		Unauthenticated, NotFound, InvalidTarget, ValidationFailed, SelfReview, NotAuthor,
		IdempotencyConflict, ForbiddenScope, RateLimited, ContentRejected, InternalError,
	}
}

// Retryable reports whether the same call, sent again unchanged, may succeed
// just because of its code. An internal_error may be retryable as well, which
// only Details.Retryable knows.
func (c Code) Retryable() bool { return c == RateLimited }

// Valid reports whether c is one of the eleven codes.
func (c Code) Valid() bool {
	return slices.Contains(Codes(), c)
}
