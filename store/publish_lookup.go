package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// PublishQuery asks everything that a publication depends on.
type PublishQuery struct {
	Author    ID
	Content   ID // the item to revise; zero for a new one
	Space     ID // zero for the public space
	Subjects  []ID
	Sources   []ID
	Claims    []ID
	Relations []ID
	// Supersedes are those of them that a revision of Content says it replaces.
	Supersedes []ID
	// Used are what an experience says was used.
	Used []ID
	// ClaimKeys are those of claims given by text; Language and KeyVersion are theirs.
	ClaimKeys  []ClaimKeys
	Language   string
	KeyVersion int
}

// Item is the content item that a revision extends, locked until the transaction ends.
type Item struct {
	Author    ID
	Type      string
	Space     ID
	Thread    ID
	Language  string
	Revisions int
	// Held says that moderation holds the item back.
	Held bool
	// Role is the author's in the item's space; "writer" in the public one.
	Role string
	// Experience is what the current revision tells of one, nil for other content.
	Experience json.RawMessage
}

// Visible is an object that the author may refer to, and the space it lives in (zero: public).
type Visible struct {
	ID      ID
	Space   ID
	Private bool
	Thread  ID
	// Type is that of an item or an entity, and the family of a source.
	Type string
	Name string
	// FirstBy is who stated a claim first; the zero UUID for other kinds.
	FirstBy uuid.UUID
}

// ClaimKeys are what a claim is looked up by; nil for those that it does not have.
type ClaimKeys struct{ Strict, Sequence, Rotation []byte }

// ClaimCandidate is a visible claim that shares a key, the oldest first.
type ClaimCandidate struct {
	ID       ID
	Text     string
	Space    ID
	Subjects []uuid.UUID
	FirstBy  uuid.UUID
}

// Assertion is a claim that an item's revisions state, with the evidence row that says so.
type Assertion struct {
	Claim    ID
	Evidence uuid.UUID
}

// PublishFacts answer a PublishQuery.
type PublishFacts struct {
	// Item is nil when Content is zero, does not exist or is not visible.
	Item *Item
	// SpaceRole is the author's role in the space, "" when it is not visible.
	SpaceRole    string
	SpacePrivate bool
	Subjects     map[ID]Visible
	Sources      map[ID]Visible
	Claims       map[ID]Visible
	Relations    map[ID]Visible
	Candidates   []ClaimCandidate
	Assertions   []Assertion
	Rings        Rings
	// Used answers the query's list in its order.
	Used []UsedTarget
}

const lockItem = `
	select a.kind as author_kind, c.author_id, c.type, c.space_id, c.thread_id, c.language, c.revision_count,
	       c.visibility <> 'published' as held,
	       case when c.space_id is null then 'writer' else coalesce(
	           (select m.role from space_members m where m.space_id = c.space_id and m.actor_id = $2), 'reader') end,
	       (select v.experience from revisions v where v.id = c.current_revision_id)
	from contents c join actors a on a.id = c.author_id
	where c.id = $1 and c.visibility <> 'removed' and (c.visibility = 'published' or c.author_id = $2)
	  and space_visible(c.space_id, $2)
	for no key update of c`

const findSpace = `
	select s.visibility = 'private', coalesce((select role from space_members m where m.space_id = s.id and m.actor_id = $2), 'reader')
	from spaces s where s.id = $1 and space_visible(s.id, $2)`

const findEntities = `
	select e.id, e.space_id, coalesce(s.visibility = 'private', false), null::uuid, e.type, e.name, null::uuid
	from entities e left join spaces s on s.id = e.space_id
	where e.id = any ($1) and space_visible(e.space_id, $2)`

// A source has no space: it is visible to who may see what cites it, under the title given there.
const findSources = `
	select s.id, null::uuid, false, null::uuid, s.family, t.title, null::uuid
	from sources s cross join (values ($2::uuid)) as viewer (id) cross join lateral (` + sourceTitle + `) as t
	where s.id = any ($1)`

const findClaims = `
	select k.id, k.space_id, coalesce(s.visibility = 'private', false), null::uuid, '', k.text, k.first_stated_by
	from claims k left join spaces s on s.id = k.space_id
	where k.id = any ($1) and space_visible(k.space_id, $2)`

const findContents = `
	select c.id, c.space_id, coalesce(s.visibility = 'private', false), c.thread_id, c.type, '', null::uuid
	from contents c left join spaces s on s.id = c.space_id
	where c.id = any ($1) and (c.visibility = 'published' or c.author_id = $2) and space_visible(c.space_id, $2)`

// Claims of one key are looked for and made under one lock, so that two publications at once make one claim. The locks
// are taken in one order.
const lockClaimKeys = `
	select pg_advisory_xact_lock(h) from (
		select distinct hashtextextended(encode(k, 'hex'), 7306915206331990003) as h from unnest($1::bytea[]) as u (k)
		order by h) t`

// Claims about a subject of the publication come first, then those without any: of words that are said of very many
// subjects, no more than these can be what is meant.
const findClaimCandidates = `
	select id, text, space_id, subjects, first_stated_by from (
		select k.id, k.text, k.space_id, k.first_stated_by,
		       array(select entity_id from claim_subjects cs where cs.claim_id = k.id) as subjects,
		       case when exists (select from claim_subjects cs where cs.claim_id = k.id and cs.entity_id = any ($7)) then 0
		            when not exists (select from claim_subjects cs where cs.claim_id = k.id) then 1 else 2 end as nearness
		from claims k
		where (k.claim_key = any ($1) or k.sequence_key = any ($5) or k.rotation_key = any ($6))
		  and k.key_version = $2 and split_part(k.language, '-', 1) = split_part($3, '-', 1) and space_visible(k.space_id, $4)
		order by nearness, k.id limit ` + maxCandidates + `) k
	order by id`

// maxCandidates bounds the claims of equal keys that are looked at.
const maxCandidates = "500"

const findAssertions = `
	select e.target_id, e.id
	from revisions v
	join evidence e on e.stated_in = v.id
	where v.content_id = $1 and not exists (select from evidence r where r.retracts = e.id)
	order by e.target_id`

// ItemLanguage is the language of an item that a revision does not name; "" if there is no such item.
func (t *Tx) ItemLanguage(ctx context.Context, item ID) (string, error) {
	var language string
	err := t.tx.QueryRow(ctx, `select coalesce((select language from contents where id = $1), '')`, item.UUID).Scan(&language)
	if err != nil {
		return "", fmt.Errorf("read an item's language: %w", err)
	}
	return language, nil
}

// LookUpPublication reads all that a publication depends on in one round trip, taking the locks under which it
// stays true: the item's row and the keys of its claims.
func (t *Tx) LookUpPublication(ctx context.Context, q PublishQuery) (PublishFacts, error) {
	facts := PublishFacts{}
	var items []Item
	var spaces []spaceRole
	var subjects, sources, claims, contents, entities []Visible
	var assertions []Assertion
	var rings []Rings
	author := q.Author.UUID
	var strict, sequence, rotation [][]byte
	for _, keys := range q.ClaimKeys {
		strict = append(strict, keys.Strict)
		sequence = appendKey(sequence, keys.Sequence)
		rotation = appendKey(rotation, keys.Rotation)
	}
	relatedContents, relatedEntities := splitKinds(q.Relations)

	var p pipeline
	if !q.Content.IsZero() {
		queue(&p, &items, scanItem, lockItem, q.Content.UUID, author)
		queue(&p, &assertions, scanAssertion, findAssertions, q.Content.UUID)
	}
	if !q.Space.IsZero() {
		queue(&p, &spaces, pgx.RowToStructByPos[spaceRole], findSpace, q.Space.UUID, author)
	}
	lookUp(&p, &subjects, KindEntity, findEntities, q.Subjects, author)
	lookUp(&p, &sources, KindSource, findSources, q.Sources, author)
	lookUp(&p, &claims, KindClaim, findClaims, q.Claims, author)
	lookUp(&p, &contents, KindContent, findContents, relatedContents, author)
	lookUp(&p, &entities, KindEntity, findEntities, relatedEntities, author)
	facts.Used = queueUsed(&p, q.Used, author)
	if len(strict) > 0 {
		p.exec(lockClaimKeys, slices.Concat(strict, sequence, rotation))
		queue(&p, &facts.Candidates, scanCandidate, findClaimCandidates, strict, q.KeyVersion, q.Language, author,
			sequence, rotation, uuids(q.Subjects))
	}
	if !q.Content.IsZero() && len(q.Supersedes) > 0 {
		queueRings(&p, &rings, q.Content.UUID, q.Supersedes)
	}
	if err := p.send(ctx, t.tx); err != nil {
		return PublishFacts{}, fmt.Errorf("look a publication up: %w", err)
	}
	if len(rings) == 1 {
		facts.Rings = rings[0]
	}
	if len(items) == 1 {
		facts.Item = &items[0]
	}
	if len(spaces) == 1 {
		facts.SpacePrivate, facts.SpaceRole = spaces[0].Private, spaces[0].Role
	}
	facts.Subjects, facts.Sources, facts.Claims = byID(subjects), byID(sources), byID(claims)
	facts.Relations = byID(append(contents, entities...))
	facts.Assertions = assertions
	return facts, nil
}

func appendKey(keys [][]byte, key []byte) [][]byte {
	if key == nil {
		return keys
	}
	return append(keys, key)
}

type spaceRole struct {
	Private bool
	Role    string
}

func splitKinds(ids []ID) (contents, entities []ID) {
	for _, id := range ids {
		if id.Kind == KindEntity {
			entities = append(entities, id)
		} else {
			contents = append(contents, id)
		}
	}
	return contents, entities
}

func lookUp(p *pipeline, out *[]Visible, kind Kind, sql string, ids []ID, viewer uuid.UUID) {
	if len(ids) == 0 {
		return
	}
	queue(p, out, func(row pgx.CollectableRow) (Visible, error) {
		found := Visible{ID: ID{Kind: kind}}
		var space, thread, firstBy *uuid.UUID
		err := row.Scan(&found.ID.UUID, &space, &found.Private, &thread, &found.Type, &found.Name, &firstBy)
		if firstBy != nil {
			found.FirstBy = *firstBy
		}
		found.Space, found.Thread = idOf(KindSpace, space), idOf(KindThread, thread)
		return found, err
	}, sql, uuids(ids), viewer)
}

func byID(found []Visible) map[ID]Visible {
	out := make(map[ID]Visible, len(found))
	for _, v := range found {
		out[v.ID] = v
	}
	return out
}

func scanItem(row pgx.CollectableRow) (Item, error) {
	var item Item
	var space *uuid.UUID
	item.Thread.Kind = KindThread
	err := row.Scan(&item.Author.Kind, &item.Author.UUID, &item.Type, &space, &item.Thread.UUID, &item.Language, &item.Revisions,
		&item.Held, &item.Role, &item.Experience)
	item.Space = idOf(KindSpace, space)
	return item, err
}

func scanAssertion(row pgx.CollectableRow) (Assertion, error) {
	out := Assertion{Claim: ID{Kind: KindClaim}}
	err := row.Scan(&out.Claim.UUID, &out.Evidence)
	return out, err
}

func scanCandidate(row pgx.CollectableRow) (ClaimCandidate, error) {
	out := ClaimCandidate{ID: ID{Kind: KindClaim}}
	var space *uuid.UUID
	err := row.Scan(&out.ID.UUID, &out.Text, &space, &out.Subjects, &out.FirstBy)
	out.Space = idOf(KindSpace, space)
	return out, err
}
