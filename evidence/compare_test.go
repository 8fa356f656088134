package evidence_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/mcp"
	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

// seedCompare is the example of compare in the specification, section 6, word for word.
const seedCompare = `{
	"ids": ["ent_a", "ent_b"], "context": { "language": "python", "deployment": "self-hosted", "scale": "small" },
	"dimensions": ["reliability", "complexity", "operational_cost", "maintainability"] }`

// choice is two entities, named by the author, and parties that have tried them.
type choice struct {
	*bundle

	a, b    string
	parties []*mcp.Client
}

func newChoice(t *testing.T, parties int) *choice {
	t.Helper()
	o := &choice{bundle: setup(t)}
	item := o.publish(o.author, fields{"new_subjects": []fields{{"type": "software", "name": "Option A"}, {"type": "software", "name": "Option B"}}})
	o.a, o.b = item.Subjects[0].ID, item.Subjects[1].ID
	for range parties {
		_, _, key := o.Party(store.Verification{Domain: true})
		o.parties = append(o.parties, o.Client(key))
	}
	return o
}

// rate lets all parties score a target in one dimension and context.
func (o *choice) rate(target, dimension string, score float64, context fields) {
	o.t.Helper()
	for _, client := range o.parties {
		o.Must(client, "rate", fields{"target": target, "dimension": dimension, "score": score, "context": context}, nil)
	}
}

func (o *choice) compare(client *mcp.Client, args fields) evidence.CompareOutput {
	o.t.Helper()
	var out evidence.CompareOutput
	o.Must(client, "compare", args, &out)
	return out
}

func TestTheExampleOfCompareIsAnswered(t *testing.T) {
	t.Parallel()
	o := newChoice(t, 5)
	context := fields{"Language": "Python", "deployment": "self-hosted", "SCALE": "small", "note": "equal contexts aggregate"}
	o.rate(o.a, "reliability", 80, context)
	o.rate(o.a, "maintainability", 60, nil)
	o.rate(o.b, "reliability", 30, fields{"language": "go"})
	o.Settled()
	raw, err := o.raw(o.user, "compare", json.RawMessage(strings.NewReplacer("ent_a", o.a, "ent_b", o.b).Replace(seedCompare)))
	require.NoError(t, err)
	require.Empty(t, nulls("", decode[fields](t, raw)))
	out := decode[evidence.CompareOutput](t, raw)
	require.Len(t, out.Items, 2)
	a, b := out.Items[0], out.Items[1]
	require.Equal(t, []string{o.a, o.b, "Option A", "Option B"}, []string{a.ID, b.ID, a.Title, b.Title})
	for _, item := range out.Items {
		require.ElementsMatch(t, []string{"reliability", "complexity", "operational_cost", "maintainability"}, slices.Collect(maps.Keys(item.Dimensions)))
		require.Empty(t, item.TargetRevision)
		for name, d := range item.Dimensions {
			if d.Score != nil {
				require.LessOrEqual(t, *d.Lower, *d.Score, name)
				require.LessOrEqual(t, *d.Score, *d.Upper, name)
				require.Equal(t, 5, d.Raters, name)
			}
		}
	}
	bases := func(item evidence.ComparedItem) []string {
		d := item.Dimensions
		return []string{d["reliability"].Basis, d["complexity"].Basis, d["operational_cost"].Basis, d["maintainability"].Basis}
	}
	require.Equal(t, []string{"exact_context", "none", "none", "all_contexts"}, bases(a))
	require.Equal(t, []string{"all_contexts", "none", "none", "none"}, bases(b))
	require.Equal(t, evidence.DimensionRef{Basis: "none"}, a.Dimensions["complexity"], "nothing is made up")
	require.NotContains(t, raw, "winner")
	text := o.text("compare", fields{"ids": []string{o.a, o.b}})
	require.Contains(t, text, "maintainability: not rated\n")
	require.Contains(t, text, "by 5 raters, over all contexts\n")
}

// TestOneContextStandsForItselfOnceItWeighsEnough asks in a context that one party has rated, and then several.
func TestOneContextStandsForItselfOnceItWeighsEnough(t *testing.T) {
	t.Parallel()
	o := newChoice(t, 5)
	here := fields{"scale": "small"}
	basis := func() string {
		o.Settled()
		return o.compare(o.user, fields{"ids": []string{o.a, o.b}, "context": here}).Items[0].Dimensions["clarity"].Basis
	}
	o.Must(o.parties[0], "rate", fields{"target": o.a, "dimension": "clarity", "score": 70, "context": here}, nil)
	require.Equal(t, "all_contexts", basis())
	o.rate(o.a, "clarity", 70, here)
	require.Equal(t, "exact_context", basis())
}

func TestWithoutDimensionsTheMostRatedAreCompared(t *testing.T) {
	t.Parallel()
	o := newChoice(t, 2)
	for i := range 22 {
		o.Must(o.parties[0], "rate", fields{"target": []string{o.a, o.b}[i%2], "dimension": fmt.Sprintf("dimension_%02d", i), "score": i}, nil)
	}
	o.Must(o.parties[1], "rate", fields{"target": o.a, "dimension": "dimension_21", "score": 1}, nil)
	o.Settled()
	out := o.compare(o.user, fields{"ids": []string{o.a, o.b}})
	require.Equal(t, 2, out.DimensionsLeftOut)
	require.Len(t, out.Items[0].Dimensions, 20)
	require.Contains(t, out.Items[0].Dimensions, "dimension_21")
	require.NotContains(t, out.Items[0].Dimensions, "dimension_20")
	require.Equal(t, "none", out.Items[1].Dimensions["dimension_00"].Basis, "what only another one is rated in is said to be unknown")
	require.Contains(t, o.text("compare", fields{"ids": []string{o.a, o.b}}), "2 more dimensions are known")
}

func TestTradeOffsAreDimensionsThatAreApartInBothDirections(t *testing.T) {
	t.Parallel()
	o := newChoice(t, 5)
	here := fields{"scale": "small"}
	o.rate(o.a, "reliability", 95, here)
	o.rate(o.b, "reliability", 20, here)
	o.rate(o.a, "speed", 10, here)
	o.rate(o.b, "speed", 90, here)
	o.rate(o.a, "clarity", 50, here)
	o.rate(o.b, "clarity", 52, here)
	o.rate(o.a, "cost", 5, here)
	o.Settled()
	out := o.compare(o.user, fields{"ids": []string{o.a, o.b}, "context": here})
	require.Equal(t, []evidence.TradeOff{{With: o.b, Higher: []string{"reliability"}, Lower: []string{"speed"}}}, out.Items[0].TradeOffs)
	require.Equal(t, []evidence.TradeOff{{With: o.a, Higher: []string{"speed"}, Lower: []string{"reliability"}}}, out.Items[1].TradeOffs)
	out = o.compare(o.user, fields{"ids": []string{o.a, o.b}, "dimensions": []string{"reliability", "clarity"}})
	require.Empty(t, out.Items[0].TradeOffs, "who is above in everything trades nothing off")
	require.Empty(t, out.Items[1].TradeOffs)
}

func TestWhatSpeaksAgainstAnObjectIsListed(t *testing.T) {
	t.Parallel()
	o := newChoice(t, 6)
	item := o.publish(o.author, fields{"title": "Doubtful", "subjects": []string{o.a}, "claims": []fields{
		{"text": "Option A never loses a write."}, {"text": "Option A exists."},
	}})
	issue := o.publish(o.user, with(related("known_issue_of", o.a), "title", "It loses writes"))
	correction := o.publish(o.user, with(related("corrects", item.ID), "title", "Corrected"))
	o.publish(o.user, related("alternative_to", o.a))
	dropped := o.publish(o.user, related("known_issue_of", o.a))
	o.publish(o.user, fields{"revision_of": dropped.ID})
	for _, client := range o.parties {
		o.Must(client, "report_usage", fields{"target": item.Claims[0].ID, "result": "failure", "real_world_use": true}, nil)
		o.Must(client, "report_usage", fields{"target": o.a, "result": "failure"}, nil)
	}
	o.Must(o.parties[0], "review", fields{"target": item.ID, "verdict": "misleading"}, nil)
	o.Settled()
	o.Eventually("the claim is incorrect, and what states it in doubt", func() bool {
		return o.get(o.user, item.Claims[0].ID).Status == "incorrect" && o.get(o.user, item.ID).Status == "disputed"
	})
	o.Settled()
	out := o.compare(o.user, fields{"ids": []string{o.a, item.ID, o.b}})
	entity, content := out.Items[0], out.Items[1]
	require.Equal(t, item.RevisionID, content.TargetRevision)
	claim := evidence.Contradiction{Kind: "claim", ID: item.Claims[0].ID, Title: "Option A never loses a write.", Status: "incorrect"}
	require.Equal(t, []evidence.Contradiction{
		{Kind: "evidence", ID: o.a, Status: o.get(o.user, o.a).Status, Parties: 6, Records: 6},
		claim,
		{Kind: "known_issue_of", ID: issue.ID, Title: "It loses writes", Status: "unverified"},
	}, entity.Contradictions)
	require.Equal(t, []evidence.Contradiction{
		{Kind: "evidence", ID: item.RevisionID, Status: o.get(o.user, item.ID).Status, Parties: o.get(o.user, item.ID).Trust.Contradictions, Records: 1},
		claim,
		{Kind: "corrects", ID: correction.ID, Title: "Corrected", Status: "unverified"},
	}, content.Contradictions)
	require.Equal(t, []evidence.Contradiction{}, out.Items[2].Contradictions)
	text := o.text("compare", fields{"ids": []string{o.a, item.ID}})
	require.Contains(t, text, "Against it: 6 parties that contradict it, 6 failed uses or reviews")
	require.Contains(t, text, "Against it: known_issue_of "+issue.ID)
}

func TestExperiencesThatFitTheContextComeFirst(t *testing.T) {
	t.Parallel()
	o := newChoice(t, 6)
	item := o.publish(o.author, fields{"title": "Tried"})
	experience := func(title string, context fields, more fields) evidence.SubmitExperienceOutput {
		return o.tell(o.author, with(with(more, "title", title), "context", context))
	}
	fits := experience("Fits", fields{"language": "python", "scale": "small"}, fields{"subjects": []string{o.a}})
	half := experience("Half", fields{"Language": "PYTHON", "scale": "large"}, fields{"subjects": []string{o.a}, "result": "failure"})
	trusted := experience("Trusted", fields{"language": "go"}, fields{"subjects": []string{o.a}})
	other := experience("Other", nil, fields{"used": []fields{{"id": o.a, "result": "success"}, {"id": item.ID, "result": "success"}}})
	about := experience("No longer", nil, fields{"subjects": []string{o.a}})
	o.publish(o.author, fields{"content_type": "experience", "revision_of": about.ID, "title": "About B now", "subjects": []string{o.b}})
	o.publish(o.author, fields{"title": "No experience", "subjects": []string{o.a}})
	for _, client := range o.parties {
		o.Must(client, "review", fields{"target": trusted.ID, "verdict": "confirmed"}, nil)
	}
	o.Settled()
	ids := func(item evidence.ComparedItem) []string {
		out := []string{}
		for _, e := range item.Experiences {
			out = append(out, e.ID)
		}
		return out
	}
	second := o.publish(o.author, fields{"revision_of": item.ID})
	out := o.compare(o.user, fields{"ids": []string{o.a, o.b, second.ID}, "context": fields{"language": "python", "scale": "small"}})
	require.Equal(t, []string{fits.ID, half.ID, trusted.ID, other.ID}, ids(out.Items[0]))
	require.Equal(t, []string{about.ID}, ids(out.Items[1]))
	require.Equal(t, []string{other.ID}, ids(out.Items[2]), "experiences with older revisions of an item are about it too")
	first := out.Items[0].Experiences
	require.Equal(t, []int{2, 1, 0, 0}, []int{first[0].Facets, first[1].Facets, first[2].Facets, first[3].Facets})
	require.Equal(t, []string{"Half", "failure", o.Agent.String()}, []string{first[1].Title, first[1].Result, first[1].Author})
	require.Greater(t, first[2].LowerBound, first[3].LowerBound)
	out = o.compare(o.user, fields{"ids": []string{o.b, o.a}})
	require.Equal(t, trusted.ID, ids(out.Items[1])[0], "without a context the most trusted one is first")
	require.Contains(t, o.text("compare", fields{"ids": []string{o.b, o.a}}), "Experience "+trusted.ID)
}

func TestTheOrderOfIDsChangesTheOrderOfTheAnswerOnly(t *testing.T) {
	t.Parallel()
	o := newChoice(t, 4)
	ids := []string{o.a, o.b}
	for i := range 4 {
		ids = append(ids, o.publish(o.author, fields{"title": fmt.Sprint("Content ", i)}).ID)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i, id := range ids {
		for _, dimension := range []string{"reliability", "speed", "cost"} {
			o.rate(id, dimension, float64(random.IntN(101)), fields{"round": i % 2})
		}
		o.tell(o.user, fields{"title": fmt.Sprint("With ", i), "used": []fields{{"id": id, "result": "failure"}}})
		if i > 1 {
			o.publish(o.user, related("known_issue_of", id))
		}
	}
	o.Settled()
	by := func(out evidence.CompareOutput) map[string]string {
		items := map[string]string{}
		for _, item := range out.Items {
			encoded, err := json.Marshal(item)
			require.NoError(t, err)
			items[item.ID] = string(encoded)
		}
		return items
	}
	args := fields{"ids": ids, "context": fields{"round": 1}}
	want := by(o.compare(o.user, args))
	apart := 0
	for range 10 {
		shuffled := slices.Clone(ids)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		args["ids"] = shuffled
		out := o.compare(o.user, args)
		for i, item := range out.Items {
			require.Equal(t, shuffled[i], item.ID)
			apart += len(item.TradeOffs)
		}
		require.Equal(t, want, by(out))
	}
	require.Positive(t, apart, "there was something to get wrong")
}

func TestCompareSaysWhatItDoesNotTake(t *testing.T) {
	t.Parallel()
	o := newChoice(t, 0)
	item := o.publish(o.author, fields{"claims": []fields{{"text": "Claims are not compared with each other."}}})
	second := o.publish(o.author, fields{"revision_of": item.ID})
	list := func(ids ...string) fields { return fields{"ids": ids} }
	many := make([]string, 11)
	for i := range many {
		many[i] = fresh(t, store.KindEntity)
	}
	for rule, c := range map[string]struct {
		args fields
		code ops.Code
		want []string
	}{
		"no IDs":                      {fields{}, ops.ValidationFailed, []string{"/ids required"}},
		"one ID":                      {list(o.a), ops.ValidationFailed, []string{"/ids min"}},
		"eleven IDs":                  {list(many...), ops.ValidationFailed, []string{"/ids max"}},
		"a claim":                     {list(o.a, item.Claims[0].ID), ops.InvalidTarget, []string{"/ids/1 target_kind"}},
		"a word":                      {list("the best", o.a), ops.InvalidTarget, []string{"/ids/0 target_kind"}},
		"something unknown":           {list(o.a, fresh(t, store.KindContent)), ops.NotFound, nil},
		"the same twice":              {list(o.a, o.b, o.a), ops.ValidationFailed, []string{"/ids/2 duplicate"}},
		"an item and its revision":    {list(item.ID, second.RevisionID), ops.ValidationFailed, []string{"/ids/1 duplicate"}},
		"a nested context":            {with(list(o.a, o.b), "context", fields{"a": fields{}}), ops.ValidationFailed, []string{"/context/a scalar"}},
		"a free dimension":            {with(list(o.a, o.b), "dimensions", []string{"Ease of use"}), ops.ValidationFailed, []string{"/dimensions/0 snake_case"}},
		"a dimension twice":           {with(list(o.a, o.b), "dimensions", []string{"cost", "cost"}), ops.ValidationFailed, []string{"/dimensions unique"}},
		"a field that does not exist": {with(list(o.a, o.b), "sort", "best"), ops.ValidationFailed, []string{"/sort unknown"}},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := o.raw(o.user, "compare", c.args)
			require.Equal(t, c.want, broken(fails(t, c.code, err)))
		})
	}
	out := o.compare(o.user, list(item.RevisionID, second.RevisionID))
	require.Equal(t, item.RevisionID, out.Items[0].TargetRevision, "two revisions of one item may be compared")
}

func TestCompareShowsNothingPrivate(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	entity := p.public.Subjects[0].ID
	p.publish(p.author, fields{"space": p.space, "title": secret, "relations": []fields{{"type": "known_issue_of", "target": entity}}})
	p.tell(p.author, fields{"space": p.space, "title": secret, "subjects": []string{entity}, "used": []fields{{"id": p.public.ID, "result": "success", "note": secret}}})
	other := p.publish(p.author, nil)
	p.Settled()
	args := func(id string) fields { return fields{"ids": []string{other.ID, id}} }
	for _, id := range []string{entity, p.public.ID} {
		raw, err := p.raw(p.user, "compare", args(id))
		require.NoError(t, err)
		require.NotContains(t, raw, secret)
		raw, err = p.raw(p.author, "compare", args(id))
		require.NoError(t, err)
		require.Contains(t, raw, secret, "members see it")
	}
	for _, id := range []string{p.item.ID, p.item.RevisionID, p.privateEntity()} {
		p.sameRefusal(t, p.user, "compare", id, args)
	}
}
