package evidence_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

func subjectIDs(subjects []evidence.SubjectOutcome) []string {
	var out []string
	for _, s := range subjects {
		out = append(out, s.ID)
	}
	return out
}

func TestARevisionKeepsAuthorTypeSpaceAndLanguage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	public, err := b.Store.CreateSpace(t.Context(), "open", "public", b.Agent)
	require.NoError(t, err)
	item := b.publish(b.author, fields{"language": "EN-gb", "space": public.String()})
	for rule, c := range map[string]struct {
		args fields
		want []string
	}{
		"another type":     {fields{"content_type": "guide"}, []string{"/content_type same_type"}},
		"another language": {fields{"language": "de"}, []string{"/language same_language"}},
		"another space":    {fields{"space": fresh(t, store.KindSpace)}, []string{"/space same_space"}},
		"all of them": {
			fields{"content_type": "guide", "language": "de", "space": fresh(t, store.KindSpace)},
			[]string{"/content_type same_type", "/space same_space", "/language same_language"},
		},
	} {
		t.Run(rule, func(t *testing.T) {
			c.args["revision_of"] = item.ID
			_, err := b.raw(b.author, "publish", draft(c.args))
			require.Equal(t, c.want, broken(fails(t, ops.ValidationFailed, err)))
		})
	}
	_, err = b.raw(b.user, "publish", draft(fields{"revision_of": item.ID}))
	fails(t, ops.NotAuthor, err)
	out := b.publish(b.author, fields{"revision_of": item.ID, "change_note": "better", "language": "en-gb", "space": public.String(), "title": "Two"})
	require.Equal(t, 2, out.RevisionNo)
	require.Equal(t, item.Thread, out.Thread)
	view := b.get(b.user, item.ID, "revisions")
	require.Equal(t, "en-gb", view.Language)
	require.Equal(t, []string{"Two", "A note"}, []string{view.Revisions[0].Title, view.Revisions[1].Title})
	require.Equal(t, "better", view.Revisions[0].ChangeNote)
	require.Equal(t, "A note", b.get(b.user, item.RevisionID).Title)
}

func TestRevisionsAtOnceAreNumberedWithoutGaps(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	item := b.publish(b.author, nil)
	const writers = 16
	answers, errs := together(writers, func(i int) (string, error) {
		return b.raw(nodes[i%2], "publish", draft(fields{"revision_of": item.ID, "title": fmt.Sprint("Title ", i)}))
	})
	var numbers []int
	for i := range answers {
		require.NoError(t, errs[i])
		numbers = append(numbers, decode[evidence.PublishOutput](t, answers[i]).RevisionNo)
	}
	slices.Sort(numbers)
	for i, no := range numbers {
		require.Equal(t, i+2, no)
	}
	require.Equal(t, writers+1, b.get(b.author, item.ID).Revision.No)
}

// asserted lists the actors whose assertions of a claim are active.
func (b *bundle) asserted(claim string) []string {
	b.t.Helper()
	id, err := store.ParseID(claim)
	require.NoError(b.t, err)
	rows, err := b.Store.Pool().Query(b.t.Context(), `
		select a.kind, a.id from evidence e join actors a on a.id = e.actor_id
		where e.target_id = $1 and e.kind = 'assertion' and not exists (select from evidence r where r.retracts = e.id)
		order by e.seq`, id.UUID)
	require.NoError(b.t, err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var actor store.ID
		require.NoError(b.t, rows.Scan(&actor.Kind, &actor.UUID))
		out = append(out, actor.String())
	}
	require.NoError(b.t, rows.Err())
	return out
}

func TestAssertionsFollowWhatAnItemStates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	claim := []fields{{"text": "Statements of others are evidence for a claim."}}
	first := b.publish(b.author, fields{"claims": claim, "language": "en"})
	id := first.Claims[0].ID
	require.False(t, first.Claims[0].MatchedExisting)
	require.Empty(t, b.asserted(id), "the first to state a claim is its author")

	again := b.publish(b.author, fields{"claims": claim, "revision_of": first.ID})
	require.Equal(t, evidence.ClaimOutcome{ID: id, MatchedExisting: true}, again.Claims[0], "a revision need not repeat its language")
	require.Empty(t, b.asserted(id), "an author does not second itself")

	theirs := b.publish(b.user, fields{"claims": claim, "language": "en"})
	require.Equal(t, evidence.ClaimOutcome{ID: id, MatchedExisting: true}, theirs.Claims[0])
	require.Equal(t, []string{b.userID.String()}, b.asserted(id))
	b.publish(b.user, fields{"claims": []fields{{"id": id}}, "revision_of": theirs.ID})
	require.Equal(t, []string{b.userID.String()}, b.asserted(id), "an item states a claim once")
	b.Settled()
	require.Len(t, b.get(b.user, id).Items, 2)

	b.publish(b.user, fields{"revision_of": theirs.ID})
	require.Empty(t, b.asserted(id), "a later revision drops the claim")
	b.Settled()
	require.Len(t, b.get(b.user, id).Items, 1)
	b.publish(b.user, fields{"claims": claim, "revision_of": theirs.ID})
	require.Equal(t, []string{b.userID.String()}, b.asserted(id), "and a still later one states it again")

	b.publish(b.author, fields{"revision_of": first.ID})
	require.Equal(t, []string{b.userID.String()}, b.asserted(id), "assertions of others stay")
	totals := b.Settled()
	require.Zero(t, totals.Lost)
	raw, err := json.Marshal(b.get(b.user, id, "evidence"))
	require.NoError(t, err)
	require.NotContains(t, string(raw), "assertion")
}
