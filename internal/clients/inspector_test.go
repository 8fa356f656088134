//go:build !conformance

package clients

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/stack"
)

// binary builds the program as people run it.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "interai")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", path, "../../cmd/interai").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// overStdio is the environment of a process that serves the stack's database to the stack's agent.
func overStdio(t *testing.T, s *stack.Stack) []string {
	t.Helper()
	return []string{
		"INTERAI_DATABASE_URL=" + s.ConnString, "INTERAI_DATA_DIR=" + t.TempDir(), "INTERAI_API_KEY=" + s.Key,
	}
}

// tools are all that a server that people run offers, in the order of the list.
func tools() []string {
	return []string{"compare", "get", "publish", "rate", "report_usage", "review", "search", "submit_experience", "whoami"}
}

func TestTheInspectorFindsNothingToWarnAbout(t *testing.T) {
	dir := programs(t)
	s := stack.Start(t)
	in := t.TempDir()
	http := []string{s.URL, "--transport", "http", "--header", "Authorization: Bearer " + s.Key, "--stored-auth-only"}
	stdio := []string{binary(t), "stdio"}
	for _, setting := range overStdio(t, s) {
		stdio = append(stdio, "-e", setting)
	}
	ways := map[string][]string{
		"http legacy": append(slices.Clone(http), "--protocol-era", "legacy"),
		"http modern": append(slices.Clone(http), "--protocol-era", "modern"),
		"stdio":       stdio,
	}
	t.Run("search and fetch", func(t *testing.T) {
		args := []string{script(dir, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"), "--cli", s.URL + "/fetch"}
		args = append(append(args, http[1:]...), "--format", "json", "--method", "tools/list", "--strict")
		inspected(t, node(t, dir, in, args...), "fetch", "search")
	})
	asks := [][]string{
		{"tools/list"}, {"resources/list"}, {"resources/templates/list"}, {"prompts/list"}, {"tools/call", "--tool-name", "whoami"},
	}
	for name, way := range ways {
		for _, ask := range asks {
			t.Run(name+" "+ask[0], func(t *testing.T) {
				args := append([]string{script(dir, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"), "--cli"}, way...)
				args = append(args, "--format", "json", "--method")
				args = append(args, ask...)
				if ask[0] == "tools/list" { // the inspector lints schemas of tools only
					args = append(args, "--strict")
				}
				r := node(t, dir, in, args...)
				if ask[0] == "tools/list" {
					inspected(t, r, tools()...)
				} else {
					inspected(t, r)
				}
			})
		}
	}
}

// inspected checks that the inspector has nothing to say of an answer, and that a list has these tools: no fixture of the
// conformance suite.
func inspected(t *testing.T, r ran, want ...string) {
	t.Helper()
	require.Zero(t, r.code, "%s\n%s", r.out, r.errors)
	var answer struct {
		SchemaFindings []any
		Result         struct{ Tools []struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &answer), r.out)
	require.Empty(t, answer.SchemaFindings, "the inspector warns")
	require.NotContains(t, r.errors, "portability")
	var names []string
	for _, tool := range answer.Result.Tools {
		names = append(names, tool.Name)
	}
	require.Equal(t, want, names)
}
