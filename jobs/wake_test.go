package jobs_test

import (
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"interai/internal/stack"
	"interai/jobs"
)

// One job works for seconds only: after a crash the next one is not long in coming.
func TestAWakeUpOfManyTargetsIsHandedOverFromJobToJob(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	mover := b.voices[1]
	items := b.items(7)
	for i := range items {
		b.report([]voice{mover}, items[i].RevisionID, "success")
	}
	// Statistics tell what an actor has touched.
	for i := range items {
		require.NoError(t, b.worker().Fold(t.Context(), parse(t, items[i].RevisionID)))
	}
	exec(b, `delete from river.river_job where kind = 'reassign_controller'`)
	exec(b, `update target_heads set wakes = 0`)
	require.NoError(t, b.jobs.SetController(t.Context(), b.Store, mover.id, b.humans[3]))
	workers := river.NewWorkers()
	river.AddWorker(workers, b.worker())
	river.AddWorker(workers, jobs.SmallWake(b.Store, 2))
	b.start(workers, map[string]int{jobs.QueueTrust: 1})
	b.Eventually("every target is woken", func() bool {
		return b.count(`select count(*) from river.river_job where kind = 'reassign_controller' and finalized_at is null`) == 0
	})
	for i := range items {
		require.EqualValues(t, 1, b.wakes(items[i].RevisionID), "once")
	}
	require.GreaterOrEqual(t, b.count(`select count(*) from river.river_job where kind = 'reassign_controller'`), 4)
}
