package jobs

import (
	"fmt"
	"maps"
	"time"

	"interai/store"
	"interai/trustmodel"
)

// compute folds a target's new evidence under one model version, record by record, so that the history of its status
// is the same however the evidence is batched. It is a pure function of what was read.
func compute(model *trustmodel.Model, state store.FoldState, fold *store.Fold, tracks *trackSet, runningFrom int) store.Computed {
	stats := newStatistics(model, state.Model, fold, tracks)
	published := fold.Published[state.Model]
	counts := map[string]int64{}
	maps.Copy(counts, published.Counts)
	out := store.Computed{
		Model: state.Model, Target: fold.Target, Applied: state.Applied, Wakes: fold.Wakes, Epoch: state.Epoch,
		AsOfBin: stats.asOf, Counts: counts,
	}
	carry, flags := inherited(model, state.Model, fold)
	record, fresh := newStanding(model, fold, state.Model), false
	for i := range fold.Rows {
		row := &fold.Rows[i]
		if row.Seq <= state.Applied {
			continue
		}
		out.Applied = row.Seq
		count(counts, row)
		if row.Kind == store.EvidenceRating {
			continue
		}
		stats.foldRow(row)
		out.Snapshot, fresh = stats.snapshot(carry, flags), true
		record.step(&out.Snapshot, row.At, true)
	}
	if !fresh {
		out.Snapshot = stats.snapshot(carry, flags)
	}
	record.step(&out.Snapshot, fold.Now, false)
	out.Stats, out.Standing, out.Transitions = stats.changedRows(), record.standing, record.transitions
	out.Running = stats.running(runningFrom)
	// Sums that are not kept up must go: advancing the state would make them look valid again.
	out.Forget = out.Running == nil && state.Kept
	out.Quiet = isQuiet(&published, &out)
	return out
}

// inherited is what a target's trust depends on beside its own evidence.
func inherited(model *trustmodel.Model, id int16, fold *store.Fold) (trustmodel.Carry, trustmodel.Flags) {
	var carry trustmodel.Carry
	if previous, ok := fold.Previous[id]; ok {
		carry = model.CarryFrom(&previous)
	}
	return carry, trustmodel.Flags{Superseded: !fold.Superseding[id].IsZero(), IncorrectClaim: !fold.Refuted[id].IsZero()}
}

// isQuiet reports whether there is nothing to write but how far the target was computed: a wake-up that finds neither
// new evidence nor another result.
func isQuiet(published *store.Published, out *store.Computed) bool {
	return published.Snapshot == out.Snapshot && published.Standing == out.Standing && published.AsOfBin == out.AsOfBin &&
		published.Epoch == out.Epoch && len(out.Stats) == 0 && len(out.Transitions) == 0 &&
		maps.Equal(published.Counts, out.Counts)
}

// standing follows the published status of a target through its evidence.
type standing struct {
	model       *trustmodel.Model
	fold        *store.Fold
	id          int16
	no          int
	standing    trustmodel.Standing
	transitions []store.Transition
}

// newStanding goes on from what is published; a target starts unverified.
func newStanding(model *trustmodel.Model, fold *store.Fold, id int16) *standing {
	published := fold.Published[id]
	return &standing{model: model, fold: fold, id: id, no: published.Transitions, standing: published.Standing}
}

func (s *standing) step(snapshot *trustmodel.Snapshot, at time.Time, record bool) {
	var changes []trustmodel.Change
	s.standing, changes = s.model.Step(s.standing, snapshot, at.UnixMicro(), record)
	for _, change := range changes {
		s.no++
		s.transitions = append(s.transitions, store.Transition{
			No: s.no, From: change.From.String(), To: change.To.String(), At: time.UnixMicro(change.At),
			Reason: s.reason(change, snapshot),
		})
	}
}

// reason says why a status changed, in one sentence.
func (s *standing) reason(change trustmodel.Change, snapshot *trustmodel.Snapshot) string {
	switch {
	case change.To == trustmodel.Superseded:
		return fmt.Sprintf("%s supersedes it, as content of the same party or of high confidence", s.fold.Superseding[s.id])
	case change.From == trustmodel.Superseded:
		return "nothing that is in effect supersedes it any more"
	case change.To == trustmodel.Disputed && snapshot.Flags.IncorrectClaim:
		return fmt.Sprintf("it states %s, which is incorrect", s.fold.Refuted[s.id])
	case change.To == trustmodel.Outdated && snapshot.OutdatedParties > snapshot.WindowConfirmations:
		return fmt.Sprintf("%d parties say that it is outdated, %d confirm it, both within the window",
			snapshot.OutdatedParties, snapshot.WindowConfirmations)
	case change.To == trustmodel.Outdated:
		return "it worked before and fails lately"
	}
	figures := fmt.Sprintf("value %.3f in [%.3f, %.3f]; %d confirmations, %d contradictions, %d in real use",
		snapshot.Value, snapshot.Lower, snapshot.Upper,
		snapshot.Confirmations, snapshot.Contradictions, snapshot.RealWorldConfirmations)
	if change.Held {
		return "has held: " + figures
	}
	return figures
}

// count enters one row into the counts of active records.
func count(counts map[string]int64, row *store.FoldRow) {
	key := store.CountKey(row.Kind, row.Value)
	if !row.Retraction {
		counts[key]++
		return
	}
	counts[key]--
	if counts[key] == 0 {
		delete(counts, key)
	}
	if row.Kind != store.EvidenceAssertion {
		counts[store.RetractedKey]++
	}
}

// TargetKind says which half-lives and status rules apply to a target.
func TargetKind(kind store.Kind) trustmodel.TargetKind {
	switch kind {
	case store.KindClaim:
		return trustmodel.KindClaim
	case store.KindEntity:
		return trustmodel.KindEntity
	default:
		return trustmodel.KindContent
	}
}
