package ops

// Outcomes of a write whose answer is an error.
const (
	// OutcomeUnknown: the server cannot tell whether the write happened.
	OutcomeUnknown = "unknown"
	// OutcomeCommitted: the write happened although its answer is an error.
	OutcomeCommitted = "committed"
)

// complete fills what every error has: retryable by code, the correlation ID, and
// hints where the error brings none. It works on a copy, since a handler may
// return the same error value again.
func (e *Error) complete(op Operation, correlationID string) *Error {
	out := *e
	if !out.Code.Valid() {
		out = *Internal(e)
	}
	out.Details.Retryable = out.Details.Retryable || out.Code.Retryable()
	out.Details.CorrelationID = correlationID
	if len(out.Details.RecoveryHints) == 0 {
		out.Details.RecoveryHints = hintsFor(&out, op)
	}
	return &out
}

// hintsFor is the small table of what to do next.
func hintsFor(e *Error, op Operation) []string {
	switch e.Code {
	case Unauthenticated:
		return []string{"Send the header Authorization: Bearer <API key>; an operator makes a key with: interai key create --actor ID"}
	case NotFound:
		return []string{"Check the ID; an object that is not visible to you answers not_found as well."}
	case InvalidTarget:
		return []string{"Send an ID of a kind which the operation accepts; its description names them."}
	case ValidationFailed:
		if len(e.Details.Problems) == 0 {
			return nil
		}
		return []string{"Correct every entry of details.problems, then call again."}
	case IdempotencyConflict:
		return []string{"Use a new idempotency_key for a new request, or send the first request again unchanged."}
	case ForbiddenScope:
		return []string{"Use a key with the scope " + op.spec.Scope + "; whoami lists the scopes that you have."}
	case RateLimited:
		return []string{"Wait details.retry_after seconds, then send the same call again."}
	case ContentRejected:
		return []string{"Remove the secret or personal data, then send it again."}
	case InternalError:
		return internalHints(e)
	default: // self_review and not_author have no way around
		return nil
	}
}

// internalHints tell the three kinds of internal errors apart.
func internalHints(e *Error) []string {
	switch {
	case e.Details.Outcome == OutcomeUnknown:
		return []string{"The write may have happened. With an idempotency_key, send the same request again with the same key to learn the truth; without one, look with search or get before repeating."}
	case e.Details.Outcome == OutcomeCommitted:
		return []string{"The write happened; do not repeat it."}
	case e.Details.Retryable:
		return []string{"Send the same call again."}
	default:
		return []string{"Give details.correlation_id to the operator."}
	}
}
