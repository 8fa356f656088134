package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
)

// pipe is one session over standard input and output.
type pipe struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs output
	next int
}

func openPipe(t *testing.T, args ...string) *pipe {
	t.Helper()
	return openPipeWith(t, nil, args...)
}

func openPipeWith(t *testing.T, env []string, args ...string) *pipe {
	t.Helper()
	p := &pipe{t: t, cmd: exec.CommandContext(t.Context(), binary, args...)}
	p.cmd.Env, p.cmd.Stderr = environment(env...), &p.errs
	var err error
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.out = bufio.NewReader(out)
	require.NoError(t, p.cmd.Start())
	return p
}

// ask sends a request and reads the one line that answers it.
func (p *pipe) ask(request string) map[string]any {
	p.t.Helper()
	p.next++
	_, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,%s}`+"\n", p.next, request)
	require.NoError(p.t, err)
	line, err := p.out.ReadString('\n')
	require.NoError(p.t, err, p.errs.String())
	var reply map[string]any
	require.NoError(p.t, json.Unmarshal([]byte(line), &reply), line)
	require.Equal(p.t, "2.0", reply["jsonrpc"])
	require.InDelta(p.t, p.next, reply["id"], 0)
	require.Nil(p.t, reply["error"], line)
	return reply
}

func (p *pipe) initialize() {
	p.t.Helper()
	p.ask(`"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	_, err := io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	require.NoError(p.t, err)
}

// tool calls a tool and answers its structured result.
func (p *pipe) tool(name, args string) map[string]any {
	p.t.Helper()
	reply := p.ask(fmt.Sprintf(`"method":"tools/call","params":{"name":%q,"arguments":%s}`, name, args))
	result, ok := reply["result"].(map[string]any)
	require.True(p.t, ok, reply)
	structured, ok := result["structuredContent"].(map[string]any)
	require.True(p.t, ok, reply)
	return structured
}

// end closes the input, and requires that the process ends well and soon and has said nothing else.
func (p *pipe) end() {
	p.t.Helper()
	closed := time.Now()
	require.NoError(p.t, p.in.Close())
	rest, err := io.ReadAll(p.out)
	require.NoError(p.t, err)
	require.Empty(p.t, string(rest), "nothing but answers on standard output")
	require.NoError(p.t, p.cmd.Wait(), p.errs.String())
	require.Less(p.t, time.Since(closed), patience)
}

func TestStdioRefusesASwitchedOffAgentAtOnce(t *testing.T) {
	t.Parallel()
	env := []string{databaseURL(pgtest.New(t))}
	p := openPipeWith(t, env, "stdio", "--data-dir", t.TempDir())
	p.initialize()
	agent, ok := p.tool("whoami", `{}`)["actor_id"].(string)
	require.True(t, ok)
	require.Zero(t, cli(t, env, "actor", "disable", agent).code)
	raw, err := json.Marshal(p.tool("whoami", `{}`))
	require.NoError(t, err)
	require.Contains(t, string(raw), `"code":"unauthenticated"`)
	p.end()
}

func TestAPipedSessionIsAnsweredLineByLine(t *testing.T) {
	t.Parallel()
	env := []string{databaseURL(pgtest.New(t))}
	cmd := exec.CommandContext(t.Context(), binary, "stdio", "--data-dir", t.TempDir())
	cmd.Env = environment(env...)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"publish","arguments":{"content_type":"note","title":"Piped"}}}
`)
	out, err := cmd.Output()
	require.NoError(t, err)
	answers := map[float64]bool{}
	for _, line := range lines(string(out)) {
		var reply struct {
			ID     float64        `json:"id"`
			Result map[string]any `json:"result"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &reply), line)
		require.NotNil(t, reply.Result, line)
		answers[reply.ID] = true
	}
	require.Equal(t, map[float64]bool{1: true, 2: true, 3: true}, answers, "what was asked before the end of the input is answered")
}
