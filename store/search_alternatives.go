package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// AlternativeTarget is an item or an entity that alternatives are wanted to.
type AlternativeTarget struct {
	// Target is what its ratings are about.
	Target         uuid.UUID
	Title, Summary string
	Tags           []string
	// Related are the objects that are stated to be alternatives, in either direction, or that are about the same.
	Related map[uuid.UUID]Related
}

// Related says how an object is related to another one.
type Related struct {
	Stated bool
	Reason string
}

const findAlternativeTarget = `
	select d.target_id, coalesce(v.title, e.name, ''), coalesce(v.summary, ''), d.tags
	from search_docs d
	left join contents c on d.kind = 'content' and c.id = d.object_id
	left join revisions v on v.id = c.current_revision_id
	left join entities e on d.kind = 'entity' and e.id = d.object_id
	where d.object_id = $1 and space_visible(d.space_id, $2) and (c.id is null or c.visibility = 'published' or c.author_id = $2)`

// maxRelated bounds what is looked at of each sort of relation.
const maxRelated = 200

// What says that it is an alternative, or is said to be one; the entities that such content is about; and what is about
// the same with two tags in common. Only current revisions speak, and only those that the viewer sees.
const findRelated = `
	with said as (
		select c.id as content, v.id as revision, rr.reason, true as stated
		from revision_relations rr join revisions v on v.id = rr.revision_id
		join contents c on c.current_revision_id = v.id
		where rr.type = 'alternative_to' and (rr.target_content_id = $1 or rr.target_entity_id = $1)
		  and c.visibility = 'published' and space_visible(c.space_id, $2)
		limit $3
	)
	select content, stated, coalesce(reason, '') from said
	union all
	select s.entity_id, true, coalesce(said.reason, '') from said join revision_subjects s on s.revision_id = said.revision
	where s.entity_id <> $1
	union all
	(select coalesce(rr.target_content_id, rr.target_entity_id), true, ''
	 from contents c join revision_relations rr on rr.revision_id = c.current_revision_id
	 where c.id = $1 and rr.type = 'alternative_to' limit $3)
	union all
	(select o.id, false, ''
	 from contents c join revisions v on v.id = c.current_revision_id
	 join revision_subjects s on s.revision_id = v.id
	 join revision_subjects t on t.entity_id = s.entity_id
	 join contents o on o.current_revision_id = t.revision_id and o.id <> c.id
	 join revisions w on w.id = o.current_revision_id
	 where c.id = $1 and o.type = c.type
	   and (select count(*) from unnest(v.tags) as tag where tag = any (w.tags)) >= 2
	   and o.visibility = 'published' and space_visible(o.space_id, $2)
	 limit $3)`

// AlternativeTarget reads an item or an entity that alternatives are wanted to. Errors: ErrNotFound.
func (v *Snapshot) AlternativeTarget(ctx context.Context, id, viewer ID) (AlternativeTarget, error) {
	out := AlternativeTarget{Related: map[uuid.UUID]Related{}}
	err := v.tx.QueryRow(ctx, findAlternativeTarget, id.UUID, viewer.UUID).Scan(&out.Target, &out.Title, &out.Summary, &out.Tags)
	if err != nil {
		return out, fmt.Errorf("read what alternatives are wanted to: %w", classify(err))
	}
	rows, err := v.tx.Query(ctx, findRelated, id.UUID, viewer.UUID, maxRelated)
	if err != nil {
		return out, fmt.Errorf("find alternatives: %w", err)
	}
	var object uuid.UUID
	var how Related
	if _, err := pgx.ForEachRow(rows, []any{&object, &how.Stated, &how.Reason}, func() error {
		if known, twice := out.Related[object]; !twice || how.Stated && (!known.Stated || known.Reason == "") {
			out.Related[object] = how
		}
		return nil
	}); err != nil {
		return out, fmt.Errorf("find alternatives: %w", err)
	}
	return out, nil
}

// DimensionScore is what the ratings of a target say in one dimension, over all contexts.
type DimensionScore struct {
	Score, Lower, Upper float64
	Raters              int
}

// DimensionScores reads the scores of targets in a dimension under the active version; unrated ones are absent.
func (v *Snapshot) DimensionScores(ctx context.Context, targets []uuid.UUID, dimension string) (map[uuid.UUID]DimensionScore, error) {
	rows, err := v.tx.Query(ctx, `
		select target_id, score, lower_bound, upper_bound, raters from rating_snapshots
		where target_id = any ($1) and dimension = $2 and context_key = ''
		  and model_id = `+activeModel, targets, dimension)
	if err != nil {
		return nil, fmt.Errorf("read scores: %w", err)
	}
	out := map[uuid.UUID]DimensionScore{}
	var target uuid.UUID
	var score DimensionScore
	if _, err := pgx.ForEachRow(rows, []any{&target, &score.Score, &score.Lower, &score.Upper, &score.Raters}, func() error {
		out[target] = score
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read scores: %w", err)
	}
	return out, nil
}
