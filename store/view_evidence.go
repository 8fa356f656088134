package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// withheld stands for a text that moderation holds back; its author still sees it.
const withheld = `'[withheld by moderation]'`

// selectRecords reads evidence rows that have a public ID, each with its retraction, for the viewer $1. The experience
// that a use belongs to may be in a space of its own, which not everybody sees who sees the target.
const selectRecords = `
	select e.id, e.seq, e.kind, e.recorded_at, a.kind, a.id, r.kind, r.id, h.kind, h.target_id,
	       coalesce(e.usage_type, ''), coalesce(e.result, ''), coalesce(e.real_world, false),
	       case when w.object_id is null or e.actor_id = $1 then e.metrics end,
	       (select x.id from contents x where x.id = e.experience_id
	        and (x.visibility = 'published' or x.author_id = $1) and space_visible(x.space_id, $1)),
	       case when w.object_id is null or e.actor_id = $1 then e.context end, coalesce(e.context_key, ''), coalesce(e.verdict, ''), coalesce(e.dimension, ''), coalesce(e.score, 0),
	       e.confidence, e.based_on, case when w.object_id is null or e.actor_id = $1 then coalesce(e.note, '') else ` + withheld + ` end, t.recorded_at, coalesce(t.seq, 0),
	       case when e.kind = 'review' then (
	           select jsonb_agg(jsonb_build_object('id', s.id, 'url', s.canonical_url, 'title', es.title, 'family', s.family)
	                            order by es.position)
	           from evidence_sources es join sources s on s.id = es.source_id where es.evidence_id = e.id) end
	from evidence e
	join target_heads h on h.target_id = e.target_id
	join actors a on a.id = e.actor_id
	join actors r on r.id = a.root_controller_id
	left join evidence t on t.retracts = e.id
	left join moderation_holds w on w.object_id = e.id
	where e.kind in ('usage', 'review', 'rating') and `

func scanRecord(row pgx.CollectableRow) (Record, error) {
	var out Record
	var experience, basedOn *uuid.UUID
	var sources []citedLine
	err := row.Scan(&out.ID, &out.Seq, &out.Kind, &out.RecordedAt, &out.Actor.Kind, &out.Actor.UUID, &out.Root.Kind,
		&out.Root.UUID, &out.Target.Kind, &out.Target.UUID, &out.UsageType, &out.Result, &out.RealWorld, &out.Metrics,
		&experience, &out.Context, &out.ContextKey, &out.Verdict, &out.Dimension, &out.Score, &out.Confidence, &basedOn,
		&out.Note, &out.RetractedAt, &out.RetractedSeq, &sources)
	out.PublicID = ID{Kind: out.Kind.IDKind(), UUID: out.ID}
	out.Experience, out.BasedOn = idOf(KindContent, experience), idOf(KindUsage, basedOn)
	out.Grounded = basedOn != nil
	for _, s := range sources {
		out.Sources = append(out.Sources, SourceLine{ID: ID{Kind: KindSource, UUID: s.ID}, URL: s.URL, Title: s.Title, Family: s.Family})
	}
	return out, err
}

// citedLine is a source of a review as JSON.
type citedLine struct {
	ID     uuid.UUID `json:"id"`
	URL    string    `json:"url"`
	Title  string    `json:"title"`
	Family string    `json:"family"`
}

// Evidence lists up to limit records of a target with a number below before, newest first; before 0 means all.
func (v *Snapshot) Evidence(ctx context.Context, target, viewer ID, before int64, limit int) ([]Record, error) {
	rows, err := v.tx.Query(ctx, selectRecords+`e.target_id = $2 and ($3::bigint = 0 or e.seq < $3) order by e.seq desc limit $4`,
		viewer.UUID, target.UUID, before, limit)
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
	rows, err := v.tx.Query(ctx, selectRecords+`e.id = $2`, viewer.UUID, id.UUID)
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
