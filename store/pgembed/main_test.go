package pgembed

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

const (
	// childEnv makes the test binary another interai process on this directory.
	childEnv = "PGEMBED_TEST_CHILD_DIR"
	// patience bounds every wait of these tests: initdb may take 15 s under load.
	patience = 90 * time.Second
)

// testRoot holds every data directory, so that one look at the end finds every
// process that a test left behind.
var testRoot string

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		os.Exit(child(dir))
	}
	root, err := os.MkdirTemp("", "pgembed-test-")
	if err == nil {
		err = os.Chmod(root, 0o755) // the server's account has to pass
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	testRoot, _ = filepath.EvalSymlinks(root)
	code := m.Run()
	if left := leftBehind(testRoot); len(left) > 0 {
		fmt.Fprintln(os.Stderr, "FAIL: server processes left behind:", left)
		code = 1
	}
	_ = os.RemoveAll(testRoot)
	os.Exit(code)
}

// leftBehind finds PostgreSQL processes that work below root (Linux only).
func leftBehind(root string) []string {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	var left []string
	for _, link := range links {
		if dir, err := os.Readlink(link); err == nil && strings.HasPrefix(dir, root+"/") {
			left = append(left, link+" -> "+dir)
		}
	}
	return left
}

// child is another interai process: it holds its share until its input ends.
func child(dir string) int {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := Start(ctx, testOptions(dir))
	if err != nil {
		fmt.Println("error", err)
		return 1
	}
	fmt.Println("up", c.PID())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := c.Stop(ctx); err != nil {
		fmt.Println("error", err)
		return 1
	}
	fmt.Println("down")
	return 0
}

// testOptions trade durability for speed where a test does not pull the plug of
// the machine: nothing here survives or should survive a power cut.
func testOptions(dir string) Options {
	return Options{DataDir: dir, Settings: map[string]string{"fsync": "off", "shared_buffers": "32MB"}}
}

func newDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(testRoot, "d")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	return filepath.Join(dir, "data")
}

func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// start starts a share that the test's end gives back.
func start(t *testing.T, o Options) *Cluster {
	t.Helper()
	c, err := Start(testContext(t), o)
	require.NoError(t, err)
	t.Cleanup(func() { stop(t, c) })
	return c
}

func stop(t *testing.T, c *Cluster) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	require.NoError(t, c.Stop(ctx))
}

func alive(c *Cluster) bool { return serves(c.PID(), c.layout.pgData) }

// exec1 runs statements over one fresh connection.
func exec1(t *testing.T, c *Cluster, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(testContext(t), c.ConnString())
	require.NoError(t, err)
	defer conn.Close(context.Background())
	for _, s := range statements {
		_, err := conn.Exec(testContext(t), s)
		require.NoError(t, err)
	}
}

func query1(t *testing.T, c *Cluster, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(testContext(t), c.ConnString())
	require.NoError(t, err)
	defer conn.Close(context.Background())
	var v string
	require.NoError(t, conn.QueryRow(testContext(t), sql).Scan(&v))
	return v
}

// other is a second interai process.
type other struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
	done  bool
}

// startOther starts one; change may alter the command before it runs.
func startOther(t *testing.T, dir string, change func(*exec.Cmd)) *other {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	cmd.Stderr = os.Stderr
	if change != nil {
		change(cmd)
	}
	o := &other{cmd: cmd}
	o.stdin, err = cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	o.lines = bufio.NewScanner(out)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		if !o.done {
			_ = o.stdin.Close()
			_ = cmd.Wait()
		}
	})
	return o
}

// line reads the process's next line.
func (o *other) line(t *testing.T) string {
	t.Helper()
	require.True(t, o.lines.Scan(), "the other process ended without a word")
	return o.lines.Text()
}

// up waits for its share and returns the postmaster's pid as it sees it.
func (o *other) up(t *testing.T) int {
	t.Helper()
	var pid int
	line := o.line(t)
	_, err := fmt.Sscanf(line, "up %d", &pid)
	require.NoError(t, err, line)
	return pid
}

// leave lets it stop in an orderly way.
func (o *other) leave(t *testing.T) {
	t.Helper()
	require.NoError(t, o.stdin.Close())
	require.Equal(t, "down", o.line(t))
	o.done = true
	require.NoError(t, o.cmd.Wait())
}

// kill ends it without any chance to clean up.
func (o *other) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, o.cmd.Process.Signal(syscall.SIGKILL))
	o.done = true
	_ = o.cmd.Wait()
}

// eventually polls a condition instead of waiting a fixed time.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	require.Eventually(t, ok, patience, 20*time.Millisecond, what)
}

func onlyRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("not run: switching accounts needs root")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
