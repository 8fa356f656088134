package evidence_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

func (b *bundle) search(client *mcp.Client, args fields) evidence.SearchOutput {
	b.t.Helper()
	var out evidence.SearchOutput
	b.Must(client, "search", args, &out)
	return out
}

func ids(out evidence.SearchOutput) []string {
	list := make([]string, len(out.Results))
	for i := range out.Results {
		list[i] = out.Results[i].ID
	}
	return list
}

// TestSeedSearch sends the call of the specification, nulls included, and holds its answer against what it promises.
func TestSeedSearch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{
		"content_type": "procedure", "title": "Idempotent webhook handling", "summary": "Deduplicate by delivery id.",
		"body_markdown": "Retry failed webhook deliveries without doing the work twice.", "tags": []string{"webhook", "idempotency"},
	})
	var out struct {
		Results []map[string]any `json:"results"`
	}
	b.Must(b.user, "search", fields{
		"query": "retry failed webhook deliveries", "kinds": []string{"content", "claim", "entity"},
		"content_types": []string{"procedure", "code"}, "entity_types": []string{}, "context": fields{"language": "python"},
		"alternatives_to": nil, "space": nil, "tags": []string{}, "min_status": "unverified", "include_disputed": true,
		"sort": "rank", "limit": 10, "cursor": nil,
	}, &out)
	require.Len(t, out.Results, 1)
	result := out.Results[0]
	require.Equal(t, item.ID, result["id"])
	require.Equal(t, "content", result["kind"])
	require.Equal(t, "procedure", result["type"])
	require.Equal(t, "Idempotent webhook handling", result["title"])
	require.Equal(t, "Deduplicate by delivery id.", result["summary"])
	require.Equal(t, "unverified", result["status"])
	require.Equal(t, "interai://content/"+item.ID, result["resource_uri"])
	require.NotEmpty(t, result["author"])
	require.NotEmpty(t, result["updated_at"])
	trust, ok := result["trust"].(map[string]any)
	require.True(t, ok)
	for _, name := range []string{"value", "lower_bound", "independent_confirmations", "contradictions", "real_world_confirmations"} {
		require.Contains(t, trust, name)
	}
}

func TestWhatIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	code := b.publish(b.author, fields{
		"content_type": "code", "title": "Backoff with jitter", "tags": []string{"retry", "http"},
		"body_markdown": "Call `fetchWithRetry()` when you see ECONNREFUSED, as of v2.3.1.", "structured_data": fields{"language": "Python"},
		"claims": []fields{{"text": "Jitter prevents thundering herds of retries."}},
	})
	guide := b.publish(b.author, fields{
		"content_type": "guide", "title": "Retry budgets", "tags": []string{"retry"}, "summary": "Give each client a budget of retries.",
		"new_subjects":    []fields{{"type": "software", "name": "resilience4j"}},
		"structured_data": fields{"language": "Java"},
	})
	claim, entity := code.Claims[0].ID, guide.Subjects[0].ID
	for name, c := range map[string]struct {
		args fields
		want []string
	}{
		"parts of an identifier":       {fields{"query": "fetch with retry", "kinds": []string{"content"}, "content_types": []string{"code"}}, []string{code.ID}},
		"an error code":                {fields{"query": "ECONNREFUSED"}, []string{code.ID}},
		"a version":                    {fields{"query": "v2.3.1"}, []string{code.ID}},
		"another form of the word":     {fields{"query": "herd", "kinds": []string{"claim"}}, []string{claim}},
		"an entity by its name":        {fields{"query": "Resilience4j", "kinds": []string{"entity"}}, []string{entity}},
		"an entity of a type":          {fields{"kinds": []string{"entity"}, "entity_types": []string{"software"}}, []string{entity}},
		"no entity of another type":    {fields{"query": "resilience4j", "kinds": []string{"entity"}, "entity_types": []string{"hardware"}}, []string{}},
		"content by what it is about":  {fields{"query": "resilience4j", "kinds": []string{"content"}}, []string{guide.ID}},
		"all tags are asked for":       {fields{"kinds": []string{"content"}, "tags": []string{"Retry", "http"}, "sort": "recent"}, []string{code.ID}},
		"newest first":                 {fields{"kinds": []string{"content"}, "tags": []string{"retry"}, "sort": "recent"}, []string{guide.ID, code.ID}},
		"what fits the situation":      {fields{"query": "retry", "kinds": []string{"content"}, "context": fields{"language": "java"}}, []string{guide.ID, code.ID}},
		"nothing that is trusted more": {fields{"query": "retry", "min_status": "supported"}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, ids(b.search(b.user, c.args)))
		})
	}
	t.Run("the claim that matches is named", func(t *testing.T) {
		out := b.search(b.user, fields{"query": "jitter herds", "kinds": []string{"content"}})
		require.Equal(t, code.ID, out.Results[0].ID)
		require.Equal(t, claim, out.Results[0].MatchedBy.ID)
	})
	t.Run("a new revision takes the place of the old one", func(t *testing.T) {
		b.publish(b.author, fields{"content_type": "guide", "revision_of": guide.ID, "title": "Hedged requests"})
		require.Empty(t, ids(b.search(b.user, fields{"query": "budgets", "kinds": []string{"content"}})))
		require.Equal(t, []string{guide.ID}, ids(b.search(b.user, fields{"query": "hedged", "kinds": []string{"content"}})))
	})
}

func TestAQuestionInVainSaysWhatWasTriedAndIsCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 2 {
		out := b.search(b.user, fields{"query": "Quantum  toaster"})
		require.Empty(t, out.Results)
		require.Contains(t, out.Note, "quantum, toaster")
		require.Empty(t, out.NextCursor)
	}
	list, err := b.Store.UnansweredQuestions(t.Context(), time.Now().AddDate(0, 0, -1), 10)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "quantum toaster", list[0].Query)
	require.EqualValues(t, 2, list[0].Times)
}

func TestTypingErrorsAreRepaired(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, fields{"title": "Kubernetes probes"})
	b.publish(b.author, fields{"title": "Kubernetes and its quotas"})
	_, err := b.Store.RefreshSearchStatistics(t.Context(), true)
	require.NoError(t, err)
	out := b.search(b.user, fields{"query": "kuberntes probes"})
	require.Equal(t, item.ID, out.Results[0].ID)
	require.Equal(t, "kubernetes probes", out.DidYouMean)
}

func TestSearchRefusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		args fields
		code ops.Code
		path string
	}{
		"a limit of none":           {fields{"limit": 0.5}, ops.ValidationFailed, "/limit"},
		"a long page":               {fields{"limit": 51}, ops.ValidationFailed, "/limit"},
		"a kind that is none":       {fields{"kinds": []string{"actor"}}, ops.ValidationFailed, "/kinds/0"},
		"a sort that is none":       {fields{"sort": "best"}, ops.ValidationFailed, "/sort"},
		"a nested context":          {fields{"context": fields{"a": fields{}}}, ops.ValidationFailed, "/context/a"},
		"alternatives to a claim":   {fields{"alternatives_to": fields{"id": "clm_01h455vb4pex5vsknk084sn02q"}}, ops.ValidationFailed, "/alternatives_to/id"},
		"a reason that is none":     {fields{"alternatives_to": fields{"id": "ent_01h455vb4pex5vsknk084sn02q", "reason": "nicer"}}, ops.ValidationFailed, "/alternatives_to/reason"},
		"alternatives to nothing":   {fields{"alternatives_to": fields{"id": "ent_01h455vb4pex5vsknk084sn02q"}}, ops.NotFound, ""},
		"a cursor of another tool":  {fields{"cursor": "evidence:3"}, ops.ValidationFailed, "/cursor"},
		"a cursor that is too far":  {fields{"cursor": "c1_0000000000000000.201"}, ops.ValidationFailed, "/cursor"},
		"a cursor that has expired": {fields{"cursor": "c1_0000000000000000.10"}, ops.ValidationFailed, "/cursor"},
		"a field that is none":      {fields{"q": "x"}, ops.ValidationFailed, "/q"},
	} {
		t.Run(name, func(t *testing.T) {
			refused := fails(t, c.code, b.Call(b.user, "search", c.args, nil))
			if c.path != "" {
				require.Equal(t, c.path, refused.Details.Problems[0].Path)
			}
		})
	}
}

// TestAWalkMeetsEverythingOnce walks through pages while items come, go, come back and gain trust: of what was found,
// everything that is visible when its place is reached comes exactly once.
func TestAWalkMeetsEverythingOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var all []string
	for i := range 23 {
		all = append(all, b.publish(b.author, fields{"title": fmt.Sprint("Walking in pages ", i)}).ID)
	}
	_, strangerKey := b.stranger()
	stranger := b.Client(strangerKey)
	hidden, newer := map[string]bool{}, 0
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(3, 9)
		args := fields{"query": "walking", "kinds": []string{"content"}, "sort": rapid.SampledFrom([]string{"rank", "trust", "recent"}).Draw(t, "sort")}
		args["limit"] = limit.Draw(t, "limit")
		first := b.search(b.user, args)
		met, touched := ids(first), map[string]bool{}
		for id := range hidden {
			touched[id] = true // hidden while the list was made
		}
		for cursor := first.NextCursor; cursor != ""; {
			switch rapid.IntRange(0, 4).Draw(t, "meanwhile") {
			case 0:
				if newer < 100 { // with those of the beginning less than a list holds
					newer++
					b.publish(b.author, fields{"title": "Walking newer"})
				}
			case 1:
				if id := rapid.SampledFrom(all).Draw(t, "used"); !hidden[id] {
					b.use(b.user, id)
				}
			case 2, 3:
				id := rapid.SampledFrom(all).Draw(t, "hidden or shown")
				hidden[id], touched[id] = !hidden[id], true
				b.hide(id, hidden[id])
			}
			args["cursor"] = cursor
			if rapid.IntRange(0, 9).Draw(t, "stranger") == 0 {
				var refused *ops.Error
				require.ErrorAs(t, b.Call(stranger, "search", args, nil), &refused)
				require.Equal(t, "cursor_expired", refused.Details.Reason)
			}
			args["limit"] = limit.Draw(t, "limit")
			page := b.search(b.user, args)
			for _, r := range page.Results {
				require.False(t, hidden[r.ID], "shown while hidden")
			}
			again := b.search(b.user, args)
			require.Equal(t, ids(page), ids(again), "a page that is read twice")
			met = append(met, ids(page)...)
			cursor = page.NextCursor
		}
		sorted := slices.Clone(met)
		slices.Sort(sorted)
		require.Len(t, slices.Compact(sorted), len(met), "twice")
		for _, id := range all {
			require.True(t, touched[id] || slices.Contains(met, id), "left out")
		}
	})
}

func TestAlternatives(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.publish(b.author, fields{
		"title": "Kafka for job queues", "tags": []string{"queue", "jobs"}, "new_subjects": []fields{{"type": "software", "name": "Kafka"}},
	})
	stated := b.publish(b.author, fields{
		"title": "A table is enough", "new_subjects": []fields{{"type": "software", "name": "River"}},
		"relations": []fields{{"type": "alternative_to", "target": target.ID, "reason": "simpler"}},
	})
	same := b.publish(b.user, fields{"title": "Streams at scale", "tags": []string{"queue", "jobs"}, "subjects": []string{target.Subjects[0].ID}})
	alike := b.publish(b.user, fields{"title": "Queues for jobs in SQL"})
	out := b.search(b.user, fields{"alternatives_to": fields{"id": target.ID, "reason": "simpler"}, "kinds": []string{"content"}})
	require.ElementsMatch(t, []string{stated.ID, same.ID, alike.ID}, ids(out))
	require.Equal(t, stated.ID, out.Results[0].ID)
	require.Equal(t, "stated", out.Results[0].Alternative.Relation)
	require.Equal(t, "simpler", out.Results[0].Alternative.Reason)
	require.NotContains(t, ids(out), target.ID)
	byEntity := b.search(b.user, fields{"alternatives_to": fields{"id": stated.Subjects[0].ID}})
	require.NotContains(t, ids(byEntity), stated.Subjects[0].ID)
}

func TestTrustAndStatusMoveResults(t *testing.T) {
	t.Parallel()
	b := setup(t)
	bad := b.publish(b.author, fields{"title": "Cache stampede remedy"})
	good := b.publish(b.author, fields{"title": "Cache stampede remedy"})
	for range 3 {
		_, key := b.stranger()
		client := b.Client(key)
		b.Must(client, "report_usage", fields{"target": good.ID, "result": "success", "real_world_use": true}, nil)
		b.Must(client, "report_usage", fields{"target": bad.ID, "result": "failure", "real_world_use": true}, nil)
	}
	b.Settled()
	for _, sort := range []string{"rank", "trust"} {
		require.Equal(t, []string{good.ID, bad.ID}, ids(b.search(b.user, fields{"query": "cache stampede", "sort": sort, "kinds": []string{"content"}})))
	}
	out := b.search(b.user, fields{"query": "cache stampede", "kinds": []string{"content"}, "min_status": "supported", "include_disputed": false})
	for _, r := range out.Results {
		require.Contains(t, []string{"supported", "high_confidence"}, r.Status)
	}
	require.NotContains(t, ids(out), bad.ID)
}

func TestAWholePageIsFoundWithoutAQuestion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(b.author, fields{"title": strings.Repeat("long ", 50), "body_markdown": "# Head\n\n```sh\nx\n```\n\nThe **first** prose.\n\nMore."})
	for _, sort := range []string{"rank", "trust", "recent"} {
		out := b.search(b.user, fields{"sort": sort, "kinds": []string{"content"}})
		require.Len(t, out.Results, 1, sort)
		require.Equal(t, "The first prose.", out.Results[0].Summary)
	}
}

// stranger is an agent of a party of its own.
func (b *bundle) stranger() (id store.ID, key string) {
	b.t.Helper()
	_, id, key = b.Party(store.Verification{Vouched: true})
	return id, key
}

// hide takes an item out of sight as moderators do, or shows it again.
func (b *bundle) hide(id string, hidden bool) {
	b.t.Helper()
	parsed, err := store.ParseID(id)
	require.NoError(b.t, err)
	visibility := "published"
	if hidden {
		visibility = "removed"
	}
	_, err = b.Store.Pool().Exec(b.t.Context(), `update contents set visibility = $2 where id = $1`, parsed.UUID, visibility)
	require.NoError(b.t, err)
}

func TestWordsThatNothingHasAreNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.publish(b.author, fields{"title": "Smaller images of a disk"})
	out := b.search(b.user, fields{"query": "make quuxify images smaller"})
	require.Len(t, out.Results, 1)
	require.Contains(t, out.Note, "Nothing has: ")
	require.Contains(t, out.Note, "quuxify")
	require.NotContains(t, out.Note, "images")
	require.Empty(t, b.search(b.user, fields{"query": "smaller images"}).Note)
	b.search(b.user, fields{"query": "quuxify frobnicate disk"})
	list, err := b.Store.UnansweredQuestions(t.Context(), time.Now().AddDate(0, 0, -1), 10)
	require.NoError(t, err)
	require.Contains(t, []string{list[0].Query}, "quuxify frobnicate disk", "half of it stands nowhere")
}

// TestWhatTellsHowToUseSomethingIsNoAlternativeToIt asks for alternatives to an entity.
func TestWhatTellsHowToUseSomethingIsNoAlternativeToIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	manual := b.publish(b.author, fields{"title": "Acknowledge in Queuer", "new_subjects": []fields{{"type": "software", "name": "Queuer"}}})
	other := b.publish(b.author, fields{
		"title": "A table instead of Queuer", "new_subjects": []fields{{"type": "software", "name": "Tabler"}},
		"relations": []fields{{"type": "alternative_to", "target": manual.Subjects[0].ID, "reason": "simpler"}},
	})
	out := b.search(b.user, fields{"alternatives_to": fields{"id": manual.Subjects[0].ID, "reason": "simpler"}})
	require.ElementsMatch(t, []string{other.ID, other.Subjects[0].ID}, ids(out))
	text, err := json.Marshal(out)
	require.NoError(t, err)
	require.NotContains(t, string(text), manual.ID)
	require.Contains(t, out.Text(), "stated to be an alternative: simpler")
}
