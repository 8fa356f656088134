package jobs_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/stack"
	"interai/store"
	"interai/trustmodel"
)

// parties makes n vouched parties with a client each.
func (b *bundle) parties(n int) []voice {
	b.t.Helper()
	out := make([]voice, n)
	for i := range out {
		_, agent, key := b.Party(store.Verification{Vouched: true})
		out[i] = voice{agent, b.Client(key)}
	}
	return out
}

func (b *bundle) report(by []voice, target, result string) {
	b.t.Helper()
	for _, v := range by {
		b.Must(v.client, "report_usage", map[string]any{"target": target, "result": result, "real_world_use": true}, nil)
	}
}

// published is what readers see of an object.
func (b *bundle) published(id string) evidence.GetOutput {
	b.t.Helper()
	var out evidence.GetOutput
	b.Must(b.voices[0].client, "get", map[string]any{"id": id, "include": []string{"explanation", "revisions"}}, &out)
	return out
}

// becomes waits until an object has a status.
func (b *bundle) becomes(id, status string) evidence.GetOutput {
	b.t.Helper()
	var out evidence.GetOutput
	b.Eventually(id+" is "+status, func() bool {
		out = b.published(id)
		return out.Status == status
	})
	return out
}

func (b *bundle) snapshotOf(id store.ID) trustmodel.Snapshot {
	b.t.Helper()
	var raw json.RawMessage
	require.NoError(b.t, b.Store.Pool().QueryRow(b.t.Context(),
		`select inputs from trust_snapshots where target_id = $1`, id.UUID).Scan(&raw))
	var s trustmodel.Snapshot
	require.NoError(b.t, json.Unmarshal(raw, &s))
	return s
}

func TestARevisionInheritsFromTheOneBeforeIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	users := b.parties(10)
	author := b.voices[0]
	item := b.publish(author, nil)
	b.report(users, item.ID, "success")
	b.becomes(item.ID, "high_confidence")
	first := parse(t, item.RevisionID)
	model, err := trustmodel.NewModel(trustmodel.V1())
	require.NoError(t, err)

	second := b.publish(author, map[string]any{"revision_of": item.ID})
	b.Eventually("the new revision has inherited", func() bool { return b.published(second.RevisionID).Trust.Value > .8 })
	out := b.published(item.ID)
	require.Equal(t, "unverified", out.Status, "nobody has tried this one")
	require.Zero(t, out.Trust.Confirmations)
	require.InDelta(t, .833, out.Trust.Value, .02)
	before := b.snapshotOf(first)
	b.equalsReferenceWith(t, parse(t, second.RevisionID), model.CarryFrom(&before))

	// What happens to the first one later reaches the second.
	b.report(b.parties(6), item.RevisionID, "failure")
	b.Settled()
	b.Eventually("the change is inherited", func() bool {
		now := b.snapshotOf(first)
		carry := model.CarryFrom(&now)
		want := model.Compute(trustmodel.Input{AsOfBin: trustmodel.BinOf(time.Now()), Carry: carry})
		return now != before && b.snapshotOf(parse(t, second.RevisionID)) == want
	})

	// Bait and switch: three ordinary failures take a carried value down.
	b.report(users[:3], second.RevisionID, "failure")
	b.Settled()
	out = b.published(item.ID)
	require.Less(t, out.Trust.Value, .55)
	require.Equal(t, "unverified", out.Status)
}

func TestARelationSupersedesWhenItsRuleIsMet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	author, stranger := b.voices[0], b.voices[2]
	item := b.publish(author, nil)
	b.report(b.parties(1), item.ID, "success")
	b.Settled()

	rival := b.publish(stranger, map[string]any{"relations": []map[string]any{{"type": "supersedes", "target": item.ID}}})
	b.Eventually("what a stranger says was looked at", func() bool { return b.wakes(item.RevisionID) > 0 })
	b.Settled()
	require.Equal(t, "unverified", b.published(item.ID).Status, "a stranger's untried content supersedes nothing")

	b.report(b.parties(10), rival.ID, "success")
	b.becomes(rival.ID, "high_confidence")
	out := b.becomes(item.ID, "superseded")
	require.NotEmpty(t, out.StatusHistory)
	require.Contains(t, out.StatusHistory[0].Reason, rival.ID)

	// A revision that no longer says so ends it.
	b.publish(stranger, map[string]any{"revision_of": rival.ID})
	b.becomes(item.ID, "unverified")

	// One's own word needs no confidence.
	b.publish(author, map[string]any{"relations": []map[string]any{{"type": "supersedes", "target": item.ID}}})
	b.becomes(item.ID, "superseded")
}

// wakes is how often something beside evidence has changed what a target depends on.
func (b *bundle) wakes(id string) int64 {
	var n int64
	_ = b.Store.Pool().QueryRow(b.t.Context(), `select wakes from target_heads where target_id = $1`, parse(b.t, id).UUID).Scan(&n)
	return n
}

func TestContentThatStatesAnIncorrectClaimIsDisputed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], map[string]any{"claims": []map[string]any{{"text": "The earth is flat in every direction."}}})
	claim := item.Claims[0].ID
	users := b.parties(6)
	b.report(users, item.ID, "success")
	b.becomes(item.ID, "supported")
	b.report(users, claim, "failure")
	b.becomes(claim, "incorrect")
	out := b.becomes(item.ID, "disputed")
	require.Contains(t, out.StatusHistory[0].Reason, claim)
	require.Greater(t, out.Trust.Value, .8, "the value stays what use has shown")

	// Also content that states it from now on, before anybody has tried it.
	later := b.publish(b.voices[2], map[string]any{"claims": []map[string]any{{"id": claim}}})
	b.becomes(later.ID, "disputed")
}

func TestHistoryMovesWithAController(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], nil)
	human, agent, key := b.Party(store.Verification{Vouched: true})
	other, _, _ := b.Party(store.Verification{Vouched: true})
	b.report([]voice{{agent, b.Client(key)}}, item.ID, "success")
	second, err := b.Store.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: "mover", Controller: other})
	require.NoError(t, err)
	mover := voice{second.ID, b.Client(b.KeyOf(second.ID, "read", "usage"))}
	b.report([]voice{mover}, item.ID, "success")
	b.Settled()
	require.Equal(t, 2, b.published(item.ID).Trust.Confirmations, "two parties")

	move := func(to store.ID) {
		t.Helper()
		require.NoError(t, b.jobs.SetController(t.Context(), b.Store, mover.id, to))
	}
	move(human)
	b.Eventually("both are one party", func() bool { return b.published(item.ID).Trust.Confirmations == 1 })
	b.Settled()
	b.equalsReference(t, parse(t, item.RevisionID))
	move(other)
	b.Eventually("they are two again", func() bool { return b.published(item.ID).Trust.Confirmations == 2 })
	b.Settled()
	b.equalsReference(t, parse(t, item.RevisionID))

	// Who comes under the author's controller confirms the author's work no longer.
	author, err := b.Store.Actor(t.Context(), b.voices[0].id)
	require.NoError(t, err)
	move(author.Root)
	b.Eventually("the author's own party does not count", func() bool { return b.published(item.ID).Trust.Confirmations == 1 })
}

func TestAMoveThatIsRefusedWakesNobody(t *testing.T) {
	t.Parallel()
	b := setup(t, stack.WithoutWorkers())
	err := b.jobs.SetController(t.Context(), b.Store, b.voices[0].id, b.voices[1].id)
	require.ErrorIs(t, err, store.ErrControllerRule)
	var jobs int
	require.NoError(t, b.Store.Pool().QueryRow(t.Context(),
		`select count(*) from river.river_job where kind = 'reassign_controller'`).Scan(&jobs))
	require.Zero(t, jobs)
}

func TestAWakeUpThatWasLostIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], nil)
	b.report(b.parties(1), item.ID, "success")
	b.Settled()
	target := parse(t, item.RevisionID)
	require.NoError(t, b.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Rewake(t.Context(), []store.ID{target}) // the job is forgotten
		return err
	}))
	exec(b, `update target_heads set queued = false where target_id = $1`, target.UUID)
	b.settle([]store.ID{target})
}

func TestAWaitingStatusIsPublishedWhenItsTimeIsUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], nil)
	b.report(b.parties(4), item.ID, "success")
	b.Settled()
	out := b.published(item.ID)
	require.Equal(t, "unverified", out.Status)
	require.Equal(t, "supported", out.PendingStatus)
	exec(b, `update trust_snapshots set pending_since = pending_since - interval '61 minutes'`)
	b.sweep()
	out = b.becomes(item.ID, "supported")
	require.Empty(t, out.PendingStatus)
	require.Contains(t, out.StatusHistory[0].Reason, "has held")
}

func TestFiftyAgentsOfOneControllerAreOneParty(t *testing.T) {
	t.Parallel()
	b := setup(t)
	crowded, alone := b.publish(b.voices[0], nil), b.publish(b.voices[0], nil)
	human, _, _ := b.Party(store.Verification{Vouched: true})
	var first voice
	for i := range 50 {
		agent, err := b.Store.CreateActor(t.Context(), store.NewActor{Kind: store.KindAgent, Name: "agent " + string(rune('a'+i%26)) + string(rune('a'+i/26)), Controller: human})
		require.NoError(t, err)
		v := voice{agent.ID, b.Client(b.KeyOf(agent.ID, "read", "usage"))}
		if i == 0 {
			first = v
		}
		b.report([]voice{v}, crowded.ID, "success")
	}
	for range 50 {
		b.report([]voice{first}, alone.ID, "success")
	}
	b.Settled()
	many, one := b.published(crowded.ID).Trust, b.published(alone.ID).Trust
	require.Equal(t, 1, many.Confirmations)
	require.Equal(t, 1, many.RealWorld)
	require.InDelta(t, one.Value, many.Value, 0, "fifty agents are worth what one agent is that says it fifty times")
	require.Less(t, many.Value, .7444, "and that is less than a whole party")
}

func TestASnapshotOfNothingSaysNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	item := b.publish(b.voices[0], nil)
	second := b.publish(b.voices[0], map[string]any{"revision_of": item.ID})
	b.Eventually("the second revision was computed", func() bool {
		var n int
		err := b.Store.Pool().QueryRow(context.WithoutCancel(t.Context()),
			`select count(*) from trust_snapshots where target_id = $1`, parse(t, second.RevisionID).UUID).Scan(&n)
		return err == nil && n == 1
	})
	out := b.published(item.ID)
	require.InDelta(t, .5, out.Trust.Value, 0)
	require.Equal(t, "unverified", out.Status)
}
