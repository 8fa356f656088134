package pgembed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// readyPoll is how often a starting server is asked whether it is ready.
	readyPoll = 20 * time.Millisecond
	// connectTimeout bounds one such question.
	connectTimeout = 2 * time.Second
	// orphanPatience is how long the left-over backends of a killed server may
	// end by themselves before they are killed, orphanBudget how long starting
	// goes on while they hold its memory.
	orphanPatience = 2 * time.Second
	orphanBudget   = 60 * time.Second
	// maxLogBytes is where the server's log is moved aside at a start.
	maxLogBytes = 16 << 20
	// fastStop is how long a stop may take before it becomes an immediate one,
	// which loses nothing but time at the next start.
	fastStop = 30 * time.Second
)

// errGone says that the server ended before it was ready.
var errGone = errors.New("the server ended")

// server is a postmaster that this process has started.
type server struct {
	pid       int
	exited    chan struct{} // closed when it ended and was reaped
	logOffset int64         // where its part of the log begins
}

// up makes a ready server: adopts a live one, else starts one, as often as
// left-over backends of a killed one make necessary. Call it under the lock.
func (c *Cluster) up(ctx context.Context) error {
	began := time.Now()
	for {
		err := c.upOnce(ctx)
		var failed *StartError
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errGone): // an adopted one was about to stop
		case !errors.As(err, &failed) || !failed.orphanBlocked():
			return err
		}
		if waited := time.Since(began); waited > orphanBudget {
			return err
		} else if waited > orphanPatience {
			c.killOrphans()
		}
		if err := pause(ctx, 10*readyPoll); err != nil {
			return fmt.Errorf("start PostgreSQL: %w", err)
		}
	}
}

func (c *Cluster) upOnce(ctx context.Context) error {
	if f, live := c.layout.running(); live {
		if err := c.awaitReady(ctx, f.pid, nil); err != nil {
			return err
		}
		c.options.Logger.InfoContext(ctx, "private PostgreSQL adopted", "pid", f.pid)
		return nil
	}
	began := time.Now()
	if err := c.layout.clearStalePID(); err != nil {
		return err
	}
	s, err := c.launch()
	if err != nil {
		return err
	}
	if err := c.awaitReady(ctx, s.pid, s.exited); err != nil {
		c.abandon(s)
		if errors.Is(err, errGone) {
			return &StartError{Log: c.logSince(s.logOffset), Path: c.layout.log}
		}
		return err
	}
	c.options.Logger.InfoContext(ctx, "private PostgreSQL started", "pid", s.pid,
		"version", c.binaries.Version, "took", time.Since(began).Round(time.Millisecond))
	return nil
}

// launch starts the postmaster itself, not pg_ctl: its end is then seen at
// once, and nothing else has to be cleaned up.
func (c *Cluster) launch() (*server, error) {
	if err := c.layout.makeSocketDir(c.account); err != nil {
		return nil, err
	}
	settings := serverSettings(memoryBytes(), smallSharedMemory())
	if c.supportsLZ4() {
		settings["wal_compression"] = "lz4"
	}
	maps.Copy(settings, c.options.Settings)
	log, err := c.openLog()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	offset, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("open server log: %w", err)
	}
	args := append([]string{"-D", c.layout.pgData, "-k", c.layout.socket, "-p", strconv.Itoa(serverPort)}, settingArgs(settings)...)
	cmd := c.account.command(c.layout.pgData, c.binaries.postgres(), args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	s := &server{pid: cmd.Process.Pid, exited: make(chan struct{}), logOffset: offset}
	go func() {
		// Reaps the server even after our share is released, while the others
		// still use it: a zombie would look alive to a plain kill(pid, 0).
		_ = cmd.Wait()
		close(s.exited)
	}()
	return s, nil
}

// supportsLZ4 asks the server program itself: it depends on how it was built.
func (c *Cluster) supportsLZ4() bool {
	return c.account.command(c.layout.pgData, c.binaries.postgres(),
		"-D", c.layout.pgData, "-c", "wal_compression=lz4", "-C", "wal_compression").Run() == nil
}

func (c *Cluster) openLog() (*os.File, error) {
	if info, err := os.Stat(c.layout.log); err == nil && info.Size() > maxLogBytes {
		if err := os.Rename(c.layout.log, c.layout.log+".1"); err != nil {
			return nil, fmt.Errorf("move server log aside: %w", err)
		}
	}
	log, err := os.OpenFile(c.layout.log, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open server log: %w", err)
	}
	return log, nil
}

// logSince is the end of what the log got after offset.
func (c *Cluster) logSince(offset int64) string {
	raw, err := os.ReadFile(c.layout.log)
	if err != nil || int64(len(raw)) <= offset {
		return "it wrote nothing"
	}
	return tail(raw[offset:])
}

// awaitReady waits until the server accepts connections and proves to be the
// one of our directory. During crash recovery it refuses (57P03): that may take
// as long as it takes. exited is nil for a server of another process.
func (c *Cluster) awaitReady(ctx context.Context, pid int, exited <-chan struct{}) error {
	for {
		err := c.probe(ctx)
		if err == nil {
			return c.setReady(pid)
		}
		if exited == nil && !serves(pid, c.layout.pgData) {
			return errGone
		}
		timer := time.NewTimer(readyPoll)
		select {
		case <-exited:
			timer.Stop()
			return errGone
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("wait for PostgreSQL (%w): %w", err, context.Cause(ctx))
		case <-timer.C:
		}
	}
}

// setReady remembers the pid that the pid file names now.
func (c *Cluster) setReady(pid int) error {
	f, ok := c.layout.readPID()
	if ok && f.socket != "" && f.socket != c.layout.socket {
		return fmt.Errorf("adopt PostgreSQL: the server of %s has its socket in %s, so interai did not start it; stop it first",
			c.layout.pgData, f.socket)
	}
	c.pid.Store(int64(pid))
	return nil
}

// probe connects and compares the server's data directory with ours.
func (c *Cluster) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, connString(c.layout.socket, maintenanceDB))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var dir string
	if err := conn.QueryRow(ctx, "show data_directory").Scan(&dir); err != nil {
		return err
	}
	if dir != c.layout.pgData {
		return fmt.Errorf("the server on this socket serves %s", dir)
	}
	return nil
}

// abandon ends a server that did not become ready.
func (c *Cluster) abandon(s *server) {
	_ = syscall.Kill(s.pid, syscall.SIGQUIT)
	timer := time.NewTimer(fastStop)
	defer timer.Stop()
	select {
	case <-s.exited:
	case <-timer.C:
		_ = syscall.Kill(s.pid, syscall.SIGKILL)
		<-s.exited
	}
}

// killOrphans ends the backends that outlived a killed postmaster and hold its
// shared memory. They have nobody left to answer to; what they had committed is
// in the write-ahead log.
func (c *Cluster) killOrphans() {
	if _, live := c.layout.running(); live {
		return
	}
	for _, pid := range serverProcesses(c.layout.pgData) {
		c.options.Logger.Warn("left-over PostgreSQL process killed", "pid", pid)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// down stops the server: fast (open transactions roll back), or at once when it
// takes too long or ctx ends. Call it under the lock and as the last user.
func (c *Cluster) down(ctx context.Context) error {
	f, live := c.layout.running()
	if !live {
		return nil
	}
	if err := syscall.Kill(f.pid, syscall.SIGINT); err != nil {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	fast, cancel := context.WithTimeout(ctx, fastStop)
	defer cancel()
	if c.awaitGone(fast, f.pid) != nil {
		_ = syscall.Kill(f.pid, syscall.SIGQUIT)
		quit, cancel := context.WithTimeout(context.WithoutCancel(ctx), fastStop)
		defer cancel()
		if err := c.awaitGone(quit, f.pid); err != nil {
			return fmt.Errorf("stop PostgreSQL: %w", err)
		}
	}
	if filepath.Dir(c.layout.socket) == shortSocketBase {
		_ = os.Remove(c.layout.socket) // nothing of ours stays outside the data directory
	}
	c.options.Logger.InfoContext(ctx, "private PostgreSQL stopped", "pid", f.pid)
	return nil
}

// awaitGone waits for the end of the process; its pid file goes before it.
func (c *Cluster) awaitGone(ctx context.Context, pid int) error {
	for serves(pid, c.layout.pgData) {
		if err := pause(ctx, readyPoll); err != nil {
			return err
		}
	}
	return nil
}
