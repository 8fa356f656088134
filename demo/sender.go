package demo

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"interai/api/ops"
	"interai/evidence"
)

// sender sends what actors say about items, and counts what the server has.
type sender struct {
	reports []report
	// session makes an actor's client, target is the public ID of an item, title its name in errors.
	session       func(actor int) *session
	target, title func(item int) string
	workers       int
	meter         *meter
	// began is when the run did: what is younger is counted as made.
	began time.Time

	sent, deferred, made atomic.Int64
}

// run lets each actor send its reports through a session of its own. An actor that meets a limit which is far away
// leaves the rest for a later run.
func (s *sender) run(ctx context.Context) error {
	groups := byActor(len(s.reports), func(i int) int { return s.reports[i].actor })
	return forEach(ctx, s.workers, len(groups), func(ctx context.Context, g int) error {
		client := s.session(s.reports[groups[g][0]].actor)
		defer client.close()
		used := map[int]string{} // the actor's latest use of each item
		for done, i := range groups[g] {
			r := &s.reports[i]
			var out evidence.RecordOutput
			err := client.call(ctx, r.args.tool(), r.args.about(s.target(r.item), used[r.item], r.key), &out)
			if ops.CodeOf(err) == ops.RateLimited {
				left := len(groups[g]) - done
				s.deferred.Add(int64(left))
				s.meter.add(left)
				return nil
			}
			if err != nil {
				return fmt.Errorf("%s: %w", s.title(r.item), err)
			}
			if _, isUse := r.args.(usageArgs); isUse {
				used[r.item] = out.ID
			}
			if madeSince(out.ID, s.began) {
				s.made.Add(1)
			}
			s.sent.Add(1)
			s.meter.add(1)
		}
		return nil
	})
}
