package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"interai/api/mcp"
	"interai/api/ops"
)

const (
	// maxAttempts bounds how often one call is sent; with the pauses below about ten seconds of a server that is
	// away are bridged.
	maxAttempts = 8
	firstPause  = 100 * time.Millisecond
	lastPause   = 3 * time.Second
	// maxWait bounds a pause that the server asks for: a limit that is further away ends the call.
	maxWait = 15 * time.Second
)

// session is one actor's MCP client. It is made when it is first needed, and made again when its connection broke.
type session struct {
	dialer *mcp.Dialer
	key    string
	client *mcp.Client
}

// call runs a tool and decodes its answer. Calls that may succeed later are sent again; all carry an idempotency
// key or only read, so that none is done twice.
func (s *session) call(ctx context.Context, tool string, args, out any) error {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		err := s.try(ctx, tool, args, out)
		wait, again := retryable(err, pause)
		if err == nil || !again || attempt == maxAttempts || ctx.Err() != nil {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		pause = min(2*pause, lastPause)
	}
}

func (s *session) try(ctx context.Context, tool string, args, out any) error {
	if s.client == nil {
		client, err := s.dialer.Dial(ctx, s.key)
		if err != nil {
			return err
		}
		s.client = client
	}
	raw, err := s.client.Call(ctx, tool, args, nil)
	if err != nil {
		if _, told := errors.AsType[*ops.Error](err); !told {
			s.close() // the connection broke; a session does not outlive that
		}
		return fmt.Errorf("%s: %w", tool, err)
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("decode the answer of %s: %w", tool, err)
	}
	return nil
}

// retryable tells whether a call may succeed when it is sent again, and after which pause.
func retryable(err error, pause time.Duration) (time.Duration, bool) {
	var told *ops.Error
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil, errors.As(err, &syntax), errors.As(err, &kind):
		return 0, false
	case !errors.As(err, &told):
		return pause, true // no answer: the connection, not the request
	case !told.Details.Retryable && told.Details.Outcome != ops.OutcomeUnknown:
		return 0, false
	}
	wait := max(pause, time.Duration(told.Details.RetryAfter)*time.Second)
	return wait, wait <= maxWait
}

// close ends the session; what the server says to that changes nothing.
func (s *session) close() {
	if s.client != nil {
		_ = s.client.Close()
		s.client = nil
	}
}
