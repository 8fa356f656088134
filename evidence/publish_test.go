package evidence_test

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/store"
)

// grows is a character that normalisation makes three of: composition excludes it (Unicode, UAX 15).
const grows = "\U0001D160"

func TestPublishSaysEveryRuleThatIsBroken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.author, nil)
	file := func(name, data string) []fields {
		return []fields{{"filename": name, "media_type": "text/plain", "base64": data}}
	}
	for rule, c := range map[string]struct {
		args fields
		want []string
	}{
		"a title of blanks":            {fields{"title": " \t "}, []string{"/title required"}},
		"a title that grows too long":  {fields{"title": strings.Repeat(grows, 300)}, []string{"/title max"}},
		"a summary that grows":         {fields{"summary": strings.Repeat(grows, 300)}, []string{"/summary max"}},
		"a note of change that grows":  {fields{"revision_of": item.ID, "change_note": strings.Repeat(grows, 2000)}, []string{"/change_note max"}},
		"a subject's name that grows":  {fields{"new_subjects": []fields{{"type": "api", "name": strings.Repeat(grows, 200)}}}, []string{"/new_subjects/0/name max"}},
		"a claim that grows":           {fields{"claims": []fields{{"text": strings.Repeat(grows, 1000)}}}, []string{"/claims/0/text max"}},
		"a source's title that grows":  {fields{"sources": []fields{{"url": "https://a.example/", "title": strings.Repeat(grows, 300)}}}, []string{"/sources/0/title max"}},
		"a file name that grows":       {fields{"assets": file(strings.Repeat(grows, 200), "YQ==")}, []string{"/assets/0/filename max"}},
		"a body that grows":            {fields{"body_markdown": strings.Repeat(grows, 204_800/4)}, []string{"/body_markdown maxbytes"}},
		"a change note without an old": {fields{"change_note": "why"}, []string{"/change_note with_revision_of"}},
		"a revision of a revision":     {fields{"revision_of": item.RevisionID}, []string{"/revision_of id"}},
		"a space that is none":         {fields{"space": item.ID}, []string{"/space id"}},
		"subjects that are none":       {fields{"subjects": []string{item.ID, "x"}}, []string{"/subjects/0 id", "/subjects/1 id"}},
		"a subject without a name":     {fields{"new_subjects": []fields{{"type": "api", "name": "  "}}}, []string{"/new_subjects/0/name required"}},
		"a claim of nothing":           {fields{"claims": []fields{{}, {"text": " . "}}}, []string{"/claims/0/text required", "/claims/1/text required"}},
		"a claim by a wrong ID":        {fields{"claims": []fields{{"id": item.ID}}}, []string{"/claims/0/id id"}},
		"a source of nothing":          {fields{"sources": []fields{{"title": "t"}}}, []string{"/sources/0 one_of"}},
		"a source twice named":         {fields{"sources": []fields{{"url": "https://a.example/", "id": fresh(t, store.KindSource)}}}, []string{"/sources/0 one_of"}},
		"a source by a wrong ID":       {fields{"sources": []fields{{"id": item.ID}}}, []string{"/sources/0/id id"}},
		"a source that is no page":     {fields{"sources": []fields{{"url": "ftp://a.example/"}}}, []string{"/sources/0/url source_url"}},
		"a relation to a claim":        {fields{"relations": []fields{{"type": "corrects", "target": fresh(t, store.KindClaim)}}}, []string{"/relations/0/target target_kind"}},
		"a correction of an entity":    {fields{"relations": []fields{{"type": "corrects", "target": fresh(t, store.KindEntity)}}}, []string{"/relations/0/target target_kind"}},
		"a reason of a correction":     {fields{"relations": []fields{{"type": "corrects", "target": item.ID, "reason": "faster"}}}, []string{"/relations/0/reason with_alternative_to"}},
		"a relation to itself":         {fields{"revision_of": item.ID, "relations": []fields{{"type": "supersedes", "target": item.ID}}}, []string{"/relations/0/target other_content"}},
		"a tag of blanks":              {fields{"tags": []string{" "}}, []string{"/tags/0 required"}},
		"a file in a folder":           {fields{"assets": file("a/b", "YQ==")}, []string{"/assets/0/filename filename"}},
		"a file above":                 {fields{"assets": file("..", "YQ==")}, []string{"/assets/0/filename filename"}},
		"a file that is not base64":    {fields{"assets": file("a", "%%%%")}, []string{"/assets/0/base64 base64"}},
		"a file without padding":       {fields{"assets": file("a", "YQ")}, []string{"/assets/0/base64 base64"}},
		"a file that is too big": {
			fields{"assets": file("a", base64.StdEncoding.EncodeToString(make([]byte, 1<<20+1)))}, []string{"/assets/0/base64 maxbytes"},
		},
		"structured data that is too deep": {fields{"structured_data": deep(33)}, []string{"/structured_data max_depth"}},
		"structured data that is too big":  {fields{"structured_data": fields{"a": strings.Repeat("x", 64<<10)}}, []string{"/structured_data max_bytes"}},
		"several at once": {
			fields{"title": " ", "space": "x", "tags": []string{"a", " "}, "claims": []fields{{}}},
			[]string{"/title required", "/space id", "/claims/0/text required", "/tags/1 required"},
		},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := b.raw(b.author, "publish", draft(c.args))
			require.Equal(t, c.want, broken(fails(t, ops.ValidationFailed, err)))
		})
	}
	require.Equal(t, 1, b.count(`select count(*) from revisions`))
}

func deep(levels int) any {
	var out any = fields{}
	for range levels - 1 {
		out = fields{"a": out}
	}
	return out
}

func TestPublishTakesWhatIsJustWithinTheBounds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := func(n int, one func(i int) fields) []fields {
		out := make([]fields, n)
		for i := range out {
			out[i] = one(i)
		}
		return out
	}
	words := make([]string, 50)
	for i := range words {
		words[i] = fmt.Sprint("tag", i)
	}
	out := b.publish(b.author, fields{
		"title": strings.Repeat("é", 300), "summary": strings.Repeat("é", 300), "body_markdown": strings.Repeat("b", 204_800),
		"structured_data": deep(32), "tags": words,
		"claims":       list(50, func(i int) fields { return fields{"text": fmt.Sprint("Bound number ", i, " is within reach.")} }),
		"new_subjects": list(50, func(i int) fields { return fields{"type": "software", "name": fmt.Sprint("bound ", i)} }),
		"sources":      list(50, func(i int) fields { return fields{"url": fmt.Sprint("https://bound.example/", i)} }),
		"assets": list(8, func(i int) fields {
			return fields{"filename": strconv.Itoa(i), "media_type": "text/plain", "base64": base64.StdEncoding.EncodeToString(make([]byte, 1<<20))}
		}),
	})
	require.Len(t, out.Claims, 50)
	require.Len(t, out.Subjects, 50)
	require.Len(t, out.Sources, 50)
	require.Len(t, out.Assets, 8)
	targets := make([]string, 50)
	for i := range targets {
		targets[i] = b.publish(b.author, nil).ID
	}
	again := b.publish(b.author, fields{
		"subjects":     subjectIDs(out.Subjects),
		"new_subjects": list(50, func(i int) fields { return fields{"type": "software", "name": fmt.Sprint("more ", i)} }),
		"relations":    list(50, func(i int) fields { return fields{"type": "derived_from", "target": targets[i]} }),
	})
	require.Len(t, again.Subjects, 100)
	require.Len(t, b.get(b.author, again.ID).Relations, 50)
}

func TestPublishSaysTheSameThingOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.publish(b.author, nil)
	out := b.publish(b.author, fields{
		"claims":       []fields{{"text": "Equal claims are one claim."}, {"text": "equal  claims are ONE claim"}},
		"new_subjects": []fields{{"type": "software", "name": "Thing"}, {"type": "software", "name": " thing "}, {"type": "api", "name": "Thing"}},
		"sources":      []fields{{"url": "https://Same.example/a?utm_source=x#top"}, {"url": "https://same.example/a", "title": "Later"}},
		"relations":    []fields{{"type": "corrects", "target": other.ID}, {"type": "corrects", "target": other.ID}, {"type": "supersedes", "target": other.ID}},
		"tags":         []string{"Go", "go", " GO "},
	})
	require.Len(t, out.Claims, 1)
	require.Len(t, out.Subjects, 2)
	require.Len(t, out.Sources, 1)
	view := b.get(b.author, out.ID)
	require.Len(t, view.Relations, 2)
	require.Equal(t, []string{"go"}, view.Tags)
	require.Equal(t, "https://same.example/a", view.Sources[0].URL)

	again := b.publish(b.author, fields{
		"claims":       []fields{{"id": out.Claims[0].ID}, {"text": "Equal claims are one claim"}},
		"subjects":     []string{out.Subjects[0].ID, out.Subjects[0].ID},
		"new_subjects": []fields{{"type": "software", "name": "THING"}},
		"sources":      []fields{{"id": out.Sources[0].ID}, {"url": "https://same.example/a"}},
	})
	require.Equal(t, out.Claims[0].ID, again.Claims[0].ID)
	require.Len(t, again.Claims, 1)
	require.Len(t, again.Subjects, 1)
	require.True(t, again.Subjects[0].Matched)
	require.Equal(t, out.Sources, again.Sources, "a source given by ID is named with its family too")
}

func TestUnknownReferencesAreNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for rule, args := range map[string]fields{
		"space":       {"space": fresh(t, store.KindSpace)},
		"revision_of": {"revision_of": fresh(t, store.KindContent)},
		"subject":     {"subjects": []string{fresh(t, store.KindEntity)}},
		"claim":       {"claims": []fields{{"id": fresh(t, store.KindClaim)}}},
		"source":      {"sources": []fields{{"id": fresh(t, store.KindSource)}}},
		"relation":    {"relations": []fields{{"type": "corrects", "target": fresh(t, store.KindContent)}}},
		"entity":      {"relations": []fields{{"type": "known_issue_of", "target": fresh(t, store.KindEntity)}}},
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := b.raw(b.author, "publish", draft(args))
			fails(t, ops.NotFound, err)
		})
	}
}

func TestAResponseStandsInTheThreadOfItsTarget(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.publish(b.author, nil)
	second := b.publish(b.user, fields{"relations": []fields{{"type": "corrects", "target": first.ID}}})
	third := b.publish(b.author, fields{"relations": []fields{{"type": "known_issue_of", "target": second.ID}}})
	alone := b.publish(b.author, nil)
	require.Equal(t, first.Thread, second.Thread)
	require.Equal(t, first.Thread, third.Thread)
	require.NotEqual(t, first.Thread, alone.Thread)
	items := b.get(b.user, first.Thread).Items
	require.Len(t, items, 3)
	for i, want := range []string{first.ID, second.ID, third.ID} {
		require.Equal(t, want, items[i].ID)
	}
	require.Equal(t, second.ID, b.get(b.user, first.ID).Relations[0].Source)
	require.Equal(t, first.ID, b.get(b.user, second.ID, "relations").Relations[0].Target)
}
