package backfill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/store/pgembed"
)

const (
	// targetsEnv is how many targets a run makes; each has 10 records on average.
	targetsEnv     = "INTERAI_BENCH_TARGETS"
	defaultTargets = 100_000
	// startLimit bounds the start of the cluster, which is made first.
	startLimit = 2 * time.Minute
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// BenchmarkBackfill measures the first version's computation by a backfill, then that of a second one beside it, and
// what operators do with it after that. It prints one table.
func BenchmarkBackfill(b *testing.B) {
	if b.N > 1 {
		b.Skip("one run is one measurement: use -benchtime 1x")
	}
	targets := defaultTargets
	if text := os.Getenv(targetsEnv); text != "" {
		var err error
		if targets, err = strconv.Atoi(text); err != nil || targets < 1 {
			b.Fatalf("%s: %q is not a positive number", targetsEnv, text)
		}
	}
	cluster := startCluster(b)
	r, err := prepare(b.Context(), cluster.ConnString(), cluster.PID(), targets)
	if err != nil {
		b.Fatal("prepare: ", err)
	}
	defer r.db.Close()
	phases, err := r.measure(b.Context())
	if err != nil {
		b.Fatal("measure: ", err)
	}
	fmt.Printf("\n%d targets, %d records, %d parties; Go %s, %d CPUs, %d groups at once; PostgreSQL with the private cluster's settings\n\n%s\n",
		r.targets, r.records, parties, runtime.Version(), runtime.NumCPU(), parallel, markdown(phases))
	b.ReportMetric(phases[1].rate(r.targets), "targets/s")
	b.ReportMetric(phases[1].rate(r.records), "records/s")
}

// startCluster runs a private cluster as a server would, durable and with its own settings.
func startCluster(b *testing.B) *pgembed.Cluster {
	b.Helper()
	dir, err := os.MkdirTemp("", "interai-backfill-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // as root, the server's account has to pass
	}
	if err != nil {
		b.Fatal("make the cluster's directory: ", err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(b.Context(), startLimit)
	defer cancel()
	cluster, err := pgembed.Start(ctx, pgembed.Options{DataDir: filepath.Join(dir, "data")})
	if err != nil {
		b.Fatal("start the cluster: ", err)
	}
	b.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), startLimit)
		defer cancel()
		if err := cluster.Stop(ctx); err != nil {
			b.Error("stop the cluster: ", err)
		}
	})
	return cluster
}

// TestAMeasurementProvesItself runs a small one, which fails if anything is missing at its end.
func TestAMeasurementProvesItself(t *testing.T) {
	t.Parallel()
	r, err := prepare(t.Context(), pgtest.New(t), pgtest.Cluster(t).PID(), 300)
	require.NoError(t, err)
	defer r.db.Close()
	require.EqualValues(t, 3000, r.records)
	phases, err := r.measure(t.Context())
	require.NoError(t, err)
	require.Len(t, phases, 5)
	for _, p := range phases {
		require.Positive(t, p.elapsed, p.name)
	}
	require.Contains(t, markdown(phases), "| trust-v2 beside trust-v1 | 300 | 3000 | ")
	_, err = r.db.Pool().Exec(t.Context(), `delete from trust_stats where ctid in (select ctid from trust_stats where model_id = 2 limit 1)`)
	require.NoError(t, err)
	require.ErrorContains(t, r.prove(t.Context()), "records")
}
