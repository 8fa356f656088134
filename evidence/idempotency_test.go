package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/store"
)

const identical = 50

// twoNodes are two nodes of one database, and a client of the same actor on each.
func twoNodes(t *testing.T) (*bundle, [2]*mcp.Client) {
	t.Helper()
	b := setup(t)
	other := stack.Start(t, stack.On(b.ConnString))
	return b, [2]*mcp.Client{b.author, other.Client(b.Key)}
}

func TestIdenticalWritesAtOnceWithOneKeyAreOneWrite(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	target := b.publish(b.user, nil)
	for tool, c := range map[string]struct {
		args fields
		rows string
	}{
		"report_usage": {
			fields{"target": target.ID, "result": "success", "idempotency_key": "one"},
			`select count(*) from evidence where actor_id = $1`,
		},
		"publish": {
			draft(fields{
				"idempotency_key": "one", "claims": []fields{{"text": "One write is one row."}},
				"new_subjects": []fields{{"type": "software", "name": "One"}}, "sources": []fields{{"url": "https://one.example/a"}},
			}),
			`select count(*) from contents where author_id = $1`,
		},
	} {
		t.Run(tool, func(t *testing.T) {
			answers, errs := together(identical, func(i int) (string, error) { return b.raw(nodes[i%2], tool, c.args) })
			for i := range answers {
				require.NoError(t, errs[i])
				require.Equal(t, answers[0], answers[i])
			}
			require.Equal(t, 1, b.count(c.rows, b.Agent.UUID))
		})
	}
}

func TestDifferentWritesAtOnceWithOneKeyAreOneWriteAndConflicts(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	target := b.publish(b.user, nil)
	for tool, inputs := range map[string][2]fields{
		"report_usage": {
			{"target": target.ID, "result": "success", "idempotency_key": "k"},
			{"target": target.ID, "result": "failure", "idempotency_key": "k"},
		},
		"publish": {draft(fields{"idempotency_key": "k"}), draft(fields{"title": "Other", "idempotency_key": "k"})},
	} {
		t.Run(tool, func(t *testing.T) {
			answers, errs := together(20, func(i int) (string, error) { return b.raw(nodes[i/2%2], tool, inputs[i%2]) })
			winner := 0
			if errs[0] != nil {
				winner = 1
			}
			for i := range answers {
				if i%2 == winner {
					require.NoError(t, errs[i])
					require.Equal(t, answers[winner], answers[i])
				} else {
					fails(t, ops.IdempotencyConflict, errs[i])
				}
			}
		})
	}
	require.Equal(t, 1, b.count(`select count(*) from evidence where actor_id = $1`, b.Agent.UUID))
	require.Equal(t, 1, b.count(`select count(*) from contents where author_id = $1`, b.Agent.UUID))
}

func TestAKeyBelongsToItsActorAndTool(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const key = "shared"
	mine := b.publish(b.author, fields{"idempotency_key": key})
	theirs := b.publish(b.user, fields{"idempotency_key": key})
	require.NotEqual(t, mine.ID, theirs.ID)
	require.Equal(t, mine, b.publish(b.author, fields{"idempotency_key": key}))
	usage := fields{"target": theirs.ID, "result": "success", "idempotency_key": key}
	var first, second, third evidence.RecordOutput
	b.Must(b.author, "report_usage", usage, &first)
	b.Must(b.user, "report_usage", usage, &second)
	require.NotEqual(t, first.ID, second.ID)
	b.Must(b.author, "report_usage", usage, &third)
	require.Equal(t, first, third)
}

func TestARequestIsItsNormalForm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.publish(b.author, fields{"title": "One  line ", "tags": []string{"A", "b"}, "idempotency_key": "n"})
	require.Equal(t, first, b.publish(b.author, fields{"title": " One line", "tags": []string{"a", "B", "b"}, "idempotency_key": "n"}))
	_, err := b.raw(b.author, "publish", draft(fields{"title": "one line", "tags": []string{"a", "b"}, "idempotency_key": "n"}))
	fails(t, ops.IdempotencyConflict, err)
}

func TestAReplayAnswersTheRevisionOfTheFirstTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	report := fields{"target": item.ID, "result": "success", "idempotency_key": "r"}
	var first, again evidence.RecordOutput
	b.Must(b.user, "report_usage", report, &first)
	next := b.publish(b.author, fields{"revision_of": item.ID, "title": "Second"})
	b.Must(b.user, "report_usage", report, &again)
	require.Equal(t, first, again)
	require.Equal(t, item.RevisionID, again.TargetRevision)
	require.Equal(t, next.RevisionID, b.use(b.user, item.ID).TargetRevision)
}

func TestAReplayOutlivesTheNode(t *testing.T) {
	t.Parallel()
	conn := pgtest.NewMigrated(t, stack.Migrate)
	var key, published, used string
	publish := draft(fields{"idempotency_key": "p", "claims": []fields{{"text": "Keys outlive nodes of a cluster."}}})
	usage := func(target string) fields {
		return fields{"target": target, "result": "partial", "real_world_use": true, "idempotency_key": "u"}
	}
	t.Run("before", func(t *testing.T) {
		b := setup(t, stack.On(conn))
		key = b.Key
		var err error
		published, err = b.raw(b.author, "publish", publish)
		require.NoError(t, err)
		used, err = b.raw(b.author, "report_usage", usage(decode[evidence.PublishOutput](t, published).ID))
		require.NoError(t, err)
	})
	t.Run("after", func(t *testing.T) {
		b := &bundle{Stack: stack.Start(t, stack.On(conn)), t: t}
		client := b.Client(key)
		again, err := b.raw(client, "publish", publish)
		require.NoError(t, err)
		require.Equal(t, published, again)
		again, err = b.raw(client, "report_usage", usage(decode[evidence.PublishOutput](t, published).ID))
		require.NoError(t, err)
		require.Equal(t, used, again)
		require.Equal(t, store.TrustTotals{Evidence: 1, Numbered: 1}, b.Settled())
	})
}

func TestARefusedWriteLeavesItsKeyFree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.raw(b.author, "publish", draft(fields{"subjects": []string{fresh(t, store.KindEntity)}, "idempotency_key": "f"}))
	fails(t, ops.NotFound, err)
	b.publish(b.author, fields{"idempotency_key": "f"})
	_, err = b.raw(b.author, "report_usage", fields{"target": fresh(t, store.KindContent), "result": "success", "idempotency_key": "f"})
	fails(t, ops.NotFound, err)
	item := b.publish(b.user, nil)
	var out evidence.RecordOutput
	b.Must(b.author, "report_usage", fields{"target": item.ID, "result": "success", "idempotency_key": "f"}, &out)
}
