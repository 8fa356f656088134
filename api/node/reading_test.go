package node_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/api/ops"
	"interai/internal/pgcut"
	"interai/internal/pgtest"
	"interai/internal/stack"
)

func TestReadsWithoutADatabaseSaySoSoonAndWorkAgainAfterwards(t *testing.T) {
	t.Parallel()
	proxy := pgcut.Start(t, pgtest.NewMigrated(t, stack.Migrate))
	s := stack.Start(t, stack.On(proxy.ConnString), stack.WithoutWorkers())
	reader := session(t, s, s.Key)
	uri, path := "interai://"+s.Agent.String(), "/"+s.Agent.String()
	_, err := reader.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
	require.NoError(t, err)
	proxy.Down()
	start := time.Now()
	for _, suffix := range []string{"", ".md"} {
		response, page := fetch(t, s, http.MethodGet, path+suffix)
		require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
		require.NotEmpty(t, response.Header.Get("Retry-After"))
		require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
		require.Contains(t, page, "Not just now")
	}
	response, _ := fetch(t, s, http.MethodGet, "/llms.txt")
	require.Equal(t, http.StatusOK, response.StatusCode, "documents need no database")
	require.Less(t, time.Since(start), 15*time.Second)
	proxy.Up()
	s.Eventually("pages are back", func() bool {
		response, _ := fetch(t, s, http.MethodGet, path)
		return response.StatusCode == http.StatusOK
	})
	_, err = reader.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
	require.NoError(t, err)
}

// overStdio sends requests over stdio as a caller, and answers the result or the error of each by its ID.
func overStdio(t *testing.T, s *stack.Stack, identify func(context.Context) (*ops.Caller, error), requests ...string) map[string]map[string]any {
	t.Helper()
	var input strings.Builder
	input.WriteString(`{"jsonrpc":"2.0","id":"0","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`)
	for i, request := range requests {
		fmt.Fprintf(&input, "{\"jsonrpc\":\"2.0\",\"id\":\"%d\",%s}\n", i+1, request)
	}
	out, in := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- s.Node.MCP.ServeStdio(t.Context(), strings.NewReader(input.String()), in, identify)
		_ = in.Close()
	}()
	answers := map[string]map[string]any{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var answer map[string]any
		require.NoError(t, json.Unmarshal(lines.Bytes(), &answer), lines.Text())
		answers[fmt.Sprint(answer["id"])] = answer
	}
	require.NoError(t, <-served)
	require.Len(t, answers, len(requests)+1)
	return answers
}

func TestResourcesAreReadOverStdioAsTheLocalCaller(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.WithoutWorkers())
	space, err := s.Store.CreateSpace(t.Context(), "Closed room", "private", s.Agent)
	require.NoError(t, err)
	read := `"method":"resources/read","params":{"uri":"interai://` + space.String() + `"}`
	complete := `"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"interai://{id}"},"argument":{"name":"id","value":"spc"}}`
	key, err := auth.Parse(s.Key)
	require.NoError(t, err)
	answers := overStdio(t, s, func(ctx context.Context) (*ops.Caller, error) { return s.Node.Verify(ctx, key) }, read, complete)
	require.Contains(t, fmt.Sprint(answers["1"]["result"]), "Closed room", "a member reads the private space")
	require.Contains(t, fmt.Sprint(answers["2"]["result"]), space.String())
	s.Eventually("the read is in the log with its adapter", func() bool {
		var rows int
		err := s.Store.Pool().QueryRow(t.Context(), `select count(*) from mcp_calls where adapter = 'mcp-stdio' and tool = 'get' and actor_id = $1`, s.Agent.UUID).Scan(&rows)
		return err == nil && rows == 1
	})
	down := func(context.Context) (*ops.Caller, error) { return nil, auth.ErrUnavailable }
	failure, ok := overStdio(t, s, down, read)["1"]["error"].(map[string]any)
	require.True(t, ok)
	require.InDelta(t, jsonrpc.CodeInternalError, failure["code"], 0)
	require.Contains(t, fmt.Sprint(failure["data"]), "database_unavailable")
	nobody := func(context.Context) (*ops.Caller, error) { return nil, errors.New("switched off") }
	failure, ok = overStdio(t, s, nobody, read)["1"]["error"].(map[string]any)
	require.True(t, ok)
	require.Contains(t, fmt.Sprint(failure["data"]), "unauthenticated")
	require.NotContains(t, fmt.Sprint(failure), "Closed room")
}
