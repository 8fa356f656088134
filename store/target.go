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
const resolveTargets = `
	select q.ord::int, case q.kind when 'cnt' then c.current_revision_id else q.id end as target
	from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as q (id, kind, viewer, ord)
	left join revisions v on q.kind = 'rev' and v.id = q.id
	left join contents c on c.id = case q.kind when 'cnt' then q.id when 'rev' then v.content_id end
	left join claims k on q.kind = 'clm' and k.id = q.id
	left join entities e on q.kind = 'ent' and e.id = q.id
	where (c.id is not null or k.id is not null or e.id is not null)
	  and (c.id is null or c.visibility = 'published' or c.author_id = q.viewer)
	  and space_visible(coalesce(c.space_id, k.space_id, e.space_id), q.viewer)`

// ResolveTargets answers the target of each query in order: a rev_, clm_ or ent_, or the zero ID for what does not
// exist or is not visible.
func (t *Tx) ResolveTargets(ctx context.Context, queries []TargetQuery) ([]ID, error) {
	return resolve(ctx, t.tx, queries)
}

func resolve(ctx context.Context, on querier, queries []TargetQuery) ([]ID, error) {
	if len(queries) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(queries))
	kinds := make([]string, len(queries))
	viewers := make([]uuid.UUID, len(queries))
	for i, query := range queries {
		ids[i], kinds[i], viewers[i] = query.ID.UUID, string(query.ID.Kind), query.Viewer.UUID
	}
	rows, err := on.Query(ctx, resolveTargets, ids, kinds, viewers)
	if err != nil {
		return nil, fmt.Errorf("resolve targets: %w", err)
	}
	out := make([]ID, len(queries))
	var ord int
	var target uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&ord, &target}, func() error {
		kind := queries[ord-1].ID.Kind
		if kind == KindContent {
			kind = KindRevision
		}
		out[ord-1] = ID{Kind: kind, UUID: target}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("resolve targets: %w", err)
	}
	return out, nil
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
}

const findRecords = `
	select q.ord::int, e.target_id, h.kind, e.actor_id, e.kind, e.seq, coalesce(r.seq, 0)
	from unnest($1::uuid[]) with ordinality as q (id, ord)
	join evidence e on e.id = q.id
	join target_heads h on h.target_id = e.target_id
	left join evidence r on r.retracts = e.id`

// FindRecords looks evidence records up, in order; one that does not exist is the zero value.
func (t *Tx) FindRecords(ctx context.Context, records []ID) ([]RecordOwner, error) {
	return findOwners(ctx, t.tx, records)
}

func findOwners(ctx context.Context, on querier, records []ID) ([]RecordOwner, error) {
	if len(records) == 0 {
		return nil, nil
	}
	rows, err := on.Query(ctx, findRecords, uuids(records))
	if err != nil {
		return nil, fmt.Errorf("find evidence records: %w", err)
	}
	out := make([]RecordOwner, len(records))
	var ord int
	var found RecordOwner
	_, err = pgx.ForEachRow(rows, []any{
		&ord, &found.Target.UUID, &found.Target.Kind, &found.Actor, &found.Kind, &found.Seq, &found.RetractedSeq,
	}, func() error {
		out[ord-1] = found
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find evidence records: %w", err)
	}
	return out, nil
}

// EvidencePosition answers the target of a record and its number there, or that of its retraction.
func (s *Store) EvidencePosition(ctx context.Context, record string, retraction bool) (ID, int64, error) {
	id, err := ParseID(record)
	if err != nil {
		return ID{}, 0, err
	}
	found, err := findOwners(ctx, s.pool, []ID{id})
	if err != nil {
		return ID{}, 0, classify(err)
	}
	if found[0].Target.IsZero() {
		return ID{}, 0, fmt.Errorf("record %s: %w", id, ErrNotFound)
	}
	if retraction {
		return found[0].Target, found[0].RetractedSeq, nil
	}
	return found[0].Target, found[0].Seq, nil
}
