package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/jobs"
)

// TestObjectsOfOlderRulesAreIndexedAndKeyedAnew takes away what older versions did not write, and lets the job make it.
func TestObjectsOfOlderRulesAreIndexedAndKeyedAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], map[string]any{
		"title": "Forgotten lore", "language": "en", "claims": []map[string]any{{"text": "Lore of old monks is found again in cellars."}},
		"new_subjects": []map[string]any{{"type": "thing", "name": "Lorebook"}},
	})
	exec(b, `truncate search_docs`)
	exec(b, `update claims set key_version = 0, sequence_key = null, rotation_key = null, claim_key = sha256('x')`)
	_, err := b.river.Insert(t.Context(), jobs.SearchArgs{Index: true}, nil)
	require.NoError(t, err)
	b.Eventually("everything is found again", func() bool {
		var out evidence.SearchOutput
		b.Must(b.voices[2].client, "search", map[string]any{"query": "lore lorebook"}, &out)
		return len(out.Results) == 3
	})
	again := b.publish(b.voices[2], map[string]any{"language": "en", "claims": []map[string]any{{"text": "The lore of old monks is found again in cellars"}}})
	require.Equal(t, item.Claims[0].ID, again.Claims[0].ID)
	require.True(t, again.Claims[0].MatchedExisting)
}
