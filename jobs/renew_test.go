package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/internal/stack"
	"interai/store"
	"interai/trustmodel"
)

func TestADatabaseOfEarlierConstantsIsComputedAnew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], nil)
	b.report(b.parties(3), item.ID, "success")
	b.Settled()
	target := parse(t, item.RevisionID)
	// What an earlier program left behind: other constants, some of which it did not know.
	exec(b, `update trust_models set params_hash = repeat('0', 64), parameters = parameters - 'hysteresis' || '{"level": 0.5}'`)
	exec(b, `update trust_snapshots set value = 0.5, lower_bound = 0.4, upper_bound = 0.6, inputs = '{"value": 0.5, "lower": 0.4, "upper": 0.6}'`)
	stack.Start(t, stack.On(b.ConnString))
	var hash string
	require.NoError(t, b.Store.Pool().QueryRow(t.Context(), `select params_hash from trust_models`).Scan(&hash))
	require.Equal(t, trustmodel.V1().Hash(), hash)
	b.Eventually("it is computed anew", func() bool {
		var value float64
		err := b.Store.Pool().QueryRow(t.Context(), `select value from trust_snapshots where target_id = $1`, target.UUID).Scan(&value)
		return err == nil && value > .8
	})
	// The first node may have computed it once more with the earlier constants, before the second one came.
	b.settle([]store.ID{target})
	b.equalsReference(t, target)
}
