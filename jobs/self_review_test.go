package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/store"
)

// TestAReviewLeavesTheCalculationWhileItsAuthorIsOfTheParty moves a reviewer under the controller of who wrote the item,
// and back.
func TestAReviewLeavesTheCalculationWhileItsAuthorIsOfTheParty(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], map[string]any{"claims": []map[string]any{{"text": "Reviews of one's own work count for nothing."}}})
	reviewer := b.voices[2]
	targets := []store.ID{parse(t, item.RevisionID), parse(t, item.Claims[0].ID)}
	for _, target := range targets {
		b.Must(reviewer.client, "review", map[string]any{"target": target.String(), "verdict": "false", "confidence": 1}, nil)
	}
	contradictions := func() (out []int) {
		b.settle(targets)
		for _, target := range targets {
			var n int
			require.NoError(t, b.Store.Pool().QueryRow(t.Context(),
				`select contradictions from trust_snapshots where target_id = $1`, target.UUID).Scan(&n))
			out = append(out, n)
		}
		return out
	}
	require.Equal(t, []int{1, 1}, contradictions())
	var original store.ID
	original.Kind = store.KindUser
	require.NoError(t, b.Store.Pool().QueryRow(t.Context(), `select controller_id from actors where id = $1`, reviewer.id.UUID).Scan(&original.UUID))
	require.NoError(t, b.jobs.SetController(t.Context(), b.Store, reviewer.id, b.humans[0]))
	require.Equal(t, []int{0, 0}, contradictions())
	require.NoError(t, b.jobs.SetController(t.Context(), b.Store, reviewer.id, original))
	require.Equal(t, []int{1, 1}, contradictions())
}
