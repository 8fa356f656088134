package mcp

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/api/ops"
)

func TestTheClientCallsAndDecodesErrors(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	c, err := Dial(context.Background(), url, s.key.Reveal())
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()

	names, err := c.Tools(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"act", "echo", "save"}, names)

	raw, err := c.Call(context.Background(), "echo", map[string]any{"text": "<t>", "tags": nil}, map[string]any{"interai/wait_ms": 10})
	require.NoError(t, err)
	var out echoOut
	require.NoError(t, json.Unmarshal(raw, &out))
	require.Equal(t, "<t>", out.Said)
	require.Contains(t, string(raw), "<t>")

	_, err = c.Call(context.Background(), "act", map[string]string{"mode": "self_review"}, nil)
	var e *ops.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, ops.SelfReview, e.Code)
	require.NotEmpty(t, e.Details.CorrelationID)

	_, err = c.Call(context.Background(), "act", nil, nil)
	require.Equal(t, ops.ValidationFailed, ops.CodeOf(err))
	_, err = c.Call(context.Background(), "nope", nil, nil)
	require.ErrorContains(t, err, "unknown tool")
}

func TestTheClientSeesRefusalsAsErrorsAndGoesOn(t *testing.T) {
	s := newStand(t, Options{})
	url := s.serve(t)
	other, err := auth.Generate()
	require.NoError(t, err)
	_, err = Dial(context.Background(), url, other.Reveal())
	require.Equal(t, ops.Unauthenticated, ops.CodeOf(err), "%v", err)

	c, err := Dial(context.Background(), url, s.key.Reveal())
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	good := s.key
	s.key = other // the key is revoked
	_, err = c.Call(context.Background(), "echo", map[string]any{"text": "t"}, nil)
	require.Equal(t, ops.Unauthenticated, ops.CodeOf(err), "%v", err)
	s.key = good
	_, err = c.Call(context.Background(), "echo", map[string]any{"text": "t"}, nil)
	require.NoError(t, err)
}

func TestSessionsOfOneDialerShareConnectionsAndKeepTheirKeys(t *testing.T) {
	s := newStand(t, Options{})
	var opened atomic.Int32
	url := s.serve(t, func(server *http.Server) {
		server.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				opened.Add(1)
			}
		}
	})
	dialer, err := NewDialer(url, 2)
	require.NoError(t, err)
	defer dialer.Close()
	other, err := auth.Generate()
	require.NoError(t, err)

	for range 5 {
		c, err := dialer.Dial(context.Background(), s.key.Reveal())
		require.NoError(t, err)
		_, err = c.Call(context.Background(), "echo", map[string]any{"text": "t"}, nil)
		require.NoError(t, err)
		require.NoError(t, c.Close())
		_, err = dialer.Dial(context.Background(), other.Reveal())
		require.Equal(t, ops.Unauthenticated, ops.CodeOf(err), "%v", err)
	}
	require.LessOrEqual(t, opened.Load(), int32(2))
}
