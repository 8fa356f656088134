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
	call.Included(s.reaches(ctx, target, seq))
}

// awaitAll does the same for several records, all within the one time.
func (s *Service) awaitAll(ctx context.Context, call *Call, records []string) {
	if call.Wait <= 0 || len(records) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, call.Wait)
	defer cancel()
	for _, record := range records {
		target, seq, err := s.db.EvidencePosition(ctx, record, false)
		if err != nil || !s.reaches(ctx, target, seq) {
			call.Included(false)
			return
		}
	}
	call.Included(true)
}

// reaches waits until the target's snapshot includes the evidence numbered seq; false when ctx ends before.
func (s *Service) reaches(ctx context.Context, target store.ID, seq int64) bool {
	pause := firstLook
	for {
		applied, err := s.db.AppliedSeq(ctx, target)
		if err == nil && applied >= seq {
			return true
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-timer.C:
		}
		pause = min(2*pause, lastLook)
	}
}
