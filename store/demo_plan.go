package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// DemoPlan is what the removal of the demonstration deletes: what demo actors made and no real content builds on.
// The rest of what they made is kept, and with it the actors that made it.
type DemoPlan struct {
	Contents, Claims, Entities, Sources []uuid.UUID
}

// A demo item stays when content of a real author relates to it, and so does every demo item that it relates to
// itself: relations belong to revisions, which never change.
const planContents = `
	with recursive made as (
		select c.id from contents c join actors d on d.id = c.author_id where d.demo
	), kept (id) as (
		select m.id
		from made m
		join revision_relations r on r.target_content_id = m.id
		join revisions v on v.id = r.revision_id
		join actors a on a.id = v.author_id
		where not a.demo
		union
		select m.id
		from kept k
		join revisions v on v.content_id = k.id
		join revision_relations r on r.revision_id = v.id
		join made m on m.id = r.target_content_id
	)
	select id from made where id not in (select id from kept) order by id`

const planClaims = `
	select k.id
	from claims k join actors d on d.id = k.first_stated_by
	where d.demo and not exists (
		select from revision_claims rc join revisions v on v.id = rc.revision_id
		where rc.claim_id = k.id and v.content_id <> all ($1::uuid[]))
	order by k.id`

const planEntities = `
	select e.id
	from entities e join actors d on d.id = e.created_by
	where d.demo
	  and not exists (
		select from revision_subjects rs join revisions v on v.id = rs.revision_id
		where rs.entity_id = e.id and v.content_id <> all ($1::uuid[]))
	  and not exists (
		select from revision_relations rr join revisions v on v.id = rr.revision_id
		where rr.target_entity_id = e.id and v.content_id <> all ($1::uuid[]))
	  and not exists (
		select from claim_subjects cs where cs.entity_id = e.id and cs.claim_id <> all ($2::uuid[]))
	order by e.id`

const planSources = `
	select s.id
	from sources s join actors d on d.id = s.first_cited_by
	where d.demo
	  and not exists (
		select from revision_sources rs join revisions v on v.id = rs.revision_id
		where rs.source_id = s.id and v.content_id <> all ($1::uuid[]))
	  and not exists (
		select from evidence_sources es
		join evidence ev on ev.id = es.evidence_id
		join actors a on a.id = ev.actor_id
		where es.source_id = s.id and not a.demo)
	order by s.id`

// PlanDemoRemoval reads on one snapshot what a removal would delete now.
func (s *Store) PlanDemoRemoval(ctx context.Context) (DemoPlan, error) {
	var plan DemoPlan
	err := s.Read(ctx, func(v *Snapshot) (err error) {
		read := func(sql string, args ...any) []uuid.UUID {
			if err != nil {
				return nil
			}
			var ids []uuid.UUID
			ids, err = collectUUIDs(ctx, v.tx, sql, args...)
			return ids
		}
		plan.Contents = read(planContents)
		plan.Claims = read(planClaims, plan.Contents)
		plan.Entities = read(planEntities, plan.Contents, plan.Claims)
		plan.Sources = read(planSources, plan.Contents)
		return err
	})
	if err != nil {
		return DemoPlan{}, fmt.Errorf("plan the removal of the demonstration: %w", err)
	}
	return plan, nil
}

// collectUUIDs reads a list of IDs; never nil, since a null array would make every condition on it null.
func collectUUIDs(ctx context.Context, on querier, sql string, args ...any) ([]uuid.UUID, error) {
	rows, err := on.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.AppendRows([]uuid.UUID{}, rows, pgx.RowTo[uuid.UUID])
}
