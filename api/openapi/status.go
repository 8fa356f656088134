package openapi

import (
	"net/http"

	"interai/api/ops"
)

// StatusOf is the HTTP status of a failed call. It is the one table: the document lists what it answers.
func StatusOf(e *ops.Error) int {
	switch e.Code {
	case ops.Unauthenticated:
		return http.StatusUnauthorized
	case ops.ForbiddenScope, ops.SelfReview, ops.NotAuthor:
		return http.StatusForbidden
	case ops.NotFound:
		return http.StatusNotFound
	case ops.ValidationFailed:
		return statusOfInvalid(e)
	case ops.InvalidTarget, ops.ContentRejected:
		return http.StatusUnprocessableEntity
	case ops.IdempotencyConflict:
		return http.StatusConflict
	case ops.RateLimited:
		return http.StatusTooManyRequests
	case ops.InternalError:
		if e.Details.Retryable {
			return http.StatusServiceUnavailable
		}
	}
	return http.StatusInternalServerError
}

// statusOfInvalid tells arguments that are too large as a whole from those that are wrong.
func statusOfInvalid(e *ops.Error) int {
	if p := e.Details.Problems; len(p) == 1 && p[0].Path == "" && p[0].Rule == "maxbytes" {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// failure is one status that an operation's callers may get.
type failure struct {
	status      int
	description string
}

// failures lists the statuses of an operation, ascending.
func failures(op ops.Operation) []failure {
	list := []failure{
		{http.StatusBadRequest, "The arguments do not match the schema, or the answer would be too large; details.problems says where."},
		{http.StatusUnauthorized, "The bearer token is missing or invalid."},
		{http.StatusForbidden, "It is not yours to do: code is forbidden_scope, self_review or not_author."},
		{http.StatusNotFound, "The ID does not exist or is not visible to you."},
	}
	list = append(list, failure{http.StatusRequestTimeout, "The request body did not come in time."})
	if op.Keyed() {
		list = append(list, failure{http.StatusConflict, "The idempotency_key came with a different request before."})
	}
	return append(list,
		failure{http.StatusRequestEntityTooLarge, "The request is too large."},
		failure{http.StatusUnsupportedMediaType, "The request is not application/json."},
		failure{http.StatusUnprocessableEntity, "A target of a wrong kind (invalid_target), or a credential or personal data in the text (content_rejected)."},
		failure{http.StatusTooManyRequests, "A limit is reached; wait details.retry_after seconds."},
		failure{http.StatusInternalServerError, "The server failed; details.outcome says whether a write may have happened."},
		failure{http.StatusServiceUnavailable, "The server cannot answer now; wait details.retry_after seconds and send the same call again."},
	)
}
