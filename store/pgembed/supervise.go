package pgembed

import (
	"context"
	"time"
)

const (
	// watchEvery is how often the server is looked for: a call waits two
	// seconds for a database that was up (DECISIONS 27), so a restart has to
	// begin well within that.
	watchEvery = 150 * time.Millisecond
	// minBackoff and maxBackoff bound the wait after a restart that failed, or
	// whose server was gone again before settled had passed.
	minBackoff = 250 * time.Millisecond
	maxBackoff = 10 * time.Second
	settled    = 10 * time.Second
)

// supervise restarts the server whenever it is gone, until ctx ends.
func (c *Cluster) supervise(ctx context.Context) {
	pauses := backoff{}
	for pause(ctx, watchEvery) == nil {
		if c.healthy() {
			continue
		}
		wait := pauses.next(time.Now())
		c.options.Logger.WarnContext(ctx, "private PostgreSQL is gone, starting it again", "pid", c.PID(), "wait", wait)
		if pause(ctx, wait) != nil {
			return
		}
		if err := c.restart(ctx); err != nil && ctx.Err() == nil {
			c.options.Logger.ErrorContext(ctx, "private PostgreSQL did not start again", "error", err)
		}
	}
}

// backoff spaces restarts: the first is immediate, those that follow it closely
// wait twice as long each time.
type backoff struct {
	last time.Time
	wait time.Duration
}

// next is how long the restart that becomes due at now has to wait.
func (b *backoff) next(now time.Time) time.Duration {
	switch {
	case b.last.IsZero() || now.Sub(b.last) > settled+b.wait:
		b.wait = 0
	case b.wait == 0:
		b.wait = minBackoff
	default:
		b.wait = min(2*b.wait, maxBackoff)
	}
	b.last = now
	return b.wait
}
