package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// TargetQuery asks which target of evidence an ID means for a viewer.
type TargetQuery struct {
	ID     ID
	Viewer ID
}

// A cnt_ means its current revision; everything else means itself. What the viewer may not see is absent.
const (
	resolveTargets = `select q.ord::int, ` + targetID + ` as target` + targetRows

	targetID   = `case q.kind when 'cnt' then c.current_revision_id else q.id end`
	targetRows = `
	from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as q (id, kind, viewer, ord)
	left join revisions v on q.kind = 'rev' and v.id = q.id
	left join contents c on c.id = case q.kind when 'cnt' then q.id when 'rev' then v.content_id end
	left join claims k on q.kind = 'clm' and k.id = q.id
	left join entities e on q.kind = 'ent' and e.id = q.id
	left join spaces u on u.id = coalesce(c.space_id, k.space_id, e.space_id)
	where (c.id is not null or k.id is not null or e.id is not null)
	  and (c.id is null or c.visibility = 'published' or c.author_id = q.viewer)
	  and space_visible(u.id, q.viewer)`
)

// ResolveTargets answers the target of each query in order: a rev_, clm_ or ent_, or the zero ID for what does not
// exist or is not visible.
func (t *Tx) ResolveTargets(ctx context.Context, queries []TargetQuery) ([]ID, error) {
	return resolve(ctx, t.tx, queries)
}

func resolve(ctx context.Context, on sender, queries []TargetQuery) ([]ID, error) {
	var p pipeline
	out := queueTargets(&p, queries)
	if err := p.send(ctx, on); err != nil {
		return nil, fmt.Errorf("resolve targets: %w", err)
	}
	return out, nil
}

// queueTargets adds the look-up of targets to a pipeline, which fills what this answers.
func queueTargets(p *pipeline, queries []TargetQuery) []ID {
	if len(queries) == 0 {
		return nil
	}
	ids := make([]uuid.UUID, len(queries))
	kinds := make([]string, len(queries))
	viewers := make([]uuid.UUID, len(queries))
	for i, query := range queries {
		ids[i], kinds[i], viewers[i] = query.ID.UUID, string(query.ID.Kind), query.Viewer.UUID
	}
	out := make([]ID, len(queries))
	scan(p, func(row pgx.CollectableRow) error {
		var ord int
		var target uuid.UUID
		if err := row.Scan(&ord, &target); err != nil {
			return err
		}
		out[ord-1] = ID{Kind: resolvedKind(queries[ord-1].ID.Kind), UUID: target}
		return nil
	}, resolveTargets, ids, kinds, viewers)
	return out
}

// resolvedKind is the kind of the target that an ID of a kind means.
func resolvedKind(kind Kind) Kind {
	if kind == KindContent {
		return KindRevision
	}
	return kind
}

const appliedSeq = `
	select coalesce((select s.applied_seq from target_states s join trust_models m on m.id = s.model_id
	                 where s.target_id = $1 and m.state = 'active'), 0)`

// AppliedSeq answers up to which number the active version's snapshot includes the target's evidence.
func (s *Store) AppliedSeq(ctx context.Context, target ID) (int64, error) {
	var seq int64
	if err := s.pool.QueryRow(ctx, appliedSeq, target.UUID).Scan(&seq); err != nil {
		return 0, fmt.Errorf("read the applied sequence: %w", classify(err))
	}
	return seq, nil
}

// RecordOwner says whose an evidence record is, and whether it is retracted.
type RecordOwner struct {
	Target       ID
	Actor        uuid.UUID
	Kind         EvidenceKind
	Seq          int64
	RetractedSeq int64
	// Seen says that the viewer may see it.
	Seen bool
}

const findRecords = `
	select q.ord::int, e.target_id, h.kind, e.actor_id, e.kind, e.seq, coalesce(r.seq, 0), target_visible(e.target_id, q.viewer)
	from unnest($1::uuid[], $2::uuid[]) with ordinality as q (id, viewer, ord)
	join evidence e on e.id = q.id
	join target_heads h on h.target_id = e.target_id
	left join evidence r on r.retracts = e.id`

// queueOwners adds the look-up of evidence records to a pipeline, which fills what this answers, in order; one that does
// not exist is the zero value.
func queueOwners(p *pipeline, queries []TargetQuery) []RecordOwner {
	if len(queries) == 0 {
		return nil
	}
	ids, viewers := make([]uuid.UUID, len(queries)), make([]uuid.UUID, len(queries))
	for i, query := range queries {
		ids[i], viewers[i] = query.ID.UUID, query.Viewer.UUID
	}
	out := make([]RecordOwner, len(queries))
	scan(p, func(row pgx.CollectableRow) error {
		var ord int
		var found RecordOwner
		if err := row.Scan(&ord, &found.Target.UUID, &found.Target.Kind, &found.Actor, &found.Kind, &found.Seq,
			&found.RetractedSeq, &found.Seen); err != nil {
			return err
		}
		out[ord-1] = found
		return nil
	}, findRecords, ids, viewers)
	return out
}

// EvidencePosition answers the target of a record and its number there, or that of its retraction.
func (s *Store) EvidencePosition(ctx context.Context, record string, retraction bool) (ID, int64, error) {
	id, err := ParseID(record)
	if err != nil {
		return ID{}, 0, err
	}
	var p pipeline
	found := queueOwners(&p, []TargetQuery{{ID: id}})
	if err := p.send(ctx, s.pool); err != nil {
		return ID{}, 0, classify(fmt.Errorf("find an evidence record: %w", err))
	}
	if found[0].Target.IsZero() {
		return ID{}, 0, fmt.Errorf("record %s: %w", id, ErrNotFound)
	}
	if retraction {
		return found[0].Target, found[0].RetractedSeq, nil
	}
	return found[0].Target, found[0].Seq, nil
}
