package jobs

import (
	"fmt"
	"maps"

	"interai/store"
	"interai/trustmodel"
)

// compute folds a target's new evidence under one model version. It is a pure function of what was read.
func compute(model *trustmodel.Model, state store.FoldState, fold *store.Fold) store.Computed {
	stats := newStatistics(model, state.Model, fold)
	applied := state.Applied
	counts := map[string]int64{}
	maps.Copy(counts, fold.Published[state.Model].Counts)
	for i := range fold.Rows {
		row := &fold.Rows[i]
		if row.Seq <= state.Applied {
			continue
		}
		applied = row.Seq
		count(counts, row)
		if row.Kind != store.EvidenceRating {
			stats.fold(row)
		}
	}
	asOf := trustmodel.BinOf(fold.Now)
	out := store.Computed{
		Model: state.Model, Target: fold.Target, Applied: applied, AsOfBin: asOf,
		Stats: stats.changedRows(), Counts: counts,
		Snapshot: model.Compute(trustmodel.Input{
			Kind: TargetKind(fold.Target.Kind), AsOfBin: asOf, Parties: stats.parties(fold),
		}),
	}
	out.Transition = transition(fold, state.Model, out.Snapshot)
	return out
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

// transition is the change of status that a snapshot brings, nil when there is none. A target starts unverified.
func transition(fold *store.Fold, model int16, snapshot trustmodel.Snapshot) *store.Transition {
	published := fold.Published[model]
	from := published.Status
	if from == "" {
		from = trustmodel.Unverified.String()
	}
	to := snapshot.RawStatus.String()
	if from == to {
		return nil
	}
	return &store.Transition{
		No: published.Transitions + 1, From: from, To: to,
		Reason: fmt.Sprintf("value %.3f in [%.3f, %.3f]; %d confirmations, %d contradictions, %d in real use",
			snapshot.Value, snapshot.Lower, snapshot.Upper,
			snapshot.Confirmations, snapshot.Contradictions, snapshot.RealWorldConfirmations),
	}
}
