package limits

import (
	"context"
	"errors"
	"net/http"
	"time"

	"interai/api/ops"
	"interai/api/refusal"
)

// busyRetryAfter is told to callers that found the queue full: long enough for a
// queue of short calls to drain.
const busyRetryAfter = 2 * time.Second

// Admit is the gate as an ops.WithAdmission option: the place is held for the
// handler, counted for the caller's root controller.
func (g *Gate) Admit(ctx context.Context, call *ops.Call) (release func(), err error) {
	release, err = g.Acquire(ctx, call.Caller.Root)
	if err != nil {
		return nil, busy(err)
	}
	return release, nil
}

// Middleware is the gate for plain HTTP routes, counted for key(r). A full queue,
// or a wait longer than patience, answers 503.
func (g *Gate) Middleware(key func(*http.Request) string, patience time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), patience)
			release, err := g.Acquire(ctx, key(r))
			cancel()
			if err != nil {
				refusal.Write(w, http.StatusServiceUnavailable, busy(err))
				return
			}
			defer release()
			next.ServeHTTP(w, r)
		})
	}
}

// busy is retryable even for a write: the handler has not run.
func busy(err error) *ops.Error {
	reason := "server_busy"
	if errors.Is(err, context.Canceled) {
		reason = "canceled"
	}
	return ops.Unavailable(reason, busyRetryAfter).WithCause(err)
}
