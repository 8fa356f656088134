package limits

import (
	"context"
	"errors"
	"net/http"
	"time"

	"interai/antiabuse/gcra"
	"interai/api/ops"
	"interai/api/refusal"
)

// busyRetryAfter is told to callers that found the queue full: long enough for a
// queue of short calls to drain.
const busyRetryAfter = 2 * time.Second

// Admission is what a call passes before its handler runs.
type Admission struct {
	// Calls bounds all calls; Publications those of Heavy alone, which hold a database connection each.
	Calls, Publications *Gate
	// Heavy says which operations these are.
	Heavy func(operation string) bool
	// Reads counts the reads of each actor on this node.
	Reads *gcra.Meters
	// IsRead says which operations are reads.
	IsRead func(operation string) bool
	// Now is the clock of Reads.
	Now func() time.Time
}

// Admit is the admission as an ops.WithAdmission option.
func (a *Admission) Admit(ctx context.Context, call *ops.Call) (release func(), err error) {
	// A caller that is nobody, who reads the public pages, has no meter: all of them would share it.
	if call.Caller.Actor != "" && a.IsRead(call.Operation) {
		if wait := a.Reads.Take(call.Caller.Actor, a.Now()); wait > 0 {
			return nil, ops.LimitReached("You have read as much as you may in an hour.", wait).WithReason("reads_limit")
		}
	}
	if !a.Heavy(call.Operation) {
		return a.Calls.Admit(ctx, call)
	}
	// First the narrower gate: who waits there takes no place of others.
	leave, err := a.Publications.Admit(ctx, call)
	if err != nil {
		return nil, err
	}
	leaveCalls, err := a.Calls.Admit(ctx, call)
	if err != nil {
		leave()
		return nil, err
	}
	return func() { leaveCalls(); leave() }, nil
}

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
			release, err := g.AcquireFor(r.Context(), key(r), patience)
			if err != nil {
				WriteBusy(w, err)
				return
			}
			defer release()
			next.ServeHTTP(w, r)
		})
	}
}

// WriteBusy answers 503 for the error of a gate.
func WriteBusy(w http.ResponseWriter, err error) {
	refusal.Write(w, http.StatusServiceUnavailable, busy(err))
}

// busy is retryable even for a write: the handler has not run.
func busy(err error) *ops.Error {
	reason := "server_busy"
	if errors.Is(err, context.Canceled) {
		reason = "canceled"
	}
	return ops.Unavailable(reason, busyRetryAfter).WithCause(err)
}
