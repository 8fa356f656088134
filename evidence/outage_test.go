package evidence_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/jobs"
	"interai/store"
)

// soon bounds calls while the database is away: each waits 2 s for it. Ten that waited one after the other would need
// longer, on any machine.
const soon = 15 * time.Second

func TestAnOutageIsRetryableSoonAndOverWhenItIsOver(t *testing.T) {
	t.Parallel()
	b, proxy := cutSetup(t)
	item := b.publish(b.author, nil)
	calls := map[string]func(i int) (string, error){
		"writes with keys of their own": func(i int) (string, error) {
			return b.raw(b.user, "report_usage", fields{"target": item.ID, "result": "success", "idempotency_key": fmt.Sprint("own ", i)})
		},
		"writes with one key": func(int) (string, error) {
			return b.raw(b.user, "report_usage", fields{"target": item.ID, "result": "success", "idempotency_key": "one"})
		},
		"publications": func(i int) (string, error) {
			return b.raw(b.user, "publish", draft(fields{"idempotency_key": fmt.Sprint("item ", i)}))
		},
		"reads": func(int) (string, error) { return b.raw(b.user, "get", fields{"id": item.ID}) },
	}
	const each = 10
	away := func(name string, takeAway func(), call func(i int) (string, error)) {
		t.Run(name, func(t *testing.T) {
			takeAway()
			start := time.Now()
			_, errs := together(each, call)
			took := time.Since(start)
			proxy.Up()
			for _, err := range errs {
				e := fails(t, ops.InternalError, err)
				require.True(t, e.Details.Retryable, e.Text())
				// Who calls is looked up in the database too, and may be the first to miss it.
				require.Equal(t, "database_unavailable", e.Details.Reason)
				require.Positive(t, e.Details.RetryAfter)
				require.Empty(t, e.Details.Outcome)
			}
			require.Less(t, took, soon)
			_, errs = together(each, call)
			for _, err := range errs {
				require.NoError(t, err, "it works again at once")
			}
		})
	}
	for name, call := range calls {
		away(name+" that are cut", proxy.Down, call)
		away(name+" that nobody answers", proxy.Silence, call)
	}
	require.Equal(t, each+1, b.count(`select count(*) from evidence`))
	require.Equal(t, each+1, b.count(`select count(*) from contents`))
}

// direct is a service without the layers above it, which would notice an outage first.
func direct(t *testing.T, b *bundle) func(target, key string) error {
	t.Helper()
	enqueuer, err := jobs.NewEnqueuer(b.Store, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	service := evidence.NewService(b.Store, enqueuer, nil, slog.New(slog.DiscardHandler), evidence.Limits{}, evidence.SearchOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { service.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return func(target, key string) error {
		id := uuid.Must(uuid.NewV7())
		_, err := service.ReportUsage(t.Context(), &evidence.Call{
			ID: id, Actor: b.Agent, Root: b.Human, Tool: "report_usage", Key: key, Committed: func() {}, Included: func(bool) {},
			Audit: store.Call{ID: id, Actor: b.Agent, Tool: "report_usage", Adapter: "test", Request: json.RawMessage(`{}`), StartedAt: time.Now()},
		}, &evidence.ReportUsageInput{Target: target, Result: "success"})
		return err
	}
}

func TestWritesThatWaitForADatabaseWaitTogether(t *testing.T) {
	t.Parallel()
	b, proxy := cutSetup(t)
	item := b.publish(b.author, nil)
	report := direct(t, b)
	for name, key := range map[string]func(i int) string{
		"with one key":           func(int) string { return "one" },
		"with keys of their own": func(i int) string { return fmt.Sprint("own ", i) },
		"without keys":           func(int) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			call := func(i int) (string, error) { return "", report(item.ID, key(i)) }
			proxy.Down()
			start := time.Now()
			_, errs := together(identical, call)
			took := time.Since(start)
			proxy.Up()
			for _, err := range errs {
				var e *evidence.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, "database_unavailable", e.Reason)
				require.True(t, e.Retryable)
				require.Empty(t, e.Outcome)
			}
			require.Less(t, took, soon)
			_, errs = together(identical, call)
			for _, err := range errs {
				require.NoError(t, err)
			}
		})
	}
	require.Equal(t, 2*identical+1, b.count(`select count(*) from evidence`))
}
