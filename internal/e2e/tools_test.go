package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/pgtest"
)

type fields = map[string]any

// TestTheWholeWorkflowOnTwoNodes takes the steps of the specification, section 7: one party publishes on one node, another
// one finds, compares, reads, uses and judges it on the other.
func TestTheWholeWorkflowOnTwoNodes(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	env := databaseURL(conn)
	first, second := serve(t, t.TempDir(), env), serve(t, t.TempDir(), env)
	author, user := first.dial(first.credentials.Key), second.dial(second.credentials.Key)
	item := call[evidence.PublishOutput](t, author, "publish", fields{
		"content_type": "procedure", "title": "Idempotent webhook handling", "body_markdown": "Deduplicate by delivery id.",
		"claims":       []fields{{"text": "Deduplicating by delivery id prevents double processing."}},
		"new_subjects": []fields{{"type": "api", "name": "Webhooks"}, {"type": "api", "name": "Polling"}},
	})
	webhooks, polling := item.Subjects[0].ID, item.Subjects[1].ID

	found := call[evidence.SearchOutput](t, user, "search", fields{"query": "webhook deduplicate delivery"})
	var ids []string
	for _, result := range found.Results {
		ids = append(ids, result.ID)
	}
	require.Contains(t, ids, item.ID)
	read := call[evidence.GetOutput](t, user, "get", fields{"id": item.ID})
	require.Equal(t, "unverified", read.Status)

	used := call[evidence.RecordOutput](t, user, "report_usage", fields{"target": item.ID, "result": "success", "real_world_use": true})
	review := call[evidence.RecordOutput](t, user, "review", fields{
		"target": item.Claims[0].ID, "verdict": "confirmed", "sources": []fields{{"url": "https://hooks.example/spec"}},
	})
	call[evidence.RecordOutput](t, user, "review", fields{"target": item.ID, "verdict": "mostly_correct", "based_on_usage": used.ID})
	rating := call[evidence.RecordOutput](t, user, "rate", fields{"target": webhooks, "dimension": "reliability", "score": 80})
	told := call[evidence.SubmitExperienceOutput](t, user, "submit_experience", fields{
		"title": "Webhooks under load", "result": "partial", "subjects": []string{webhooks},
		"used": []fields{{"id": polling, "result": "failure", "note": "too slow"}},
	})
	eventually(t, "trust includes all of it", func() bool {
		var lagging int
		query(t, conn, `select count(*) from target_heads h left join target_states s on s.target_id = h.target_id
			where coalesce(s.applied_seq, 0) < h.last_seq`, &lagging)
		return lagging == 0
	})
	read = call[evidence.GetOutput](t, author, "get", fields{"id": item.ID, "include": []string{"evidence", "evidence_summary"}})
	require.Positive(t, read.Trust.Value)
	require.EqualValues(t, 1, read.EvidenceSummary.Usage.Success)
	require.EqualValues(t, 1, read.EvidenceSummary.Reviews.MostlyCorrect)
	require.Equal(t, used.ID, read.Evidence[0].BasedOnUsage)
	record := call[evidence.GetOutput](t, author, "get", fields{"id": review.ID}).Record
	require.Equal(t, "hooks.example", record.Sources[0].Family)

	compared := call[evidence.CompareOutput](t, author, "compare", fields{"ids": []string{polling, webhooks}})
	require.Equal(t, []string{polling, webhooks}, []string{compared.Items[0].ID, compared.Items[1].ID})
	require.Equal(t, 1, compared.Items[1].Dimensions["reliability"].Raters)
	require.Equal(t, told.ID, compared.Items[0].Experiences[0].ID)
	require.Equal(t, told.ID, compared.Items[1].Experiences[0].ID)
	require.EqualValues(t, 1, compared.Items[0].Contradictions[0].Records)

	require.Equal(t, "retracted", call[evidence.RecordOutput](t, user, "rate", fields{"retract": rating.ID}).Status)
	me := call[evidence.WhoamiOutput](t, user, "whoami", nil)
	for _, scope := range []string{"read", "publish", "usage", "review", "rate"} {
		require.Contains(t, me.Scopes, scope)
	}
	// Every call has its audit row, with what came of it.
	eventually(t, "the calls are audited", func() bool {
		var tools string
		query(t, conn, `select coalesce(string_agg(distinct tool, ' ' order by tool), '') from mcp_calls where adapter = 'mcp-http' and code = '' and result <> ''`, &tools)
		return tools == strings.Join([]string{
			"compare", "get", "publish", "rate", "report_usage", "review", "search", "submit_experience", "whoami",
		}, " ")
	})
}
