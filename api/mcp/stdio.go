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
// computed. The SDK ends a session at EOF and drops them. Calls end by their own
// deadlines, which are shorter, also while a database starts; a client that does
// not want to wait ends the process.
const holdBack = time.Minute

// Identify answers who calls over an adapter without credentials. It is asked at
// each call, so that a session can be opened before the database is up.
type Identify func(ctx context.Context) (*ops.Caller, error)

// ServeStdio serves one client over in and out as the caller that identify names,
// until in ends or ctx is done; both are a clean end. Nothing but protocol is written to out. A read of in
// that is blocked when ctx ends is left to the end of the process.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer, identify Identify) error {
	if identify == nil {
		return errors.New("serve stdio: the caller is missing")
	}
	lines := newLines(in, out)
	run := context.WithValue(ctx, requestContextKey{}, ctx) // ends running handlers too
	err := s.build(AdapterStdio, identify).Run(run, &sdk.IOTransport{
		Reader:        lines.reader(holdBack),
		Writer:        lines.writer(),
		MaxLineLength: -1, // lines bounds them and goes on; the SDK would end the session
	})
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}
