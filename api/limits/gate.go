package limits

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrBusy is returned when the gate's queue is full.
var ErrBusy = errors.New("too many calls are waiting")

// GateConfig bounds a Gate. All fields must be positive.
type GateConfig struct {
	// Active is how many calls run at once.
	Active int
	// ActivePerKey is how many of them may be of one key (a root controller), so
	// that one party cannot hold the whole pool.
	ActivePerKey int
	// Queue is how many calls may wait for a place, all keys together.
	Queue int
}

// Gate lets a bounded number of calls run and makes a bounded number of others
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
	key   string
	ready chan struct{} // closed when a place is given
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
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("wait for a place: %w", err)
	}
	g.mu.Lock()
	if g.fits(key) {
		g.take(key)
		g.mu.Unlock()
		return g.releaser(key), nil
	}
	if g.waiting.Len() >= g.cfg.Queue {
		g.mu.Unlock()
		return nil, ErrBusy
	}
	w := &waiter{key: key, ready: make(chan struct{})}
	place := g.waiting.PushBack(w)
	g.mu.Unlock()

	select {
	case <-w.ready:
		return g.releaser(key), nil
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
	select {
	case <-w.ready:
		g.drop(w.key)
	default:
		g.waiting.Remove(place)
	}
}

// Load returns how many calls run and wait, for metrics.
func (g *Gate) Load() (active, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.active, g.waiting.Len()
}

func (g *Gate) releaser(key string) func() {
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.drop(key)
	})
}

func (g *Gate) fits(key string) bool {
	return g.active < g.cfg.Active && g.perKey[key] < g.cfg.ActivePerKey
}

func (g *Gate) take(key string) {
	g.active++
	g.perKey[key]++
}

// drop frees a place and gives it to the oldest waiter whose key has room.
func (g *Gate) drop(key string) {
	g.active--
	g.perKey[key]--
	if g.perKey[key] == 0 {
		delete(g.perKey, key)
	}
	for e := g.waiting.Front(); e != nil; e = e.Next() {
		w, ok := e.Value.(*waiter)
		if ok && g.fits(w.key) {
			g.waiting.Remove(e)
			g.take(w.key)
			close(w.ready)
			return
		}
	}
}
