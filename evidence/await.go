package evidence

import (
	"context"
	"time"

	"interai/store"
)

// The pauses between looks at a target's snapshot: short at first, since a fold takes milliseconds.
const (
	firstLook = 5 * time.Millisecond
	lastLook  = 100 * time.Millisecond
)

// await waits until the target's snapshot includes the evidence numbered seq, at most as long as the caller wants.
// It never fails the call: the evidence is durable already.
func (s *Service) await(ctx context.Context, call *Call, target store.ID, seq int64) {
	if call.Wait <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, call.Wait)
	defer cancel()
	pause := firstLook
	for {
		applied, err := s.db.AppliedSeq(ctx, target)
		if err == nil && applied >= seq {
			call.Included(true)
			return
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			call.Included(false)
			return
		case <-timer.C:
		}
		pause = min(2*pause, lastLook)
	}
}
