//go:build conformance

package clients

import (
	"fmt"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/stack"
)

// figures are what a run of the suite found. Scenarios that a revision does not require are run and reported by the
// suite; they cannot fail it.
type figures struct{ scenarios, passed, expected, reported, checks int }

var (
	scenarioLine = regexp.MustCompile(`(?m)^([✓✗]) ([a-z0-9-]+): (\d+) passed, (\d+) failed$`)
	expectedLine = regexp.MustCompile(`(?m)^  ~ ([a-z0-9-]+)`)
)

// readFigures reads the suite's summary.
func readFigures(t *testing.T, output string) figures {
	t.Helper()
	_, summary, found := strings.Cut(output, "=== SUMMARY ===")
	require.True(t, found, output)
	expected := map[string]bool{}
	for _, m := range expectedLine.FindAllStringSubmatch(summary, -1) {
		expected[m[1]] = true
	}
	f := figures{expected: len(expected)}
	for _, m := range scenarioLine.FindAllStringSubmatch(summary, -1) {
		checks, err := strconv.Atoi(m[3])
		require.NoError(t, err)
		f.scenarios, f.checks = f.scenarios+1, f.checks+checks
		switch {
		case expected[m[2]]:
		case m[1] == "✓":
			f.passed++
		default:
			f.reported++
		}
	}
	return f
}

func TestTheOfficialSuiteFailsOnlyWhereItIsMeantTo(t *testing.T) {
	dir := programs(t)
	documented, err := os.ReadFile(filepath.Join("..", "..", "docs", "CONFORMANCE.md"))
	require.NoError(t, err)
	s := stack.Start(t)
	endpoint := signedIn(t, s.URL, s.Key)
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			baseline, err := filepath.Abs(filepath.Join("testdata", "baseline-"+revision+".yml"))
			require.NoError(t, err)
			results := t.TempDir()
			r := node(t, dir, results, script(dir, "@modelcontextprotocol", "conformance", "dist", "index.js"), "server",
				"--url", endpoint, "--requirements", revision, "--expected-failures", baseline, "-o", results)
			require.Zero(t, r.code, "%s\n%s", r.out, r.errors)
			f := readFigures(t, r.out)
			row := fmt.Sprintf("| %s | %d | %d | %d | %d | %d |", revision, f.scenarios, f.passed, f.expected, f.reported, f.checks)
			t.Logf("%s: %d scenarios: %d passed, %d failed as expected, %d not required failed; %d checks passed", revision,
				f.scenarios, f.passed, f.expected, f.reported, f.checks)
			require.Contains(t, string(documented), row, "docs/CONFORMANCE.md is out of date")
		})
	}
}

// The suite talks to the node through a proxy: nobody else may have let its requests in.
func TestTheSuiteTakesThePathOfOrdinaryCalls(t *testing.T) {
	s := stack.Start(t, stack.WithoutWorkers())
	code, answer := s.Raw("", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_image_content"}}`)
	require.Equal(t, 401, code, answer)
	code, answer = s.Raw(s.Key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_simple_text"}}`)
	require.Equal(t, 200, code, answer)
	s.Eventually("the call is audited", func() bool {
		var rows int
		err := s.Store.Pool().QueryRow(t.Context(), `select count(*) from mcp_calls where tool = 'test_simple_text'`).Scan(&rows)
		return err == nil && rows == 1
	})
	_, answer = s.Raw(s.KeyOf(s.Agent, "rate"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_simple_text"}}`)
	require.Contains(t, answer, "forbidden_scope")
}

// signedIn is a proxy that sends every request on with a key, for programs that have no place for one. It keeps the
// caller's Host, since what the node makes of it is tested too.
func signedIn(t *testing.T, target, key string) string {
	t.Helper()
	to, err := url.Parse(target)
	require.NoError(t, err)
	server := httptest.NewServer(&httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
			r.Out.Host = r.In.Host
			r.Out.Header.Set("Authorization", "Bearer "+key)
		},
	})
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL + to.Path
}
