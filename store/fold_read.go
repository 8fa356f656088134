package store

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/trustmodel"
)

// foldReader collects the rows of several queries by target.
type foldReader struct {
	folds map[uuid.UUID]*Fold
	live  map[uuid.UUID]int
	// hashes are of the constants of the live versions.
	hashes map[int16]string
}

func (r *foldReader) at(target uuid.UUID) *Fold {
	fold := r.folds[target]
	if fold == nil {
		fold = &Fold{
			Published: map[int16]Published{}, Previous: map[int16]trustmodel.Snapshot{},
			Superseding: map[int16]ID{}, Refuted: map[int16]ID{}, Running: map[int16]*Running{},
		}
		r.folds[target] = fold
	}
	return fold
}

func (r *foldReader) scanState(row pgx.CollectableRow) error {
	var target uuid.UUID
	var state FoldState
	var live int
	if err := row.Scan(&target, &state.Model, &state.Applied, &state.Wakes, &state.Epoch, &state.Kept, &live); err != nil {
		return err
	}
	fold := r.at(target)
	fold.States = append(fold.States, state)
	r.live[target] = live
	return nil
}

func (r *foldReader) scanHash(row pgx.CollectableRow) error {
	var model int16
	var hash string
	err := row.Scan(&model, &hash)
	r.hashes[model] = hash
	return err
}

func (r *foldReader) scanHead(row pgx.CollectableRow) error {
	var id ID
	var last, wakes int64
	var now time.Time
	var author *uuid.UUID
	var hasNext bool
	if err := row.Scan(&id.UUID, &id.Kind, &last, &wakes, &now, &author, &hasNext); err != nil {
		return err
	}
	fold := r.at(id.UUID)
	fold.Target, fold.LastSeq, fold.Wakes, fold.Now, fold.HasNext = id, last, wakes, now, hasNext
	if author != nil {
		fold.Author = *author
	}
	return nil
}

func (r *foldReader) scanRow(row pgx.CollectableRow) error {
	target, out, err := scanFoldRow(row)
	fold := r.at(target)
	fold.Rows = append(fold.Rows, out)
	return err
}

// scanFoldRow reads one row of evidence with the target that it is about.
func scanFoldRow(row pgx.CollectableRow) (target uuid.UUID, out FoldRow, err error) {
	var kind EvidenceKind
	var result, verdict string
	var confidence *float64
	m := &out.Member
	err = row.Scan(&target, &out.Seq, &kind, &out.Kind, &out.RecordedAt, &out.At, &result, &out.Record.RealWorld, &verdict,
		&confidence, &out.Record.Grounded, &out.Dimension, &out.Family, &m.Actor, &m.Root, &m.Identity.Email, &m.Identity.Domain, &m.Identity.Vouched)
	if err != nil {
		return target, out, err
	}
	out.Retraction = kind == EvidenceRetraction
	out.Value = result + verdict
	out.Record.ConfidenceMilli = trustmodel.MissingConfidence
	if confidence != nil {
		out.Record.ConfidenceMilli = int32(*confidence*1000 + 0.5)
	}
	switch out.Kind {
	case EvidenceUsage:
		out.Record.Kind = trustmodel.RecordUsage
		out.Record.Result, err = trustmodel.ParseResult(result)
	case EvidenceReview:
		out.Record.Kind = trustmodel.RecordReview
		out.Record.Verdict, err = trustmodel.ParseVerdict(verdict)
	case EvidenceAssertion:
		out.Record.Kind = trustmodel.RecordAssertion
	case EvidenceRating, EvidenceRetraction:
		// Ratings have a home of their own and never enter trust.
	}
	return target, out, err
}

func (r *foldReader) scanStat(row pgx.CollectableRow) error {
	target, out, err := scanStatRow(row)
	fold := r.at(target)
	fold.Stats = append(fold.Stats, out)
	return err
}

func (r *foldReader) scanRunning(row pgx.CollectableRow) error {
	var target uuid.UUID
	var model int16
	var running Running
	err := row.Scan(&target, &model, &running)
	r.at(target).Running[model] = &running
	return err
}

func (r *foldReader) scanPublished(row pgx.CollectableRow) error {
	var target uuid.UUID
	var out Published
	var status string
	var pending *string
	var since *time.Time
	st := &out.Standing
	err := row.Scan(&target, &out.Model, &status, &pending, &since, &st.Records, &out.AsOfBin, &out.Epoch, &out.Snapshot,
		&out.Counts, &out.Transitions)
	if err != nil {
		return err
	}
	if st.Status, err = trustmodel.ParseStatus(status); err != nil {
		return err
	}
	if pending != nil && since != nil {
		st.Waiting, st.Since = true, since.UnixMicro()
		if st.Pending, err = trustmodel.ParseStatus(*pending); err != nil {
			return err
		}
	}
	r.at(target).Published[out.Model] = out
	return nil
}

func (r *foldReader) scanPrevious(row pgx.CollectableRow) error {
	var target uuid.UUID
	var model int16
	var snapshot trustmodel.Snapshot
	err := row.Scan(&target, &model, &snapshot)
	r.at(target).Previous[model] = snapshot
	return err
}

func (r *foldReader) scanSuperseding(row pgx.CollectableRow) error {
	var target uuid.UUID
	var model int16
	by := ID{Kind: KindContent}
	err := row.Scan(&target, &model, &by.UUID)
	r.at(target).Superseding[model] = by
	return err
}

func (r *foldReader) scanRefuted(row pgx.CollectableRow) error {
	var target uuid.UUID
	var model int16
	claim := ID{Kind: KindClaim}
	err := row.Scan(&target, &model, &claim.UUID)
	r.at(target).Refuted[model] = claim
	return err
}
