package e2e

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/evidence"
	"interai/internal/pgtest"
)

// writes of the crash test, and after how many acknowledged ones the server is killed.
const (
	writes    = 2000
	writers   = 64
	killAfter = 600
)

// ledger is what the clients of a crash test know: what they sent, and what was acknowledged.
type ledger struct {
	targets []string
	acked   []atomic.Pointer[evidence.RecordOutput]
	done    atomic.Int64
}

func (l *ledger) args(i int) map[string]any {
	return map[string]any{
		"target": l.targets[i%len(l.targets)], "result": "success", "real_world_use": i%2 == 0, "idempotency_key": fmt.Sprint("write ", i),
	}
}

// send sends the writes from many goroutines, until all are sent or the server is gone.
func (l *ledger) send(t *testing.T, clients []*mcp.Client, each func(i int, out evidence.RecordOutput, err error)) {
	next := make(chan int)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range next {
				var out evidence.RecordOutput
				raw, err := clients[w%len(clients)].Call(t.Context(), "report_usage", l.args(i), nil)
				if err == nil {
					err = json.Unmarshal(raw, &out)
				}
				each(i, out, err)
			}
		})
	}
	for i := range writes {
		next <- i
	}
	close(next)
	all.Wait()
}

func TestAKilledServerLosesNothingAndCountsNothingTwice(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	dir := t.TempDir()
	first := serve(t, dir, databaseURL(conn))
	item := call[evidence.PublishOutput](t, first.dial(first.credentials.Key), "publish", map[string]any{
		"content_type": "note", "title": "Crash", "claims": []map[string]any{{"text": "Crashes lose nothing that was acknowledged."}},
		"new_subjects": []map[string]any{{"type": "thing", "name": "crash"}},
	})
	l := &ledger{
		targets: []string{item.ID, item.Claims[0].ID, item.Subjects[0].ID}, acked: make([]atomic.Pointer[evidence.RecordOutput], writes),
	}
	var once sync.Once
	l.send(t, []*mcp.Client{first.dial(first.credentials.Key), first.dial(first.credentials.Key)}, func(i int, out evidence.RecordOutput, err error) {
		if err != nil {
			return // the server died, or was dying: the write may be there or not
		}
		l.acked[i].Store(&out)
		if l.done.Add(1) >= killAfter {
			once.Do(first.kill)
		}
	})
	first.kill() // if fewer writes than that were acknowledged, the next lines say so
	acked := int(l.done.Load())
	require.Less(t, acked, writes, "the server was killed in the middle")
	require.GreaterOrEqual(t, acked, killAfter)

	second := serve(t, dir, databaseURL(conn))
	require.Equal(t, first.credentials.Key, second.credentials.Key)
	client := second.dial(second.credentials.Key)
	l.send(t, []*mcp.Client{client}, func(i int, out evidence.RecordOutput, err error) {
		if err != nil {
			t.Errorf("write %d again: %v", i, err)
			return
		}
		if before := l.acked[i].Swap(&out); before != nil && *before != out {
			t.Errorf("write %d was acknowledged as %+v and is now %+v", i, *before, out)
		}
	})
	ids := map[string]bool{}
	for i := range l.acked {
		ids[l.acked[i].Load().ID] = true
	}
	require.Len(t, ids, writes)
	eventually(t, "trust includes all of it", func() bool {
		var lagging int
		query(t, conn, `select count(*) from target_heads h left join target_states s using (target_id)
			where h.last_seq > coalesce(s.applied_seq, 0)`, &lagging)
		return lagging == 0
	})
	var rows, distinct, counted, folded int
	query(t, conn, `select count(*), count(distinct id) from evidence`, &rows, &distinct)
	require.Equal(t, []int{writes, writes}, []int{rows, distinct})
	query(t, conn, `select sum((counts ->> 'usage.success')::int), (select sum(records) from trust_stats) from trust_snapshots`, &counted, &folded)
	require.Equal(t, []int{writes, writes}, []int{counted, folded})
	var gaps, calls int
	query(t, conn, `select count(*) from (select target_id from evidence group by 1 having count(*) <> max(seq) or min(seq) <> 1) g`, &gaps)
	require.Zero(t, gaps)
	query(t, conn, `select count(*) from mcp_calls c where tool = 'report_usage' and code = '' and result like 'use_%'`, &calls)
	require.GreaterOrEqual(t, calls, writes, "every write that is stored is in the audit log")
}
