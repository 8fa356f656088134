// Package cputime tells benchmarks how much CPU time processes have used. It reads /proc, so it is for Linux.
package cputime

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// Process is the CPU time of one process; 0 for the pid 0.
func Process(pid int) (time.Duration, error) {
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

// Tree is the CPU time of a process and its children, also of those that have ended: a PostgreSQL server is one
// parent with a child for each connection.
func Tree(root int) (time.Duration, error) {
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
