package jobs_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/stack"
	"interai/jobs"
	"interai/store"
)

// poison makes the database refuse every snapshot of a target.
func poison(b *bundle, target store.ID) {
	exec(b, `create function refuse_snapshot() returns trigger language plpgsql as $$
		begin raise exception 'poisoned' using errcode = 'data_exception'; end $$`)
	exec(b, fmt.Sprintf(`create trigger poisoned before insert or update on trust_snapshots for each row
		when (new.target_id = '%s') execute function refuse_snapshot()`, target.UUID))
}

func cure(b *bundle) { exec(b, `drop trigger poisoned on trust_snapshots`) }

func TestAPoisonedTargetIsStaleAfterItsAttemptsAndTakesNobodyWithIt(t *testing.T) {
	t.Parallel()
	for name, folded := range map[string]bool{"never folded": false, "folded before": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, stack.WithoutWorkers())
			worker := b.worker()
			items := []evidence.PublishOutput{b.publish(b.voices[0], nil), b.publish(b.voices[0], nil)}
			use := func(item evidence.PublishOutput) {
				b.Must(b.voices[1].client, "report_usage", map[string]any{"target": item.ID, "result": "success"}, nil)
			}
			bad, good := parse(t, items[0].RevisionID), parse(t, items[1].RevisionID)
			use(items[0])
			use(items[1])
			if folded {
				require.NoError(t, worker.Work(t.Context(), job(bad, 1)))
				use(items[0])
			}
			poison(b, bad)
			results := make(chan error, 2)
			go func() { results <- worker.Work(t.Context(), job(bad, 1)) }()
			go func() { results <- worker.Work(t.Context(), job(good, 1)) }()
			failures := 0
			for range 2 {
				if <-results != nil {
					failures++
				}
			}
			require.Equal(t, 1, failures)
			b.equalsReference(t, good)

			trust := func() *evidence.TrustRef {
				var out evidence.GetOutput
				b.Must(b.voices[0].client, "get", map[string]any{"id": items[0].ID}, &out)
				return out.Trust
			}
			require.Error(t, worker.Work(t.Context(), job(bad, 9)))
			require.False(t, trust().Stale, "there are attempts left")
			require.Error(t, worker.Work(t.Context(), job(bad, 10)))
			require.True(t, trust().Stale)
			require.EqualValues(t, 1, trust().Pending)
			lagging, err := b.Store.Lagging(t.Context(), true, [16]byte{}, 10)
			require.NoError(t, err)
			require.Empty(t, lagging, "a target that was given up is left alone")

			cure(b)
			exec(b, `update trust_snapshots set as_of_bin = as_of_bin - 2 where target_id = $1`, bad.UUID)
			decayed, err := b.Store.Decayed(t.Context(), math.MaxInt32, 10)
			require.NoError(t, err)
			require.Equal(t, []store.ID{good}, decayed, "also when it ages")
			require.NoError(t, worker.Fold(t.Context(), bad))
			require.False(t, trust().Stale)
			b.equalsReference(t, bad)
		})
	}
}

func TestABusyTargetSnoozesAndKeepsItsWakeUp(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	worker := b.worker()
	item := b.publish(b.voices[0], nil)
	target := parse(t, item.RevisionID)
	use := func() {
		b.Must(b.voices[1].client, "report_usage", map[string]any{"target": item.ID, "result": "success"}, nil)
	}
	use()
	require.NoError(t, worker.Fold(t.Context(), target))
	use()
	err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Pgx().Exec(t.Context(), `select from target_states where target_id = $1 for update`, target.UUID); err != nil {
			return err
		}
		snooze := &river.JobSnoozeError{}
		if err := worker.Work(t.Context(), job(target, 1)); !errors.As(err, &snooze) {
			return fmt.Errorf("a busy target did not snooze: %w", err)
		}
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, worker.Work(t.Context(), job(target, 1)), "the same job, after its pause")
	b.equalsReference(t, target)
}

func TestAFirstAttemptWithoutAWakeUpDoesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	worker := b.worker()
	item := b.publish(b.voices[0], nil)
	target := parse(t, item.RevisionID)
	b.Must(b.voices[1].client, "report_usage", map[string]any{"target": item.ID, "result": "success"}, nil)
	exec(b, `update target_heads set queued = false`)
	require.NoError(t, worker.Work(t.Context(), job(target, 1)))
	applied, err := b.Store.AppliedSeq(t.Context(), target)
	require.NoError(t, err)
	require.Zero(t, applied)
	require.NoError(t, worker.Work(t.Context(), job(target, 2)), "a later attempt has claimed before")
	b.equalsReference(t, target)
}

func TestJobsOfNothingEnd(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	worker := b.worker()
	unknown, err := store.NewID(store.KindClaim)
	require.NoError(t, err)
	for _, attempt := range []int{1, 2, 10} {
		require.NoError(t, worker.Work(t.Context(), job(unknown, attempt)))
	}
	cancel := &river.JobCancelError{}
	malformed := job(unknown, 1)
	malformed.Args = jobs.RecomputeArgs{Targets: []string{"nonsense"}}
	require.ErrorAs(t, worker.Work(t.Context(), malformed), &cancel)
}

func TestTheSweepWakesWhatWasLost(t *testing.T) {
	t.Parallel()
	for rule, lose := range map[string]func(b *bundle){
		"a worker died behind its claim": func(b *bundle) {
			exec(b, `update target_heads set queued = false`)
			exec(b, `delete from river.river_job`)
		},
		"the job is gone though the head is queued": func(b *bundle) { exec(b, `delete from river.river_job`) },
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			idle := setup(t, stack.WithoutWorkers())
			var targets []store.ID
			for range 5 {
				item := idle.publish(idle.voices[0], nil)
				idle.Must(idle.voices[1].client, "report_usage", map[string]any{"target": item.ID, "result": "success"}, nil)
				targets = append(targets, parse(t, item.RevisionID))
			}
			lose(idle)
			stack.Start(t, stack.On(idle.ConnString)) // a node with workers sweeps at its start
			idle.Settled()
			for _, target := range targets {
				idle.equalsReference(t, target)
			}
		})
	}
}

func TestTheSweepAgesWhatNobodyTouches(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], nil)
	b.Must(b.voices[1].client, "report_usage", map[string]any{"target": item.ID, "result": "success"}, nil)
	b.Settled()
	target := parse(t, item.RevisionID)
	exec(b, `update trust_snapshots set as_of_bin = as_of_bin - 3`)
	b.sweep()
	b.Eventually("the snapshot is of this bin", func() bool {
		var old int
		err := b.Store.Pool().QueryRow(t.Context(), `select count(*) from trust_snapshots
			where as_of_bin < floor(extract(epoch from now()) / (30 * 86400))`).Scan(&old)
		return err == nil && old == 0
	})
	b.equalsReference(t, target)
}
