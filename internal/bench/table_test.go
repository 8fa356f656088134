package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/store"
)

func rate(s sample) float64 { return s.rate() }

func values(rounds []round, of func(round) float64) []float64 {
	out := make([]float64, len(rounds))
	for i, r := range rounds {
		out[i] = of(r)
	}
	return out
}

// median of values; the mean of the middle two for an even number.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// header names the columns. Times in µs are CPU time of one call; "all" is that of every process, the client's too.
func header() []string {
	return []string{
		"program", "targets", "conns", "calls/s", "p50 ms", "p99 ms", "server µs", "PostgreSQL µs", "client µs", "all µs",
		"targets behind", "ours/echo", "ours/pgx",
	}
}

const absent = "–"

// table is medians of the rounds; ratios are medians of each round's own ratio.
func table(rounds []round) string {
	rows := [][]string{header()}
	for _, p := range points() {
		targets := string(p.Targets)
		if p.NoKeys {
			targets += ", no keys"
		}
		row := columns("interai", targets, p.Conns, samplesOf(rounds, func(r round) sample { return r.ours[p] }))
		row = append(row,
			strconv.Itoa(int(median(values(rounds, func(r round) float64 { return float64(r.ours[p].Behind) })))),
			number(median(values(rounds, func(r round) float64 { return rate(r.ours[p]) / rate(r.echo[p.Conns]) }))),
			number(ratioToPgx(rounds, p)))
		rows = append(rows, row)
	}
	for _, p := range points() {
		if p == p.floor() {
			row := columns("pgx + River", string(p.Targets), p.Conns, samplesOf(rounds, func(r round) sample { return r.bare[p] }))
			row[6] = absent // its server is PostgreSQL
			rows = append(rows, append(row, absent, absent, "1"))
		}
	}
	for _, conns := range connections() {
		row := columns("echo", absent, conns, samplesOf(rounds, func(r round) sample { return r.echo[conns] }))
		row[7] = absent
		rows = append(rows, append(row, absent, "1", absent))
	}
	return markdown(rows)
}

func samplesOf(rounds []round, of func(round) sample) []sample {
	out := make([]sample, len(rounds))
	for i, r := range rounds {
		out[i] = of(r)
	}
	return out
}

func ratioToPgx(rounds []round, p point) float64 {
	return median(values(rounds, func(r round) float64 { return rate(r.ours[p]) / rate(r.bare[p.floor()]) }))
}

// columns are those that every program has.
func columns(program, targets string, conns int, samples []sample) []string {
	row := []string{program, targets, strconv.Itoa(conns)}
	for _, of := range []func(sample) float64{
		rate,
		func(s sample) float64 { return s.P50.Seconds() * 1000 },
		func(s sample) float64 { return s.P99.Seconds() * 1000 },
		func(s sample) float64 { return s.perCall(s.CPU.Server) },
		func(s sample) float64 { return s.perCall(s.CPU.Postgres) },
		func(s sample) float64 { return s.perCall(s.CPU.Client) },
		sample.allCPU,
	} {
		all := make([]float64, len(samples))
		for i, s := range samples {
			all[i] = of(s)
		}
		row = append(row, number(median(all)))
	}
	return row
}

// allCPU is the CPU time in µs that a call costs the machine, whoever used it. It is the measure that other work on
// the machine disturbs least.
func (s sample) allCPU() float64 { return s.perCall(s.CPU.Server + s.CPU.Postgres + s.CPU.Client) }

// number has about three digits that mean something.
func number(f float64) string {
	switch {
	case f >= 100:
		return strconv.FormatFloat(f, 'f', 0, 64)
	case f >= 10:
		return strconv.FormatFloat(f, 'f', 1, 64)
	default:
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
}

// markdown renders rows, the first of which is the header, so that a terminal shows columns too.
func markdown(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var out strings.Builder
	line := func(cells []string) {
		for i, cell := range cells {
			out.WriteString("| " + cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+1))
		}
		out.WriteString("|\n")
	}
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
	}
	line(rows[0])
	line(rule)
	for _, row := range rows[1:] {
		line(row)
	}
	return out.String()
}

// The aims at 128 connections, as multiples of bare pgx.
const (
	aimSpread = 1.5
	aimHot    = 3
)

func aims(rounds []round) string {
	var out strings.Builder
	out.WriteString("\nAims at 128 connections, beside bare pgx (which has no head row, so a hot target hardly changes its own rate):\n\n")
	for _, aim := range []struct {
		targets distribution
		least   float64
	}{{spread, aimSpread}, {hot, aimHot}} {
		p := point{Targets: aim.targets, Conns: mostConns}
		got, verdict := ratioToPgx(rounds, p), "reached"
		if got < aim.least {
			verdict = "missed"
		}
		fmt.Fprintf(&out, "- %s: at least %.1f, measured %.2f: %s (by CPU time of all processes: %.2f)\n", aim.targets, aim.least, got,
			verdict, median(values(rounds, func(r round) float64 { return r.bare[p.floor()].allCPU() / r.ours[p].allCPU() })))
	}
	fmt.Fprintf(&out, "\nTrust included all of the load %s s after its end (%d connections; medians).\n",
		number(median(values(rounds, func(r round) float64 { return r.catchUp[mostConns].Seconds() }))), mostConns)
	return out.String()
}

func environment(ctx context.Context, s *server, set settings, gcPercent string, took time.Duration) string {
	var version string
	if err := s.db.Pool().QueryRow(ctx, "show server_version").Scan(&version); err != nil {
		version = err.Error()
	}
	return fmt.Sprintf("\n%d cores shared by client, server and database; %s, GC percent %s (echo the same); PostgreSQL %s, fsync on, "+
		"its private cluster's settings; workers on. %d targets, %d parties; medians of %d rounds of %s after %s of warm-up; %s in all. "+
		"\"targets behind\" are those whose last evidence trust did not include when the measurement ended.\n",
		runtime.NumCPU(), runtime.Version(), gcPercent, version, set.targets, set.parties, set.rounds, set.round, set.warmUp,
		took.Round(time.Second))
}

// proof is what the run ends with.
func proof(s *server, totals store.TrustTotals, err error) string {
	complaints := s.complaints()
	var out strings.Builder
	fmt.Fprintf(&out, "\n%d calls acknowledged; %d evidence rows, gaps %d, lagging %d, lost %d; %d warnings and errors in the server's log.\n",
		s.acked, totals.Evidence, totals.Gaps, totals.Lagging, totals.Lost, len(complaints))
	for _, line := range complaints[:min(len(complaints), 5)] {
		fmt.Fprintf(&out, "- %s\n", line)
	}
	if err != nil {
		fmt.Fprintf(&out, "NOT PROVEN: %v\n", err)
	}
	return out.String()
}

func TestEveryPointHasARowAndItsRatios(t *testing.T) {
	t.Parallel()
	at := func(calls int) sample { return sample{Calls: calls, Elapsed: time.Second} }
	r := round{ours: map[point]sample{}, bare: map[point]sample{}, echo: map[int]sample{}}
	for _, p := range points() {
		r.ours[p], r.bare[p.floor()], r.echo[p.Conns] = at(300), at(200), at(600)
	}
	text := table([]round{r, r})
	lines := strings.Split(strings.TrimSpace(text), "\n")
	require.Len(t, lines, 2+len(points())+6+3)
	for _, line := range lines[2 : 2+len(points())] {
		require.Contains(t, line, "| 0.50 ")
		require.Contains(t, line, "| 1.50 ")
	}
	require.NotContains(t, text, "NaN")
	require.Contains(t, aims([]round{r}), "spread: at least 1.5, measured 1.50: reached")
	require.Contains(t, aims([]round{r}), "hot: at least 3.0, measured 1.50: missed")
}

func TestMediansIgnoreOneWildRound(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 3, median([]float64{900, 3, 1}), 0)
	require.InDelta(t, 2, median([]float64{1, 3}), 0)
	require.Zero(t, median(nil))
}
