package e2e

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/evidence"
	"interai/internal/pgtest"
)

var assetID = regexp.MustCompile(`ast_[0-9a-z]{26}`)

// memoryBound is what a server under attack may take, in bytes.
const memoryBound = 300 << 20

// peakMemory is the most that the server's process has had in memory, in bytes.
func (s *server) peakMemory() int64 {
	s.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	require.NoError(s.t, err)
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			require.NoError(s.t, err)
			return kilobytes << 10
		}
	}
	s.t.Fatal("the system does not say how much memory a process had")
	return 0
}

// TestAnAttackedServerStaysSmallAndServesOthers holds what no attacker may: memory, connections, places. The healthy
// client is a party of its own, as agents of others are.
func TestAnAttackedServerStaysSmallAndServesOthers(t *testing.T) {
	t.Parallel()
	s, large := floodedServer(t, databaseURL(pgtest.New(t)))
	key := other(t, s)
	for _, attack := range attacks() {
		t.Run(attack.name, func(t *testing.T) {
			a := attackOn(t, s, large)
			attack.run(a)
			defer a.end()
			eventually(t, "the attack is under way", func() bool { return a.begun.Load() >= attack.begun })
			client := s.dial(key) // a new connection finds its place
			for i := range 50 {
				_, err := client.Call(t.Context(), "whoami", nil, nil)
				require.NoError(t, err, "call %d", i)
			}
			item := call[evidence.PublishOutput](t, client, "publish", fields{"content_type": "note", "title": "Meanwhile"})
			require.Equal(t, "Meanwhile", call[evidence.GetOutput](t, client, "get", fields{"id": item.ID}).Title)
			if slices.Contains([]string{"heads that never end", "bodies that stop", "readers that stop"}, attack.name) {
				eventually(t, "attackers lose their connections", func() bool { return a.ended.Load() > 0 })
			}
			require.Less(t, s.peakMemory(), int64(memoryBound))
		})
	}
	t.Logf("peak memory: %d MiB", s.peakMemory()>>20)
}

// other is the key of an agent of another party.
func other(t testing.TB, s *server) string {
	t.Helper()
	run := func(args ...string) string {
		r := cli(t, s.cmd.Env, append(args, "--data-dir", s.dir, "--json")...)
		require.Zero(t, r.code, r.errors)
		return r.out
	}
	human := regexp.MustCompile(`usr_[0-9a-z]{26}`).FindString(run("actor", "create", "--kind", "usr", "--name", "other"))
	agent := regexp.MustCompile(`ai_[0-9a-z]{26}`).FindString(run("actor", "create", "--kind", "ai", "--name", "agent", "--controller", human))
	return regexp.MustCompile(`iai_[^"]+`).FindString(run("key", "create", "--actor", agent))
}

// BenchmarkFlood compares the slowest hundredth of a healthy client's calls under each attack with that of the same calls
// before it.
func BenchmarkFlood(b *testing.B) {
	s, large := floodedServer(b, databaseURL(pgtest.New(b)))
	client := s.dial(other(b, s))
	for _, attack := range append(lone(), attacks()...) {
		b.Run(strings.ReplaceAll(attack.name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				quiet := p99(b, client)
				a := attackOn(b, s, large)
				attack.run(a)
				eventually(b, "the attack is under way", func() bool { return a.begun.Load() >= attack.begun })
				attacked := p99(b, client)
				a.end()
				b.ReportMetric(float64(quiet.Microseconds()), "quiet-p99-µs")
				b.ReportMetric(float64(attacked.Microseconds()), "attacked-p99-µs")
				b.ReportMetric(float64(attacked)/float64(quiet), "ratio")
				b.ReportMetric(float64(s.peakMemory()>>20), "peak-MiB")
			}
		})
	}
}

// p99 makes 2,000 calls over one connection.
func p99(b *testing.B, client *mcp.Client) time.Duration {
	b.Helper()
	var failed atomic.Int64
	took := make([]time.Duration, 2000)
	for i := range took {
		start := time.Now()
		if _, err := client.Call(b.Context(), "whoami", nil, nil); err != nil {
			failed.Add(1)
		}
		took[i] = time.Since(start)
	}
	require.Zero(b, failed.Load())
	slices.Sort(took)
	return took[len(took)*99/100]
}
