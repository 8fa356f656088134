package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// readyPrefix begins the line in which a server says its URL; that of the binary is the same.
const readyPrefix = "Inter-AI is ready at "

// runEcho is the floor of the protocol: the library's raw tool, stateless, JSON, nothing around it. The tool has our
// tool's name, takes our tool's arguments and answers with about as many bytes.
func runEcho() error {
	server := mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "report_usage", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{
				Content:           []mcp.Content{&mcp.TextContent{Text: "echo"}},
				StructuredContent: req.Params.Arguments,
			}, nil
		})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	fmt.Fprintf(os.Stdout, "%shttp://%s\n", readyPrefix, listener.Addr())
	select {
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case <-ended():
		return web.Close()
	}
}
