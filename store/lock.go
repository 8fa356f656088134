package store

import (
	"context"
	"fmt"
	"time"
)

// lockPoll is the pause between attempts to take an advisory lock: the session's lock_timeout forbids waiting long.
const lockPoll = 50 * time.Millisecond

// Exclusive runs work while no other process of this database runs work under the same name. The lock ends with
// the connection, so a killed process holds nothing up.
func (s *Store) Exclusive(ctx context.Context, name string, work func(context.Context) error) error {
	if err := s.awaitStart(ctx); err != nil {
		return err
	}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("take the lock %q: %w", name, classify(err))
	}
	defer conn.Release()
	for {
		var taken bool
		if err := conn.QueryRow(ctx, `select pg_try_advisory_lock(hashtextextended($1, 7306915206331990004))`, name).
			Scan(&taken); err != nil {
			return fmt.Errorf("take the lock %q: %w", name, classify(err))
		}
		if taken {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("take the lock %q: %w", name, ctx.Err())
		case <-time.After(lockPoll):
		}
	}
	defer func() {
		// Should the unlock not get through, the connection is broken, and the lock gone with it.
		_, _ = conn.Exec(context.WithoutCancel(ctx), `select pg_advisory_unlock(hashtextextended($1, 7306915206331990004))`, name)
	}()
	return work(ctx)
}
