package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/ops"
)

// holdBack is how long the end of input waits for answers that are still being
// computed. The SDK ends a session at EOF and drops them.
const holdBack = 8 * time.Second

// ServeStdio serves one client over in and out as caller, until in ends or ctx is
// done; both are a clean end. Nothing but protocol is written to out. A read of in
// that is blocked when ctx ends is left to the end of the process.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer, caller *ops.Caller) error {
	if caller == nil {
		return errors.New("serve stdio: caller is missing")
	}
	lines := newLines(in, out)
	run := context.WithValue(ctx, requestContextKey{}, ctx) // ends running handlers too
	err := s.build(AdapterStdio, caller).Run(run, &sdk.IOTransport{
		Reader:        lines.reader(holdBack),
		Writer:        lines.writer(),
		MaxLineLength: -1, // lines bounds them and goes on; the SDK would end the session
	})
	switch {
	case ctx.Err() != nil, errors.Is(err, io.EOF), err == nil:
		return nil
	default:
		return fmt.Errorf("serve stdio: %w", err)
	}
}
