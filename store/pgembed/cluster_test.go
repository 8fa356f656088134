package pgembed

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestRowsSurviveAStopAndAWarmStart(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	const identifier = "select system_identifier::text from pg_control_system()"

	c := start(t, Options{DataDir: dir}) // as in production: fsync on
	id := query1(t, c, identifier)
	exec1(t, c, "create table kept (v text)", "insert into kept values ('here')")
	stop(t, c)
	require.False(t, alive(c), "the only user left, so the server has to stop")
	require.False(t, exists(c.layout.pidPath()))

	c = start(t, Options{DataDir: dir})
	require.Equal(t, id, query1(t, c, identifier), "the same cluster, not a new one")
	require.Equal(t, "here", query1(t, c, "select v from kept"))
}

func TestServerRunsWithItsSettings(t *testing.T) {
	t.Parallel()
	o := testOptions(newDir(t))
	o.Settings["work_mem"] = "5MB"
	c := start(t, o)
	for name, want := range map[string]string{
		"listen_addresses":                    "",
		"data_checksums":                      "on",
		"server_encoding":                     "UTF8",
		"max_connections":                     "200",
		"max_wal_size":                        "2GB",
		"checkpoint_timeout":                  "15min",
		"jit":                                 "off",
		"autovacuum_naptime":                  "10s",
		"idle_in_transaction_session_timeout": "30s",
		"log_min_error_statement":             "panic",
		"work_mem":                            "5MB",
		"fsync":                               "off",
	} {
		require.Equal(t, want, query1(t, c, "select current_setting('"+name+"')"), name)
	}
	compression := "off"
	if c.supportsLZ4() {
		compression = "lz4"
	}
	require.Equal(t, compression, query1(t, c, "select current_setting('wal_compression')"))
	require.Equal(t, database, query1(t, c, "select current_database()::text"))
	require.Equal(t, superuser, query1(t, c, "select current_user::text"))
	info, err := os.Stat(c.layout.socket)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm(), "only the account may reach the socket")
}

func TestFirstOutLeavesTheServerAndLastOutStopsIt(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	// Both cold starts at once: one makes the cluster, the other adopts it.
	a, b := startOther(t, dir, nil), startOther(t, dir, nil)
	pid := a.up(t)
	require.Equal(t, pid, b.up(t), "both use one server")

	pgData := newLayout(dir).pgData
	a.leave(t)
	require.True(t, serves(pid, pgData), "the second process still uses it")
	b.leave(t)
	require.False(t, serves(pid, pgData))
}

func TestSharesInOneProcessCountToo(t *testing.T) {
	t.Parallel()
	o := testOptions(newDir(t))
	a, b := start(t, o), start(t, o)
	require.Equal(t, a.PID(), b.PID())
	stop(t, a)
	require.True(t, alive(b))
	stop(t, b)
	require.False(t, alive(b))
	stop(t, b) // again: no error, nothing to do
}

func TestServerOfAKilledProcessIsAdopted(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	owner := startOther(t, dir, nil)
	pid := owner.up(t)
	owner.kill(t)

	c := start(t, testOptions(dir))
	require.Equal(t, pid, c.PID(), "adopted, not started anew")
	stop(t, c)
	require.False(t, alive(c), "the dead process holds no share any more")
}

func TestKilledPostmasterIsHealedOnceByAllSharers(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	c := start(t, testOptions(dir))
	peer := startOther(t, dir, nil)
	peer.up(t)
	exec1(t, c, "create table kept (v text)", "insert into kept values ('committed')")

	before := c.PID()
	require.NoError(t, syscall.Kill(before, syscall.SIGKILL))
	eventually(t, "a new postmaster", func() bool { return c.PID() != before && alive(c) })
	require.Equal(t, "committed", query1(t, c, "select v from kept"))

	peer.leave(t)
	require.True(t, alive(c), "the peer follows the same server, and leaves it to us")
	stop(t, c)
	require.False(t, alive(c))
}

func TestEnsureHealsAtOnce(t *testing.T) {
	t.Parallel()
	c := start(t, testOptions(newDir(t)))
	before := c.PID()
	require.NoError(t, c.Ensure(testContext(t)), "a live server is left alone")
	require.Equal(t, before, c.PID())

	require.NoError(t, syscall.Kill(before, syscall.SIGKILL))
	eventually(t, "the kill", func() bool { return !serves(before, c.layout.pgData) })
	require.NoError(t, c.Ensure(testContext(t)))
	require.NotEqual(t, before, c.PID())
	require.Equal(t, "1", query1(t, c, "select '1'"))
}

func TestCallThatGivesUpDoesNotEndTheRestart(t *testing.T) {
	t.Parallel()
	c := start(t, testOptions(newDir(t)))
	before := c.PID()
	require.NoError(t, syscall.Kill(before, syscall.SIGKILL))
	eventually(t, "the kill", func() bool { return !serves(before, c.layout.pgData) })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Ensure(ctx); err != nil { // nil if supervision was faster
		require.ErrorIs(t, err, context.Canceled)
	}
	eventually(t, "a new postmaster", func() bool { return c.PID() != before && c.healthy() })
}

func TestNothingIsStartedAfterStop(t *testing.T) {
	t.Parallel()
	c := start(t, testOptions(newDir(t)))
	stop(t, c)
	require.ErrorIs(t, c.Ensure(testContext(t)), ErrStopped)
	require.False(t, alive(c))
}

func TestBackendThatOutlivesItsPostmasterDoesNotBlockTheRestart(t *testing.T) {
	t.Parallel()
	c := start(t, testOptions(newDir(t)))
	conn, err := pgx.Connect(testContext(t), c.ConnString())
	require.NoError(t, err)
	defer conn.Close(context.Background())
	var backend int
	require.NoError(t, conn.QueryRow(testContext(t), "select pg_backend_pid()").Scan(&backend))
	ended := make(chan error, 1)
	go func() { // pure CPU: such a backend does not notice that it is orphaned
		_, err := conn.Exec(context.Background(), "do $$ begin loop end loop; end $$")
		ended <- err
	}()
	const busy = "select count(*)::text from pg_stat_activity where state = 'active' and query like 'do %'"
	eventually(t, "the busy backend", func() bool { return query1(t, c, busy) == "1" })

	before := c.PID()
	require.NoError(t, syscall.Kill(before, syscall.SIGKILL))
	eventually(t, "a new postmaster", func() bool { return c.PID() != before && alive(c) })
	require.Error(t, <-ended)
	require.False(t, serves(backend, c.layout.pgData))
}

func TestKilledBackendIsTheServersOwnMatter(t *testing.T) {
	t.Parallel()
	c := start(t, testOptions(newDir(t)))
	before := c.PID()
	conn, err := pgx.Connect(testContext(t), c.ConnString())
	require.NoError(t, err)
	defer conn.Close(context.Background())
	var backend int
	require.NoError(t, conn.QueryRow(testContext(t), "select pg_backend_pid()").Scan(&backend))
	require.NoError(t, syscall.Kill(backend, syscall.SIGKILL))
	eventually(t, "connections again", func() bool { return c.probe(testContext(t)) == nil })
	require.Equal(t, before, c.PID(), "the postmaster recovered by itself")
}

func TestReusedPidInAStalePidFileDoesNotBlockTheStart(t *testing.T) {
	t.Parallel()
	o := testOptions(newDir(t))
	c := start(t, o)
	stop(t, c)

	// Another process of the server's own account, which PostgreSQL would take
	// for a live postmaster.
	sleeper := c.account.command("/", "/bin/sleep", "600")
	require.NoError(t, sleeper.Start())
	defer func() {
		_ = sleeper.Process.Kill()
		_ = sleeper.Wait()
	}()
	content := strings.Join([]string{strconv.Itoa(sleeper.Process.Pid), c.layout.pgData, "1", "5432", c.layout.socket, "", ""}, "\n")
	require.NoError(t, os.WriteFile(c.layout.pidPath(), []byte(content), 0o600))
	require.NoError(t, c.account.own(c.layout.pidPath()))

	again := start(t, o)
	require.NotEqual(t, sleeper.Process.Pid, again.PID())
	require.True(t, alive(again))
}

func TestHalfMadeClusterIsMadeAnew(t *testing.T) {
	t.Parallel()
	o := testOptions(newDir(t))
	l := newLayout(o.DataDir)
	require.NoError(t, os.MkdirAll(filepath.Join(l.initDir, "base"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(l.initDir, "PG_VERSION"), []byte("15\n"), 0o600))
	c := start(t, o)
	require.False(t, exists(l.initDir))
	require.True(t, alive(c))
}

func TestBrokenLocaleAndPGVariablesDoNotReachTheServer(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	o := startOther(t, dir, func(cmd *exec.Cmd) {
		cmd.Env = append(cmd.Env, "LC_ALL=xx_YY.nonsense", "LANG=xx_YY", "PGDATA=/nowhere", "PGPORT=7", "PGHOST=/nowhere")
	})
	require.Positive(t, o.up(t))
	o.leave(t)
}

func TestPathsWithSpacesQuotesAndGreatLengthWork(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{
		"spaces and a quote":       "it's a dir",
		"longer than a socket can": strings.Repeat("long-", 20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, testOptions(filepath.Join(newDir(t), part)))
			require.LessOrEqual(t, len(socketFile(c.layout.socket)), maxSocketPath)
			require.Equal(t, "1", query1(t, c, "select '1'"))
			stop(t, c)
			require.Equal(t, filepath.Dir(c.layout.socket) == c.layout.dataDir, exists(c.layout.socket),
				"a directory outside the data directory goes with the server")
		})
	}
}

func TestOrdinaryUserRunsItsOwnCluster(t *testing.T) {
	t.Parallel()
	onlyRoot(t)
	base := filepath.Dir(newDir(t))
	acc, err := dropAccount("nobody", newLayout(base))
	require.NoError(t, err)
	require.NoError(t, os.Chown(base, int(acc.uid), int(acc.gid)))
	exe := filepath.Join(base, "pgembed.test") // the built one lies where only root may go
	self, err := os.Executable()
	require.NoError(t, err)
	raw, err := os.ReadFile(self)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(exe, raw, 0o755))

	dir := filepath.Join(base, "data")
	o := startOther(t, dir, func(cmd *exec.Cmd) {
		cmd.Path, cmd.Args, cmd.Dir = exe, []string{exe}, base
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: acc.uid, Gid: acc.gid}}
	})
	pid := o.up(t)
	owner, err := newLayout(dir).owner()
	require.NoError(t, err)
	require.Equal(t, acc.uid, owner)

	// Root joins: the cluster's owner decides about the account.
	c := start(t, testOptions(dir))
	require.Equal(t, pid, c.PID())
	o.leave(t)
	require.True(t, alive(c))
}
