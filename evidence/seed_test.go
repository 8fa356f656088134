package evidence_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
)

// seedPublish is the example of publish in the specification, section 6, word for word; its ellipses are filled in.
const seedPublish = `{
	"content_type": "procedure", "title": "Idempotent webhook handling", "summary": "Deduplicate by delivery id.",
	"body_markdown": "…", "structured_data": {}, "revision_of": null, "change_note": null, "subjects": ["ent_…"],
	"claims": [{ "text": "Deduplicating by delivery id prevents double processing." }],
	"sources": [{ "url": "https://…", "title": "…" }], "relations": [{ "type": "corrects", "target": "cnt_…" }],
	"tags": ["webhook", "idempotency"], "space": null, "language": "en", "idempotency_key": "…" }`

// seedUsage is the example of report_usage.
const seedUsage = `{
	"target": "cnt_…", "usage_type": "implementation", "result": "success", "real_world_use": true,
	"context": { "framework": "fastapi" }, "metrics": {}, "note": "Worked without modification.", "idempotency_key": "…" }`

// seedGet is the example of get.
const seedGet = `{ "id": "cnt_…", "revision": null, "include": ["body", "claims", "relations", "evidence_summary"] }`

func (b *bundle) seedCall(tool, example string, fill ...string) fields {
	b.t.Helper()
	raw, err := b.raw(b.author, tool, json.RawMessage(strings.NewReplacer(fill...).Replace(example)))
	require.NoError(b.t, err)
	return decode[fields](b.t, raw)
}

func TestTheExamplesOfTheSpecificationAreAnswered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.publish(b.user, fields{"new_subjects": []fields{{"type": "software", "name": "Webhooks"}}})
	published := b.seedCall("publish", seedPublish,
		"ent_…", other.Subjects[0].ID, "cnt_…", other.ID, "https://…", "https://docs.example/hooks")
	id, ok := published["id"].(string)
	require.True(t, ok)
	require.Regexp(t, `^cnt_`, id)
	require.Regexp(t, `^rev_`, published["revision_id"])
	claim := published["claims"].([]any)[0].(fields)
	require.Equal(t, false, claim["matched_existing"])

	used := b.seedCall("report_usage", seedUsage, "cnt_…", id)
	require.Regexp(t, `^use_`, used["id"])
	require.Equal(t, published["revision_id"], used["target_revision"])

	got := b.seedCall("get", seedGet, "cnt_…", id)
	require.Equal(t, []string{"content", "procedure", "unverified", "Idempotent webhook handling", "Deduplicate by delivery id.", "…"},
		[]string{got["kind"].(string), got["type"].(string), got["status"].(string), got["title"].(string), got["summary"].(string), got["body_markdown"].(string)})
	revision := got["revision"].(fields)
	require.Equal(t, published["revision_id"], revision["id"])
	require.InDelta(t, 1, revision["no"], 0)
	require.Equal(t, b.Agent.String(), revision["author"])
	require.Contains(t, revision, "created_at")
	require.Equal(t, fields{}, got["structured_data"])
	require.Equal(t, claim["id"], got["claims"].([]any)[0].(fields)["id"])
	require.Equal(t, "unverified", got["claims"].([]any)[0].(fields)["status"])
	relation := got["relations"].([]any)[0].(fields)
	require.Equal(t, []any{"corrects", other.ID}, []any{relation["type"], relation["target"]})
	require.Equal(t, true, got["untrusted_content"])
	for _, member := range []string{
		"value", "lower_bound", "upper_bound", "independent_confirmations", "contradictions", "real_world_confirmations", "model_version",
	} {
		require.Contains(t, got["trust"], member)
	}

	me := b.seedCall("whoami", `{}`)
	for _, member := range []string{
		"actor_id", "actor_type", "display_name", "controller", "verified_by_email", "verified_by_domain", "reputation", "scopes", "rate_limits",
	} {
		require.Contains(t, me, member)
	}
	require.Equal(t, b.Agent.String(), me["actor_id"])
	require.Equal(t, b.Human.String(), me["controller"])
	require.Equal(t, []any{"read", "publish", "usage", "review", "rate"}, me["scopes"])
	require.Equal(t, []any{false, false, true}, []any{me["verified_by_email"], me["verified_by_domain"], me["vouched"]})
	require.Contains(t, me["rate_limits"], "writes_per_hour")
	require.Contains(t, me["rate_limits"], "remaining")
}

func TestNullIsTheSameAsAbsent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.publish(b.user, nil).ID
	pair := `"` + b.publish(b.user, nil).ID + `","` + b.publish(b.user, nil).ID + `"`
	for tool, c := range map[string]struct{ absent, null string }{
		"publish": {
			`{"content_type":"note","title":"t","idempotency_key":"n"}`,
			`{"content_type":"note","title":"t","summary":null,"body_markdown":null,"structured_data":null,"revision_of":null,
			  "change_note":null,"subjects":null,"new_subjects":null,"claims":null,"sources":null,"relations":null,"tags":null,
			  "space":null,"language":null,"assets":null,"idempotency_key":"n"}`,
		},
		"report_usage": {
			`{"target":"T","result":"success","idempotency_key":"n"}`,
			`{"target":"T","result":"success","usage_type":null,"real_world_use":null,"context":null,"metrics":null,"note":null,
			  "retract":null,"idempotency_key":"n"}`,
		},
		"get": {`{"id":"T"}`, `{"id":"T","revision":null,"include":null,"limit":null,"cursor":null}`},
		"review": {
			`{"target":"T","verdict":"confirmed","idempotency_key":"n"}`,
			`{"target":"T","verdict":"confirmed","confidence":null,"rationale_markdown":null,"sources":null,"based_on_usage":null,
			  "retract":null,"idempotency_key":"n"}`,
		},
		"rate": {
			`{"target":"T","dimension":"clarity","score":0,"idempotency_key":"n"}`,
			`{"target":"T","dimension":"clarity","score":0,"context":null,"confidence":null,"rationale_markdown":null,
			  "based_on_usage":null,"retract":null,"idempotency_key":"n"}`,
		},
		"submit_experience": {
			`{"title":"t","result":"unknown","idempotency_key":"n"}`,
			`{"title":"t","result":"unknown","summary":null,"body_markdown":null,"subjects":null,"new_subjects":null,"real_world_use":null,
			  "context":null,"configuration":null,"observations":null,"metrics":null,"used":null,"tags":null,"space":null,
			  "language":null,"idempotency_key":"n"}`,
		},
		"compare": {`{"ids":[` + pair + `]}`, `{"ids":[` + pair + `],"context":null,"dimensions":null}`},
		"whoami":  {`{}`, `{}`},
	} {
		t.Run(tool, func(t *testing.T) {
			first, err := b.raw(b.author, tool, json.RawMessage(strings.ReplaceAll(c.absent, `"T"`, `"`+target+`"`)))
			require.NoError(t, err)
			second, err := b.raw(b.author, tool, json.RawMessage(strings.ReplaceAll(c.null, `"T"`, `"`+target+`"`)))
			require.NoError(t, err)
			if tool != "get" { // its trust may have been computed in between
				require.Equal(t, first, second)
			}
			require.Empty(t, nulls("", decode[fields](t, first)))
		})
	}
	require.Equal(t, 3, b.count(`select count(*) from evidence`))
}

func TestWaitTellsWhetherTrustIncludesTheEvidence(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	for range 3 {
		raw, err := b.user.Call(t.Context(), "report_usage", fields{"target": item.ID, "result": "success"}, map[string]any{"interai/wait_ms": 10_000})
		require.NoError(t, err)
		record := decode[evidence.RecordOutput](t, string(raw))
		require.True(t, b.get(b.user, record.ID).Record.IncludedInTrust)
	}
	require.Zero(t, b.get(b.user, item.ID).Trust.Pending)
	args := told(fields{"idempotency_key": "again", "used": []fields{
		{"id": item.ID, "result": "success"}, {"type": "software", "name": "Waited for", "result": "success"},
	}})
	for range 2 {
		raw, err := b.user.Call(t.Context(), "submit_experience", args, map[string]any{"interai/wait_ms": 10_000})
		require.NoError(t, err)
		for _, id := range decode[evidence.SubmitExperienceOutput](t, string(raw)).UsageIDs {
			require.True(t, b.get(b.user, id).Record.IncludedInTrust)
		}
	}
}
