package pgembed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockPoll is how often a held lock is asked for again. flock has no deadline
// of its own, and a blocked call could not be given up with its context.
const lockPoll = 20 * time.Millisecond

// flock is an advisory lock on a file. The kernel frees it when the process
// dies, however it dies; that is what the sharing of a cluster rests on.
type flock struct{ file *os.File }

func openLock(path string) (*flock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	return &flock{file: file}, nil
}

// try takes the lock in the given mode (LOCK_SH or LOCK_EX) if it is free. A
// failed change of mode loses the mode held before.
func (l *flock) try(mode int) (bool, error) {
	for {
		err := syscall.Flock(int(l.file.Fd()), mode|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		default:
			return false, fmt.Errorf("lock %s: %w", l.file.Name(), err)
		}
	}
}

// take waits for the lock until ctx ends.
func (l *flock) take(ctx context.Context, mode int) error {
	for {
		if got, err := l.try(mode); got || err != nil {
			return err
		}
		if err := pause(ctx, lockPoll); err != nil {
			return fmt.Errorf("wait for %s: %w", l.file.Name(), err)
		}
	}
}

// release frees the lock and its descriptor.
func (l *flock) release() { _ = l.file.Close() }

// pause waits for d or for the end of ctx, whose error it returns.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
