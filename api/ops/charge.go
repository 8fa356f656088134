package ops

import (
	"context"
	"errors"
)

// ErrNotReplayed is what a handler answers when Call.ReplayOnly is set and its key holds no answer: it has written
// nothing.
var ErrNotReplayed = errors.New("the idempotency key holds no answer")

// Charge is what a write has cost its party.
type Charge struct {
	// Replay says that the call's idempotency key was seen to hold an answer: nothing was charged.
	Replay bool
	// Refund gives the charge back; nil when there is nothing to give back.
	Refund func(context.Context)
}

// Charger charges a write that is valid and permitted. With look it first looks whether the call's idempotency key
// holds an answer, for a replay is free. Its error answers the call, which has then written nothing.
type Charger func(ctx context.Context, call *Call, look bool) (Charge, error)

// WithCharger sets what writes are charged by.
func WithCharger(charge Charger) Option { return func(x *Executor) { x.charge = charge } }

// write takes the steps of a write behind admission: replay or charge, scan, handler.
func (x *Executor) write(ctx context.Context, op Operation, c *Call, in any) (any, error) {
	if x.charge == nil {
		return x.screened(ctx, op, c, in)
	}
	charged, err := x.charge(ctx, c, c.IdempotencyKey != "")
	if err != nil {
		return nil, err
	}
	if charged.Replay {
		out, err := x.replay(ctx, op, c, in)
		if !errors.Is(err, ErrNotReplayed) {
			return out, err
		}
		if charged, err = x.charge(ctx, c, false); err != nil {
			return nil, err
		}
	}
	out, err := x.screened(ctx, op, c, in)
	if charged.Refund != nil && (c.replayed || CodeOf(err) == InternalError && !c.audited) {
		charged.Refund(context.WithoutCancel(ctx))
	}
	return out, err
}

// replay lets the handler answer what an earlier call with the same key was answered. What this call carries was not
// scanned, so nothing of it is kept.
func (x *Executor) replay(ctx context.Context, op Operation, c *Call, in any) (any, error) {
	c.ReplayOnly, c.withheld = true, true
	out, err := op.run(ctx, c, in)
	c.ReplayOnly = false
	if errors.Is(err, ErrNotReplayed) {
		c.withheld = false
	}
	return out, err
}
