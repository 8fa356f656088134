package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/node"
	"interai/api/ops"
	"interai/evidence"
)

// TestAPrivateNode drives one data directory with its private cluster through its life. Its steps build on one
// another, since a cluster costs seconds.
func TestAPrivateNode(t *testing.T) {
	t.Parallel()
	s := firstStart(t, privateDir(t))
	t.Run("commands beside a server", func(t *testing.T) { commands(t, s) })
	t.Run("stdio beside a server", func(t *testing.T) { stdioBeside(t, s) })
	t.Run("a killed cluster comes back", func(t *testing.T) { killCluster(t, s) })
	t.Run("a second start", func(t *testing.T) { secondStart(t, s) })
}

// privateDir is a data directory that the account of a private cluster may enter, which t.TempDir is not.
func privateDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "interai-node-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755)) // as root, the server's account has to pass
	return dir
}

// firstStart requires that credentials are complete before anybody is told that the server is ready, and that the
// key is printed once.
func firstStart(t *testing.T, dir string) *server {
	t.Helper()
	s := launch(t, dir)
	eventually(t, "the listener answers", func() bool { return s.status("/healthz") == 200 })
	eventually(t, "/readyz is 200", func() bool { return s.status("/readyz") == 200 })
	path := filepath.Join(dir, node.CredentialsFile)
	info, err := os.Stat(path)
	require.NoError(t, err, "credentials.json comes before /readyz")
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var written map[string]string
	require.NoError(t, json.Unmarshal(raw, &written))
	require.Len(t, written, 5)
	require.Equal(t, "http://"+s.addr, written["url"])
	require.Regexp(t, `^usr_`, written["human"])
	require.Regexp(t, `^ai_`, written["agent"])
	require.Regexp(t, `^iai_`, written["key"])
	require.Regexp(t, `^iai_`, written["moderator_key"])

	s.awaitReady()
	eventually(t, "the key is printed", func() bool { return strings.Contains(s.out.String(), "\n\n  "+written["key"]+"\n") })
	require.Equal(t, 1, strings.Count(s.out.String(), "Inter-AI is ready at "))
	require.NotContains(t, s.out.String()+s.errs.String(), written["moderator_key"])
	require.NotContains(t, s.errs.String(), written["key"], "keys are not logged")
	me := call[evidence.WhoamiOutput](t, s.dial(written["key"]), "whoami", nil)
	require.Equal(t, written["agent"], me.ActorID)
	require.Equal(t, written["human"], me.Controller)
	require.True(t, me.Vouched)
	require.NotContains(t, me.Scopes, "moderate")
	require.Contains(t, call[evidence.WhoamiOutput](t, s.dial(written["moderator_key"]), "whoami", nil).Scopes, "moderate")
	return s
}

// stdioBeside runs a session of `interai stdio` on the data directory of a running server.
func stdioBeside(t *testing.T, s *server) {
	p := openPipe(t, "stdio", "--data-dir", s.dir)
	p.initialize()
	p.ask(`"method":"tools/list"`)
	require.Contains(t, fmt.Sprint(p.tool("whoami", `{}`)), s.credentials.Agent)
	id, ok := p.tool("publish", `{"content_type":"note","title":"By stdio"}`)["id"].(string)
	require.True(t, ok)
	p.end()
	require.Equal(t, "By stdio", call[evidence.GetOutput](t, s.dial(s.credentials.Key), "get", map[string]any{"id": id}).Title,
		"the server goes on, on the same cluster")
}

// killCluster kills PostgreSQL, all of its processes, while calls are under way.
func killCluster(t *testing.T, s *server) {
	client := s.dial(s.credentials.Key)
	item := call[evidence.PublishOutput](t, client, "publish", map[string]any{"content_type": "note", "title": "Outage"})
	const workers = 8
	var acked, failed atomic.Int64
	var slowest atomic.Int64
	stop := make(chan struct{})
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := 0; ; i++ {
				args := map[string]any{"target": item.ID, "result": "success", "idempotency_key": fmt.Sprint(w, " ", i)}
				for attempt := 0; ; attempt++ {
					start := time.Now()
					_, err := client.Call(t.Context(), "report_usage", args, nil)
					if took := time.Since(start); int64(took) > slowest.Load() {
						slowest.Store(int64(took))
					}
					if err == nil {
						acked.Add(1)
						break
					}
					failed.Add(1)
					e := asError(err)
					if e == nil || e.Code != ops.InternalError || !e.Details.Retryable || e.Details.RetryAfter < 1 ||
						e.Details.Reason != "database_unavailable" {
						t.Errorf("a call during the outage answered %v", err)
						return
					}
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	enough := func(n *atomic.Int64, more int64) func() bool {
		from := n.Load()
		return func() bool { return n.Load() >= from+more || t.Failed() }
	}
	eventually(t, "calls are under way", enough(&acked, 50))
	pids := clusterProcesses(t, s.dir)
	require.Greater(t, len(pids), 4, "the postmaster and its children")
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL) // one that ended by itself meanwhile is as dead
	}
	eventually(t, "calls work again without a restart", enough(&acked, 200))
	close(stop)
	all.Wait()
	require.False(t, t.Failed())
	select {
	case <-s.ended:
		t.Fatal("the server ended with its cluster")
	default:
	}
	t.Logf("%d acknowledged, %d refused, the slowest call took %s", acked.Load(), failed.Load(), time.Duration(slowest.Load()))
	require.Less(t, time.Duration(slowest.Load()), 15*time.Second, "a call waits about 2 s for the database, not for ever")
	var got evidence.GetOutput
	eventually(t, "trust includes all of it", func() bool {
		got = call[evidence.GetOutput](t, client, "get", map[string]any{"id": item.ID})
		return got.Trust.Pending == 0
	})
	require.Equal(t, acked.Load(), got.EvidenceSummary.Usage.Success, "what was acknowledged is there, once")
	require.Equal(t, 200, s.status("/readyz"))
}

// clusterProcesses are the postmaster of a data directory and its children.
func clusterProcesses(t *testing.T, dir string) []int {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "pg", "postmaster.pid"))
	require.NoError(t, err)
	postmaster, err := strconv.Atoi(strings.SplitN(string(raw), "\n", 2)[0])
	require.NoError(t, err)
	return withChildren(t, postmaster)
}

// withChildren are a process and those that it started.
func withChildren(t *testing.T, parent int) []int {
	t.Helper()
	pids := []int{parent}
	entries, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, entry := range entries {
		stat, err := os.ReadFile(entry)
		if err != nil {
			continue // it has ended
		}
		// The name is in brackets and may hold blanks; behind it come the state and the parent (proc(5)).
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(entry)))
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// secondStart requires that a stop is clean, and that the next start has the same identities and prints no key.
func secondStart(t *testing.T, s *server) {
	s.stop()
	_, err := os.Stat(filepath.Join(s.dir, "pg", "postmaster.pid"))
	require.ErrorIs(t, err, os.ErrNotExist, "the last one out stops the cluster")
	again := serve(t, s.dir)
	require.Equal(t, s.credentials.Key, again.credentials.Key)
	require.Equal(t, "http://"+again.addr, again.credentials.URL, "the file follows the address")
	require.NotContains(t, again.out.String()+again.errs.String(), again.credentials.Key)
	require.Equal(t, s.credentials.Agent, call[evidence.WhoamiOutput](t, again.dial(s.credentials.Key), "whoami", nil).ActorID)
	again.stop()
}
