package node_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/store"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestPublishUseAndGetMoveTrust(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	author := s.Client(s.Key)
	_, _, key := s.Party(store.Verification{Vouched: true})
	user := s.Client(key)

	var published evidence.PublishOutput
	s.Must(author, "publish", map[string]any{
		"content_type": "procedure", "title": "Idempotent webhook handling", "body_markdown": "Deduplicate by delivery id.",
	}, &published)
	var before evidence.GetOutput
	s.Must(user, "get", map[string]any{"id": published.ID}, &before)
	require.InDelta(t, .5, before.Trust.Value, 0)
	require.Equal(t, "unverified", before.Status)

	var used evidence.RecordOutput
	s.Must(user, "report_usage", map[string]any{
		"target": published.ID, "usage_type": "implementation", "result": "success", "real_world_use": true,
	}, &used)
	require.Equal(t, published.RevisionID, used.TargetRevision)
	s.Settled()

	var after evidence.GetOutput
	s.Must(user, "get", map[string]any{"id": published.ID}, &after)
	require.Greater(t, after.Trust.Value, .6)
	require.Equal(t, 1, after.Trust.Confirmations)
	require.Zero(t, after.Trust.Pending)

	var record evidence.GetOutput
	s.Must(user, "get", map[string]any{"id": used.ID}, &record)
	require.True(t, record.Record.IncludedInTrust)

	var retracted evidence.RecordOutput
	s.Must(user, "report_usage", map[string]any{"retract": used.ID}, &retracted)
	require.Equal(t, "retracted", retracted.Status)
	s.Settled()
	s.Must(user, "get", map[string]any{"id": published.ID}, &after)
	require.InDelta(t, .5, after.Trust.Value, 0)

	err := s.Call(author, "report_usage", map[string]any{"retract": used.ID}, nil)
	require.Equal(t, ops.NotAuthor, ops.CodeOf(err))
}

func TestOnlyPublishMayHaveALargeBody(t *testing.T) {
	t.Parallel()
	s := stack.Start(t, stack.With("body-limit", "64KiB"))
	long := strings.Repeat("x", 100<<10)
	status, body := s.Raw(s.Key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"publish","arguments":{"content_type":"note","title":"t","body_markdown":"`+long+`"}}}`)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, `"revision_no":1`)
	status, body = s.Raw(s.Key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get","arguments":{"id":"`+long+`"}}}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Contains(t, body, "body_too_large")
}
