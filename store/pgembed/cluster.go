package pgembed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// database is interai's own; maintenanceDB exists in every cluster.
	database      = "interai"
	maintenanceDB = "postgres"
	// releaseTimeout bounds the clean-up after a start that failed.
	releaseTimeout = 60 * time.Second
)

// Cluster is one process's share of a data directory's private server. While
// it is held the server is kept alive: whoever notices first that it is gone
// starts it again. Its methods are safe for concurrent use.
type Cluster struct {
	options  Options
	layout   layout
	account  account
	binaries Binaries

	users *flock // shared lock: the share itself
	pid   atomic.Int64

	life     context.Context //nolint:containedctx // of the share; restarts must outlive the call that wants one
	end      context.CancelFunc
	mu       sync.Mutex
	stopped  bool           // guarded by mu: no restart begins any more
	restarts sync.WaitGroup // supervision and the restarts of Ensure
	stopOnce sync.Once
	stopErr  error
}

// ErrStopped is Ensure's answer once Stop was called.
var ErrStopped = errors.New("the share of the private cluster was given back")

// Start makes the cluster if it does not exist, starts its server or adopts the
// one that another interai process runs, and returns when it accepts
// connections. Give ctx the life of the process rather than of a call: crash
// recovery may take a while, and the end of ctx gives up the start.
//
// Errors: *NoBinariesError, *AccountError, *TraverseError, *InitError,
// *StartError, or a wrapped error of the system.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	o, err := o.normalise()
	if err != nil {
		return nil, err
	}
	c := &Cluster{options: o, layout: newLayout(o.DataDir)}
	guard, err := c.guard(ctx)
	if err != nil {
		return nil, err
	}
	defer guard.release()
	if err := c.prepare(); err != nil {
		return nil, err
	}
	if c.users, err = openLock(c.layout.users); err != nil {
		return nil, err
	}
	// Exclusive only for a moment and under the guard, so this never waits long.
	if err := c.users.take(ctx, syscall.LOCK_SH); err != nil {
		c.users.release()
		return nil, err
	}
	if err := c.begin(ctx); err != nil {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
		defer cancel()
		return nil, errors.Join(err, c.leave(undo))
	}
	c.life, c.end = context.WithCancel(context.WithoutCancel(ctx))
	c.restarts.Go(func() { c.supervise(c.life) })
	return c, nil
}

// guard takes the lock that serialises everything that changes the server.
func (c *Cluster) guard(ctx context.Context) (*flock, error) {
	lock, err := openLock(c.layout.lock)
	if err != nil {
		return nil, err
	}
	if err := lock.take(ctx, syscall.LOCK_EX); err != nil {
		lock.release()
		return nil, err
	}
	return lock, nil
}

// prepare finds the programs and the account; an existing cluster decides about
// both. Call it under the lock: a version read before could be another one's
// half-made cluster.
func (c *Cluster) prepare() error {
	major := 0
	var err error
	if c.layout.initialised() {
		if major, err = c.layout.major(); err != nil {
			return err
		}
	}
	if c.binaries, err = findBinaries(c.options.BinDir, major); err != nil {
		return err
	}
	if c.account, err = chooseAccount(c.options.OSUser, c.layout); err != nil {
		return err
	}
	return c.account.checkReach(c.binaries, c.layout.dataDir)
}

// begin brings cluster, server and database into being.
func (c *Cluster) begin(ctx context.Context) error {
	if !c.layout.initialised() {
		began := time.Now()
		if err := c.initialise(ctx); err != nil {
			return err
		}
		c.options.Logger.InfoContext(ctx, "private PostgreSQL cluster made", "dir", c.layout.pgData,
			"version", c.binaries.Version, "took", time.Since(began).Round(time.Millisecond))
	}
	if err := c.up(ctx); err != nil {
		return err
	}
	return c.createDatabase(ctx)
}

// createDatabase makes interai's database once. The lock is held, so nobody can
// make it between the question and the answer.
func (c *Cluster) createDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, connString(c.layout.socket, maintenanceDB))
	if err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	const exist = "select exists (select from pg_database where datname = $1)"
	if err := conn.QueryRow(ctx, exist, database).Scan(&exists); err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	if exists {
		return nil
	}
	if _, err := conn.Exec(ctx, "create database "+pgx.Identifier{database}.Sanitize()); err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	return nil
}

// ConnString is the connection string (keyword/value form) of the database
// "interai" over the Unix socket. It stays the same across restarts.
func (c *Cluster) ConnString() string { return connString(c.layout.socket, database) }

// PID is the postmaster's process id, as last seen.
func (c *Cluster) PID() int { return int(c.pid.Load()) }

// Ensure starts the server again if it is gone, and waits for it until ctx
// ends. The restart itself goes on: a call that gives up must not begin crash
// recovery anew for the next one. Several processes may call it at once: one
// starts the server, the others adopt it.
func (c *Cluster) Ensure(ctx context.Context) error {
	if c.healthy() {
		return nil
	}
	done := make(chan error, 1)
	c.mu.Lock()
	if c.stopped {
		c.mu.Unlock()
		return ErrStopped
	}
	c.restarts.Go(func() { done <- c.restart(c.life) })
	c.mu.Unlock()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("wait for PostgreSQL: %w", context.Cause(ctx))
	}
}

// healthy reports that the server we know of is alive.
func (c *Cluster) healthy() bool {
	f, live := c.layout.running()
	return live && int64(f.pid) == c.pid.Load()
}

// restart brings the server up again.
func (c *Cluster) restart(ctx context.Context) error {
	guard, err := c.guard(ctx)
	if err != nil {
		return err
	}
	defer guard.release()
	return c.up(ctx)
}

// Stop releases this process's share. The last one out stops the server with a
// fast shutdown, or an immediate one when ctx ends first; nothing committed is
// lost by either. Further calls return what the first one did.
func (c *Cluster) Stop(ctx context.Context) error {
	c.stopOnce.Do(func() {
		c.mu.Lock()
		c.stopped = true
		c.mu.Unlock()
		c.end()
		c.restarts.Wait()
		guard, err := c.guard(ctx)
		if err != nil {
			c.users.release() // the others, or the next start, will see to the server
			c.stopErr = err
			return
		}
		defer guard.release()
		c.stopErr = c.leave(ctx)
	})
	return c.stopErr
}

// leave gives the share back and stops the server if nobody else holds one.
// Call it under the lock.
func (c *Cluster) leave(ctx context.Context) error {
	defer c.users.release()
	alone, err := c.users.try(syscall.LOCK_EX)
	if err != nil || !alone {
		return err
	}
	return c.down(ctx)
}

// connString quotes the directory: a data directory may contain spaces.
func connString(socketDir, db string) string {
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	return fmt.Sprintf("host='%s' port=%d user=%s dbname=%s", quote.Replace(socketDir), serverPort, superuser, db)
}
