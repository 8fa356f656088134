package evidence_test

import (
	"context"
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

// seedReview is the example of review in the specification, section 6, word for word; its ellipses are filled in.
const seedReview = `{
	"target": "clm_…", "verdict": "confirmed", "confidence": 0.9, "rationale_markdown": "…",
	"sources": [{ "url": "https://…" }], "based_on_usage": "use_…", "idempotency_key": "…" }`

// seedRate is the example of rate.
const seedRate = `{
	"target": "ent_…", "context": { "deployment": "self-hosted", "scale": "small" }, "dimension": "maintainability",
	"score": 88, "confidence": 0.85, "based_on_usage": "use_…", "rationale_markdown": "…", "idempotency_key": "…" }`

// judged is an item of the author's with a claim and a subject, and what the user has used of it.
type judged struct {
	*bundle

	item          evidence.PublishOutput
	claim, entity string
}

func newJudged(t *testing.T) *judged {
	t.Helper()
	j := &judged{bundle: setup(t)}
	j.item = j.publish(j.author, fields{
		"claims":       []fields{{"text": "Whatever is published can be judged by others."}},
		"new_subjects": []fields{{"type": "software", "name": "Judged"}},
	})
	j.claim, j.entity = j.item.Claims[0].ID, j.item.Subjects[0].ID
	return j
}

// judge calls review or rate with the least that is needed; more adds fields or replaces them.
func (j *judged) judge(client *mcp.Client, tool, target string, more fields) evidence.RecordOutput {
	j.t.Helper()
	var out evidence.RecordOutput
	j.Must(client, tool, judgment(tool, target, more), &out)
	return out
}

func judgment(tool, target string, more fields) fields {
	args := fields{"target": target, "verdict": "confirmed"}
	if tool == "rate" {
		args = fields{"target": target, "dimension": "clarity", "score": 70}
	}
	maps.Copy(args, more)
	return args
}

func TestTheExamplesOfReviewAndRateAreAnswered(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	used := j.use(j.user, j.claim)
	raw, err := j.raw(j.user, "review", json.RawMessage(strings.NewReplacer(
		"clm_…", j.claim, "use_…", used.ID, "https://…", "https://docs.example/claims").Replace(seedReview)))
	require.NoError(t, err)
	reviewed := decode[fields](t, raw)
	require.Regexp(t, `^rvw_[0-9a-hjkmnp-tv-z]{26}$`, reviewed["id"])
	require.NotContains(t, reviewed, "target_revision", "a claim has no revisions")
	record := j.get(j.author, reviewed["id"].(string)).Record
	require.Equal(t, []string{"review", "confirmed", "…", used.ID, "active", j.claim},
		[]string{record.Kind, record.Verdict, record.Rationale, record.BasedOnUsage, record.Status, record.Target})
	require.InDelta(t, .9, *record.Confidence, 0)
	require.Len(t, record.Sources, 1)
	require.Equal(t, []string{"https://docs.example/claims", "docs.example"}, []string{record.Sources[0].URL, record.Sources[0].Family})

	used = j.use(j.user, j.entity)
	raw, err = j.raw(j.user, "rate", json.RawMessage(strings.NewReplacer("ent_…", j.entity, "use_…", used.ID).Replace(seedRate)))
	require.NoError(t, err)
	rated := decode[fields](t, raw)
	require.Regexp(t, `^rat_[0-9a-hjkmnp-tv-z]{26}$`, rated["id"])
	record = j.get(j.author, rated["id"].(string)).Record
	require.Equal(t, []string{"rating", "maintainability", "…", used.ID, "active", j.entity},
		[]string{record.Kind, record.Dimension, record.Rationale, record.BasedOnUsage, record.Status, record.Target})
	require.InDelta(t, 88, *record.Score, 0)
	require.InDelta(t, .85, *record.Confidence, 0)
	require.JSONEq(t, `{"deployment":"self-hosted","scale":"small"}`, string(record.Context))

	j.Settled()
	require.EqualValues(t, 1, j.get(j.user, j.claim).EvidenceSummary.Reviews.Confirmed)
	require.EqualValues(t, 1, j.get(j.user, j.entity).EvidenceSummary.Ratings)
}

func TestEveryVerdictIsTaken(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	for _, verdict := range []string{
		"confirmed", "mostly_correct", "questionable", "misleading", "contradicted", "false", "outdated", "cannot_verify",
	} {
		out := j.judge(j.user, "review", j.item.ID, fields{"verdict": verdict})
		require.Equal(t, j.item.RevisionID, out.TargetRevision)
		require.Equal(t, verdict, j.get(j.author, out.ID).Record.Verdict)
	}
	page := j.get(j.author, j.item.ID, "evidence")
	require.Len(t, page.Evidence, 8)
	require.Equal(t, "cannot_verify", page.Evidence[0].Verdict)
}

func TestJudgmentsSayEveryRuleThatIsBroken(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	mine := func(target string) string { return j.use(j.user, target).ID }
	retracted := mine(j.item.ID)
	j.Must(j.user, "report_usage", fields{"retract": retracted}, nil)
	second := j.publish(j.author, fields{"revision_of": j.item.ID})
	ofSecond, others := mine(second.RevisionID), j.use(j.author, j.item.ID).ID
	review := j.judge(j.user, "review", j.item.ID, nil).ID
	for rule, c := range map[string]struct {
		tool string
		args fields
		code ops.Code
		want []string
	}{
		"review of an entity":             {"review", fields{"target": j.entity}, ops.InvalidTarget, []string{"/target target_kind"}},
		"review of a record":              {"review", fields{"target": review}, ops.InvalidTarget, []string{"/target target_kind"}},
		"review of nothing":               {"review", fields{"target": fresh(t, store.KindClaim)}, ops.NotFound, nil},
		"review with a free verdict":      {"review", fields{"verdict": "great"}, ops.ValidationFailed, []string{"/verdict oneof"}},
		"review without a verdict":        {"review", fields{"verdict": nil}, ops.ValidationFailed, []string{"/verdict required_without"}},
		"review that is more than sure":   {"review", fields{"confidence": 1.01}, ops.ValidationFailed, []string{"/confidence max"}},
		"review with a long rationale":    {"review", fields{"rationale_markdown": strings.Repeat(grows, 8000)}, ops.ValidationFailed, []string{"/rationale_markdown max"}},
		"review with a source of nothing": {"review", fields{"sources": []fields{{"title": "t"}}}, ops.ValidationFailed, []string{"/sources/0 one_of"}},
		"review with a source that is no page": {
			"review",
			fields{"sources": []fields{{"url": "https://a.example/"}, {"url": "ftp://a.example/"}}},
			ops.ValidationFailed,
			[]string{"/sources/1/url source_url"},
		},
		"review with an unknown source":     {"review", fields{"sources": []fields{{"id": fresh(t, store.KindSource)}}}, ops.NotFound, nil},
		"review based on nothing":           {"review", fields{"based_on_usage": fresh(t, store.KindUsage)}, ops.NotFound, nil},
		"review based on a review":          {"review", fields{"based_on_usage": review}, ops.InvalidTarget, []string{"/based_on_usage target_kind"}},
		"review based on a review's number": {"review", fields{"based_on_usage": "use_" + review[4:]}, ops.NotFound, nil},
		"review based on another's use":     {"review", fields{"based_on_usage": others}, ops.NotAuthor, nil},
		"review based on a retracted use":   {"review", fields{"based_on_usage": retracted}, ops.InvalidTarget, []string{"/based_on_usage active"}},
		"review based on another target":    {"review", fields{"based_on_usage": mine(j.claim)}, ops.InvalidTarget, []string{"/based_on_usage same_target"}},
		"review based on a newer revision": {
			"review", fields{"target": j.item.RevisionID, "based_on_usage": ofSecond}, ops.InvalidTarget, []string{"/based_on_usage same_target"},
		},
		"rating of a claim":              {"rate", fields{"target": j.claim}, ops.InvalidTarget, []string{"/target target_kind"}},
		"rating of nothing":              {"rate", fields{"target": fresh(t, store.KindEntity)}, ops.NotFound, nil},
		"rating without a score":         {"rate", fields{"score": nil}, ops.ValidationFailed, []string{"/score required_without"}},
		"rating above 100":               {"rate", fields{"score": 100.5}, ops.ValidationFailed, []string{"/score max"}},
		"rating below 0":                 {"rate", fields{"score": -1}, ops.ValidationFailed, []string{"/score min"}},
		"rating of no dimension":         {"rate", fields{"dimension": nil}, ops.ValidationFailed, []string{"/dimension required_without"}},
		"rating of a free dimension":     {"rate", fields{"dimension": "Ease of use"}, ops.ValidationFailed, []string{"/dimension snake_case"}},
		"rating in a nested context":     {"rate", fields{"context": fields{"a": fields{}}}, ops.ValidationFailed, []string{"/context/a scalar"}},
		"rating with sources":            {"rate", fields{"sources": []fields{}}, ops.ValidationFailed, []string{"/sources unknown"}},
		"rating based on another's use":  {"rate", fields{"based_on_usage": others}, ops.NotAuthor, nil},
		"rating based on another target": {"rate", fields{"based_on_usage": mine(j.entity)}, ops.InvalidTarget, []string{"/based_on_usage same_target"}},
		"a retraction with a verdict":    {"review", fields{"target": nil, "retract": review}, ops.ValidationFailed, []string{"/verdict excluded_with"}},
		"a retraction with a score of 0": {"rate", fields{"target": nil, "dimension": nil, "score": 0, "retract": fresh(t, store.KindRating)}, ops.ValidationFailed, []string{"/score excluded_with"}},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := j.raw(j.user, c.tool, judgment(c.tool, j.item.ID, c.args))
			require.Equal(t, c.want, broken(fails(t, c.code, err)))
		})
	}
	require.Equal(t, 1, j.count(`select count(*) from evidence where kind in ('review', 'rating')`))
	require.Zero(t, j.count(`select count(*) from sources`), "a refused review makes no source")
}

func TestAJudgmentMayRestOnAUseOfAnOlderRevision(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	used := j.use(j.user, j.item.ID)
	second := j.publish(j.author, fields{"revision_of": j.item.ID})
	for _, tool := range []string{"review", "rate"} {
		for _, target := range []string{j.item.ID, j.item.RevisionID, second.RevisionID} {
			out := j.judge(j.user, tool, target, fields{"based_on_usage": used.ID})
			require.Equal(t, used.ID, j.get(j.user, out.ID).Record.BasedOnUsage)
		}
	}
}

func TestNobodyJudgesTheWorkOfItsOwnParty(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	colleague, err := j.Store.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: "colleague", Controller: j.Human})
	require.NoError(t, err)
	same := j.Client(j.KeyOf(colleague.ID, "read", "publish", "usage", "review", "rate"))
	human := j.Client(j.KeyOf(j.Human, "read", "publish", "usage", "review", "rate"))
	for name, client := range map[string]*mcp.Client{"the author": j.author, "another agent of its human": same, "its human": human} {
		for _, c := range [][2]string{
			{"review", j.item.ID}, {"review", j.item.RevisionID}, {"review", j.claim}, {"rate", j.item.ID}, {"rate", j.item.RevisionID},
		} {
			t.Run(fmt.Sprint(name, " cannot ", c[0], " ", c[1][:3]), func(t *testing.T) {
				_, err := j.raw(client, c[0], judgment(c[0], c[1], nil))
				e := fails(t, ops.SelfReview, err)
				require.False(t, e.Details.Retryable)
			})
		}
		j.judge(client, "rate", j.entity, nil) // who names an entity has not written it
	}
	require.Zero(t, j.count(`select count(*) from evidence where kind = 'review'`))
}

func TestTheAuthorsOfAClaimAreAllWhoStateIt(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	refused := func(client *mcp.Client) {
		_, err := j.raw(client, "review", judgment("review", j.claim, nil))
		fails(t, ops.SelfReview, err)
	}
	_, _, key := j.Party(store.Verification{Vouched: true})
	third := j.Client(key)
	j.judge(j.user, "review", j.claim, nil)
	stating := j.publish(j.user, fields{"claims": []fields{{"id": j.claim}}})
	refused(j.user)
	j.judge(third, "review", j.claim, nil)

	j.publish(j.user, fields{"revision_of": stating.ID})
	j.judge(j.user, "review", j.claim, nil) // no current revision of its party states the claim any more
	j.publish(j.author, fields{"revision_of": j.item.ID})
	refused(j.author) // who stated it first stays its author
}

func TestAChangeOfControllerCountsAtOnce(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	j.judge(j.user, "review", j.item.ID, nil)
	require.NoError(t, j.setController(j.userID, j.Human))
	_, err := j.raw(j.user, "review", judgment("review", j.item.ID, nil))
	fails(t, ops.SelfReview, err)
	j.Settled()
	// The target was woken: what its author's own party said no longer counts.
	j.Eventually("the review has left trust", func() bool {
		return j.get(j.author, j.item.ID).Trust.Confirmations == 0
	})
}

// While a change of controllers is under way a judgment waits for it, and while a judgment is, the change waits.
func TestJudgmentsAndChangesOfControllersHaveAnOrder(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	const rounds = 12
	for range rounds {
		human, agent, key := j.Party(store.Verification{Vouched: true})
		client := j.Client(key)
		_, errs := together(2, func(i int) (string, error) {
			if i == 0 {
				return "", j.setController(agent, j.Human)
			}
			return j.raw(client, "review", judgment("review", j.item.ID, nil))
		})
		require.NoError(t, errs[0])
		if errs[1] != nil {
			fails(t, ops.SelfReview, errs[1])
		}
		_, err := j.raw(client, "review", judgment("review", j.item.ID, nil))
		fails(t, ops.SelfReview, err)
		require.NotEqual(t, human, j.Human)
	}
	j.Settled()
	j.Eventually("no review of the author's own party counts", func() bool {
		out := j.get(j.author, j.item.ID)
		return out.Trust.Confirmations == 0 && out.Trust.Pending == 0
	})
}

func TestAJudgmentThatWaitsForAChangeOfControllersHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	change, err := j.Store.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = change.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = change.Exec(t.Context(), `update actors set controller_id = $2 where id = $1`, j.userID.UUID, j.Human.UUID)
	require.NoError(t, err)
	answered := make(chan error, 1)
	go func() {
		_, err := j.raw(j.user, "review", judgment("review", j.item.ID, nil))
		answered <- err
	}()
	for range 5 { // what passes meanwhile may be of the same group, or of the next one
		j.use(j.author, j.item.ID)
	}
	require.Empty(t, answered)
	require.NoError(t, change.Commit(t.Context()))
	fails(t, ops.SelfReview, <-answered)
}

func TestSourcesOfReviewsAreFoundOrMade(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	cited := j.publish(j.author, fields{"sources": []fields{{"url": "https://known.example/page", "title": "Known"}}})
	known := cited.Sources[0].ID
	out := j.judge(j.user, "review", j.item.ID, fields{"sources": []fields{
		{"id": known, "title": "As I call it"},
		{"url": "HTTPS://Known.example/page#part"},
		{"url": "https://new.example/a?utm_source=x", "title": "New"},
		{"url": "https://new.example/a"},
	}})
	sources := j.get(j.author, out.ID).Record.Sources
	require.Len(t, sources, 2)
	require.Equal(t, evidence.SourceRef{ID: known, URL: "https://known.example/page", Title: "As I call it", Family: "known.example"}, sources[0])
	require.Equal(t, []string{"https://new.example/a", "New", "new.example"}, []string{sources[1].URL, sources[1].Title, sources[1].Family})
	require.Equal(t, 2, j.count(`select count(*) from sources`))
	// A source that only a visible review cites is visible, and may be cited again.
	require.Equal(t, "new.example", j.get(j.author, sources[1].ID).Family)
	j.judge(j.user, "review", j.claim, fields{"sources": []fields{{"id": sources[1].ID}}})
	require.Contains(t, j.text("get", fields{"id": out.ID}), "https://new.example/a")
}

func TestReviewsAtOnceMakeOneSource(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	other := j.publish(j.author, nil)
	_, errs := together(20, func(i int) (string, error) {
		target := []string{j.item.ID, other.ID, j.claim}[i%3]
		return j.raw(j.user, "review", judgment("review", target, fields{
			"sources": []fields{{"url": fmt.Sprint("https://", i%4, ".example/")}, {"url": "https://all.example/"}},
		}))
	})
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, 5, j.count(`select count(*) from sources`))
	require.Equal(t, 40, j.count(`select count(*) from evidence_sources`))
	require.Zero(t, j.Settled().Gaps)
}

func TestARepeatedJudgmentIsAnsweredAsTheFirstTime(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	used := j.use(j.user, j.item.ID)
	args := judgment("review", j.item.ID, fields{
		"based_on_usage": used.ID, "sources": []fields{{"url": "https://a.example/"}}, "idempotency_key": "k",
	})
	first, err := j.raw(j.user, "review", args)
	require.NoError(t, err)
	answers, errs := together(20, func(int) (string, error) { return j.raw(j.user, "review", args) })
	for i := range answers {
		require.NoError(t, errs[i])
		require.Equal(t, first, answers[i])
	}
	// What the review rests on may be gone by now: the answer stays.
	j.Must(j.user, "report_usage", fields{"retract": used.ID}, nil)
	require.NoError(t, j.setController(j.userID, j.Human))
	again, err := j.raw(j.user, "review", args)
	require.NoError(t, err)
	require.Equal(t, first, again)
	args["sources"] = []fields{{"url": "https://b.example/"}}
	_, err = j.raw(j.user, "review", args)
	fails(t, ops.IdempotencyConflict, err)
	require.Equal(t, 1, j.count(`select count(*) from evidence where kind = 'review'`))
}

func TestOneKeyAtOnceIsOneJudgment(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	item := b.publish(b.user, nil)
	for tool, kind := range map[string]string{"review": "review", "rate": "rating"} {
		answers, errs := together(identical, func(i int) (string, error) {
			return b.raw(nodes[i%2], tool, judgment(tool, item.ID, fields{"idempotency_key": "one"}))
		})
		for i := range answers {
			require.NoError(t, errs[i])
			require.Equal(t, answers[0], answers[i])
		}
		require.Equal(t, 1, b.count(`select count(*) from evidence where kind = $1`, kind))
	}
}

func TestJudgmentsAreRetractedByTheirToolAndAuthorOnce(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	for tool, other := range map[string]string{"review": "rate", "rate": "review"} {
		record := j.judge(j.user, tool, j.item.ID, fields{"idempotency_key": "first " + tool})
		_, err := j.raw(j.author, tool, fields{"retract": record.ID})
		fails(t, ops.NotAuthor, err)
		for _, wrong := range []string{other, "report_usage"} {
			_, err = j.raw(j.user, wrong, fields{"retract": record.ID})
			fails(t, ops.InvalidTarget, err)
		}
		answers, errs := together(10, func(int) (string, error) { return j.raw(j.user, tool, fields{"retract": record.ID}) })
		for i := range answers {
			require.NoError(t, errs[i])
			require.Equal(t, answers[0], answers[i])
		}
		require.Equal(t, "retracted", decode[evidence.RecordOutput](t, answers[0]).Status)
		require.Equal(t, "retracted", j.get(j.author, record.ID).Status)
		// The call that made it is still answered with it.
		require.Equal(t, record, j.judge(j.user, tool, j.item.ID, fields{"idempotency_key": "first " + tool}))
	}
	require.Equal(t, 2, j.count(`select count(*) from evidence where kind = 'retraction'`))
	j.Settled()
	summary := j.get(j.author, j.item.ID).EvidenceSummary
	require.EqualValues(t, 2, summary.Retracted)
	require.Zero(t, summary.Reviews.Confirmed)
	require.Zero(t, summary.Ratings)
}

func TestStrangersCannotJudgeWhatTheyCannotSee(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	for _, target := range []string{p.item.ID, p.item.RevisionID, p.item.Claims[0].ID} {
		p.sameRefusal(t, p.user, "review", target, func(id string) fields { return judgment("review", id, nil) })
	}
	for _, target := range []string{p.item.ID, p.item.RevisionID, p.privateEntity()} {
		p.sameRefusal(t, p.user, "rate", target, func(id string) fields { return judgment("rate", id, nil) })
	}
	public := func(more fields) fields { return judgment("review", p.public.ID, more) }
	for _, record := range p.usage {
		p.sameRefusal(t, p.user, "review", record, func(id string) fields { return public(fields{"based_on_usage": id}) })
	}
	p.sameRefusal(t, p.user, "review", p.item.Sources[0].ID, func(id string) fields {
		return public(fields{"sources": []fields{{"id": id}}})
	})
	// Reviews in a private space, and their sources, are the members'.
	space, err := store.ParseID(p.space)
	require.NoError(t, err)
	_, agent, key := p.Party(store.Verification{Vouched: true})
	require.NoError(t, p.Store.AddMember(t.Context(), space, agent, "reader"))
	member := p.Client(key)
	var out evidence.RecordOutput
	p.Must(member, "review", judgment("review", p.item.ID, fields{"sources": []fields{{"url": "https://hidden.example/"}}}), &out)
	source := p.get(member, out.ID).Record.Sources[0].ID
	for _, id := range []string{out.ID, source} {
		p.sameRefusal(t, p.user, "get", id, func(id string) fields { return fields{"id": id} })
	}
	p.sameRefusal(t, p.user, "review", out.ID, func(id string) fields { return fields{"retract": id} })
	p.sameRefusal(t, p.user, "review", source, func(id string) fields { return public(fields{"sources": []fields{{"id": id}}}) })
}

func TestAKeyNeedsTheScopeOfTheJudgment(t *testing.T) {
	t.Parallel()
	j := newJudged(t)
	for _, tool := range []string{"review", "rate"} {
		without := map[string]string{"review": "rate", "rate": "review"}[tool]
		_, agent, _ := j.Party(store.Verification{})
		client := j.Client(j.KeyOf(agent, "read", "publish", "usage", without))
		_, err := j.raw(client, tool, judgment(tool, j.item.ID, nil))
		fails(t, ops.ForbiddenScope, err)
	}
}
