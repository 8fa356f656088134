package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"interai/api/auth"
	"interai/api/mcp"
	"interai/api/ops"
	"interai/api/tools"
	"interai/evidence"
	"interai/internal/pgtest"
	"interai/store"
)

// load is writers that go on through faults, each with a key for each of its writes, and what they were told.
type load struct {
	t      *testing.T
	stop   chan struct{}
	all    sync.WaitGroup
	acked  sync.Map // key -> ID of the record
	counts struct{ acked, failed, reads atomic.Int64 }
}

// startLoad lets 8 writers and 2 readers work on a target.
func startLoad(t *testing.T, client *mcp.Client, target string) *load {
	l := &load{t: t, stop: make(chan struct{})}
	for w := range 8 {
		l.all.Go(func() {
			for i := 0; l.goesOn(); i++ {
				key := fmt.Sprint(w, " ", i)
				var out evidence.RecordOutput
				if l.try(client, "report_usage", fields{"target": target, "result": "success", "idempotency_key": key}, &out) {
					l.acked.Store(key, out.ID)
					l.counts.acked.Add(1)
				}
			}
		})
	}
	for range 2 {
		l.all.Go(func() {
			for l.goesOn() {
				if l.try(client, "get", fields{"id": target}, nil) {
					l.counts.reads.Add(1)
				}
			}
		})
	}
	return l
}

func (l *load) goesOn() bool {
	select {
	case <-l.stop:
		return false
	default:
		return !l.t.Failed()
	}
}

// try repeats a call until it succeeds. Every failure must be a retryable error of the interface.
func (l *load) try(client *mcp.Client, tool string, args fields, into any) bool {
	for !l.t.Failed() {
		raw, err := client.Call(l.t.Context(), tool, args, nil)
		if err == nil {
			if into != nil {
				err = json.Unmarshal(raw, into)
			}
			if err != nil {
				l.t.Error(err)
			}
			return err == nil
		}
		l.counts.failed.Add(1)
		if e := asError(err); e == nil || e.Code != ops.InternalError || !e.Details.Retryable || e.Details.RetryAfter < 1 {
			l.t.Errorf("%s during a fault: %v", tool, err)
		}
	}
	return false
}

// more reports when n more have been counted than now.
func (l *load) more(counter *atomic.Int64, n int64) func() bool {
	from := counter.Load()
	return func() bool { return counter.Load() >= from+n || l.t.Failed() }
}

// TestPostgreSQLIsStoppedKilledAndRestartedUnderLoad holds that calls fail retryably while the database is away, that the
// next ones work without a restart of the server, and that nothing acknowledged is lost or counted twice.
func TestPostgreSQLIsStoppedKilledAndRestartedUnderLoad(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t)
	s := serve(t, t.TempDir(), databaseURL(cluster.ConnString()))
	client := s.dial(s.credentials.Key)
	item := call[evidence.PublishOutput](t, client, "publish", fields{"content_type": "note", "title": "Faults"})
	l := startLoad(t, client, item.ID)
	for _, fault := range []struct {
		name string
		ends bool // the postmaster itself; the cluster's supervisor starts another
		do   func(postmaster int)
	}{
		{"stopped in order", true, func(p int) { _ = syscall.Kill(p, syscall.SIGINT) }},
		{"stopped at once", true, func(p int) { _ = syscall.Kill(p, syscall.SIGQUIT) }},
		{"killed", true, func(p int) {
			for _, pid := range withChildren(t, p) {
				_ = syscall.Kill(pid, syscall.SIGKILL) // one that ended by itself is as dead
			}
		}},
		{"a backend killed", false, func(p int) {
			children := withChildren(t, p)
			_ = syscall.Kill(children[len(children)-1], syscall.SIGKILL)
		}},
	} {
		eventually(t, "calls are under way before "+fault.name, l.more(&l.counts.acked, 50))
		postmaster := cluster.PID()
		fault.do(postmaster)
		if fault.ends {
			eventually(t, "another postmaster after "+fault.name, func() bool { return cluster.PID() != postmaster || t.Failed() })
		}
		eventually(t, "writes work again after "+fault.name, l.more(&l.counts.acked, 50))
		eventually(t, "reads work again after "+fault.name, l.more(&l.counts.reads, 20))
	}
	close(l.stop)
	l.all.Wait()
	require.False(t, t.Failed())
	conn := cluster.ConnString()
	awaitTrust(t, conn)
	var rows, distinct, lost int
	query(t, conn, `select count(*), count(distinct id) from evidence`, &rows, &distinct)
	acked := 0
	l.acked.Range(func(_, _ any) bool { acked++; return true })
	require.Equal(t, []int{acked, acked}, []int{rows, distinct}, "each acknowledged write is one row")
	query(t, conn, `select count(*) from (select target_id from evidence group by 1 having count(*) <> max(seq) or min(seq) <> 1) g`, &lost)
	require.Zero(t, lost, "the evidence is numbered without gaps")
	var folded int
	query(t, conn, `select coalesce(sum(records), 0) from trust_stats`, &folded)
	require.Equal(t, acked, folded, "each is counted once")
}

// awaitTrust waits until trust includes all evidence.
func awaitTrust(t *testing.T, conn string) {
	t.Helper()
	eventually(t, "trust includes all of it", func() bool {
		var lagging int
		query(t, conn, `select count(*) from target_heads h left join target_states s using (target_id)
			where h.last_seq > coalesce(s.applied_seq, 0)`, &lagging)
		return lagging == 0
	})
}

// TestAFullDatabaseAnswersRetryablyAndWritesNothing breaks writes with the errors that PostgreSQL gives for each fault.
func TestAFullDatabaseAnswersRetryablyAndWritesNothing(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	s := serve(t, t.TempDir(), databaseURL(conn))
	client := s.dial(s.credentials.Key)
	item := call[evidence.PublishOutput](t, client, "publish", fields{"content_type": "note", "title": "Faults"})
	awaitTrust(t, conn)
	db, err := pgx.Connect(t.Context(), conn)
	require.NoError(t, err)
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	exec := func(sql string) {
		t.Helper()
		_, err := db.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	raising := func(code string) (breakIt, mendIt string) {
		breakIt = `create or replace function broken() returns trigger language plpgsql as $$ begin raise exception 'broken' using errcode = '` + code + `'; end $$;`
		for _, table := range []string{"evidence", "revisions"} {
			breakIt += `create trigger broken before insert on ` + table + ` for each row execute function broken();`
			mendIt += `drop trigger broken on ` + table + `;`
		}
		return breakIt, mendIt
	}
	for name, code := range map[string]string{"the disk is full": "53100", "serialization failures": "40001", "deadlocks": "40P01", "out of memory": "53200"} {
		breakIt, mendIt := raising(code)
		faultOnce(t, conn, client, name, item.ID, func() { exec(breakIt) }, func() { exec(mendIt) })
	}
	faultOnce(t, conn, client, "a lock that is held", item.ID,
		func() { exec(`begin`); exec(`lock table evidence, revisions in access exclusive mode`) }, func() { exec(`rollback`) })
}

// faultOnce requires that writes fail retryably in a fault, that nothing of them is stored, and that the same calls succeed
// after it.
func faultOnce(t *testing.T, conn string, client *mcp.Client, name, target string, begin, end func()) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		calls := map[string]fields{
			"report_usage": {"target": target, "result": "success", "idempotency_key": "use " + name},
			"publish":      {"content_type": "note", "title": "In a fault", "idempotency_key": "item " + name, "claims": []fields{{"text": "Claim of " + name}}},
		}
		before := rowsOf(t, conn)
		begin()
		for tool, args := range calls {
			_, err := client.Call(t.Context(), tool, args, nil)
			e := asError(err)
			require.NotNil(t, e, "%s: %v", tool, err)
			require.Equal(t, ops.InternalError, e.Code, tool)
			require.True(t, e.Details.Retryable, tool)
			require.Positive(t, e.Details.RetryAfter, tool)
			require.Empty(t, e.Details.Outcome, tool)
		}
		end()
		require.Equal(t, before, rowsOf(t, conn), "nothing is half-written")
		for tool, args := range calls {
			_, err := client.Call(t.Context(), tool, args, nil)
			require.NoError(t, err, tool)
		}
		after := rowsOf(t, conn)
		require.Equal(t, before["evidence"]+1, after["evidence"])
		require.Equal(t, before["revisions"]+1, after["revisions"])
	})
}

// rowsOf counts what writes make.
func rowsOf(t *testing.T, conn string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, table := range []string{"evidence", "revisions", "contents", "claims", "idempotency_keys", "target_heads"} {
		var n int
		query(t, conn, `select count(*) from `+table, &n)
		out[table] = n
	}
	return out
}

// TestWithoutFreeConnectionsCallsAreRetryable takes all connections of a database server.
func TestWithoutFreeConnectionsCallsAreRetryable(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t)
	conn := cluster.ConnString()
	s := serve(t, t.TempDir(), databaseURL(conn))
	client := s.dial(s.credentials.Key)
	item := call[evidence.PublishOutput](t, client, "publish", fields{"content_type": "note", "title": "Connections"})
	var taken []*pgx.Conn
	free := func() {
		for _, c := range taken {
			_ = c.Close(context.WithoutCancel(t.Context()))
		}
		taken = nil
	}
	defer free()
	take := func() bool { // until there are no more
		c, err := pgx.Connect(t.Context(), conn)
		if err == nil {
			taken = append(taken, c)
		}
		return err != nil
	}
	for !take() {
	}
	require.NotEmpty(t, taken)
	eventually(t, "a call finds no connection", func() bool {
		_, err := taken[0].Exec(t.Context(), `select pg_terminate_backend(pid) from pg_stat_activity
			where pid <> pg_backend_pid() and datname = current_database() and application_name like 'interai%'`)
		require.NoError(t, err)
		for !take() {
		}
		_, err = client.Call(t.Context(), "report_usage", fields{"target": item.ID, "result": "success"}, nil)
		e := asError(err)
		if e == nil {
			return false
		}
		require.Equal(t, ops.InternalError, e.Code)
		require.True(t, e.Details.Retryable, e.Text())
		return true
	})
	free()
	eventually(t, "calls work again", func() bool {
		_, err := client.Call(t.Context(), "report_usage", fields{"target": item.ID, "result": "success", "idempotency_key": "after"}, nil)
		return err == nil
	})
}

// TestTwoNodesAnswerOneKeyOnce sends one request to two nodes at the same moment.
func TestTwoNodesAnswerOneKeyOnce(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	dir := t.TempDir()
	first := serve(t, dir, databaseURL(conn))
	second := serve(t, t.TempDir(), databaseURL(conn))
	clients := []*mcp.Client{first.dial(first.credentials.Key), second.dial(first.credentials.Key)}
	item := call[evidence.PublishOutput](t, clients[0], "publish", fields{"content_type": "note", "title": "Key"})
	for round := range 20 {
		answers := make([]evidence.RecordOutput, 16)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				raw, err := clients[i%2].Call(t.Context(), "report_usage",
					fields{"target": item.ID, "result": "failure", "idempotency_key": fmt.Sprint("round ", round)}, nil)
				if err == nil {
					err = json.Unmarshal(raw, &answers[i])
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, answer := range answers {
			require.Equal(t, answers[0], answer)
		}
	}
	var rows int
	query(t, conn, `select count(*) from evidence`, &rows)
	require.Equal(t, 20, rows)
}

// TestTenThousandPartiesReportOnOneTarget requires that all succeed and that one snapshot counts each of them.
func TestTenThousandPartiesReportOnOneTarget(t *testing.T) {
	t.Parallel()
	const parties = 10_000
	conn := pgtest.New(t)
	s := serve(t, t.TempDir(), databaseURL(conn))
	item := call[evidence.PublishOutput](t, s.dial(s.credentials.Key), "publish", fields{"content_type": "note", "title": "Crowd"})
	keys := crowd(t, conn, parties)
	next := make(chan string)
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for key := range next {
				// A connection that breaks leaves open what became of the call: clients repeat it with its key.
				err := s.report(t.Context(), key, item.ID)
				if errors.Is(err, errBroken) {
					err = s.report(t.Context(), key, item.ID)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, key := range keys {
		next <- key
	}
	close(next)
	all.Wait()
	require.False(t, t.Failed())
	awaitTrust(t, conn)
	got := call[evidence.GetOutput](t, s.dial(s.credentials.Key), "get", fields{"id": item.ID, "include": []string{"evidence_summary"}})
	require.EqualValues(t, parties, got.EvidenceSummary.Usage.Success)
	require.Equal(t, parties, got.EvidenceSummary.Parties)
}

// errBroken is a connection that ended before its answer.
var errBroken = errors.New("the connection broke")

// report is a call without a session, as one request over plain HTTP, safe to repeat.
func (s *server) report(ctx context.Context, key, target string) error {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report_usage","arguments":{"target":"` + target + `","result":"success","idempotency_key":"once"}}}`
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.addr+"/mcp", strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("make the request: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || bytes.Contains(answer, []byte(`"isError":true`))) {
		err = fmt.Errorf("status %d: %s", response.StatusCode, answer)
	}
	return err
}

// newUUID is that of a new public ID.
func newUUID(t *testing.T, kind store.Kind) uuid.UUID {
	t.Helper()
	id, err := store.NewID(kind)
	require.NoError(t, err)
	return id.UUID
}

// crowd makes parties of one agent each, beside the command line, and answers their keys.
func crowd(t *testing.T, conn string, parties int) []string {
	t.Helper()
	db, err := pgx.Connect(t.Context(), conn)
	require.NoError(t, err)
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	keys := make([]string, parties)
	var humans, agents, credentials [][]any
	for i := range keys {
		key, err := auth.Generate()
		require.NoError(t, err)
		hash := key.Hash()
		human, agent := newUUID(t, store.KindUser), newUUID(t, store.KindAgent)
		humans = append(humans, []any{human, "usr", fmt.Sprint("human ", i), fmt.Sprint("crowd human ", i), nil, human, 0})
		agents = append(agents, []any{agent, "ai", fmt.Sprint("agent ", i), fmt.Sprint("crowd agent ", i), human, human, 1})
		credentials = append(credentials, []any{key.ID(), hash[:], agent, tools.DefaultScopes()})
		keys[i] = key.Reveal()
	}
	columns := []string{"id", "kind", "display_name", "name_key", "controller_id", "root_controller_id", "controller_depth"}
	for _, rows := range [][][]any{humans, agents} {
		_, err = db.CopyFrom(t.Context(), pgx.Identifier{"actors"}, columns, pgx.CopyFromRows(rows))
		require.NoError(t, err)
	}
	_, err = db.CopyFrom(t.Context(), pgx.Identifier{"api_keys"}, []string{"id", "hash", "actor_id", "scopes"}, pgx.CopyFromRows(credentials))
	require.NoError(t, err)
	return keys
}

// TestAClockThatJumpsBackReordersNothing writes records whose times go backwards, as a database does whose clock was set
// back: the sequence of a target decides which rating of an actor is its last.
func TestAClockThatJumpsBackReordersNothing(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	s := serve(t, t.TempDir(), databaseURL(conn), "INTERAI_SWEEP_INTERVAL=1s")
	client := s.dial(s.credentials.Key)
	item := call[evidence.PublishOutput](t, client, "publish", fields{
		"content_type": "note", "title": "Clock", "new_subjects": []fields{{"type": "thing", "name": "clock"}, {"type": "thing", "name": "watch"}},
	})
	clock, watch := item.Subjects[0].ID, item.Subjects[1].ID
	call[evidence.RecordOutput](t, client, "rate", fields{"target": clock, "dimension": "accuracy", "score": 10})
	db, err := pgx.Connect(t.Context(), conn)
	require.NoError(t, err)
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	id, err := store.ParseID(clock)
	require.NoError(t, err)
	for i, score := range []float64{90, 10, 90} {
		seq := i + 2
		_, err := db.Exec(t.Context(), `insert into evidence (target_id, seq, id, kind, actor_id, dimension, context, context_key, score, recorded_at)
			select target_id, $2::int, gen_random_uuid(), kind, actor_id, dimension, context, context_key, $3, recorded_at - make_interval(days => $2::int)
			from evidence where target_id = $1 and seq = 1`, id.UUID, seq, score)
		require.NoError(t, err)
		_, err = db.Exec(t.Context(), `update target_heads set last_seq = $2::int where target_id = $1`, id.UUID, seq)
		require.NoError(t, err)
		awaitTrust(t, conn)
		got := call[evidence.CompareOutput](t, client, "compare", fields{"ids": []string{clock, watch}}).Items[0].Dimensions["accuracy"]
		require.Equal(t, 1, got.Raters)
		require.NotNil(t, got.Score)
		require.Equal(t, score > 50, *got.Score > 50, "after %v the score is %v", score, *got.Score)
	}
}
