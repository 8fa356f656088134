package limits

import (
	"sync"
	"time"

	"interai/store"
)

const (
	// denialTTL bounds how long a denial is repeated without a look at the database, so that a limit that an operator
	// raises works at once.
	denialTTL = 2 * time.Second
	// maxDenials bounds the cache; when it is full it is emptied.
	maxDenials = 50_000
)

// denials remembers who was denied. A meter never empties faster than the clock runs, so a denial stays true until its
// waiting time is over.
type denials struct {
	mu    sync.Mutex
	known map[store.ID]denial
}

type denial struct {
	reason         string
	until, passing time.Time // how long it is repeated; when the write would pass
}

func newDenials() *denials { return &denials{known: map[store.ID]denial{}} }

// find is the denial of a write's actor or party, nil when there is none.
func (d *denials) find(w *store.PendingWrite, now time.Time) *store.Denial {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range []store.ID{w.Root, w.Actor} {
		known, ok := d.known[id]
		switch {
		case !ok:
		case now.Before(known.until):
			return &store.Denial{Reason: known.reason, Wait: known.passing.Sub(now)}
		default:
			delete(d.known, id)
		}
	}
	return nil
}

// keep remembers a denial for the party, or for the actor if it is its own.
func (d *denials) keep(w *store.PendingWrite, denied *store.Denial, now time.Time) {
	id := w.Root
	if denied.Reason == store.DeniedActor {
		if id = w.Actor; id == w.Root {
			return // it would bind the whole party
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.known) >= maxDenials {
		clear(d.known)
	}
	d.known[id] = denial{reason: denied.Reason, until: now.Add(min(denied.Wait, denialTTL)), passing: now.Add(denied.Wait)}
}
