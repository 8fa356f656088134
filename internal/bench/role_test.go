package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// roleEnv makes the test binary something else than a test: a process of its own whose CPU time is known.
const roleEnv = "INTERAI_BENCH_ROLE"

// Roles. Every one of them ends when its stdin does, so that nothing outlives the run, however that ends.
const (
	roleEcho  = "echo"  // the bare server of the protocol library
	roleBare  = "bare"  // the driver of bare pgx
	roleNode  = "node"  // our node, with a profiler beside it
	roleGuard = "guard" // runs the binary, and ends it
)

func TestMain(m *testing.M) {
	role := os.Getenv(roleEnv)
	if role == "" {
		os.Exit(m.Run())
	}
	// Ctrl-C reaches every process of the terminal. Roles end by their stdin, in the order that the run chooses.
	signal.Ignore(os.Interrupt)
	run := map[string]func() error{roleEcho: runEcho, roleBare: runBare, roleNode: runNode, roleGuard: runGuard}[role]
	if run == nil {
		run = func() error { return fmt.Errorf("there is no role %q", role) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench "+role+":", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// process is a role that runs.
type process struct {
	pid   int
	stdin io.WriteCloser
	lines *bufio.Scanner // of its stdout
	cmd   *exec.Cmd
}

// maxLine bounds one line of a role's stdout.
const maxLine = 1 << 20

// roleStop is how long a role may take to end; a node drains its calls and stops its PostgreSQL.
const roleStop = 60 * time.Second

// startRole runs the test binary in a role until the benchmark ends. Its stderr goes to a file of that name.
func startRole(b *testing.B, role, stderr string, env []string, args ...string) *process {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal("find the test binary: ", err)
	}
	log, err := os.Create(stderr)
	if err != nil {
		b.Fatal("make the log: ", err)
	}
	p := &process{cmd: exec.Command(self, args...)}
	p.cmd.Env = append(append(os.Environ(), roleEnv+"="+role), env...)
	p.cmd.Stderr = log
	stdout, outErr := p.cmd.StdoutPipe()
	stdin, inErr := p.cmd.StdinPipe()
	if err := errors.Join(outErr, inErr, p.cmd.Start(), log.Close()); err != nil {
		b.Fatalf("start %s: %v", role, err)
	}
	p.pid, p.stdin, p.lines = p.cmd.Process.Pid, stdin, bufio.NewScanner(stdout)
	p.lines.Buffer(nil, maxLine)
	b.Cleanup(func() {
		if err := p.stop(); err != nil {
			b.Errorf("stop %s: %v", role, err)
		}
	})
	return p
}

// stop ends the role and waits for it.
func (p *process) stop() error {
	closeErr := p.stdin.Close()
	kill := time.AfterFunc(roleStop, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	for p.lines.Scan() { // a full pipe would hold it up
	}
	return errors.Join(closeErr, p.cmd.Wait())
}

// expect reads lines until one begins with prefix, and answers the rest of it.
func (p *process) expect(prefix string) (string, error) {
	for p.lines.Scan() {
		if rest, found := strings.CutPrefix(p.lines.Text(), prefix); found {
			return rest, nil
		}
	}
	return "", fmt.Errorf("the process ended before it said %q", prefix)
}

// mustExpect is expect; the role's log is shown when it fails.
func (p *process) mustExpect(b *testing.B, prefix, stderr string) string {
	b.Helper()
	rest, err := p.expect(prefix)
	if err != nil {
		b.Fatalf("%v; its log: %s", err, tail(stderr))
	}
	return rest
}

func tail(path string) string {
	const most = 2000
	raw, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(raw[max(0, len(raw)-most):])
}

// ended is closed when stdin ends: the run is over, or dead.
func ended() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	return done
}

// guardDirEnv is the directory that the guard removes at its end: the binary's data and logs.
const guardDirEnv = "INTERAI_BENCH_DIR"

const pidPrefix = "pid "

// runGuard runs the command of its arguments, which knows nothing of our stdin, and says its pid. It stops it like a
// service manager, and kills it only if that does not help.
func runGuard() error {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	dir := os.Getenv(guardDirEnv)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stdout, os.Stderr
	for _, setting := range os.Environ() { // neither the operator's settings nor ours are what is measured
		if !strings.HasPrefix(setting, "INTERAI_") {
			cmd.Env = append(cmd.Env, setting)
		}
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	fmt.Fprintf(os.Stdout, "%s%d\n", pidPrefix, cmd.Process.Pid)
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	var err error
	select {
	case err = <-exited:
		err = errors.Join(errors.New("the server ended by itself"), err)
	case <-ended():
		_ = cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(roleStop/2, func() { _ = cmd.Process.Kill() })
		err = <-exited
		kill.Stop()
	}
	stopLeftOver(dir)
	return errors.Join(err, os.RemoveAll(dir))
}

// stopLeftOver ends the PostgreSQL of a server that was killed before it could.
func stopLeftOver(dir string) {
	if pid, err := postmaster(filepath.Join(dir, dataDir)); err == nil {
		_ = syscall.Kill(pid, syscall.SIGQUIT)
	}
}

// dataDir is the server's data directory within the directory of a run.
const dataDir = "data"

// postmaster is the pid of a data directory's running PostgreSQL.
func postmaster(dir string) (int, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "pg", "postmaster.pid"))
	if err != nil {
		return 0, fmt.Errorf("find PostgreSQL: %w", err)
	}
	first, _, _ := strings.Cut(string(raw), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		return 0, fmt.Errorf("find PostgreSQL: %w", err)
	}
	return pid, nil
}
