package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/internal/pgcut"
	"interai/internal/pgtest"
	"interai/internal/stack"
	"interai/store"
)

// cutSetup is a node whose connections to the database can be cut at COMMIT.
func cutSetup(t *testing.T) (*bundle, *pgcut.Proxy) {
	t.Helper()
	conn := pgtest.NewMigrated(t, stack.Migrate)
	proxy := pgcut.Start(t, conn)
	return setup(t, stack.On(proxy.ConnString), stack.WithoutWorkers()), proxy
}

// marker is a word of the input, by which the proxy finds the transaction of the call.
const marker = "Matterhorn"

func TestABrokenCommitIsAnsweredWithTheTruth(t *testing.T) {
	t.Parallel()
	b, proxy := cutSetup(t)
	item := b.publish(b.author, nil)
	for tool, c := range map[string]struct {
		args func(said string) fields
		rows string
	}{
		"report_usage": {
			func(said string) fields { return fields{"target": item.ID, "result": "success", "note": said} },
			`select count(*) from evidence where note like '` + marker + `%' and kind = 'usage'`,
		},
		"review": {
			func(said string) fields {
				return fields{"target": item.ID, "verdict": "confirmed", "rationale_markdown": said, "sources": []fields{{"url": "https://m.example/"}}}
			},
			`select count(*) from evidence e join evidence_sources s on s.evidence_id = e.id where e.note like '` + marker + `%' and e.kind = 'review'`,
		},
		"rate": {
			func(said string) fields {
				return fields{"target": item.ID, "dimension": "clarity", "score": 50, "rationale_markdown": said}
			},
			`select count(*) from evidence where note like '` + marker + `%' and kind = 'rating'`,
		},
		"submit_experience": {
			func(said string) fields {
				return told(fields{"title": said, "used": []fields{{"id": item.ID, "result": "success"}}})
			},
			`select count(*) from evidence e join revisions v on v.content_id = e.experience_id where v.title like '` + marker + `%'`,
		},
		"publish": {
			func(said string) fields { return draft(fields{"title": said}) },
			`select count(*) from revisions where title like '` + marker + `%' and experience is null`,
		},
	} {
		t.Run(tool, func(t *testing.T) {
			// Each cut has a word of its own: the audit row of a call whose outcome was unknown is written again, in a
			// transaction that may come after the next call.
			call := func(mode pgcut.Mode, key, word string) (string, error) {
				args := c.args(marker + " " + word)
				if key != "" {
					args["idempotency_key"] = key
				}
				proxy.Next(mode, marker+" "+word)
				answer, err := b.raw(b.user, tool, args)
				require.True(t, proxy.Cut(), "the connection was not cut")
				return answer, err
			}
			calls := func() int {
				return b.count(`select count(*) from mcp_calls where tool = $1 and actor_id = $2 and code = ''`, tool, b.userID.UUID)
			}
			rows, written := b.count(c.rows), calls()

			answer, err := call(pgcut.Hide, "hidden", "hidden")
			require.NoError(t, err, "with a key the server finds out that the write is stored")
			again, err := call(pgcut.Pass, "hidden", "hidden")
			require.NoError(t, err)
			require.Equal(t, answer, again)
			require.Equal(t, rows+1, b.count(c.rows))
			b.Eventually("one audit row for each call", func() bool { return calls() == written+2 })

			_, err = call(pgcut.Lose, "lost", "lost")
			e := fails(t, ops.InternalError, err)
			require.True(t, e.Details.Retryable, e.Text())
			require.Equal(t, "database_unavailable", e.Details.Reason)
			require.Empty(t, e.Details.Outcome)
			require.Equal(t, rows+1, b.count(c.rows))
			_, err = call(pgcut.Pass, "lost", "lost")
			require.NoError(t, err)
			require.Equal(t, rows+2, b.count(c.rows))

			for mode, stored := range map[pgcut.Mode]int{pgcut.Hide: 1, pgcut.Lose: 0} {
				before := b.count(c.rows)
				_, err = call(mode, "", []string{"gone", "stored"}[stored])
				e = fails(t, ops.InternalError, err)
				require.Equal(t, "unknown", e.Details.Outcome, "without a key nobody can tell")
				require.False(t, e.Details.Retryable)
				b.Eventually("the commit under way has its end", func() bool { return b.count(c.rows) == before+stored })
				b.Eventually("the operator sees it", func() bool {
					unknown, err := b.Store.UnknownCalls(t.Context(), 10)
					return err == nil && len(unknown) > 0 && unknown[0].ID.String() == e.Details.CorrelationID ||
						mode == pgcut.Hide && err == nil && b.count(`select count(*) from mcp_calls where id::text = $1`, e.Details.CorrelationID) == 1
				})
			}
		})
	}
	require.Zero(t, b.count(`select count(*) from target_heads h where last_seq <> (select count(*) from evidence e where e.target_id = h.target_id)`))
}

func TestAKeyMakesAnOpenOutcomeSafeToRepeat(t *testing.T) {
	t.Parallel()
	conn := pgtest.NewMigrated(t, stack.Migrate)
	proxy := pgcut.Start(t, conn)
	b := setup(t, stack.On(proxy.ConnString), stack.WithoutWorkers())
	beside := &bundle{Stack: stack.Start(t, stack.On(conn), stack.WithoutWorkers()), t: t}
	args := draft(fields{"title": marker, "idempotency_key": "open"})

	proxy.Next(pgcut.Delay, marker)
	answered := make(chan error, 1)
	go func() {
		_, err := b.raw(b.user, "publish", args)
		answered <- err
	}()
	b.Eventually("the server looks for the key's outcome", func() bool {
		return beside.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) > 0
	})
	proxy.Down()
	e := fails(t, ops.InternalError, <-answered)
	require.Equal(t, "unknown", e.Details.Outcome)
	require.True(t, e.Details.Retryable, e.Text())
	require.Positive(t, e.Details.RetryAfter)

	proxy.Release()
	proxy.Up()
	b.Eventually("the commit under way has its end", func() bool {
		return beside.count(`select count(*) from revisions where title = '`+marker+`'`) == 1
	})
	_, err := b.raw(b.user, "publish", args)
	require.NoError(t, err)
	require.Equal(t, 1, beside.count(`select count(*) from revisions where title = '`+marker+`'`))
}

func TestEvidenceOfManyNodesIsNumberedWithoutGaps(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	item := b.publish(b.user, fields{"claims": []fields{{"text": "Numbers of evidence have no gaps."}}, "new_subjects": []fields{{"type": "thing", "name": "numbers"}}})
	targets := []string{item.ID, item.RevisionID, item.Claims[0].ID, item.Subjects[0].ID}
	const writers, each = 32, 10
	together(writers, func(i int) (string, error) {
		for k := range each {
			args := fields{"target": targets[(i+k)%len(targets)], "result": "success"}
			if k%2 == 0 {
				args["idempotency_key"] = t.Name() + string(rune('a'+i)) + string(rune('a'+k))
			}
			answer, err := b.raw(nodes[i%2], "report_usage", args)
			if err != nil {
				t.Error(err)
				return "", err
			}
			if k == 3 {
				if _, err := b.raw(nodes[(i+1)%2], "report_usage", fields{"retract": decode[evidence.RecordOutput](t, answer).ID}); err != nil {
					t.Error(err)
				}
			}
		}
		return "", nil
	})
	const rows = writers * (each + 1)
	require.Equal(t, store.TrustTotals{Evidence: rows, Numbered: rows}, b.Settled())
}
