package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/openmcp"
)

// helperEnv makes the test binary behave as a server over stdio.
const helperEnv = "INTERAI_TEST_STDIO"

// TestHelperServer is no test: it is the server that tests start as a command.
func TestHelperServer(t *testing.T) {
	mode := os.Getenv(helperEnv)
	if mode == "" {
		t.Skip("runs as a command only")
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var message struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(in.Bytes(), &message) != nil || len(message.ID) == 0 {
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", message.ID, helperAnswer(mode, message.Method))
	}
	os.Exit(0)
}

// helperAnswer is what the server of a mode says.
func helperAnswer(mode, method string) string {
	switch {
	case mode == "silent":
		select {} // until it is killed
	case method == "initialize":
		return `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"helper","version":"7"},"instructions":"Helps."}`
	case method == "tools/list" && mode == "huge":
		return `"result":{"tools":[{"name":"t","description":"` + strings.Repeat("x", 2<<20) + `","inputSchema":{"type":"object"}}]}`
	case method == "tools/list" && mode == "endless":
		return `"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}],"nextCursor":"more"}`
	case method == "tools/list":
		return `"result":{"tools":[{"name":"t","title":"T","description":"Does.","inputSchema":{"type":"object","properties":{"n":{"type":["integer","null"],"maximum":3}}},"annotations":{"readOnlyHint":true}}]}`
	default:
		return `"error":{"code":-32601,"message":"no"}`
	}
}

// helper is the command of a mode.
func helper(t *testing.T, mode string) []string {
	t.Helper()
	t.Setenv(helperEnv, mode)
	return []string{os.Args[0], "-test.run=^TestHelperServer$"}
}

func bounds() ProbeBounds { return ProbeBounds{Pages: 3, Tools: 10, Bytes: 1 << 20} }

func TestACommandIsProbed(t *testing.T) {
	live, err := ProbeCommand(t.Context(), helper(t, "honest"), io.Discard, bounds())
	require.NoError(t, err)
	require.Equal(t, "helper", live.Name)
	require.Equal(t, "7", live.Version)
	require.Equal(t, "Helps.", live.Instructions)
	require.Empty(t, live.URL)
	require.Len(t, live.Tools, 1)
	require.Equal(t, &openmcp.Annotations{ReadOnly: true, Destructive: true, OpenWorld: true}, live.Tools[0].Annotations)
	raw, left, err := openmcp.FromLive(live)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"x_transport": "stdio"`)
	require.NotEmpty(t, left, "the parameter is not described")
}

func TestAProbeIsBounded(t *testing.T) {
	live, err := ProbeCommand(t.Context(), helper(t, "endless"), io.Discard, bounds())
	require.NoError(t, err)
	require.True(t, live.Truncated)
	require.Len(t, live.Tools, 3)
	few := bounds()
	few.Tools = 2
	live, err = ProbeCommand(t.Context(), helper(t, "endless"), io.Discard, few)
	require.NoError(t, err)
	require.True(t, live.Truncated)
	require.Len(t, live.Tools, 2)
	_, err = ProbeCommand(t.Context(), helper(t, "huge"), io.Discard, bounds())
	require.Error(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = ProbeCommand(ctx, helper(t, "silent"), io.Discard, bounds())
	require.Error(t, err)
	_, err = ProbeCommand(t.Context(), nil, io.Discard, bounds())
	require.Error(t, err)
	_, err = ProbeCommand(t.Context(), []string{"/nowhere/at/all"}, io.Discard, bounds())
	require.Error(t, err)
}

func TestAServerIsProbedOverHTTP(t *testing.T) {
	s := newStand(t, Options{Version: "3"})
	url := s.serve(t)
	header := http.Header{"Authorization": {"Bearer " + s.key.Reveal()}}
	live, err := ProbeHTTP(t.Context(), url, header, DefaultProbeBounds())
	require.NoError(t, err)
	require.Equal(t, url, live.URL)
	require.Equal(t, "inter-ai", live.Name)
	require.Len(t, live.Tools, 3)
	raw, _, err := openmcp.FromLive(live)
	require.NoError(t, err)
	require.NotContains(t, string(raw), s.key.Reveal())
	_, err = ProbeHTTP(t.Context(), url, nil, DefaultProbeBounds())
	require.Error(t, err, "without a key")
	few := DefaultProbeBounds()
	few.Bytes = 100
	_, err = ProbeHTTP(t.Context(), url, header, few)
	require.Error(t, err)
}

func TestAProbeCarriesItsHeadersNowhereElse(t *testing.T) {
	carried := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { carried = r.Header.Get("Authorization") != "" }))
	defer elsewhere.Close()
	moved := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer moved.Close()
	_, err := ProbeHTTP(t.Context(), moved.URL, http.Header{"Authorization": {"Bearer x"}}, DefaultProbeBounds())
	require.Error(t, err)
	require.False(t, carried)
}

// TestWhatACommandLeavesBehindIsEnded: a server that ends with its input may have started others that do not.
func TestWhatACommandLeavesBehindIsEnded(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	script := `sleep 300 </dev/null >/dev/null 2>&1 & echo $! >"$0"; exit 1`
	_, err := ProbeCommand(t.Context(), []string{"sh", "-c", script, pidFile}, io.Discard, bounds())
	require.Error(t, err)
	raw, err := os.ReadFile(pidFile)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return ended(pid) }, 20*time.Second, 10*time.Millisecond, "the child is still running")
}

// ended reports whether a process is gone, or dead and only not yet waited for.
func ended(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestACommandsErrorsArePassedOnWithinBounds(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	command := []string{"sh", "-c", `head -c 3000000 /dev/zero >&2`}
	_, err := ProbeCommand(t.Context(), command, &log, bounds())
	require.Error(t, err)
	require.LessOrEqual(t, int64(log.Len()), bounds().Bytes)
}
