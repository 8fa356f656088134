package limits

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"interai/api/ops"
	"interai/store"
)

const (
	// maxCharges is how many writes one statement charges; maxAsking how many may wait for one.
	maxCharges = 256
	maxAsking  = 8192
	// chargeTimeout bounds one statement with its look-ups, whatever its callers' deadlines are.
	chargeTimeout = 10 * time.Second
	// chargeRetryAfter is told while the database is away.
	chargeRetryAfter = time.Second
)

// WriteLimits are the limits of writes and of what is wrong with them.
type WriteLimits struct {
	store.WriteLimits

	// Rejections are the rejected writes an hour of a root controller.
	Rejections int
}

// Limiter charges writes to the limits of their party, exactly over all nodes of a database. What waits at one moment
// is charged in one statement. A party that was denied is answered without the database for a moment, which absorbs
// floods. It charges only while Run runs.
type Limiter struct {
	db     *store.Store
	limits WriteLimits
	log    *slog.Logger
	now    func() time.Time
	denied *denials
	queue  chan *asking
	closed chan struct{}
}

// NewLimiter makes a limiter.
func NewLimiter(db *store.Store, limits WriteLimits, log *slog.Logger) *Limiter {
	return &Limiter{
		db: db, limits: limits, log: log, now: time.Now, denied: newDenials(),
		queue: make(chan *asking, maxAsking), closed: make(chan struct{}),
	}
}

// asking is a write that waits to be charged.
type asking struct {
	write store.PendingWrite
	done  chan charged // holds one
	state atomic.Int32 // waiting, then decided or left, whatever comes first
}

const (
	waiting int32 = iota
	decided
	left
)

type charged struct {
	store.Charge
	err error
}

// Charge is the limiter as an ops.Charger.
func (l *Limiter) Charge(ctx context.Context, call *ops.Call, look bool) (ops.Charge, error) {
	write, err := pendingWrite(call)
	if err != nil {
		return ops.Charge{}, err
	}
	if !look {
		write.Key = ""
		if known := l.denied.find(&write, l.now()); known != nil {
			return ops.Charge{}, denialError(known)
		}
	}
	charge, err := l.ask(ctx, write)
	switch {
	case err != nil:
		return ops.Charge{}, err
	case charge.Denied != nil:
		l.denied.keep(&write, charge.Denied, l.now())
		return ops.Charge{}, denialError(charge.Denied)
	case charge.Replay:
		return ops.Charge{Replay: true}, nil
	}
	return ops.Charge{Refund: func(ctx context.Context) { l.refund(ctx, write, charge) }}, nil
}

func pendingWrite(call *ops.Call) (store.PendingWrite, error) {
	actor, err := store.ParseID(call.Caller.Actor)
	if err != nil {
		return store.PendingWrite{}, fmt.Errorf("read the caller's actor: %w", err)
	}
	root, err := store.ParseID(call.Caller.Root)
	if err != nil {
		return store.PendingWrite{}, fmt.Errorf("read the caller's root controller: %w", err)
	}
	return store.PendingWrite{
		Root: root, Bytes: len(call.Arguments),
		IdempotencyKey: store.IdempotencyKey{Actor: actor, Tool: call.Operation, Key: call.IdempotencyKey},
	}, nil
}

// ask waits until the write is charged or denied. Whoever gives up before that is given the charge back.
func (l *Limiter) ask(ctx context.Context, write store.PendingWrite) (store.Charge, error) {
	a := &asking{write: write, done: make(chan charged, 1)}
	select {
	case l.queue <- a:
	default:
		return store.Charge{}, ops.Unavailable("server_busy", busyRetryAfter)
	}
	select {
	case out := <-a.done:
		return out.Charge, out.err
	case <-l.closed:
		return store.Charge{}, ops.Unavailable("stopping", chargeRetryAfter)
	case <-ctx.Done():
		if !a.state.CompareAndSwap(waiting, left) {
			out := <-a.done
			return out.Charge, out.err
		}
		return store.Charge{}, fmt.Errorf("wait to be charged: %w", ctx.Err())
	}
}

// Run charges writes until ctx ends.
func (l *Limiter) Run(ctx context.Context) {
	defer close(l.closed)
	batch := make([]*asking, 0, maxCharges)
	for {
		batch = batch[:0]
		select {
		case a := <-l.queue:
			batch = append(batch, a)
		case <-ctx.Done():
			return
		}
		l.chargeAll(ctx, l.gather(batch))
	}
}

// gather takes what waits already, without a timer.
func (l *Limiter) gather(batch []*asking) []*asking {
	for len(batch) < maxCharges {
		select {
		case a := <-l.queue:
			batch = append(batch, a)
		default:
			return batch
		}
	}
	return batch
}

func (l *Limiter) chargeAll(ctx context.Context, batch []*asking) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), chargeTimeout)
	defer cancel()
	writes := make([]store.PendingWrite, 0, len(batch))
	live := batch[:0]
	for _, a := range batch {
		if a.state.Load() != left {
			live, writes = append(live, a), append(writes, a.write)
		}
	}
	if len(live) == 0 {
		return
	}
	charges, err := l.db.Charge(ctx, l.limits.WriteLimits, writes)
	if err != nil {
		l.log.WarnContext(ctx, "writes cannot be charged", "writes", len(writes), "error", err)
		err = chargeError(err)
		charges = make([]store.Charge, len(live))
	}
	for i, a := range live {
		if a.state.CompareAndSwap(waiting, decided) {
			a.done <- charged{charges[i], err}
		} else if charges[i].Charged() {
			l.refund(ctx, a.write, charges[i])
		}
	}
}

func (l *Limiter) refund(ctx context.Context, write store.PendingWrite, charge store.Charge) {
	ctx, cancel := context.WithTimeout(ctx, chargeTimeout)
	defer cancel()
	if err := l.db.Refund(ctx, write, charge); err != nil {
		l.log.WarnContext(ctx, "a charge is not given back", "root", write.Root, "error", err)
	}
}

// Rejected counts a write of a party whose content was rejected. The one that takes the party's last room ends all its
// writes for an hour.
func (l *Limiter) Rejected(ctx context.Context, root string) {
	id, err := store.ParseID(root)
	if err != nil {
		l.log.ErrorContext(ctx, "a rejection has no party", "error", err)
		return
	}
	wait, err := l.db.CountRejection(ctx, id, l.limits.Rejections)
	if err != nil {
		l.log.WarnContext(ctx, "a rejection is not counted", "root", id, "error", err)
		return
	}
	if wait > 0 {
		l.log.WarnContext(ctx, "a party may not write for a while: too much of it was rejected", "root", id, "wait", wait)
		l.denied.keep(&store.PendingWrite{Root: id}, &store.Denial{Reason: store.DeniedRejections, Wait: wait}, l.now())
	}
}

// chargeError is what a caller hears when nothing could be charged: its write has not begun.
func chargeError(err error) error {
	reason := "database_unavailable"
	if !store.IsUnavailable(err) && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("charge writes: %w", err)
	}
	return ops.Unavailable(reason, chargeRetryAfter).WithCause(err)
}

// denialError says which limit is reached.
func denialError(d *store.Denial) *ops.Error {
	message := "The write limit of your party is reached."
	switch d.Reason {
	case store.DeniedActor:
		message = "Your write limit is reached."
	case store.DeniedBytes:
		message = "Your party has sent as many bytes as it may in an hour."
	case store.DeniedRejections:
		message = "Too many writes of your party were rejected; it may not write for a while."
	}
	return ops.LimitReached(message, d.Wait).WithReason(d.Reason)
}
