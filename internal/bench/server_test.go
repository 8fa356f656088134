package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"interai/store"
	"interai/store/pgembed"
)

// server is the server under test: the real binary, or a node with a profiler. Its private cluster has its own
// settings, fsync included.
type server struct {
	process *process
	dir     string // of the run: binary, data, logs
	log     string
	host    string
	pid     int
	conn    string
	db      *store.Store
	pg      int // the postmaster's pid

	bearers []string
	targets []string
	acked   int64 // calls whose success was told, of all measurements
	seed    int64 // of the next connection, so that no two ever draw the same keys
}

// startLimit bounds the first start, which makes a cluster.
const startLimit = 2 * time.Minute

// makeDir makes the directory of a run. PostgreSQL's account has to pass through it when we are root.
func makeDir(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp("", "interai-bench-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		b.Fatal("make the run's directory: ", err)
	}
	b.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			b.Error("remove the run's directory: ", err)
		}
	})
	return dir
}

// buildBinary builds the real program.
func buildBinary(b *testing.B, dir string) string {
	b.Helper()
	binary := filepath.Join(dir, "interai")
	build := exec.CommandContext(b.Context(), "go", "build", "-buildvcs=false", "-o", binary, "./cmd/interai")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the server: %v\n%s", err, out)
	}
	return binary
}

// writesPerHour is the largest limit that the configuration takes.
const writesPerHour = "10000000"

// startBinary runs the binary with its workers and its own cluster.
func startBinary(b *testing.B) *server {
	b.Helper()
	dir := makeDir(b)
	s := &server{dir: dir, log: filepath.Join(dir, "server.log")}
	env := []string{guardDirEnv + "=" + dir}
	s.process = startRole(b, roleGuard, s.log, env, buildBinary(b, dir), "serve", "--addr", "127.0.0.1:0",
		"--data-dir", filepath.Join(dir, dataDir), "--writes-per-hour", writesPerHour)
	pid, err := strconv.Atoi(s.process.mustExpect(b, pidPrefix, s.log))
	if err != nil {
		b.Fatal("read the server's pid: ", err)
	}
	s.pid = pid
	s.attach(b)
	return s
}

// attach waits until the server is ready, and connects to its database.
func (s *server) attach(b *testing.B) {
	b.Helper()
	impatience := time.AfterFunc(startLimit, func() { _ = s.process.stdin.Close() })
	url := s.process.mustExpect(b, readyPrefix, s.log)
	impatience.Stop()
	s.host = strings.TrimPrefix(url, "http://")
	var err error
	if s.conn, err = pgembed.ConnString(filepath.Join(s.dir, dataDir)); err != nil {
		b.Fatal("find the database: ", err)
	}
	if s.db, err = store.Open(store.Options{ConnString: s.conn, MaxConns: 4}); err != nil {
		b.Fatal("open the database: ", err)
	}
	b.Cleanup(s.db.Close)
	if s.pg, err = postmaster(filepath.Join(s.dir, dataDir)); err != nil {
		b.Fatal(err)
	}
	var fsync string
	if err := s.db.Pool().QueryRow(b.Context(), "show fsync").Scan(&fsync); err != nil || fsync != "on" {
		b.Fatalf("fsync is %q (%v): such numbers would mean nothing", fsync, err)
	}
}

// measure drives the server at one point.
func (s *server) measure(ctx context.Context, p point, w window) (sample, error) {
	callers, closeAll, err := dialAll(ctx, s.host, s.bearers, p, s.targets, s.nextSeed(p.Conns), w)
	if err != nil {
		return sample{}, err
	}
	defer closeAll()
	out, err := drive(ctx, w, callers, watched{Server: s.pid, Postgres: s.pg, Client: os.Getpid()})
	s.acked += int64(out.Acked)
	if err != nil {
		return out, err
	}
	totals, err := s.db.TrustTotals(ctx)
	out.Behind = totals.Lagging
	return out, err
}

func (s *server) nextSeed(conns int) int64 {
	s.seed += int64(conns)
	return s.seed - int64(conns)
}

// settleLimit bounds how long trust may take to include all evidence.
const settleLimit = 2 * time.Minute

// settle waits until no target has evidence that trust does not include, and tells how long that took.
func (s *server) settle(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for time.Since(began) < settleLimit {
		lagging, err := s.db.Lagging(ctx, true, store.ID{}.UUID, 1)
		if err != nil {
			return 0, err
		}
		if len(lagging) == 0 {
			return time.Since(began), nil
		}
		<-poll.C
	}
	return 0, errors.New("trust did not catch up in time")
}

// gcPercent asks the server for its collector's setting, so that the echo server runs with the same.
func (s *server) gcPercent(ctx context.Context) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.host+"/metrics", http.NoBody)
	if err != nil {
		return "", fmt.Errorf("ask for metrics: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fmt.Errorf("ask for metrics: %w", err)
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), "go_gc_gogc_percent "); found {
			return value, nil
		}
	}
	return "", errors.New("the metrics do not tell the collector's percentage")
}

// complaints are the lines of the server's log above info.
func (s *server) complaints() []string {
	raw, err := os.ReadFile(s.log)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for line := range strings.Lines(string(raw)) {
		if strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

// prove checks that each acknowledged call is one evidence row, numbered without gaps and included in trust.
func (s *server) prove(ctx context.Context) (store.TrustTotals, error) {
	totals, err := s.db.TrustTotals(ctx)
	want := store.TrustTotals{Evidence: s.acked, Numbered: s.acked}
	if err == nil && totals != want {
		err = fmt.Errorf("of %d acknowledged calls there is %+v", s.acked, totals)
	}
	return totals, err
}
