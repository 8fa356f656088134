package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// selectRecords reads evidence rows that have a public ID, each with its retraction.
const selectRecords = `
	select e.id, e.seq, e.kind, e.recorded_at, a.kind, a.id, r.kind, r.id, h.kind, h.target_id,
	       coalesce(e.usage_type, ''), coalesce(e.result, ''), coalesce(e.real_world, false), e.metrics, e.experience_id,
	       e.context, coalesce(e.context_key, ''), coalesce(e.verdict, ''), coalesce(e.dimension, ''), coalesce(e.score, 0),
	       e.confidence, e.based_on, coalesce(e.note, ''), t.recorded_at, coalesce(t.seq, 0)
	from evidence e
	join target_heads h on h.target_id = e.target_id
	join actors a on a.id = e.actor_id
	join actors r on r.id = a.root_controller_id
	left join evidence t on t.retracts = e.id
	where e.kind in ('usage', 'review', 'rating') and `

func scanRecord(row pgx.CollectableRow) (Record, error) {
	var out Record
	var experience, basedOn *uuid.UUID
	err := row.Scan(&out.ID, &out.Seq, &out.Kind, &out.RecordedAt, &out.Actor.Kind, &out.Actor.UUID, &out.Root.Kind,
		&out.Root.UUID, &out.Target.Kind, &out.Target.UUID, &out.UsageType, &out.Result, &out.RealWorld, &out.Metrics,
		&experience, &out.Context, &out.ContextKey, &out.Verdict, &out.Dimension, &out.Score, &out.Confidence, &basedOn,
		&out.Note, &out.RetractedAt, &out.RetractedSeq)
	out.PublicID = ID{Kind: out.Kind.IDKind(), UUID: out.ID}
	out.Experience, out.BasedOn = idOf(KindContent, experience), idOf(KindUsage, basedOn)
	out.Grounded = basedOn != nil
	return out, err
}

// Evidence lists up to limit records of a target with a number below before, newest first; before 0 means all.
func (v *Snapshot) Evidence(ctx context.Context, target ID, before int64, limit int) ([]Record, error) {
	rows, err := v.tx.Query(ctx, selectRecords+`e.target_id = $1 and ($2::bigint = 0 or e.seq < $2) order by e.seq desc limit $3`,
		target.UUID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	records, err := pgx.CollectRows(rows, scanRecord)
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	return records, nil
}

// Record reads one evidence record whose target the viewer may see.
func (v *Snapshot) Record(ctx context.Context, id, viewer ID) (Record, error) {
	rows, err := v.tx.Query(ctx, selectRecords+`e.id = $1`, id.UUID)
	if err != nil {
		return Record{}, fmt.Errorf("read evidence: %w", err)
	}
	record, err := pgx.CollectExactlyOneRow(rows, scanRecord)
	if err != nil {
		return Record{}, fmt.Errorf("read %s: %w", id, classify(err))
	}
	if record.PublicID.Kind != id.Kind {
		return Record{}, fmt.Errorf("read %s: %w", id, ErrNotFound)
	}
	seen, err := resolve(ctx, v.tx, []TargetQuery{{ID: record.Target, Viewer: viewer}})
	if err != nil {
		return Record{}, err
	}
	if seen[0].IsZero() {
		return Record{}, fmt.Errorf("read %s: %w", id, ErrNotFound)
	}
	return record, nil
}
