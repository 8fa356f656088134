package evidence_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

func related(relation, target string) fields {
	return fields{"relations": []fields{{"type": relation, "target": target}}}
}

func with(more fields, name string, value any) fields {
	more[name] = value
	return more
}

// shown are the relations of an object as "direction type other", and of supersedes whether it is in effect.
func (b *bundle) shown(id string) []string {
	b.t.Helper()
	out := []string{}
	for _, r := range b.get(b.user, id, "relations").Relations {
		line := r.Direction + " " + r.Type + " " + r.Target + r.Source
		if r.InEffect != nil {
			line += fmt.Sprint(" ", *r.InEffect)
		}
		out = append(out, line)
	}
	return out
}

func TestRelationsAreShownFromBothEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.publish(b.author, fields{"new_subjects": []fields{{"type": "software", "name": "Both ends"}}})
	entity := first.Subjects[0].ID
	corrects := b.publish(b.user, related("corrects", first.ID))
	issue := b.publish(b.user, related("known_issue_of", first.ID))
	ofEntity := b.publish(b.user, fields{"relations": []fields{{"type": "alternative_to", "target": entity, "reason": "simpler"}}})
	require.Equal(t, []string{"in known_issue_of " + issue.ID, "in corrects " + corrects.ID}, b.shown(first.ID))
	require.Equal(t, []string{"in alternative_to " + ofEntity.ID}, b.shown(entity))
	require.Equal(t, []string{"out corrects " + first.ID}, b.shown(corrects.ID))
	require.Equal(t, []string{"out alternative_to " + entity}, b.shown(ofEntity.ID))
	require.Equal(t, "simpler", b.get(b.author, entity, "relations").Relations[0].Reason)
	require.Contains(t, b.text("get", fields{"id": entity}), "alternative_to this, reason simpler")

	// What a later revision no longer says is in force no longer.
	b.publish(b.user, fields{"revision_of": corrects.ID})
	require.Equal(t, []string{"in known_issue_of " + issue.ID}, b.shown(first.ID))
	require.Equal(t, []string{}, b.shown(corrects.ID))
	require.Equal(t, []string{"out corrects " + first.ID}, b.shown(corrects.RevisionID), "the old revision says what it said")
}

func TestRelationsSayWhetherTheyAreInEffect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.publish(b.author, nil)
	foreign := b.publish(b.user, related("supersedes", first.ID))
	require.Equal(t, []string{"out supersedes " + first.ID + " false"}, b.shown(foreign.ID))
	require.Equal(t, []string{"in supersedes " + foreign.ID + " false"}, b.shown(first.ID))
	require.Contains(t, b.text("get", fields{"id": first.ID}), "supersedes this (not in effect)")
	own := b.publish(b.author, related("supersedes", first.ID))
	require.Equal(t, []string{"in supersedes " + own.ID + " true", "in supersedes " + foreign.ID + " false"}, b.shown(first.ID))
	require.Equal(t, []string{"out supersedes " + first.ID + " true"}, b.shown(own.ID))
	b.Eventually("the workers see the same", func() bool { return b.get(b.user, first.ID).Status == "superseded" })
	// Content of high confidence supersedes that of others.
	for range 10 {
		_, _, key := b.Party(store.Verification{Domain: true})
		b.Must(b.Client(key), "report_usage", fields{"target": foreign.ID, "result": "success", "real_world_use": true}, nil)
	}
	b.Eventually("others' content becomes of high confidence", func() bool {
		return b.get(b.user, foreign.ID).Status == "high_confidence"
	})
	require.Equal(t, []string{"out supersedes " + first.ID + " true"}, b.shown(foreign.ID))
	b.publish(b.user, with(related("supersedes", first.ID), "revision_of", foreign.ID))
	require.Equal(t, []string{"out supersedes " + first.ID + " false"}, b.shown(foreign.RevisionID), "a revision that is not current replaces nothing")
}

func TestPrivateRelationsAreInvisibleToStrangers(t *testing.T) {
	t.Parallel()
	p := newPrivateSpace(t)
	require.Empty(t, p.get(p.user, p.public.ID, "relations").Relations)
	require.Len(t, p.get(p.author, p.public.ID, "relations").Relations, 1)
	// They do not crowd others out, nor do they show in what is cut.
	for i := range 101 {
		p.publish(p.author, with(related("known_issue_of", p.public.ID), "space", p.space))
		if i == 0 {
			p.publish(p.user, related("corrects", p.public.ID))
		}
	}
	seen := p.get(p.user, p.public.ID, "relations")
	require.Len(t, seen.Relations, 1)
	require.False(t, seen.RelationsCut)
	seen = p.get(p.author, p.public.ID, "relations")
	require.Len(t, seen.Relations, 100)
	require.True(t, seen.RelationsCut)
	require.Contains(t, p.text("get", fields{"id": p.public.ID}), "older ones to this object are not listed")
}

func TestRingsOfSupersedingAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.publish(b.author, nil)
	second := b.publish(b.user, related("supersedes", first.ID))
	third := b.publish(b.author, related("supersedes", second.ID))
	other := b.publish(b.user, nil)
	refused := func(args fields, want ...string) {
		t.Helper()
		_, err := b.raw(b.author, "publish", draft(args))
		require.Equal(t, want, broken(fails(t, ops.ValidationFailed, err)))
	}
	refused(with(related("supersedes", second.ID), "revision_of", first.ID), "/relations/0/target no_ring")
	refused(with(related("supersedes", third.ID), "revision_of", first.ID), "/relations/0/target no_ring")
	refused(fields{"revision_of": first.ID, "relations": []fields{
		{"type": "corrects", "target": third.ID},
		{"type": "supersedes", "target": other.ID},
		{"type": "supersedes", "target": third.ID},
		{"type": "supersedes", "target": other.ID},
		{"type": "supersedes", "target": second.ID},
	}}, "/relations/2/target no_ring", "/relations/4/target no_ring")
	refused(with(related("supersedes", first.ID), "revision_of", first.ID), "/relations/0/target other_content")
	// Other relations may go in rings, and what a current revision no longer says closes none.
	b.publish(b.author, with(related("derived_from", third.ID), "revision_of", first.ID))
	b.publish(b.user, fields{"revision_of": second.ID})
	b.publish(b.author, with(related("supersedes", third.ID), "revision_of", first.ID))
}

func TestTwoPublicationsAtOnceCloseNoRing(t *testing.T) {
	t.Parallel()
	b, nodes := twoNodes(t)
	const rounds = 10
	for range rounds {
		items := [3]evidence.PublishOutput{}
		for i := range items {
			items[i] = b.publish(b.author, nil)
		}
		_, errs := together(3, func(i int) (string, error) {
			return b.raw(nodes[i%2], "publish", draft(with(related("supersedes", items[(i+1)%3].ID), "revision_of", items[i].ID)))
		})
		refused := 0
		for _, err := range errs {
			if err != nil {
				require.Equal(t, []string{"/relations/0/target no_ring"}, broken(fails(t, ops.ValidationFailed, err)))
				refused++
			}
		}
		require.Equal(t, 1, refused)
	}
}
