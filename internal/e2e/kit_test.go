package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/node"
	"interai/api/ops"
	"interai/internal/pgtest"
)

const (
	// patience bounds each wait of the tests; the first start of a private cluster takes the longest.
	patience = time.Minute
	poll     = 5 * time.Millisecond
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "interai-e2e-")
	if err != nil {
		println("make a directory for the binary:", err.Error())
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "interai")
	build := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false", "-o", binary, "interai/cmd/interai")
	if out, err := build.CombinedOutput(); err != nil {
		println("build the binary:", err.Error(), string(out))
		return 1
	}
	return pgtest.Main(m)
}

// output collects what a process writes, while it runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// environment is the test's own without any setting of the product but the write limit: tests write more in a minute than
// a party may in an hour.
func environment(more ...string) []string {
	var out []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "INTERAI_") {
			out = append(out, entry)
		}
	}
	return append(append(out, "INTERAI_WRITES_PER_HOUR=10000000"), more...)
}

// freeAddress is a loopback address that nobody listens on.
func freeAddress(t testing.TB) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

// server is one running `interai serve`.
type server struct {
	t           testing.TB
	cmd         *exec.Cmd
	dir, addr   string
	out, errs   output
	ended       chan struct{}
	exit        error
	credentials node.Credentials
}

// launch starts a server on a data directory and does not wait for it.
func launch(t testing.TB, dir string, env ...string) *server {
	t.Helper()
	s := &server{t: t, dir: dir, addr: freeAddress(t), ended: make(chan struct{})}
	s.cmd = exec.Command(binary, "serve", "--addr", s.addr, "--data-dir", dir)
	s.cmd.Env, s.cmd.Stdout, s.cmd.Stderr = environment(env...), &s.out, &s.errs
	require.NoError(t, s.cmd.Start())
	go func() {
		s.exit = s.cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.signal(syscall.SIGTERM)
		select {
		case <-s.ended:
		case <-time.After(patience):
			s.kill()
		}
		if t.Failed() {
			t.Log("stderr of the server:\n", s.errs.String())
		}
	})
	return s
}

// serve starts a server and waits until it is ready.
func serve(t testing.TB, dir string, env ...string) *server {
	t.Helper()
	s := launch(t, dir, env...)
	s.awaitReady()
	return s
}

func (s *server) awaitReady() {
	s.t.Helper()
	eventually(s.t, "the server is ready", func() bool {
		select {
		case <-s.ended:
			s.t.Fatal("the server ended: ", s.errs.String())
		default:
		}
		return strings.Contains(s.out.String(), "Inter-AI is ready at http://"+s.addr+"\n")
	})
	var err error
	s.credentials, err = node.ReadCredentials(s.dir)
	require.NoError(s.t, err)
}

func (s *server) signal(sig syscall.Signal) {
	select {
	case <-s.ended:
	default:
		_ = s.cmd.Process.Signal(sig) // it may have ended just now
	}
}

// kill ends the server at once, as a crash does.
func (s *server) kill() {
	s.signal(syscall.SIGKILL)
	<-s.ended
}

// stop asks the server to end and requires that it does so in order.
func (s *server) stop() {
	s.t.Helper()
	s.signal(syscall.SIGTERM)
	select {
	case <-s.ended:
		require.NoError(s.t, s.exit, s.errs.String())
	case <-time.After(patience):
		s.t.Fatal("the server does not stop")
	}
}

func (s *server) dial(key string) *mcp.Client {
	s.t.Helper()
	client, err := mcp.Dial(s.t.Context(), "http://"+s.addr+"/mcp", key)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = client.Close() })
	return client
}

// status is the HTTP status of a path, 0 when nobody answers.
func (s *server) status(path string) int {
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.addr+path, http.NoBody)
	if err != nil {
		return 0
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatal("did not happen in time: ", what)
		}
		<-ticker.C
	}
}

// result is what a command left.
type result struct {
	code        int
	out, errors string
}

// cli runs a command to its end.
func cli(t testing.TB, env []string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	var out, errs bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = environment(env...), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal("run the command: ", err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// answer decodes the one JSON value that a command printed.
func answer[T any](t *testing.T, r result) T {
	t.Helper()
	require.Zero(t, r.code, r.errors)
	require.Empty(t, r.errors)
	var out T
	decoder := json.NewDecoder(strings.NewReader(r.out))
	require.NoError(t, decoder.Decode(&out), r.out)
	require.False(t, decoder.More(), "one value: %s", r.out)
	return out
}

func lines(text string) []string {
	var out []string
	for scanner := bufio.NewScanner(strings.NewReader(text)); scanner.Scan(); {
		out = append(out, scanner.Text())
	}
	return out
}

// call calls a tool and decodes its answer.
func call[T any](t testing.TB, client *mcp.Client, tool string, args any) T {
	t.Helper()
	var out T
	raw, err := client.Call(t.Context(), tool, args, nil)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}

// asError is an error of the interface, nil when it came from below.
func asError(err error) *ops.Error {
	e, _ := errors.AsType[*ops.Error](err)
	return e
}

// query reads one row of the database.
func query(t testing.TB, conn, sql string, into ...any) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), conn)
	require.NoError(t, err)
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	require.NoError(t, db.QueryRow(t.Context(), sql).Scan(into...), sql)
}

func databaseURL(conn string) string { return fmt.Sprint("INTERAI_DATABASE_URL=", conn) }
