package bench

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// point is one row of the table.
type point struct {
	Targets distribution
	Conns   int
	NoKeys  bool
}

// connections are those of the table: a lone agent, a busy server, one under pressure.
func connections() []int { return []int{1, 32, mostConns} }

// mostConns is where the aims are.
const mostConns = 128

// pointsAt are the points with that many connections, in the order of measuring: what one leaves behind for the
// workers is far less than what the next one does. That a later point begins with work waiting is how a loaded
// server lives; the floors are measured when nothing waits.
func pointsAt(conns int) []point {
	out := []point{{Targets: hot, Conns: conns}, {Targets: zipf, Conns: conns}, {Targets: spread, Conns: conns}}
	if conns == mostConns {
		out = append(out, point{Targets: spread, Conns: conns, NoKeys: true})
	}
	return out
}

func points() []point {
	var out []point
	for _, conns := range connections() {
		out = append(out, pointsAt(conns)...)
	}
	return out
}

// floor is the point at which bare pgx is measured for a point of ours. It has no keys and no head row, so only
// whether the target is always the same could matter to it.
func (p point) floor() point {
	if p.Targets == hot {
		return point{Targets: hot, Conns: p.Conns}
	}
	return point{Targets: spread, Conns: p.Conns}
}

// round is one pass over all points. The three programs take turns at each number of connections, so that the
// drift of a shared machine meets all of them.
type round struct {
	ours map[point]sample
	bare map[point]sample
	echo map[int]sample
	// catchUp is how long trust took, after the load of each number of connections, to include all of it.
	catchUp map[int]time.Duration
}

// bench is a run: the server and its two floors.
type bench struct {
	server *server
	echo   *echo
	bare   *bare
	window window
}

func (r *bench) round(ctx context.Context) (round, error) {
	out := round{
		ours: map[point]sample{}, bare: map[point]sample{}, echo: map[int]sample{}, catchUp: map[int]time.Duration{},
	}
	for _, conns := range connections() {
		var err error
		for _, p := range pointsAt(conns) {
			if out.ours[p], err = r.server.measure(ctx, p, r.window); err != nil {
				return out, fmt.Errorf("report_usage, %+v: %w", p, err)
			}
		}
		if out.catchUp[conns], err = r.server.settle(ctx); err != nil {
			return out, err
		}
		for _, targets := range []distribution{hot, spread} {
			p := point{Targets: targets, Conns: conns}
			if out.bare[p], err = r.bare.measure(targets, conns, r.window); err != nil {
				return out, fmt.Errorf("bare pgx, %+v: %w", p, err)
			}
		}
		if out.echo[conns], err = r.echo.measure(ctx, r.server, conns, r.window); err != nil {
			return out, fmt.Errorf("echo, %d connections: %w", conns, err)
		}
	}
	return out, nil
}

// BenchmarkReportUsage prints the table. One iteration is one whole run.
func BenchmarkReportUsage(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("not run: CPU times are read from /proc")
	}
	set := mustSettings(b)
	ctx := b.Context()
	s := startBinary(b)
	if err := s.populate(ctx, set); err != nil {
		b.Fatal("populate: ", err)
	}
	gc, err := s.gcPercent(ctx)
	if err != nil {
		b.Fatal(err)
	}
	r := &bench{server: s, echo: startEcho(b, s.dir, gc), bare: startBare(b, s, set), window: window{set.warmUp, set.round}}
	began := time.Now()
	var rounds []round
	for range set.rounds {
		one, err := r.round(ctx)
		if err != nil {
			b.Fatalf("%v; the server's log: %s", err, tail(s.log))
		}
		rounds = append(rounds, one)
	}
	took := time.Since(began)
	totals, err := s.prove(ctx)
	text := table(rounds) + aims(rounds) + environment(ctx, s, set, gc, took) + proof(s, totals, err)
	fmt.Fprintln(os.Stdout, "\n"+text)
	if err != nil {
		b.Fatal(err)
	}
	if set.report != "" {
		if err := os.WriteFile(set.report, []byte(text), 0o644); err != nil {
			b.Fatal("write the report: ", err)
		}
	}
	busy := point{Targets: spread, Conns: mostConns}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(values(rounds, func(r round) float64 { return rate(r.ours[busy]) })), "calls/s")
	b.ReportMetric(median(values(rounds, func(r round) float64 { return rate(r.ours[busy]) / rate(r.bare[busy]) })), "x-pgx")
}
