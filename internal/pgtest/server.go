package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/jackc/pgx/v5"

	"interai/store/pgembed"
)

// databasePrefix marks the databases of this kit; what follows is the machine
// and the process, by which a later run knows whom they belonged to.
const databasePrefix = "interai_test_"

// server is where databases are made.
type server struct {
	cluster *pgembed.Cluster // nil: an outside server
	admin   string           // connection string of a database that always exists
	made    atomic.Int64

	mu   sync.Mutex
	conn *pgx.Conn // to admin, kept: a connection costs more than most of what is asked of it
}

// nextName names a database of this process.
func (s *server) nextName() string {
	return machinePrefix() + strconv.Itoa(os.Getpid()) + "_" + strconv.FormatInt(s.made.Add(1), 10)
}

// machinePrefix tells machines apart that share an outside server.
func machinePrefix() string {
	host, _ := os.Hostname() // nameless machines share a prefix
	sum := sha256.Sum256([]byte(host))
	return databasePrefix + hex.EncodeToString(sum[:3]) + "_"
}

// connString is the admin connection string with another database.
func (s *server) connString(db string) string {
	if u, err := url.Parse(s.admin); err == nil && strings.HasPrefix(u.Scheme, "postgres") {
		u.Path = "/" + db
		return u.String()
	}
	return s.admin + " dbname=" + db // of two keywords the later one wins
}

// do runs f on the connection to the admin database. One that f failed on is not used again: it may hold locks.
func (s *server) do(ctx context.Context, f func(*pgx.Conn) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil || s.conn.IsClosed() {
		conn, err := pgx.Connect(ctx, s.admin)
		if err != nil {
			return fmt.Errorf("connect: %w", err)
		}
		s.conn = conn
	}
	err := f(s.conn)
	if err != nil {
		err = errors.Join(err, s.disconnect(ctx))
	}
	return err
}

// disconnect gives the connection back. The caller holds the lock, or is the last user.
func (s *server) disconnect(ctx context.Context) error {
	if s.conn == nil {
		return nil
	}
	conn := s.conn
	s.conn = nil
	return conn.Close(context.WithoutCancel(ctx))
}

// create makes a database from a template; an empty template is PostgreSQL's.
func (s *server) create(name, template string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.do(ctx, func(conn *pgx.Conn) error { return createOn(ctx, conn, name, template) })
}

func createOn(ctx context.Context, conn *pgx.Conn, name, template string) error {
	if template == "" {
		template = "template0"
	}
	sql := fmt.Sprintf("create database %s template %s", quote(name), quote(template))
	if _, err := conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("create database %s: %w", name, err)
	}
	return nil
}

// drop removes a database and whoever is still connected to it.
func (s *server) drop(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.do(ctx, func(conn *pgx.Conn) error { return dropOn(ctx, conn, name) })
}

func dropOn(ctx context.Context, conn *pgx.Conn, name string) error {
	if _, err := conn.Exec(ctx, fmt.Sprintf("drop database if exists %s with (force)", quote(name))); err != nil {
		return fmt.Errorf("drop database %s: %w", name, err)
	}
	return nil
}

// dropStale drops the databases of processes of this machine that are dead; one
// of our own number belonged to a predecessor. Several processes may do this at
// once, so a drop that fails is somebody else's success.
func (s *server) dropStale(ctx context.Context) error {
	return s.do(ctx, func(conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, "select datname::text from pg_database where starts_with(datname::text, $1)", machinePrefix())
		if err != nil {
			return fmt.Errorf("list test databases: %w", err)
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return fmt.Errorf("list test databases: %w", err)
		}
		for _, name := range names {
			if stale(name) {
				_ = dropOn(ctx, conn, name)
			}
		}
		return dropOldTemplates(ctx, conn)
	})
}

// stale reports that the process which made the database is gone.
func stale(name string) bool {
	owner, _, _ := strings.Cut(strings.TrimPrefix(name, machinePrefix()), "_")
	pid, err := strconv.Atoi(owner)
	if err != nil {
		return false
	}
	return pid == os.Getpid() || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
