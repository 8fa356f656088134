package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/store"
)

// A target whose evidence is gone, as after a repair by hand, must not hold a worker: it folds nothing again and again.
func TestEvidenceThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := parse(t, b.publish(b.voices[0], nil).RevisionID)
	exec(b, `insert into target_heads (target_id, kind, last_seq, queued, need) values ($1, 'rev', 3, true, false)
		on conflict (target_id) do update set last_seq = 3`, target.UUID)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := b.worker().Fold(ctx, target)
	require.ErrorContains(t, err, "after number 0 of 3 cannot be read")
	require.NoError(t, ctx.Err())
}

// Whoever renews trust-v1 while a node runs wakes all targets, with the new constants in force at once: a worker that
// still knows the old ones must not take the wake-ups.
func TestConstantsThatChangeUnderAWorkerAreUsedAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], nil)
	b.report(b.parties(4), item.ID, "success")
	b.Settled()
	target := parse(t, item.RevisionID)
	before := b.snapshotOf(target)
	err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Pgx().Exec(t.Context(), `update trust_models set params_hash = repeat('1', 64),
			parameters = parameters || '{"level": 0.5}'`); err != nil {
			return err
		}
		_, err := tx.Pgx().Exec(t.Context(), `update target_heads set wakes = wakes + 1, queued = false`)
		return err
	})
	require.NoError(t, err)
	b.settle([]store.ID{target})
	require.Greater(t, b.snapshotOf(target).Lower, before.Lower, "the narrower interval is that of the new constants")
}
