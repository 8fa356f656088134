package evidence

import (
	"context"
	"encoding/json"
	"fmt"

	"interai/jobs"
	"interai/store"
	"interai/trustmodel"
)

const statusActive = "active"

func trustRef(t store.Trust) *TrustRef {
	ref := &TrustRef{
		Value: t.Value, LowerBound: t.Lower, UpperBound: t.Upper,
		Confirmations: t.Confirmations, Contradictions: t.Contradictions, RealWorld: t.RealWorldConfirmations,
		ModelVersion: t.Model, Pending: t.LastSeq - t.Applied, Stale: t.Stale,
	}
	if t.ComputedAt != nil {
		ref.AsOf = &AsOf{Time: *t.ComputedAt, AppliedSeq: t.Applied}
	}
	return ref
}

func summary(t store.Trust) *RecordCounts {
	count := func(kind store.EvidenceKind, value string) int64 { return t.Counts[store.CountKey(kind, value)] }
	usage := func(value string) int64 { return count(store.EvidenceUsage, value) }
	review := func(value string) int64 { return count(store.EvidenceReview, value) }
	return &RecordCounts{
		Usage: UsageCounts{
			Success: usage("success"), Partial: usage("partial"), Failure: usage("failure"), Unknown: usage("unknown"),
		},
		Reviews: ReviewCounts{
			Confirmed: review("confirmed"), MostlyCorrect: review("mostly_correct"), Questionable: review("questionable"),
			Misleading: review("misleading"), Contradicted: review("contradicted"), False: review("false"),
			Outdated: review("outdated"), CannotVerify: review("cannot_verify"),
		},
		Ratings: count(store.EvidenceRating, ""), Retracted: t.Counts[store.RetractedKey], Parties: t.Parties,
	}
}

// shownParties is how many parties an explanation lists; the others are summed up.
const shownParties = 20

// explain reads what the stored trust of a target is made of, on the snapshot of the database that shows it. Nothing is
// computed that is not stored: the same statistics are added up once more, party by party.
func explain(ctx context.Context, v *store.Snapshot, target store.ID) (*Explanation, error) {
	row, err := v.ActiveModel(ctx)
	if err != nil {
		return nil, err
	}
	folds, err := v.Stored(ctx, row.ID, []store.ID{target})
	if err != nil {
		return nil, err
	}
	var made *trustmodel.Explanation
	epoch := row.Epoch
	if len(folds) == 1 {
		made, err = jobs.Explain(ctx, v, &row, folds[0], shownParties)
		epoch = folds[0].Published[row.ID].Epoch
	} else {
		made, err = jobs.ExplainPrior(&row, target)
	}
	if err != nil {
		return nil, err
	}
	details, err := json.Marshal(made)
	if err != nil {
		return nil, fmt.Errorf("encode the explanation: %w", err)
	}
	return &Explanation{
		ModelVersion: row.Name, ParamsHash: row.ParamsHash, Epoch: epoch, Markdown: made.Markdown(), Details: details,
	}, nil
}

// evidenceRef shows a record; applied is the last number that the target's trust includes.
func evidenceRef(r store.Record, applied int64) RecordRef {
	ref := RecordRef{
		ID: r.PublicID.String(), Kind: string(r.Kind), Target: r.Target.String(), Actor: r.Actor.String(), Root: r.Root.String(),
		RecordedAt: r.RecordedAt, Status: statusActive, IncludedInTrust: r.Seq <= applied,
		UsageType: r.UsageType, Result: r.Result, Verdict: r.Verdict, Dimension: r.Dimension, Confidence: r.Confidence,
		BasedOnUsage: r.BasedOn.String(), Experience: r.Experience.String(), Context: r.Context, Metrics: r.Metrics,
		Sources: sourceRefs(r.Sources),
	}
	switch r.Kind {
	case store.EvidenceUsage:
		ref.RealWorldUse, ref.Note = &r.RealWorld, r.Note
	case store.EvidenceRating:
		ref.Score, ref.Rationale = &r.Score, r.Note
	case store.EvidenceReview:
		ref.Rationale = r.Note
	case store.EvidenceAssertion, store.EvidenceRetraction:
	}
	if r.RetractedAt != nil {
		ref.Status, ref.IncludedInTrust = statusRetracted, r.RetractedSeq <= applied
	}
	return ref
}
