package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/store"
)

func supersedes(target string) map[string]any {
	return map[string]any{"relations": []map[string]any{{"type": "supersedes", "target": target}}}
}

// settleItems waits until nothing is left to compute about the published revisions.
func (b *bundle) settleItems(items ...evidence.PublishOutput) {
	b.t.Helper()
	targets := make([]store.ID, len(items))
	for i := range items {
		targets[i] = parse(b.t, items[i].RevisionID)
	}
	b.settle(targets)
}

// While statuses chase each other, each change leaves another target to be computed: the ring would never settle. A
// publication that closes one is refused; there may be older ones.
func TestARingOfContentThatSupersedesEachOtherComesToRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	users := b.parties(10)
	first := b.publish(b.voices[0], nil)
	second := b.publish(b.voices[2], supersedes(first.ID))
	third := b.publish(b.voices[4], supersedes(second.ID))
	ring := []evidence.PublishOutput{b.publish(b.voices[0], map[string]any{"revision_of": first.ID}), second, third}
	_, err := b.Store.Pool().Exec(t.Context(),
		`insert into revision_relations (revision_id, position, type, target_content_id) values ($1, 0, 'supersedes', $2)`,
		parse(t, ring[0].RevisionID).UUID, parse(t, third.ID).UUID)
	require.NoError(t, err)
	for i := range ring {
		b.report(users, ring[i].RevisionID, "success")
	}
	b.settleItems(ring...)
	high := 0
	for i := range ring {
		if b.published(ring[i].ID).Status == "high_confidence" {
			high++
		}
	}
	require.LessOrEqual(t, high, 1, "whoever is of high confidence supersedes the next one")
}

func TestWhatWasOfHighConfidenceGoesOnSupersedingWhenItIsSuperseded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	users := b.parties(10)
	first := b.publish(b.voices[0], nil)
	second := b.publish(b.voices[2], supersedes(first.ID))
	third := b.publish(b.voices[4], supersedes(second.ID))
	b.report(users, second.ID, "success")
	b.becomes(second.ID, "high_confidence")
	b.becomes(first.ID, "superseded")
	b.report(users, third.ID, "success")
	b.becomes(second.ID, "superseded")
	b.settleItems(first, second, third)
	require.Equal(t, "superseded", b.published(first.ID).Status, "what the second one replaced has not come back")

	// Once it stands for itself again, and has lost its confidence meanwhile, it replaces nothing.
	b.report(b.parties(12), second.ID, "failure")
	b.Settled()
	require.Equal(t, "superseded", b.published(first.ID).Status)
	b.publish(b.voices[4], map[string]any{"revision_of": third.ID})
	b.becomes(second.ID, "disputed")
	b.becomes(first.ID, "unverified")
}
