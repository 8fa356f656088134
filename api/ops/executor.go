package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Executor runs calls against a registry. It is safe for concurrent use.
type Executor struct {
	reg           *Registry
	auditor       Auditor
	log           *slog.Logger
	now           func() time.Time
	mask          Masker
	admit         func(context.Context, *Call) (func(), error)
	charge        Charger
	screen        Screen
	clean         func(string) string
	observe       func(context.Context, Entry)
	readDeadline  time.Duration
	writeDeadline time.Duration
	nesting       int
}

// NewExecutor returns an executor of reg.
func NewExecutor(reg *Registry, options ...Option) *Executor {
	x := &Executor{
		reg:           reg,
		log:           slog.Default(),
		now:           time.Now,
		readDeadline:  DefaultReadDeadline,
		writeDeadline: DefaultWriteDeadline,
	}
	for _, option := range options {
		option(x)
	}
	return x
}

// Registry returns the registry that the executor serves.
func (x *Executor) Registry() *Registry { return x.reg }

// answer is what running a call gave.
type answer struct {
	structured json.RawMessage
	text       string
	links      []Link
	summary    string
	partial    bool
	err        *Error
}

// Execute runs one call to its end and always returns a complete result: known
// operation, authenticated, size, scope, schema, handler, encoding, size of the
// answer, audit, in that order.
func (x *Executor) Execute(ctx context.Context, call Call) Result {
	c := &call
	c.StartedAt = x.now()
	c.CorrelationID = newCorrelationID()
	c.audited, c.replayed, c.meta, c.request, c.mask, c.withheld, c.ReplayOnly = false, false, nil, nil, nil, false, false
	c.Meta.Wait = min(max(c.Meta.Wait, 0), MaxWait)
	c.IdempotencyKey = ""

	op, known := x.reg.Lookup(c.Operation)
	x.cleanCall(c, known)
	valid := false
	c.mask = func() json.RawMessage { return x.auditRequest(op, c, valid && !c.withheld) }
	var a answer
	if !known {
		a.err = NewError(NotFound, "There is no operation of that name.")
	} else {
		a = x.guarded(ctx, op, c, &valid)
	}
	return x.finish(ctx, op, c, a)
}

// newCorrelationID returns a UUIDv7, whose time makes it the audit row's key.
func newCorrelationID() uuid.UUID {
	id, err := uuid.NewV7()
	if err != nil { // the system's random source failed: keep serving, ids stay unique enough
		return uuid.NewSHA1(uuid.Nil, []byte(time.Now().String()))
	}
	return id
}

// guarded runs a call under its deadline and turns a panic into internal_error:
// one broken handler must not end the process.
func (x *Executor) guarded(ctx context.Context, op Operation, c *Call, valid *bool) (a answer) {
	ctx, cancel := context.WithTimeout(ctx, x.deadline(op, c))
	defer cancel()
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		x.log.ErrorContext(ctx, "operation panicked", "operation", c.Operation,
			"correlation_id", c.CorrelationID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		a = answer{err: x.afterWrite(op, c, Internal(fmt.Errorf("panic: %v", p)))}
	}()
	return x.run(ctx, op, c, valid)
}

// deadline is the operation's own, shortened by the envelope's.
func (x *Executor) deadline(op Operation, c *Call) time.Duration {
	d := x.readDeadline
	if op.spec.Effect == Write {
		d = x.writeDeadline
	}
	if c.Meta.Deadline > 0 {
		d = min(d, c.Meta.Deadline)
	}
	return d
}

// run takes the steps of Execute up to the encoded answer.
func (x *Executor) run(ctx context.Context, op Operation, c *Call, valid *bool) answer {
	if err := x.permit(op, c); err != nil {
		return answer{err: err}
	}
	if len(c.Meta.Problems) > 0 {
		return answer{err: Invalid(c.Meta.Problems...)}
	}
	in, err := op.decode(c.Arguments, x.nesting, x.clean)
	if err != nil {
		return answer{err: x.explain(ctx, op, c, err)}
	}
	if err := mergeKey(op, in, c); err != nil {
		return answer{err: err}
	}
	*valid = true
	if x.admit != nil {
		release, err := x.admit(ctx, c)
		if err != nil {
			return answer{err: x.explain(ctx, op, c, err)}
		}
		defer release()
	}
	take := x.screened
	if op.spec.Effect == Write {
		take = x.write
	}
	out, err := take(ctx, op, c, in)
	if err != nil {
		e := x.explain(ctx, op, c, err)
		if e.Code == ContentRejected {
			*valid, c.request = false, nil // nothing of it may be stored
		}
		return answer{err: e}
	}
	return x.encode(ctx, op, c, out)
}

// permit checks everything that needs no look at the arguments' content.
func (x *Executor) permit(op Operation, c *Call) *Error {
	if c.Caller == nil {
		return NewError(Unauthenticated, "The call carries no valid credential.")
	}
	if limit := op.maxInput(); len(c.Arguments) > limit {
		return InvalidField("", "maxbytes", fmt.Sprintf("must have at most %d bytes in all", limit))
	}
	if !c.Caller.Has(op.spec.Scope) {
		return Errorf(ForbiddenScope, "The operation needs the scope %s.", op.spec.Scope)
	}
	return nil
}

// pause is what a caller is asked to wait after a call that took too long, or was given up: to repeat it at once would
// not make it shorter.
const pause = time.Second

// explain turns any error of a handler into one that the caller may see.
func (x *Executor) explain(ctx context.Context, op Operation, c *Call, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		if e.Code == InternalError {
			x.logInternal(ctx, c, err)
		}
		return e
	}
	x.logInternal(ctx, c, err)
	timedOut := errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded)
	if !timedOut && !errors.Is(err, context.Canceled) && ctx.Err() == nil {
		return x.afterWrite(op, c, Internal(err))
	}
	e = Internal(err).WithReason("canceled")
	e.Message = "The call was given up before it was done."
	if timedOut {
		e.WithReason("deadline_exceeded").Message = "The call took longer than its deadline."
	}
	if op.spec.Effect == Read {
		e.Details.Retryable = true
		return e.WithRetryAfter(pause)
	}
	if e = x.afterWrite(op, c, e); e.Details.Outcome == "" {
		e.Details.Outcome = OutcomeUnknown
		if c.IdempotencyKey != "" { // it makes both one write
			e.Details.Retryable = true
			return e.WithRetryAfter(pause)
		}
	}
	return e
}

// afterWrite marks an error that came after a committed write.
func (x *Executor) afterWrite(op Operation, c *Call, e *Error) *Error {
	if op.spec.Effect == Write && c.audited {
		e.Details.Outcome = OutcomeCommitted
		e.Details.Retryable = false
	}
	return e
}

// logInternal logs what the caller is not told. A caller that hangs up is no fault of the server, and must not fill its
// log of errors.
func (x *Executor) logInternal(ctx context.Context, c *Call, err error) {
	level := slog.LevelError
	if errors.Is(ctx.Err(), context.Canceled) {
		level = slog.LevelInfo
	}
	x.log.Log(ctx, level, "operation failed", "operation", c.Operation,
		"correlation_id", c.CorrelationID, "error", err.Error())
}

// encode renders a handler's output and bounds it.
func (x *Executor) encode(ctx context.Context, op Operation, c *Call, out any) answer {
	structured, err := op.encode(out)
	if err != nil {
		x.logInternal(ctx, c, err)
		return answer{err: x.afterWrite(op, c, Internal(err))}
	}
	if len(structured) > op.maxOutput() {
		x.logInternal(ctx, c, fmt.Errorf("answer has %d bytes, more than %d", len(structured), op.maxOutput()))
		e := NewError(InternalError, "The answer is larger than the server may send.").WithReason("answer_too_large")
		if op.spec.Effect == Read {
			e = e.WithHints("Ask for less: a smaller limit, or fewer parts in include.")
		}
		return answer{err: x.afterWrite(op, c, e)}
	}
	summary := "ok, " + plural(len(structured), "byte")
	if s, ok := out.(Summarizer); ok {
		summary = s.AuditSummary()
	}
	cut, ok := out.(Incompleter)
	return answer{
		structured: structured, text: renderText(out, structured), links: linksOf(out), summary: summary, partial: ok && cut.Incomplete(),
	}
}

// finish completes the result, audits the call and reports it.
func (x *Executor) finish(ctx context.Context, op Operation, c *Call, a answer) Result {
	id := c.CorrelationID.String()
	r := Result{Structured: a.structured, Text: a.text, Links: a.links, CorrelationID: id, Meta: c.meta}
	if a.err != nil {
		r.Err = a.err.complete(op, id)
		r.Structured, r.Text = r.Err.Structured(), r.Err.Text()
		a.summary = string(r.Err.Code)
		if reason := r.Err.Details.Reason; reason != "" {
			a.summary += ": " + reason
		}
	}
	r.Envelope = c.Meta.answered(a.err != nil, a.partial)
	e := x.entry(op, c, a, r.Err)
	if !c.audited && x.auditor != nil {
		e.Request = c.AuditRequest()
		x.auditor.Audit(context.WithoutCancel(ctx), e)
		e.Request = nil
	}
	if x.observe != nil {
		x.observe(ctx, e)
	}
	return r
}

// entry is the call's audit entry without its request.
func (x *Executor) entry(op Operation, c *Call, a answer, failed *Error) Entry {
	e := Entry{
		CorrelationID: c.CorrelationID, Operation: boundName(c.Operation), Effect: op.spec.Effect, Caller: c.Caller,
		Meta: c.Meta, IdempotencyKey: c.IdempotencyKey, Summary: cutAtRune(a.summary, maxSummaryBytes),
		StartedAt: c.StartedAt, Duration: x.now().Sub(c.StartedAt),
	}
	if failed != nil {
		e.Code, e.Outcome = failed.Code, failed.Details.Outcome
	}
	return e
}

// boundName bounds the name of an operation that may be the caller's invention.
func boundName(name string) string {
	const longest = 64 // bytes; registered names have at most 40
	return strings.ToValidUTF8(cutAtRune(strings.ReplaceAll(name, "\x00", ""), longest), "")
}
