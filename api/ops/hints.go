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

// hintsFor is what to do next, by the table of errors.
func hintsFor(e *Error, op Operation) []string {
	switch {
	case e.Code == InternalError:
		return []string{internalHint(e)}
	case e.Code == ValidationFailed && len(e.Details.Problems) == 0:
		return nil
	default:
		return defaultHints(e.Code, op)
	}
}

// internalHint tells the four kinds of internal errors apart.
func internalHint(e *Error) string {
	switch {
	case e.Details.Outcome == OutcomeUnknown:
		return hintUnknown
	case e.Details.Outcome == OutcomeCommitted:
		return hintCommitted
	case e.Details.Retryable:
		return hintRepeat
	default:
		return hintReport
	}
}
