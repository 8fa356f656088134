package actions_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/actions"
	"interai/api/auth"
	"interai/api/limits"
	"interai/api/node"
	"interai/api/ops"
	"interai/api/tools"
	"interai/config"
	"interai/evidence"
	"interai/internal/pgcut"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/jobs"
	"interai/store"
)

// A node with a token that cannot serve does not start to listen; what has no listener needs no token.
func TestANodeWithATokenThatCannotServeDoesNotStart(t *testing.T) {
	t.Parallel()
	conn := pgtest.NewMigrated(t, stack.Migrate)
	key, err := auth.Generate()
	require.NoError(t, err)
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	require.NoError(t, os.WriteFile(good, []byte(token), 0o600))
	bad := filepath.Join(dir, "bad")
	require.NoError(t, os.WriteFile(bad, []byte(key.Reveal()), 0o600))
	open := filepath.Join(dir, "open")
	require.NoError(t, os.WriteFile(open, []byte(token), 0o600))
	require.NoError(t, os.Chmod(open, 0o644))
	for name, test := range map[string]struct {
		options map[string]string
		want    string
	}{
		"a token file":             {map[string]string{"actions-token-file": good}, ""},
		"none":                     {map[string]string{"actions-token-file": filepath.Join(dir, "none")}, "no such file"},
		"an API key":               {map[string]string{"actions-token-file": bad}, "is an API key"},
		"a mode that others share": {map[string]string{"actions-token-file": open}, "has mode 0644"},
		"the password of the mail": {map[string]string{"actions-token-file": good, "smtp-url": "smtp://u:" + token + "@h:587", "smtp-from": "a@b.example"}, "another secret"},
		"an actor that is no ID":   {map[string]string{"actions-token-file": good, "actions-actor": "me"}, "actions-actor"},
		"an actor that is a thing": {map[string]string{"actions-token-file": good, "actions-actor": "cnt_01m8p3wrg8f658qzehythpppe1"}, "actions-actor"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.options["database-url"], test.options["data-dir"] = conn, t.TempDir()
			cfg, err := config.Load(test.options, nil, "")
			require.NoError(t, err)
			n, err := node.Open(cfg, "test", slog.New(slog.DiscardHandler), node.Roles{API: true})
			require.NoError(t, err, "a node without a listener needs no token")
			t.Cleanup(func() { require.NoError(t, n.Stop(context.Background())) })
			_, err = n.Handler()
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), token)
			require.NotContains(t, err.Error(), key.Reveal())
		})
	}
}

func TestWithoutADatabaseEveryCallIsToldToComeAgain(t *testing.T) {
	t.Parallel()
	proxy := pgcut.Start(t, pgtest.NewMigrated(t, stack.Migrate))
	k := start(t, stack.On(proxy.ConnString), stack.WithoutWorkers())
	k.must("whoami", fields{}, nil)
	proxy.Down()
	for _, operation := range []string{"whoami", "publish"} {
		got := k.post(operation, article())
		require.Equal(t, http.StatusServiceUnavailable, got.status)
		require.Equal(t, "internal_error: database_unavailable", got.code(t))
		require.NotEmpty(t, got.header.Get("Retry-After"))
	}
	require.Equal(t, http.StatusUnauthorized, k.request("POST", "/actions/v1/whoami", "{}").status, "who is nobody learns nothing of it")
	proxy.Up()
	k.Eventually("calls work again", func() bool { return k.post("whoami", fields{}).status == http.StatusOK })
}

// TestAPublicationWhoseAnswerIsTooLargeIsStored runs the real publish with a smaller bound: its answers stay far below
// the real one.
func TestAPublicationWhoseAnswerIsTooLargeIsStored(t *testing.T) {
	t.Parallel()
	k := start(t)
	log := slog.New(slog.DiscardHandler)
	queue, err := jobs.NewEnqueuer(k.Store, log)
	require.NoError(t, err)
	most := evidence.Limits{Writes: store.WriteLimits{Root: 100, Actor: 100}, ClaimsPerDay: 100}
	registry, err := tools.NewRegistry(evidence.NewService(k.Store, queue, k.Node.Moderation, log, most, evidence.SearchOptions{}))
	require.NoError(t, err)
	file, err := actions.OpenTokenFile(k.path, nil, log)
	require.NoError(t, err)
	agent, err := k.Store.Actor(t.Context(), k.Agent)
	require.NoError(t, err)
	bodies, err := limits.NewBodies(limits.BodiesConfig{Memory: 4 << 20, Ordinary: 1 << 20, Large: 1 << 20, Patience: time.Second})
	require.NoError(t, err)
	handler, err := actions.NewHandler(actions.Config{
		Executor: ops.NewExecutor(registry, ops.WithLogger(log)), Token: file, CallsPerMinute: 100, Concurrency: 1,
		BodyLimit: 1 << 20, Bodies: bodies, MaxAnswerChars: 300, Logger: log,
		Actor: func(context.Context) (*ops.Caller, error) {
			return auth.CallerOf(agent, tools.DefaultScopes(), ""), nil
		},
	})
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	direct := &kit{Stack: &stack.Stack{URL: server.URL}, t: t}
	var out struct {
		Omitted           bool
		Reason, Operation string
		ID, Hint          string
	}
	direct.must("publish", article(), &out)
	require.True(t, out.Omitted)
	require.Equal(t, []string{"response_too_large", "publish"}, []string{out.Reason, out.Operation})
	require.Contains(t, out.Hint, "get")
	var read evidence.GetOutput
	k.must("get", fields{"id": out.ID}, &read)
	require.Equal(t, "Idempotent webhook handling", read.Title)
	first := out.ID
	direct.must("publish", article(), &out)
	require.Equal(t, first, out.ID, "a replay says the same")
}

func TestALargePublicationPassesWhereOthersMayNot(t *testing.T) {
	t.Parallel()
	k := start(t)
	item := fields{
		"content_type": "note", "title": "With files",
		"assets": []fields{{"filename": "a.txt", "media_type": "text/plain", "base64": strings.Repeat("YWFh", 300_000)}},
	}
	got := k.post("publish", item)
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.Equal(t, http.StatusRequestEntityTooLarge, k.post("search", fields{"query": strings.Repeat("x", 1<<20)}).status)
	require.Equal(t, http.StatusRequestEntityTooLarge, k.post("search", fields{"query": strings.Repeat("x", 300<<10)}).status, "the operation's own bound")
	require.Equal(t, http.StatusRequestEntityTooLarge, k.post("publish", fields{"body_markdown": strings.Repeat("x", 12<<20)}).status)
}
