package evidence_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

// seedExperience is the example of submit_experience in the specification, section 6, word for word; its ellipses are
// filled in.
const seedExperience = `{
	"title": "Retry strategy under production load", "summary": "Exponential backoff with jitter held at 500k events/day.",
	"body_markdown": "…", "subjects": ["ent_…"], "result": "success", "real_world_use": true,
	"context": { "environment": "production", "scale": "500k events/day" }, "configuration": {}, "observations": {}, "metrics": {},
	"used": [
		{ "id": "cnt_…", "result": "success" },
		{ "id": "ent_…", "result": "partial", "note": "needed a patch for timeouts" }
	], "idempotency_key": "…" }`

func told(more fields) fields {
	args := fields{"title": "An experience", "result": "success"}
	maps.Copy(args, more)
	return args
}

func (b *bundle) tell(client *mcp.Client, more fields) evidence.SubmitExperienceOutput {
	b.t.Helper()
	var out evidence.SubmitExperienceOutput
	b.Must(client, "submit_experience", told(more), &out)
	return out
}

func TestTheExampleOfSubmitExperienceIsAnswered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{"new_subjects": []fields{{"type": "software", "name": "Retries"}}})
	entity := item.Subjects[0].ID
	raw, err := b.raw(b.user, "submit_experience", json.RawMessage(strings.NewReplacer("ent_…", entity, "cnt_…", item.ID).Replace(seedExperience)))
	require.NoError(t, err)
	out := decode[evidence.SubmitExperienceOutput](t, raw)
	require.Regexp(t, `^cnt_`, out.ID)
	require.Regexp(t, `^rev_`, out.RevisionID)
	require.Len(t, out.UsageIDs, 2)
	require.Equal(t, []string{item.RevisionID, entity}, out.Targets)

	got := b.get(b.author, out.ID)
	require.Equal(t, []string{"experience", "Retry strategy under production load", "…"}, []string{got.Type, got.Title, *got.BodyMarkdown})
	require.Equal(t, "success", got.Experience.Result)
	require.True(t, got.Experience.RealWorldUse)
	require.JSONEq(t, `{"environment":"production","scale":"500k events/day"}`, string(got.Experience.Context))
	require.Equal(t, []evidence.UsedRef{
		{Target: item.RevisionID, Usage: out.UsageIDs[0], Result: "success"},
		{Target: entity, Usage: out.UsageIDs[1], Result: "partial", Note: "needed a patch for timeouts"},
	}, got.Experience.Used)
	require.Contains(t, b.text("get", fields{"id": out.ID}), "Experience: success, in real use")

	record := b.get(b.author, out.UsageIDs[1]).Record
	require.Equal(t, []string{"usage", "partial", "needed a patch for timeouts", out.ID, entity, b.userID.String()},
		[]string{record.Kind, record.Result, record.Note, record.Experience, record.Target, record.Actor})
	require.True(t, *record.RealWorldUse)
	require.JSONEq(t, string(got.Experience.Context), string(record.Context))
	b.Settled()
	require.EqualValues(t, 1, b.get(b.author, item.ID).EvidenceSummary.Usage.Success)
	require.EqualValues(t, 1, b.get(b.author, entity).EvidenceSummary.Usage.Partial)
	// Its uses are evidence like any other: a review may rest on one, and its author may take it back.
	b.Must(b.user, "review", judgment("review", item.ID, fields{"based_on_usage": out.UsageIDs[0]}), nil)
	b.Must(b.user, "report_usage", fields{"retract": out.UsageIDs[1]}, nil)
}

func TestExperiencesSayEveryRuleThatIsBroken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{"new_subjects": []fields{{"type": "software", "name": "Once"}}})
	entity := item.Subjects[0].ID
	uses := func(list ...fields) fields { return fields{"used": list} }
	used := func(id string) fields { return fields{"id": id, "result": "success"} }
	unknown := fresh(t, store.KindEntity)
	for rule, c := range map[string]struct {
		args fields
		code ops.Code
		want []string
	}{
		"no result":                    {fields{"result": nil}, ops.ValidationFailed, []string{"/result required"}},
		"a title of blanks":            {fields{"title": " "}, ops.ValidationFailed, []string{"/title required"}},
		"a use without a result":       {uses(fields{"id": item.ID}), ops.ValidationFailed, []string{"/used/0/result required"}},
		"a use of nothing":             {uses(fields{"result": "success"}), ops.ValidationFailed, []string{"/used/0 one_of"}},
		"a use by ID and by name":      {uses(fields{"id": item.ID, "type": "api", "name": "A", "result": "success"}), ops.ValidationFailed, []string{"/used/0 one_of"}},
		"a use without a type":         {uses(fields{"name": "A", "result": "success"}), ops.ValidationFailed, []string{"/used/0 one_of"}},
		"a use without a name":         {uses(fields{"type": "api", "result": "success"}), ops.ValidationFailed, []string{"/used/0 one_of"}},
		"a use of a name of blanks":    {uses(fields{"type": "api", "name": " ", "result": "success"}), ops.ValidationFailed, []string{"/used/0/name required"}},
		"a use of a note that grows":   {uses(fields{"id": item.ID, "result": "success", "note": strings.Repeat(grows, 4000)}), ops.ValidationFailed, []string{"/used/0/note max"}},
		"a use of an actor":            {uses(used(item.ID), used(b.Agent.String())), ops.InvalidTarget, []string{"/used/1/id target_kind"}},
		"a use of a word":              {uses(used("the newest")), ops.InvalidTarget, []string{"/used/0/id target_kind"}},
		"a use of something unknown":   {uses(used(item.ID), used(unknown)), ops.NotFound, nil},
		"one item twice":               {uses(used(item.ID), used(item.ID)), ops.ValidationFailed, []string{"/used/1 duplicate"}},
		"an item and its revision":     {uses(used(entity), used(item.RevisionID), used(item.ID)), ops.ValidationFailed, []string{"/used/2 duplicate"}},
		"an entity by ID and by name":  {uses(fields{"type": "software", "name": "once", "result": "success"}, used(entity)), ops.ValidationFailed, []string{"/used/1 duplicate"}},
		"a name twice":                 {uses(fields{"type": "api", "name": "N", "result": "success"}, fields{"type": "api", "name": " n", "result": "failure"}), ops.ValidationFailed, []string{"/used/1 duplicate"}},
		"a nested context":             {fields{"context": fields{"a": []any{}}}, ops.ValidationFailed, []string{"/context/a scalar"}},
		"metrics that are too deep":    {fields{"metrics": deep(33)}, ops.ValidationFailed, []string{"/metrics max_depth"}},
		"an unknown subject":           {fields{"subjects": []string{unknown}}, ops.NotFound, nil},
		"a field of publish":           {fields{"revision_of": item.ID}, ops.ValidationFailed, []string{"/revision_of unknown"}},
		"broken rules of both sorts":   {fields{"tags": []string{" "}, "used": []fields{{"result": "success"}}}, ops.ValidationFailed, []string{"/tags/0 required", "/used/0 one_of"}},
		"an observation that is none":  {fields{"observations": []any{}}, ops.ValidationFailed, []string{"/observations type"}},
		"a use of a page that is none": {uses(fields{"type": "api", "name": "N", "url": "javascript:alert(1)", "result": "success"}), ops.ValidationFailed, []string{"/used/0/url home_page"}},
		"a use of a password as a URL": {uses(fields{"type": "api", "name": "N", "url": "https://u:p@a.example/", "result": "success"}), ops.ValidationFailed, []string{"/used/0/url home_page"}},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := b.raw(b.user, "submit_experience", told(c.args))
			require.Equal(t, c.want, broken(fails(t, c.code, err)))
		})
	}
	require.Zero(t, b.count(`select count(*) from evidence`))
	require.Equal(t, 1, b.count(`select count(*) from entities`))
	require.Equal(t, 1, b.count(`select count(*) from contents`))
	// publish does not make experiences, it only revises their text.
	_, err := b.raw(b.user, "publish", draft(fields{"content_type": "experience"}))
	require.Equal(t, []string{"/content_type submit_experience"}, broken(fails(t, ops.ValidationFailed, err)))
}

func TestARevisedExperienceTellsTheSame(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	out := b.tell(b.user, fields{"metrics": fields{"p99": 12}, "used": []fields{{"id": item.ID, "result": "failure"}}})
	second := b.publish(b.user, fields{"content_type": "experience", "revision_of": out.ID, "title": "Corrected"})
	got := b.get(b.author, second.RevisionID)
	require.Equal(t, "Corrected", got.Title)
	require.Equal(t, b.get(b.author, out.RevisionID).Experience, got.Experience)
	require.JSONEq(t, `{"p99":12}`, string(got.Experience.Metrics))
	require.Equal(t, 1, b.count(`select count(*) from evidence`))
}

func TestWhatWasUsedIsFoundOrMadeByItsName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	known := b.publish(b.author, fields{"new_subjects": []fields{{"type": "software", "name": "Known thing"}}}).Subjects[0].ID
	out := b.tell(b.user, fields{
		"new_subjects": []fields{{"type": "api", "name": "Both"}, {"type": "api", "name": "Subject only"}},
		"used": []fields{
			{"type": "software", "name": "KNOWN  thing", "result": "success"},
			{"type": "api", "name": "Used only", "url": "https://used.example/", "result": "failure"},
			{"type": "api", "name": "both", "result": "partial"},
		},
	})
	require.Equal(t, known, out.Targets[0])
	require.Len(t, out.Subjects, 2, "what was used is no subject for that")
	require.Equal(t, out.Subjects[0].ID, out.Targets[2])
	require.Equal(t, "https://used.example/", b.get(b.author, out.Targets[1]).URL)
	require.Equal(t, 4, b.count(`select count(*) from entities`))
}

func TestAnExperienceIsOneWriteWithOneKey(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	item := b.publish(b.user, nil)
	args := told(fields{
		"used":            []fields{{"id": item.ID, "result": "success"}, {"type": "api", "name": "One write", "result": "partial"}},
		"idempotency_key": "one",
	})
	answers, errs := together(identical, func(i int) (string, error) { return b.raw(nodes[i%2], "submit_experience", args) })
	for i := range answers {
		require.NoError(t, errs[i])
		require.Equal(t, answers[0], answers[i])
	}
	require.Equal(t, 2, b.count(`select count(*) from evidence`))
	require.Equal(t, 1, b.count(`select count(*) from contents where type = 'experience'`))
	args["used"] = []fields{{"id": item.ID, "result": "failure"}}
	_, err := b.raw(b.author, "submit_experience", args)
	fails(t, ops.IdempotencyConflict, err)
	totals := b.Settled()
	require.EqualValues(t, 2, totals.Evidence)
	require.Zero(t, totals.Gaps)
}

func TestExperiencesAtOnceAboutTheSameThingsAllCount(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	var items []string
	for range 4 {
		items = append(items, b.publish(b.user, nil).ID)
	}
	const calls = 24
	_, errs := together(calls, func(i int) (string, error) {
		var used []fields
		for k := range items { // in another order each time
			used = append(used, fields{"id": items[(i*3+k)%len(items)], "result": "success"})
		}
		return b.raw(nodes[i%2], "submit_experience", told(fields{"title": fmt.Sprint("Experience ", i), "used": used}))
	})
	for _, err := range errs {
		require.NoError(t, err)
	}
	totals := b.Settled()
	require.EqualValues(t, calls*len(items), totals.Evidence)
	require.Zero(t, totals.Gaps)
}

func TestAPrivateExperienceOfPublicThingsCountsAndTellsNothing(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	out := p.tell(p.author, fields{
		"space": p.space, "title": secret, "summary": secret, "body_markdown": secret, "real_world_use": true,
		"context": fields{"place": secret}, "observations": fields{"seen": secret},
		"used": []fields{
			{"id": p.public.Subjects[0].ID, "result": "failure", "note": secret},
			{"id": p.item.ID, "result": "success", "note": secret},
		},
	})
	for _, client := range []*mcp.Client{p.author, p.user} {
		record := p.get(client, out.UsageIDs[0]).Record
		require.Equal(t, "failure", record.Result)
		require.True(t, *record.RealWorldUse)
		require.Empty(t, record.Note)
		require.Nil(t, record.Context)
		if client == p.author {
			require.Equal(t, out.ID, record.Experience)
		} else {
			require.Empty(t, record.Experience)
		}
	}
	for _, id := range []string{out.UsageIDs[0], p.public.Subjects[0].ID} {
		raw, err := p.raw(p.user, "get", fields{"id": id, "include": everything()})
		require.NoError(t, err)
		require.NotContains(t, raw, secret)
		require.NotContains(t, raw, out.ID)
	}
	for _, id := range []string{out.ID, out.RevisionID, out.UsageIDs[1]} {
		p.sameRefusal(t, p.user, "get", id, func(id string) fields { return fields{"id": id} })
	}
	inside := p.get(p.author, out.UsageIDs[1]).Record
	require.Equal(t, secret, inside.Note)
	require.JSONEq(t, `{"place":"`+secret+`"}`, string(inside.Context))
	require.Equal(t, secret, p.get(p.author, out.ID).Experience.Used[0].Note, "the experience itself keeps what was said")
	p.Settled()
	require.EqualValues(t, 1, p.get(p.user, p.public.Subjects[0].ID).EvidenceSummary.Usage.Failure)

	// A public experience cannot name what is private, and strangers cannot tell it from nothing.
	_, err := p.raw(p.author, "submit_experience", told(fields{"used": []fields{{"id": p.item.ID, "result": "success"}}}))
	require.Equal(t, []string{"/used/0/id same_space"}, broken(fails(t, ops.InvalidTarget, err)))
	for _, id := range []string{p.item.ID, p.item.RevisionID, p.item.Claims[0].ID, p.privateEntity()} {
		p.sameRefusal(t, p.user, "submit_experience", id, func(id string) fields {
			return told(fields{"used": []fields{{"id": id, "result": "success"}}})
		})
	}
	p.sameRefusal(t, p.user, "submit_experience", p.space, func(id string) fields { return told(fields{"space": id}) })
}

func TestUsesOfAnExperienceNeedTheirScope(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	_, agent, _ := b.Party(store.Verification{})
	client := b.Client(b.KeyOf(agent, "read", "publish"))
	_, err := b.raw(client, "submit_experience", told(fields{"used": []fields{{"id": item.ID, "result": "success"}}}))
	fails(t, ops.ForbiddenScope, err)
	b.tell(client, nil)
	_, agent, _ = b.Party(store.Verification{})
	client = b.Client(b.KeyOf(agent, "read", "usage"))
	_, err = b.raw(client, "submit_experience", told(nil))
	fails(t, ops.ForbiddenScope, err)
}
