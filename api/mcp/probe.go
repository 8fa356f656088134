package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/openmcp"
)

// ProbeBounds bound what is read of a server that may be anybody's. The time is the context's.
type ProbeBounds struct {
	// Pages and Tools bound tools/list; further ones are left out, and the answer says so.
	Pages, Tools int
	// Bytes bound all that the server sends.
	Bytes int64
}

// DefaultProbeBounds are enough for any honest server.
func DefaultProbeBounds() ProbeBounds {
	return ProbeBounds{Pages: 50, Tools: 2000, Bytes: 16 << 20}
}

// errProbeBytes: the server sent more than it may.
var errProbeBytes = errors.New("the server sent more than is read of one")

// ProbeHTTP asks a server over Streamable HTTP what it offers. Headers go with every request to its own address;
// redirects are not followed, since they would carry a credential elsewhere.
func ProbeHTTP(ctx context.Context, url string, header http.Header, bounds ProbeBounds) (openmcp.Live, error) {
	base, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return openmcp.Live{}, errors.New("probe: the default transport was replaced")
	}
	transport := &probing{header: header, next: base.Clone()}
	transport.left.Store(bounds.Bytes)
	defer transport.next.CloseIdleConnections()
	hc := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	live, err := probe(ctx, &sdk.StreamableClientTransport{
		Endpoint: url, HTTPClient: hc, DisableStandaloneSSE: true, MaxRetries: -1,
	}, bounds)
	live.URL = url
	return live, err
}

// probing adds headers and bounds what is read.
type probing struct {
	header http.Header
	next   *http.Transport
	left   atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (p *probing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	maps.Copy(r.Header, p.header)
	resp, err := p.next.RoundTrip(r)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client wraps it
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{&metered{from: resp.Body, left: &p.left}, resp.Body}
	return resp, nil
}

// metered fails once too much was read.
type metered struct {
	from io.Reader
	left *atomic.Int64
}

// Read implements io.Reader.
func (m *metered) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	if m.left.Add(-int64(n)) < 0 {
		return 0, errProbeBytes
	}
	return n, err //nolint:wrapcheck // the end of a stream is no error of ours
}

// stopPatience is how long a command may take to end after its input has.
const stopPatience = 5 * time.Second

// ProbeCommand starts a command that speaks MCP over stdio, asks it what it offers, and ends it. What it writes to its
// standard error goes to log.
func ProbeCommand(ctx context.Context, command []string, log io.Writer, bounds ProbeBounds) (openmcp.Live, error) {
	if len(command) == 0 {
		return openmcp.Live{}, errors.New("probe: the command is missing")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stderr, cmd.WaitDelay = &capped{to: log, left: bounds.Bytes}, stopPatience
	ownGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return openmcp.Live{}, fmt.Errorf("probe: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return openmcp.Live{}, fmt.Errorf("probe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return openmcp.Live{}, fmt.Errorf("probe: %w", err)
	}
	meter := &metered{from: out, left: new(atomic.Int64)}
	meter.left.Store(bounds.Bytes)
	live, err := probe(ctx, &sdk.IOTransport{Reader: struct {
		io.Reader
		io.Closer
	}{meter, out}, Writer: in, MaxLineLength: int(bounds.Bytes)}, bounds)
	_ = in.Close() // a server ends with its input
	patience := time.AfterFunc(stopPatience, cancel)
	defer patience.Stop()
	_ = cmd.Wait() // how it ends says nothing about what it offered
	endGroup(cmd)  // what it has started and left behind
	return live, err
}

// capped passes the first bytes on, and drops the rest.
type capped struct {
	to   io.Writer
	left int64
}

// Write implements io.Writer.
func (c *capped) Write(p []byte) (int, error) {
	n := min(int64(len(p)), c.left)
	c.left -= n
	if n > 0 {
		if _, err := c.to.Write(p[:n]); err != nil {
			return 0, fmt.Errorf("pass a command's errors on: %w", err)
		}
	}
	return len(p), nil
}

// probe opens a session and reads all tools.
func probe(ctx context.Context, transport sdk.Transport, bounds ProbeBounds) (openmcp.Live, error) {
	client := sdk.NewClient(&sdk.Implementation{Name: "interai-probe", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return openmcp.Live{}, fmt.Errorf("probe: connect: %w", err)
	}
	defer func() { _ = session.Close() }()
	live := openmcp.Live{}
	if hello := session.InitializeResult(); hello != nil {
		live.Revision, live.Instructions = hello.ProtocolVersion, hello.Instructions
		if info := hello.ServerInfo; info != nil {
			live.Name, live.Title, live.Version = info.Name, info.Title, info.Version
		}
	}
	cursor := ""
	for range bounds.Pages {
		page, err := session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return live, fmt.Errorf("probe: list tools: %w", err)
		}
		for _, tool := range page.Tools {
			if len(live.Tools) >= bounds.Tools {
				live.Truncated = true
				return live, nil
			}
			live.Tools = append(live.Tools, liveTool(tool))
		}
		if cursor = page.NextCursor; cursor == "" {
			return live, nil
		}
	}
	live.Truncated = true
	return live, nil
}

// liveTool is a tool as it was listed. Numbers in schemas went through the SDK's own decoding, which rounds beyond 2^53.
func liveTool(tool *sdk.Tool) openmcp.LiveTool {
	out := openmcp.LiveTool{
		Name: tool.Name, Title: tool.Title, Description: tool.Description, Input: encoded(tool.InputSchema), Output: encoded(tool.OutputSchema),
	}
	if a := tool.Annotations; a != nil {
		if out.Title == "" {
			out.Title = a.Title
		}
		out.Annotations = &openmcp.Annotations{ // two of them are true when they are absent
			ReadOnly: a.ReadOnlyHint, Idempotent: a.IdempotentHint,
			Destructive: a.DestructiveHint == nil || *a.DestructiveHint, OpenWorld: a.OpenWorldHint == nil || *a.OpenWorldHint,
		}
	}
	return out
}

func encoded(schema any) json.RawMessage {
	if schema == nil {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(schema) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}
