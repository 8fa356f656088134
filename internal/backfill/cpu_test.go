package backfill

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// usage is CPU time of this process, which is worker and load at once, and of PostgreSQL.
type usage struct{ self, postgres time.Duration }

func (u usage) minus(v usage) usage {
	return usage{self: u.self - v.self, postgres: u.postgres - v.postgres}
}

// tick is the unit of /proc/<pid>/stat: USER_HZ, which Linux fixes at 100.
const tick = 10 * time.Millisecond

// cpu reads both. A server is one parent with a child for each connection.
func (r *run) cpu() (usage, error) {
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		return usage{}, fmt.Errorf("read CPU time: %w", err)
	}
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return usage{}, fmt.Errorf("list processes: %w", err)
	}
	u := usage{self: time.Duration(own.Utime.Nano() + own.Stime.Nano())}
	for _, path := range paths {
		line, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		parent, ticks, err := parseStat(line)
		if err != nil {
			return usage{}, fmt.Errorf("read %s: %w", path, err)
		}
		if parent == r.postmaster || filepath.Base(filepath.Dir(path)) == strconv.Itoa(r.postmaster) {
			u.postgres += time.Duration(ticks) * tick
		}
	}
	return u, nil
}

var errStat = errors.New("not a line of /proc/<pid>/stat")

// parseStat reads the parent, and the time of the process and of its children that ended (proc(5)). The second field is
// a name in parentheses that may hold anything.
func parseStat(line []byte) (parent int, ticks int64, err error) {
	const parentField, firstTime, times = 1, 11, 4
	rest := strings.Fields(string(line[bytes.LastIndexByte(line, ')')+1:]))
	if len(rest) < firstTime+times {
		return 0, 0, errStat
	}
	if parent, err = strconv.Atoi(rest[parentField]); err != nil {
		return 0, 0, errStat
	}
	for _, field := range rest[firstTime : firstTime+times] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, 0, errStat
		}
		ticks += n
	}
	return parent, ticks, nil
}

func TestStatLinesAreReadBehindTheName(t *testing.T) {
	t.Parallel()
	parent, ticks, err := parseStat([]byte("17 (a) b (c) S 4 17 17 0 -1 4194560 1 2 3 4 50 6 700 8 20 0 1 0 99 1 1"))
	require.NoError(t, err)
	require.Equal(t, []int64{4, 764}, []int64{int64(parent), ticks})
	_, _, err = parseStat([]byte("17 (x) S 4"))
	require.ErrorIs(t, err, errStat)
}
