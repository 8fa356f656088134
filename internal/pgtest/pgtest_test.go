package pgtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func exec1(ctx context.Context, connString, sql string) error {
	conn, err := pgx.Connect(ctx, connString)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql)
	return errors.Join(err, conn.Close(ctx))
}

func query1[T any](t *testing.T, connString, sql string, args ...any) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), connString)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	var v T
	require.NoError(t, conn.QueryRow(t.Context(), sql, args...).Scan(&v))
	return v
}

func TestEachDatabaseIsEmptyItsOwnAndDroppedAtTheEnd(t *testing.T) {
	t.Parallel()
	var names []string
	t.Run("two databases", func(t *testing.T) {
		a, b := New(t), New(t)
		require.NoError(t, exec1(t.Context(), a, "create table only_in_a ()"))
		for conn, want := range map[string]int{a: 1, b: 0} {
			names = append(names, query1[string](t, conn, "select current_database()::text"))
			require.Equal(t, want, query1[int](t, conn, "select count(*) from pg_tables where schemaname = 'public'"))
		}
	})
	outer := New(t)
	require.Zero(t, query1[int](t, outer, "select count(*) from pg_database where datname = any($1)", names))
}

func TestMigrationRunsOnceForManyDatabases(t *testing.T) {
	t.Parallel()
	var runs atomic.Int32
	migrate := func(ctx context.Context, connString string) error {
		runs.Add(1)
		return exec1(ctx, connString, "create table migrated (v int); insert into migrated values (7)")
	}
	// A template of an earlier run of this very binary would hide the run.
	srv := use(t)
	key, err := templateKey(migrate)
	require.NoError(t, err)
	require.NoError(t, srv.drop(key))

	t.Run("databases", func(t *testing.T) {
		for i := range 4 {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				db := NewMigrated(t, migrate)
				require.Equal(t, 7, query1[int](t, db, "select v from migrated"))
				require.NoError(t, exec1(t.Context(), db, "update migrated set v = 8"))
			})
		}
	})
	require.EqualValues(t, 1, runs.Load())
}

func TestFailedMigrationLeavesNoTemplate(t *testing.T) {
	t.Parallel()
	srv := use(t)
	broken := errors.New("broken")
	calls := 0
	migrate := func(context.Context, string) error { calls++; return broken }
	key := templatePrefix + "of_a_failure"
	for range 2 {
		require.ErrorIs(t, srv.cloneTemplate(key, srv.nextName(), migrate), broken)
	}
	require.Equal(t, 2, calls, "tried again, since nothing was kept")
	require.Zero(t, query1[int](t, srv.admin, "select count(*) from pg_database where starts_with(datname::text, $1)", key))
}

func TestDatabasesOfDeadProcessesAndOldTemplatesGo(t *testing.T) {
	t.Parallel()
	srv := use(t)
	ended := exec.Command("true")
	require.NoError(t, ended.Run())
	dead := fmt.Sprintf("%s%d_1", machinePrefix(), ended.Process.Pid)
	live := fmt.Sprintf("%s%d_1", machinePrefix(), os.Getppid())
	old, unfinished, fresh := templatePrefix+"old", templatePrefix+"new_making", templatePrefix+"fresh"
	for _, name := range []string{dead, live, old, unfinished, fresh} {
		require.NoError(t, srv.drop(name))
		require.NoError(t, srv.create(name, ""))
		t.Cleanup(func() { require.NoError(t, srv.drop(name)) })
	}
	require.NoError(t, exec1(t.Context(), srv.admin, "comment on database "+old+" is '2020-01-01T00:00:00Z'"))
	require.NoError(t, exec1(t.Context(), srv.admin, "comment on database "+fresh+" is 'infinity'"))

	gone := func(name string) bool {
		return query1[int](t, srv.admin, "select count(*) from pg_database where datname = $1", name) == 0
	}
	require.True(t, stale(dead))
	require.False(t, stale(live))
	// Cloning holds the lock shared and puts the template's end off: poll.
	require.Eventually(t, func() bool {
		return srv.do(t.Context(), func(conn *pgx.Conn) error {
			_ = dropOn(t.Context(), conn, dead)
			return dropOldTemplates(t.Context(), conn)
		}) == nil && gone(old)
	}, patience, 20*time.Millisecond)
	require.True(t, gone(dead))
	require.True(t, gone(unfinished))
	require.False(t, gone(live))
	require.False(t, gone(fresh))
}

func TestConnStringPointsAtTheDatabase(t *testing.T) {
	t.Parallel()
	for admin, want := range map[string]string{
		"host='/x y' dbname=a":                "host='/x y' dbname=a dbname=new",
		"postgres://u:p@h:1/a?sslmode=prefer": "postgres://u:p@h:1/new?sslmode=prefer",
		"postgresql://h":                      "postgresql://h/new",
	} {
		got := (&server{admin: admin}).connString("new")
		require.Equal(t, want, got)
		cfg, err := pgx.ParseConfig(got)
		require.NoError(t, err)
		require.Equal(t, "new", cfg.Database)
	}
}

func TestTemplateKeyFollowsTheFunction(t *testing.T) {
	t.Parallel()
	one := func(context.Context, string) error { return nil }
	two := func(context.Context, string) error { return nil }
	a, err := templateKey(one)
	require.NoError(t, err)
	again, err := templateKey(one)
	require.NoError(t, err)
	b, err := templateKey(two)
	require.NoError(t, err)
	require.Equal(t, a, again)
	require.NotEqual(t, a, b)
}

// It runs before the parallel tests: a second session takes the databases of this process for those of a dead one that had
// its number, and drops them.
func TestWithoutMainTheLastTestGivesTheClusterBack(t *testing.T) {
	var s session
	a, err := s.acquire()
	require.NoError(t, err)
	b, err := s.acquire()
	require.NoError(t, err)
	require.Same(t, a, b)
	require.NoError(t, s.release())
	require.NotNil(t, s.server, "one test still uses it")
	require.NoError(t, s.release())
	require.Nil(t, s.server)
}

func TestOwnClusterCanBeKilled(t *testing.T) {
	t.Parallel()
	c := NewCluster(t)
	require.NotEqual(t, Cluster(t).PID(), c.PID())
	before := c.PID()
	require.NoError(t, syscall.Kill(before, syscall.SIGKILL))
	require.Eventually(t, func() bool { return c.PID() != before }, patience, 20*time.Millisecond)
}

const holderEnv = "INTERAI_TEST_PGTEST_HOLDER"

// TestHolder is the other process of the next test.
func TestHolder(t *testing.T) {
	if os.Getenv(holderEnv) == "" {
		t.Skip("it is a part of TestServerOfAKilledRunIsStopped")
	}
	fmt.Println("holding", Cluster(t).PID())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func TestServerOfAKilledRunIsStopped(t *testing.T) {
	t.Parallel()
	tmp, err := os.MkdirTemp("", "interai-pgtest-")
	require.NoError(t, err)
	defer os.RemoveAll(tmp)
	require.NoError(t, os.Chmod(tmp, 0o755))
	exe, err := os.Executable()
	require.NoError(t, err)
	run := exec.Command(exe, "-test.run", "^TestHolder$")
	run.Env = append(os.Environ(), holderEnv+"=1", externalEnv+"=", "TMPDIR="+tmp) // a cluster of its own
	_, err = run.StdinPipe()
	require.NoError(t, err)
	out, err := run.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, run.Start())
	var pid int
	for lines := bufio.NewScanner(out); pid == 0; {
		require.True(t, lines.Scan(), "the other process ended without a word")
		_, _ = fmt.Sscanf(lines.Text(), "holding %d", &pid)
	}
	require.NoError(t, run.Process.Kill())
	_ = run.Wait()
	require.Eventually(t, func() bool {
		return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid)
	}, patience, 20*time.Millisecond, "the watchdog stops the server")
	files, err := filepath.Glob(filepath.Join(tmp, "interai-test-*", "pg", "postmaster.pid"))
	require.NoError(t, err)
	require.Empty(t, files)
}

// zombie reports a process that ended and that a container's first process,
// its new parent, does not reap.
func zombie(pid int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(raw), ") Z ")
}
