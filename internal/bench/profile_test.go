package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"interai/api/node"
	"interai/api/public"
	"interai/config"
	"interai/store/pgembed"
)

// profileEnv is a directory that gets cpu.pprof and statements.txt of a node under load. No profiler is built into
// the product: the test binary runs the same node instead.
const profileEnv = "INTERAI_BENCH_PROFILE"

const (
	profileGC     = "400" // the binary's own setting
	profileLength = 10 * time.Second
	profilePrefix = "profile "
	profiled      = "profiled"
)

// runNode serves like the binary does, and writes a profile when stdin asks for one.
func runNode() error {
	logger := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	cfg, err := config.Load(map[string]string{
		"addr": "127.0.0.1:0", "data-dir": os.Args[1], "writes-per-hour": writesPerHour,
	}, nil, "")
	if err != nil {
		return fmt.Errorf("configure: %w", err)
	}
	n, err := node.Open(cfg, "bench", logger, node.Roles{API: true, Workers: true})
	if err != nil {
		return fmt.Errorf("open the node: %w", err)
	}
	handler, err := n.Handler()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	n.URL = "http://" + listener.Addr().String()
	web := public.NewServer(n.ServerConfig(), handler, logger)
	go func() { _ = web.Serve(listener, "", "") }()
	ctx := context.Background()
	n.Begin(ctx)
	select {
	case <-n.Ready():
	case err := <-n.Failed():
		return err
	}
	fmt.Fprintln(os.Stdout, readyPrefix+n.URL)
	err = profileOnDemand()
	return errors.Join(err, web.Close(), n.Stop(ctx))
}

// profileOnDemand reads "profile <path>" lines until stdin ends.
func profileOnDemand() error {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		path, asked := strings.CutPrefix(lines.Text(), profilePrefix)
		if !asked {
			return fmt.Errorf("cannot do %q", lines.Text())
		}
		file, err := os.Create(path)
		if err != nil {
			return fmt.Errorf("make the profile: %w", err)
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return fmt.Errorf("start the profile: %w", err)
		}
		<-time.After(profileLength)
		pprof.StopCPUProfile()
		if err := file.Close(); err != nil {
			return fmt.Errorf("write the profile: %w", err)
		}
		fmt.Fprintln(os.Stdout, profiled)
	}
	return nil
}

// BenchmarkProfile puts 128 connections of spread load on a node and writes where its and the database's time goes.
func BenchmarkProfile(b *testing.B) {
	out := os.Getenv(profileEnv)
	if out == "" {
		b.Skip("not run: " + profileEnv + " names no directory")
	}
	s := startProfiled(b)
	if err := s.populate(b.Context(), mustSettings(b)); err != nil {
		b.Fatal("populate: ", err)
	}
	p := point{Targets: spread, Conns: mostConns}
	if _, err := s.measure(b.Context(), p, window{WarmUp: time.Second, Measure: time.Second}); err != nil {
		b.Fatalf("warm up: %v; log: %s", err, tail(s.log))
	}
	if err := execOn(b.Context(), s.conn, "select pg_stat_statements_reset()"); err != nil {
		b.Fatal(err)
	}
	if _, err := fmt.Fprintln(s.process.stdin, profilePrefix+filepath.Join(out, "cpu.pprof")); err != nil {
		b.Fatal("ask for a profile: ", err)
	}
	one, err := s.measure(b.Context(), p, window{WarmUp: time.Millisecond, Measure: profileLength})
	if err != nil {
		b.Fatalf("load: %v; log: %s", err, tail(s.log))
	}
	s.process.mustExpect(b, profiled, s.log)
	if _, err := s.settle(b.Context()); err != nil {
		b.Fatal(err)
	}
	text, err := statements(b.Context(), s.conn, one)
	if err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(os.Stdout, "\n"+text)
	if err := os.WriteFile(filepath.Join(out, "statements.txt"), []byte(text), 0o644); err != nil {
		b.Fatal("write the statements: ", err)
	}
	if _, err := s.prove(b.Context()); err != nil {
		b.Error(err)
	}
}

// startProfiled starts a cluster that counts statements, and a node that adopts it.
func startProfiled(b *testing.B) *server {
	b.Helper()
	dir := makeDir(b)
	s := &server{dir: dir, log: filepath.Join(dir, "node.log")}
	cluster, err := pgembed.Start(b.Context(), pgembed.Options{
		DataDir:  filepath.Join(dir, dataDir),
		Settings: map[string]string{"shared_preload_libraries": "pg_stat_statements", "track_wal_io_timing": "on"},
	})
	if err != nil {
		b.Fatal("start PostgreSQL: ", err)
	}
	b.Cleanup(func() {
		if err := cluster.Stop(context.WithoutCancel(b.Context())); err != nil {
			b.Error("stop PostgreSQL: ", err)
		}
	})
	s.process = startRole(b, roleNode, s.log, []string{"GOGC=" + profileGC}, filepath.Join(dir, dataDir))
	s.pid = s.process.pid
	s.attach(b)
	if err := execOn(b.Context(), s.conn, "create extension pg_stat_statements"); err != nil {
		b.Fatal(err)
	}
	return s
}

const topStatements = `
	select calls, total_exec_time, mean_exec_time, rows, wal_records, wal_bytes::bigint, left(regexp_replace(query, '\s+', ' ', 'g'), 110)
	from pg_stat_statements order by total_exec_time desc limit 25`

// statements lists what the database did during the load.
func statements(ctx context.Context, connStr string, load sample) (string, error) {
	conn, err := pgx.Connect(ctx, connStr)
	if err != nil {
		return "", fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, topStatements)
	if err != nil {
		return "", fmt.Errorf("list statements: %w", err)
	}
	out := [][]string{{"calls", "total ms", "mean ms", "rows", "WAL records", "WAL bytes", "statement"}}
	var calls, count, wal, bytes int64
	var total, mean float64
	var query string
	_, err = pgx.ForEachRow(rows, []any{&calls, &total, &mean, &count, &wal, &bytes, &query}, func() error {
		out = append(out, []string{
			strconv.FormatInt(calls, 10), number(total), number(mean), strconv.FormatInt(count, 10), strconv.FormatInt(wal, 10),
			strconv.FormatInt(bytes, 10), query,
		})
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("list statements: %w", err)
	}
	return fmt.Sprintf("%d calls in %s, %.0f/s; server %.0f µs, PostgreSQL %.0f µs of CPU each; %d targets behind at its end, their computation is in the list\n\n%s",
		load.Calls, load.Elapsed, load.rate(), load.perCall(load.CPU.Server), load.perCall(load.CPU.Postgres), load.Behind,
		markdown(out)), nil
}
