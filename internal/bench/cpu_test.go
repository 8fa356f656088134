package bench

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// tick is the unit of /proc/<pid>/stat: USER_HZ, which Linux fixes at 100.
const tick = 10 * time.Millisecond

// procStat is what matters of /proc/<pid>/stat (proc(5)), times in ticks.
type procStat struct {
	parent         int
	own, collected int64 // user and system time: of the process, and of children that ended
}

var errStat = errors.New("not a line of /proc/<pid>/stat")

// parseStat reads the line. The second field is a name in parentheses that may hold anything.
func parseStat(line []byte) (procStat, error) {
	const parentField, userField, fields = 1, 11, 15
	end := bytes.LastIndexByte(line, ')')
	if end < 0 {
		return procStat{}, errStat
	}
	rest := strings.Fields(string(line[end+1:]))
	if len(rest) < fields {
		return procStat{}, errStat
	}
	parent, err := strconv.Atoi(rest[parentField])
	if err != nil {
		return procStat{}, errStat
	}
	var times [4]int64
	for i := range times {
		if times[i], err = strconv.ParseInt(rest[userField+i], 10, 64); err != nil {
			return procStat{}, errStat
		}
	}
	return procStat{parent: parent, own: times[0] + times[1], collected: times[2] + times[3]}, nil
}

// processCPU is the CPU time of one process; 0 for the pid 0.
func processCPU(pid int) (time.Duration, error) {
	if pid == 0 {
		return 0, nil
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("read CPU time: %w", err)
	}
	stat, err := parseStat(line)
	return time.Duration(stat.own) * tick, err
}

// treeCPU is the CPU time of a process and its children, also of those that have ended: a PostgreSQL server is one
// parent with a child for each connection.
func treeCPU(root int) (time.Duration, error) {
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, fmt.Errorf("list processes: %w", err)
	}
	var ticks int64
	found := false
	for _, path := range paths {
		line, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		stat, err := parseStat(line)
		switch {
		case err != nil:
			return 0, fmt.Errorf("read %s: %w", path, err)
		case filepath.Base(filepath.Dir(path)) == strconv.Itoa(root):
			found = true
			ticks += stat.own + stat.collected
		case stat.parent == root:
			ticks += stat.own + stat.collected
		}
	}
	if !found {
		return 0, fmt.Errorf("read CPU time: process %d is gone", root)
	}
	return time.Duration(ticks) * tick, nil
}

// watched are the processes whose CPU time a measurement tells.
type watched struct {
	Server   int `json:"server"`   // one process, 0 for none
	Postgres int `json:"postgres"` // a postmaster
	Client   int `json:"client"`   // the load client
}

// usage is CPU time, by who used it.
type usage struct{ Server, Postgres, Client time.Duration }

func (w watched) read() (u usage, err error) {
	var errs [3]error
	u.Server, errs[0] = processCPU(w.Server)
	u.Client, errs[1] = processCPU(w.Client)
	if w.Postgres != 0 {
		u.Postgres, errs[2] = treeCPU(w.Postgres)
	}
	return u, errors.Join(errs[:]...)
}

func (u usage) minus(v usage) usage {
	return usage{Server: u.Server - v.Server, Postgres: u.Postgres - v.Postgres, Client: u.Client - v.Client}
}

func TestStatLinesAreReadBehindTheName(t *testing.T) {
	t.Parallel()
	const line = "17 (a) b (c) S 4 17 17 0 -1 4194560 1 2 3 4 50 6 700 8 20 0 1 0 99 1 1"
	got, err := parseStat([]byte(line))
	if want := (procStat{parent: 4, own: 56, collected: 708}); err != nil || got != want {
		t.Fatalf("%+v, %v", got, err)
	}
}

func FuzzStatNeverPanics(f *testing.F) {
	f.Add([]byte("17 (x) S 4 17 17 0 -1 4194560 1 2 3 4 50 6 700 8 20"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if stat, err := parseStat(line); err != nil && stat != (procStat{}) {
			t.Fatalf("%+v beside %v", stat, err)
		}
	})
}
