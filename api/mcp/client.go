package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/ops"
)

// maxErrorBody bounds what is read of a refused HTTP request.
const maxErrorBody = 64 << 10

// Client is a thin MCP client over Streamable HTTP. It never sends a call twice by
// itself. It is safe for concurrent use.
type Client struct {
	session *sdk.ClientSession
	// done lets go of the connections underneath, unless they are shared.
	done func()
}

// Dialer opens sessions with different API keys over one set of connections, for
// programs that act for many parties. It is safe for concurrent use.
type Dialer struct {
	url  string
	next *http.Transport
}

// NewDialer prepares sessions at the MCP endpoint at url. At most conns connections
// are kept open between calls; 0 leaves the number to net/http.
func NewDialer(url string, conns int) (*Dialer, error) {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return nil, errors.New("dial MCP: the default transport was replaced")
	}
	next := transport.Clone()
	if conns > 0 {
		next.MaxIdleConns, next.MaxIdleConnsPerHost = conns, conns
	}
	return &Dialer{url: url, next: next}, nil
}

// Dial opens a session with an API key and negotiates the newest protocol. Errors of
// the endpoint are *ops.Error. Closing the client leaves the connections to others.
func (d *Dialer) Dial(ctx context.Context, key string) (*Client, error) {
	hc := &http.Client{Transport: &keyed{key: key, next: d.next}}
	client := sdk.NewClient(&sdk.Implementation{Name: "interai-client", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	session, err := client.Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: d.url, HTTPClient: hc, DisableStandaloneSSE: true, MaxRetries: -1,
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("dial MCP: %w", err)
	}
	return &Client{session: session, done: func() {}}, nil
}

// Close ends the connections that no call is using.
func (d *Dialer) Close() { d.next.CloseIdleConnections() }

// Dial connects to the MCP endpoint at url with an API key and negotiates the
// newest protocol. Errors of the endpoint are *ops.Error.
func Dial(ctx context.Context, url, key string) (*Client, error) {
	dialer, err := NewDialer(url, 0)
	if err != nil {
		return nil, err
	}
	client, err := dialer.Dial(ctx, key)
	if err != nil {
		dialer.Close()
		return nil, err
	}
	client.done = dialer.Close
	return client, nil
}

// Close ends the session, and its connections unless they are shared.
func (c *Client) Close() error {
	err := c.session.Close()
	c.done()
	if err != nil {
		return fmt.Errorf("close MCP session: %w", err)
	}
	return nil
}

// Call runs a tool with args (any value that encodes to a JSON object, nil for
// none) and returns the structured result. A failed call is an *ops.Error, whether
// the tool said so or the HTTP layer. Integers beyond 2^53 in the result lose their
// last digits in the SDK's own decoding.
func (c *Client) Call(ctx context.Context, tool string, args any, meta map[string]any) (json.RawMessage, error) {
	if args == nil {
		args = struct{}{}
	}
	result, err := c.session.CallTool(ctx, &sdk.CallToolParams{Meta: meta, Name: tool, Arguments: args})
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", tool, err)
	}
	var structured bytes.Buffer
	enc := json.NewEncoder(&structured)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result.StructuredContent); err != nil {
		return nil, fmt.Errorf("call %s: encode result: %w", tool, err)
	}
	raw := bytes.TrimSpace(structured.Bytes())
	if !result.IsError {
		return raw, nil
	}
	if e := errorIn(raw); e != nil {
		return nil, e
	}
	return nil, ops.NewError(ops.InternalError, "The tool failed without saying how.")
}

// Tools lists the names of the server's tools in its order.
func (c *Client) Tools(ctx context.Context) ([]string, error) {
	var names []string
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("list tools: %w", err)
		}
		names = append(names, tool.Name)
	}
	return names, nil
}

// errorIn reads {"error": {…}}, nil when there is none.
func errorIn(raw []byte) *ops.Error {
	var body struct {
		Error *ops.Error `json:"error"`
	}
	if err := json.Unmarshal(raw, &body); err != nil || body.Error == nil || !body.Error.Code.Valid() {
		return nil //nolint:nilerr // another text holds no error of ours
	}
	return body.Error
}

// keyed sends the API key and turns refusals of the HTTP layer into *ops.Error.
type keyed struct {
	key  string
	next *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (k *keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	resp, err := k.next.RoundTrip(r)
	if err != nil || resp.StatusCode < http.StatusBadRequest {
		return resp, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	_ = resp.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("read refusal: %w", err)
	}
	if e := errorIn(body); e != nil {
		return nil, e
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// CloseIdleConnections lets http.Client close the connections underneath.
func (k *keyed) CloseIdleConnections() { k.next.CloseIdleConnections() }
