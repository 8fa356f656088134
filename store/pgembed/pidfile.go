package pgembed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// pidFile is what matters of postmaster.pid; its lines are PostgreSQL's
// (miscadmin.h): pid, data directory, start time, port, socket directory, …
// Lines after the first may be missing while a server starts.
type pidFile struct {
	pid    int
	socket string
}

func (l layout) pidPath() string { return filepath.Join(l.pgData, "postmaster.pid") }

// readPID reads postmaster.pid; ok is false when there is none or it is empty.
func (l layout) readPID() (f pidFile, ok bool) {
	raw, err := os.ReadFile(l.pidPath())
	if err != nil {
		return pidFile{}, false
	}
	return parsePID(string(raw))
}

func parsePID(raw string) (pidFile, bool) {
	lines := strings.Split(raw, "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil || pid == 0 {
		return pidFile{}, false
	}
	f := pidFile{pid: max(pid, -pid)} // negative: a stand-alone backend's
	const socketLine = 4
	if len(lines) > socketLine {
		f.socket = lines[socketLine]
	}
	return f, true
}

// running returns the pid file of a live server of this cluster.
func (l layout) running() (pidFile, bool) {
	f, ok := l.readPID()
	if !ok || !serves(f.pid, l.pgData) {
		return pidFile{}, false
	}
	return f, true
}

// clearStalePID removes a pid file whose process is not this cluster's server.
// PostgreSQL copes with a dead pid by itself, but refuses to start when another
// process of the account has got the number since. Call it under the lock.
func (l layout) clearStalePID() error {
	if _, live := l.running(); live {
		return nil
	}
	if err := os.Remove(l.pidPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove stale postmaster.pid: %w", err)
	}
	return nil
}
