package limits

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrBusy is returned when the gate's queue is full.
var ErrBusy = errors.New("too many calls are waiting")

// GateConfig bounds a Gate. All fields must be positive.
type GateConfig struct {
	// Active is how much may be in work at once: calls, or bytes where callers weigh.
	Active int
	// ActivePerKey is how much of it may be of one key (a root controller), so
	// that one party cannot hold the whole pool.
	ActivePerKey int
	// Queue is how many callers may wait for a place, all keys together.
	Queue int
}

// Gate lets a bounded amount of work run and makes a bounded number of others
// wait in order of arrival. It queues rather than refuses; only a full queue or
// the end of the caller's patience is an error.
type Gate struct {
	cfg GateConfig

	mu      sync.Mutex
	active  int
	perKey  map[string]int
	waiting *list.List // of *waiter, oldest first
}

type waiter struct {
	key    string
	weight int
	ready  chan struct{} // closed when a place is given
}

// NewGate returns an open gate.
func NewGate(cfg GateConfig) (*Gate, error) {
	if cfg.Active <= 0 || cfg.ActivePerKey <= 0 || cfg.Queue <= 0 {
		return nil, fmt.Errorf("gate: bounds must be positive: %+v", cfg)
	}
	return &Gate{cfg: cfg, perKey: map[string]int{}, waiting: list.New()}, nil
}

// Acquire waits for a place for key until ctx ends. Release gives it back; call it
// once. The error is ErrBusy or the context's.
func (g *Gate) Acquire(ctx context.Context, key string) (release func(), err error) {
	return g.AcquireWeight(ctx, key, 1)
}

// AcquireFor is Acquire with a patience of its own.
func (g *Gate) AcquireFor(ctx context.Context, key string, patience time.Duration) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return g.Acquire(ctx, key)
}

// Try takes a place for key if there is one now, else it answers ErrBusy.
func (g *Gate) Try(key string) (release func(), err error) {
	w := &waiter{key: key, weight: 1, ready: make(chan struct{})}
	g.mu.Lock()
	defer g.mu.Unlock()
	place := g.waiting.PushBack(w)
	if g.letIn(); !w.in() {
		g.waiting.Remove(place)
		return nil, ErrBusy
	}
	return g.releaser(w), nil
}

// AcquireWeight is Acquire for work of a weight. What weighs more than one key may
// hold counts as that much: it runs alone.
func (g *Gate) AcquireWeight(ctx context.Context, key string, weight int) (release func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("wait for a place: %w", err)
	}
	w := &waiter{key: key, weight: min(max(weight, 1), g.cfg.ActivePerKey, g.cfg.Active), ready: make(chan struct{})}
	g.mu.Lock()
	place := g.waiting.PushBack(w)
	g.letIn()
	if !w.in() && g.waiting.Len() > g.cfg.Queue {
		g.waiting.Remove(place)
		g.mu.Unlock()
		return nil, ErrBusy
	}
	g.mu.Unlock()

	select {
	case <-w.ready:
		return g.releaser(w), nil
	case <-ctx.Done():
		g.leave(w, place)
		return nil, fmt.Errorf("wait for a place: %w", ctx.Err())
	}
}

// leave takes a waiter out of the queue, or gives its place on when it got one at
// the same moment.
func (g *Gate) leave(w *waiter, place *list.Element) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.in() {
		g.drop(w)
		return
	}
	g.waiting.Remove(place)
	g.letIn() // those behind it may have waited for its turn
}

// Load returns how many calls run and wait, for metrics.
func (g *Gate) Load() (active, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.active, g.waiting.Len()
}

func (g *Gate) releaser(w *waiter) func() {
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.drop(w)
	})
}

// in reports whether the waiter has its place. The gate must be locked.
func (w *waiter) in() bool {
	select {
	case <-w.ready:
		return true
	default:
		return false
	}
}

// drop frees a place for those who wait.
func (g *Gate) drop(w *waiter) {
	g.active -= w.weight
	g.perKey[w.key] -= w.weight
	if g.perKey[w.key] == 0 {
		delete(g.perKey, w.key)
	}
	g.letIn()
}

// letIn gives places in order of arrival. A waiter whose key is full is passed over; one
// for whom the gate as a whole is too full ends the round, so that what weighs little
// does not overtake what weighs much for ever.
func (g *Gate) letIn() {
	var next *list.Element
	for e := g.waiting.Front(); e != nil && g.active < g.cfg.Active; e = next {
		next = e.Next()
		w, ok := e.Value.(*waiter)
		if !ok || g.perKey[w.key]+w.weight > g.cfg.ActivePerKey {
			continue
		}
		if g.active+w.weight > g.cfg.Active {
			return
		}
		g.waiting.Remove(e)
		g.active += w.weight
		g.perKey[w.key] += w.weight
		close(w.ready)
	}
}
