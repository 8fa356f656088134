package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// RelationLine is a relation seen from one of its ends.
type RelationLine struct {
	Type, Reason string
	Other        ID
	Title        string
	// InEffect tells of supersedes whether it replaces its target now, under the active version; nil for other types.
	InEffect *bool
}

// maxRelations bounds how many relations to an object are shown, the newest ones.
const maxRelations = 100

const (
	// heldHighConfidence is true of content whose snapshot p is of high confidence, or was when it was superseded itself.
	heldHighConfidence = `'high_confidence' = case when p.status <> 'superseded' then p.status else (
			select h.from_status from status_history h where h.target_id = p.target_id and h.model_id = p.model_id
			order by h.no desc limit 1) end`

	// supersedesInEffect says of the relation x, of the item s to the item t, what foldSuperseding finds for the workers.
	supersedesInEffect = `case when x.type = 'supersedes' then
		s.current_revision_id = x.revision_id and s.visibility = 'published' and (s.space_id is null or s.space_id = t.space_id)
		and ((select a.root_controller_id from actors a where a.id = s.author_id)
		     = (select a.root_controller_id from actors a where a.id = t.author_id)
		     or exists (
		         select from trust_snapshots p join trust_models m on m.id = p.model_id and m.state = 'active'
		         where p.target_id = x.revision_id and ` + heldHighConfidence + `)) end`

	selectOutgoing = `
		select x.type, coalesce(x.reason, ''), x.target_content_id, x.target_entity_id, coalesce(v.title, e.name, ''), ` + supersedesInEffect + `
		from revision_relations x
		join revisions sv on sv.id = x.revision_id
		join contents s on s.id = sv.content_id
		left join contents t on t.id = x.target_content_id
		left join revisions v on v.id = t.current_revision_id
		left join entities e on e.id = x.target_entity_id
		where x.revision_id = $1
		  and (t.id is null or t.visibility = 'published' or t.author_id = $2)
		  and space_visible(coalesce(t.space_id, e.space_id), $2)
		order by x.position`

	// Only what the current revision of the other item says is in force. Of each type the newest are looked for from the
	// end, until enough of them are visible: what is not takes the place of nothing.
	selectIncoming = `
		select found.type, found.reason, found.id, null::uuid, found.title, found.in_effect
		from unnest(array['corrects', 'alternative_to', 'known_issue_of', 'supersedes', 'derived_from']) as k (type)
		cross join lateral (
			select x.type, coalesce(x.reason, '') as reason, s.id, s.title, x.revision_id, ` + supersedesInEffect + ` as in_effect
			from (
				select x.revision_id, x.type, x.reason, x.target_content_id from revision_relations x where x.type = k.type and `
	endIncoming = ` = $1
				order by x.revision_id desc offset 0
			) as x
			cross join lateral (` + currentItem + `) as s
			left join contents t on t.id = x.target_content_id
			order by x.revision_id desc limit $3
		) as found
		order by found.revision_id desc, found.type limit $3`

	selectToContent = selectIncoming + `x.target_content_id` + endIncoming
	selectToEntity  = selectIncoming + `x.target_entity_id` + endIncoming

	// currentItem is the item of which x.revision_id is the current revision, if $2 may see it. With its limit, as with the
	// offset where relations and mentions are read, the planner has no choice but to go from what is asked for to what it
	// needs, by keys: it takes what everybody mentions for what is mentioned everywhere.
	currentItem = `
				select s.id, s.current_revision_id, s.visibility, s.space_id, s.author_id, v.title, v.experience
				from revisions v join contents s on s.id = v.content_id and s.current_revision_id = v.id
				where v.id = x.revision_id and (s.visibility = 'published' or s.author_id = $2) and space_visible(s.space_id, $2)
				limit 1`
)

// queueIncoming asks for one relation more than is shown, which tells whether there are others.
func queueIncoming(p *pipeline, out *[]RelationLine, target, viewer ID) {
	sql := selectToContent
	if target.Kind == KindEntity {
		sql = selectToEntity
	}
	queue(p, out, scanRelation, sql, target.UUID, viewer.UUID, maxRelations+1)
}

func cutRelations(lines []RelationLine) (shown []RelationLine, more bool) {
	if len(lines) > maxRelations {
		return lines[:maxRelations], true
	}
	return lines, false
}

// Incoming reads the newest relations of visible content to an item or an entity, and whether there are more.
func (v *Snapshot) Incoming(ctx context.Context, target, viewer ID) ([]RelationLine, bool, error) {
	var lines []RelationLine
	var p pipeline
	queueIncoming(&p, &lines, target, viewer)
	if err := p.send(ctx, v.tx); err != nil {
		return nil, false, fmt.Errorf("read relations: %w", err)
	}
	lines, more := cutRelations(lines)
	return lines, more, nil
}

func scanRelation(row pgx.CollectableRow) (RelationLine, error) {
	var out RelationLine
	var content, entity *uuid.UUID
	err := row.Scan(&out.Type, &out.Reason, &content, &entity, &out.Title, &out.InEffect)
	if out.Other = idOf(KindContent, content); entity != nil {
		out.Other = idOf(KindEntity, entity)
	}
	return out, err
}

// Rings says which of an item's new supersedes relations would close a ring.
type Rings struct {
	// Closing are indexes of the asked targets from which the item itself can be reached.
	Closing []int
	// TooLong says that the chains behind the targets are longer than anybody walks.
	TooLong bool
}

// Two revisions that would close a ring together cannot be published side by side. The lock is the last one that a
// publication takes before it writes, and only revisions that supersede something take it: nothing refers to a new item.
const lockRings = `select pg_advisory_xact_lock(7306915206331990006)`

// maxChain bounds the walk from item to item, over all targets together.
const maxChain = 10_000

// The chains of what is superseded by what is superseded, through current revisions only. Whoever writes an item decides
// what it supersedes, so that no stranger can make the chain behind a target long.
const findRings = `
	with recursive chain (origin, id) as (
		select r.ord::int - 1, r.id from unnest($2::uuid[]) with ordinality as r (id, ord)
		union
		select chain.origin, x.target_content_id
		from chain
		join contents c on c.id = chain.id and c.visibility <> 'removed'
		join revision_relations x on x.revision_id = c.current_revision_id and x.type = 'supersedes'
	), walked as materialized (
		select * from chain limit $3
	)
	select array(select distinct w.origin from walked w where w.id = $1 order by w.origin), (select count(*) from walked) >= $3`

func queueRings(p *pipeline, out *[]Rings, item uuid.UUID, targets []ID) {
	p.exec(lockRings)
	queue(p, out, func(row pgx.CollectableRow) (Rings, error) {
		var r Rings
		err := row.Scan(&r.Closing, &r.TooLong)
		return r, err
	}, findRings, item, uuids(targets), maxChain)
}
