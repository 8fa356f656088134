package store

import (
	"context"
	"encoding/json"
	"fmt"

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
	// ClaimKeys are the keys of claims given by text; Language and KeyVersion are theirs.
	ClaimKeys  [][32]byte
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

// ClaimCandidate is a visible claim of an equal key.
type ClaimCandidate struct {
	ID       ID
	Key      [32]byte
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

// Claims are in the language of their item, which a revision need not repeat. Claims of one key are looked for and made under one lock, so that two publications at once make one claim.
const lockClaimKeys = `
	select pg_advisory_xact_lock(hashtextextended(encode(k, 'hex'), 7306915206331990003))
	from unnest($1::bytea[]) as u (k) order by k`

const findClaimCandidates = `
	select k.id, k.claim_key, k.space_id,
	       array(select entity_id from claim_subjects cs where cs.claim_id = k.id), k.first_stated_by
	from claims k
	where k.claim_key = any ($1) and k.key_version = $2 and space_visible(k.space_id, $4)
	  and k.language = coalesce((select c.language from contents c where c.id = $5), $3)
	order by k.id`

const findAssertions = `
	select e.target_id, e.id
	from revisions v
	join evidence e on e.stated_in = v.id
	where v.content_id = $1 and not exists (select from evidence r where r.retracts = e.id)
	order by e.target_id`

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
	keys := make([][]byte, len(q.ClaimKeys))
	for i := range q.ClaimKeys {
		keys[i] = q.ClaimKeys[i][:]
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
	if len(keys) > 0 {
		p.exec(lockClaimKeys, keys)
		queue(&p, &facts.Candidates, scanCandidate, findClaimCandidates, keys, q.KeyVersion, q.Language, author,
			nullable(q.Content))
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
		&item.Role, &item.Experience)
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
	var key []byte
	var space *uuid.UUID
	if err := row.Scan(&out.ID.UUID, &key, &space, &out.Subjects, &out.FirstBy); err != nil {
		return ClaimCandidate{}, err
	}
	out.Key, out.Space = [32]byte(key), idOf(KindSpace, space)
	return out, nil
}
