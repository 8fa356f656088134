package trustops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/store"
	"interai/trustops"
)

// The sealing of a large epoch holds the row of its version for seconds, longer than a call of an agent would wait.
func TestAnOperatorWaitsForAnEpochThatIsBeingSealed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	done := make(chan error, 1)
	err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Pgx().Exec(t.Context(), `update trust_models set epoch = epoch`); err != nil {
			return err
		}
		go func() {
			done <- b.versions.Create(t.Context(), trustops.NewVersion{Name: v2, Set: []string{"level=.8"}})
		}()
		b.Eventually("the command has waited longer than a call may", func() bool {
			var waits bool
			err := b.Store.Pool().QueryRow(t.Context(), `select exists (select from pg_stat_activity
				where wait_event_type = 'Lock' and query like '%trust_models%for no key update%'
				  and clock_timestamp() - query_start > interval '2.5 s')`).Scan(&waits)
			return err == nil && waits || len(done) > 0
		})
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, <-done)
}
