package trustops_test

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/jobs"
	"interai/store"
	"interai/trustmodel"
	"interai/trustops"
)

// party is a controller with an agent that reports.
type party struct {
	human, agent store.ID
	report       func(item evidence.PublishOutput, result string)
	whoami       func() evidence.WhoamiOutput
}

func (b *bundle) newParty(verification store.Verification) party {
	b.t.Helper()
	human, agent, key := b.Party(verification)
	client := b.Client(key)
	return party{
		human: human, agent: agent,
		report: func(item evidence.PublishOutput, result string) {
			b.t.Helper()
			b.Must(client, "report_usage", map[string]any{"target": item.ID, "result": result, "real_world_use": true}, nil)
		},
		whoami: func() (out evidence.WhoamiOutput) {
			b.t.Helper()
			b.Must(client, "whoami", map[string]any{}, &out)
			return out
		},
	}
}

// seal computes an epoch of all live versions and waits until everything that it changes is computed.
func (b *bundle) seal() int {
	b.t.Helper()
	epochs, err := b.versions.Epoch(b.t.Context(), "", slog.New(slog.DiscardHandler))
	require.NoError(b.t, err)
	b.rest()
	changed := 0
	for _, e := range epochs {
		changed += e.Changed
	}
	return changed
}

func (b *bundle) verified() {
	b.t.Helper()
	found, err := b.versions.Verify(b.t.Context(), "", false, nil)
	require.NoError(b.t, err)
	require.Zero(b.t, found.Wrong, "%+v", found.Findings)
	require.Zero(b.t, found.Stale)
	require.True(b.t, found.Finished)
	require.Positive(b.t, found.Checked)
}

func (b *bundle) get(id string) (out evidence.GetOutput) {
	b.t.Helper()
	b.Must(b.clients[0], "get", map[string]any{"id": id, "include": []string{"explanation"}}, &out)
	return out
}

func TestBeingRightEarnsWeightOneEpochLater(t *testing.T) {
	t.Parallel()
	b := setup(t)
	proven := []party{}
	for range 4 {
		proven = append(proven, b.newParty(store.Verification{Vouched: true}))
	}
	right, wrong := b.newParty(store.Verification{Email: true}), b.newParty(store.Verification{Email: true})
	authors := []evidence.PublishOutput{}
	for no := range 12 {
		// Works of many authors: one author's give only so many credits.
		var out evidence.PublishOutput
		_, _, key := b.Party(store.Verification{})
		b.Must(b.Client(key), "publish", map[string]any{"content_type": "note", "title": "Work", "summary": string(rune('a' + no))}, &out)
		authors = append(authors, out)
	}
	for _, item := range authors {
		for _, p := range proven {
			p.report(item, "success")
		}
		right.report(item, "success")
		wrong.report(item, "failure")
	}
	contested := b.publish(99)
	right.report(contested, "success")
	wrong.report(contested, "failure")
	b.rest()
	before := b.get(contested.ID)
	require.InDelta(t, .5, before.Trust.Value, 1e-9, "two newcomers of equal identity")
	require.InDelta(t, .5, right.whoami().Reputation, 0)

	require.Positive(t, b.seal())
	after := b.get(contested.ID)
	require.Greater(t, after.Trust.Value, .6, "now one of them has been right twelve times, the other wrong")
	require.Equal(t, 1, after.Trust.Confirmations, "and is established")
	require.Greater(t, right.whoami().Reputation, .6)
	require.Less(t, wrong.whoami().Reputation, .4)
	require.EqualValues(t, 1, after.Explanation.Epoch)
	b.verified()

	// Nothing new is said, so epochs come to rest.
	b.Eventually("an epoch changes nothing", func() bool { return b.seal() == 0 })
	b.verified()

	// Authors of what works gain too, and their pages say so.
	var author evidence.GetOutput
	b.Must(b.clients[0], "get", map[string]any{"id": b.get(authors[0].ID).Provenance.Author}, &author)
	require.Greater(t, author.Actor.Reputation, .55)
	require.NotNil(t, b.get(authors[0].ID).Provenance.Reputation)
	require.InDelta(t, author.Actor.Reputation, *b.get(authors[0].ID).Provenance.Reputation, 0)
}

func TestAClosedRingEarnsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ring := []party{}
	for range 6 {
		ring = append(ring, b.newParty(store.Verification{Email: true}))
	}
	for no := range 12 {
		item := b.publish(no)
		for _, p := range ring {
			p.report(item, "success")
		}
	}
	b.rest()
	for range 3 {
		b.seal()
	}
	require.InDelta(t, .5, ring[0].whoami().Reputation, 0)
	b.verified()
}

func TestPartiesInLockstepCountAsOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ring := []party{}
	for range 3 {
		ring = append(ring, b.newParty(store.Verification{Email: true}))
	}
	var last evidence.PublishOutput
	for no := range 11 {
		last = b.publish(no)
		for _, p := range ring {
			p.report(last, "success")
		}
	}
	for no := range 20 { // what others do, so that the ring's choice is not all there is
		b.newParty(store.Verification{Email: true}).report(b.publish(100+no), "success")
	}
	b.rest()
	before := b.get(last.ID)
	b.seal()
	after := b.get(last.ID)
	require.Less(t, after.Trust.Value, before.Trust.Value, "three voices are one now")
	require.Contains(t, after.Explanation.Markdown, "3 controllers counted as one")
	b.verified()
}

func TestAnEpochIsSealedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(3)
	b.rest()
	rows, err := b.Store.LiveModels(t.Context())
	require.NoError(t, err)
	queue, err := jobs.NewEnqueuer(b.Store, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	epochs := jobs.NewEpochs(b.Store, queue, slog.New(slog.DiscardHandler))
	var all sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		all.Go(func() { _, errs[i] = epochs.Seal(t.Context(), &rows[0]) })
	}
	all.Wait()
	sealed := 0
	for _, err := range errs {
		if err == nil {
			sealed++
		} else {
			require.ErrorIs(t, err, store.ErrEpochTaken)
		}
	}
	var stored, reads int
	require.NoError(t, b.Store.Pool().QueryRow(t.Context(), `
		select (select count(*) from trust_epochs), (select epoch from trust_models)`).Scan(&stored, &reads))
	require.Equal(t, sealed, stored)
	require.Equal(t, sealed, reads)
	b.rest()
	b.verified()
}

func TestEvidenceDuringAnEpochIsNotLost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	items := b.world(6)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 4 {
			for _, item := range items {
				b.use(item, i)
			}
		}
	}()
	for sealing := true; sealing; {
		select {
		case <-done:
			sealing = false
		default:
			_, err := b.versions.Epoch(t.Context(), "", slog.New(slog.DiscardHandler))
			require.NoError(t, err)
		}
	}
	b.rest()
	b.verified()
}

func TestAStoredDifferenceIsFound(t *testing.T) {
	t.Parallel()
	for what, sql := range map[string]string{
		"a figure":              `update trust_snapshots set inputs = jsonb_set(inputs, '{beta}', '7') where target_id = $1`,
		"a count":               `update trust_snapshots set counts = '{"usage.success": 5}' where target_id = $1`,
		"a statistic":           `update trust_stats set usage_pos = usage_pos + 1 where target_id = $1`,
		"one too many":          `update trust_stats set bin = bin + 1 where target_id = $1`,
		"one that is not there": `delete from trust_stats where target_id = $1`,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			items := b.world(3)
			b.rest()
			b.verified()
			target, err := store.ParseID(items[1].RevisionID)
			require.NoError(t, err)
			_, err = b.Store.Pool().Exec(t.Context(), sql, target.UUID)
			require.NoError(t, err)
			found, err := b.versions.Verify(t.Context(), trustmodel.V1Name, false, nil)
			require.NoError(t, err)
			require.EqualValues(t, 1, found.Wrong)
			require.Len(t, found.Findings, 1)
			require.Equal(t, target.String(), found.Findings[0].Target)
		})
	}
}

func TestAVerificationIsTakenUpWhereItStopped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(4)
	b.rest()
	all, err := b.versions.Verify(t.Context(), "", false, nil)
	require.NoError(t, err)
	// Half of it was done when it stopped.
	_, err = b.Store.Pool().Exec(t.Context(), `
		update trust_verifications set finished_at = null, checked = 5, after_id =
			(select target_id from target_heads order by target_id offset 4 limit 1)`)
	require.NoError(t, err)
	var seen []int64
	again, err := b.versions.Verify(t.Context(), "", true, func(done, _ int64) { seen = append(seen, done) })
	require.NoError(t, err)
	require.Equal(t, all.Checked, again.Checked)
	require.Equal(t, []int64{all.Checked}, seen)
}

func TestAnEarlierMomentIsReplayed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(1)
	b.use(item, -1)
	b.rest()
	var first time.Time
	require.NoError(t, b.Store.Pool().QueryRow(t.Context(), `select clock_timestamp()`).Scan(&first))
	target, err := store.ParseID(item.ID)
	require.NoError(t, err)
	options := trustops.ExplainOptions{At: first, Parties: 9}
	then, err := b.versions.Explain(t.Context(), target, options)
	require.NoError(t, err)
	b.use(item, 0)
	b.use(item, 1)
	b.seal()
	now, err := b.versions.Explain(t.Context(), target, trustops.ExplainOptions{Parties: 9})
	require.NoError(t, err)
	require.True(t, now.Equal, now.Differences)
	again, err := b.versions.Explain(t.Context(), target, options)
	require.NoError(t, err)
	require.Equal(t, then, again, "what was, is")
	require.NotEqual(t, now.Made.Snapshot, again.Made.Snapshot)
	require.True(t, strings.HasPrefix(now.Markdown, "**Value "))
}
