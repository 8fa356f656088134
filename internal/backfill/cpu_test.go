package backfill

import (
	"fmt"
	"syscall"
	"time"

	"interai/internal/cputime"
)

// usage is CPU time of this process, which is worker and load at once, and of PostgreSQL.
type usage struct{ self, postgres time.Duration }

func (u usage) minus(v usage) usage {
	return usage{self: u.self - v.self, postgres: u.postgres - v.postgres}
}

// cpu reads both. This process's own is finer than /proc tells.
func (r *run) cpu() (usage, error) {
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		return usage{}, fmt.Errorf("read CPU time: %w", err)
	}
	postgres, err := cputime.Tree(r.postmaster)
	return usage{self: time.Duration(own.Utime.Nano() + own.Stime.Nano()), postgres: postgres}, err
}
