package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// The kinds of objects that can be found.
const (
	FoundContent = "content"
	FoundClaim   = "claim"
	FoundEntity  = "entity"
)

// SearchDoc is what search knows of one object beside its trust: the current revision of an item, a claim, or an entity.
type SearchDoc struct {
	Kind   string
	Object ID
	// Target is what its trust is about: the revision of an item, else the object itself.
	Target   ID
	Type     string
	Space    ID
	Author   ID
	Language string
	Tags     []string
	// Facets are key=value, the situation that it is about.
	Facets []string
	// TitleKey is its normalised title or name; a question of just that is for this object.
	TitleKey string
	// Terms is a tsvector, Length its number of words, Analyzer the version that made it.
	Terms    string
	Length   int
	Analyzer int
}

// An object has one row, so a new revision takes the place of the one before.
const putSearchDoc = `
	insert into search_docs as d (kind, object_id, target_id, type, space_id, author_id, language, tags, facets, title_key,
	                         terms, length, analyzer, hidden)
	values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::tsvector, $12, $13,
	        coalesce((select visibility <> 'published' from contents where id = $2), false)
	        or exists (select from moderation_holds where object_id = $2))
	on conflict (object_id) do update set
		target_id = excluded.target_id, tags = excluded.tags, facets = excluded.facets, title_key = excluded.title_key,
		terms = excluded.terms, length = excluded.length, analyzer = excluded.analyzer, updated_at = clock_timestamp(),
		labels = case when d.target_id = excluded.target_id then d.labels else '{}' end`

func putDocs(p *pipeline, docs []SearchDoc) {
	for i := range docs {
		d := &docs[i]
		p.exec(putSearchDoc, d.Kind, d.Object.UUID, d.Target.UUID, d.Type, nullable(d.Space), nullable(d.Author),
			d.Language, notNil(d.Tags), notNil(d.Facets), d.TitleKey, d.Terms, d.Length, d.Analyzer)
	}
}

// notNil is a list that the database takes for an empty array and not for null.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// PutSearchDocs makes objects findable, or anew what they are found by.
func (t *Tx) PutSearchDocs(ctx context.Context, docs []SearchDoc) error {
	var p pipeline
	putDocs(&p, docs)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("store search documents: %w", err)
	}
	return nil
}

// Indexable is an object with the texts that it is found by.
type Indexable struct {
	SearchDoc

	Title, Summary, Body string
	Data, Experience     []byte
	Claims, Names        []string
}

const outdatedItems = `
	select 'content', c.id, 'cnt', v.id, 'rev', c.type, c.space_id, a.kind, a.id, c.language, v.tags, v.title, v.summary,
	       v.body_markdown, v.structured_data, v.experience,
	       array(select rc.wording from revision_claims rc where rc.revision_id = v.id order by rc.position),
	       array(select e.name from revision_subjects rs join entities e on e.id = rs.entity_id where rs.revision_id = v.id order by rs.position)
	from contents c join revisions v on v.id = c.current_revision_id join actors a on a.id = c.author_id
	left join search_docs d on d.object_id = c.id
	where (d.analyzer is null or d.analyzer < $1) and c.id > $2 order by c.id limit $3`

const outdatedClaims = `
	select 'claim', k.id, 'clm', k.id, 'clm', '', k.space_id, a.kind, a.id, k.language, '{}'::text[], k.text, '', '',
	       null::jsonb, null::jsonb, '{}'::text[],
	       array(select e.name from claim_subjects cs join entities e on e.id = cs.entity_id where cs.claim_id = k.id)
	from claims k join actors a on a.id = k.first_stated_by
	left join search_docs d on d.object_id = k.id
	where (d.analyzer is null or d.analyzer < $1) and k.id > $2 order by k.id limit $3`

const outdatedEntities = `
	select 'entity', e.id, 'ent', e.id, 'ent', e.type, e.space_id, a.kind, a.id, 'und', '{}'::text[], e.name, '', '',
	       null::jsonb, null::jsonb, '{}'::text[], '{}'::text[]
	from entities e join actors a on a.id = e.created_by
	left join search_docs d on d.object_id = e.id
	where (d.analyzer is null or d.analyzer < $1) and e.id > $2 order by e.id limit $3`

// Unindexed lists up to limit objects of a kind after the given one that an older analyzer has read, or none.
func (s *Store) Unindexed(ctx context.Context, kind string, analyzer int, after uuid.UUID, limit int) ([]Indexable, error) {
	sql := map[string]string{FoundContent: outdatedItems, FoundClaim: outdatedClaims, FoundEntity: outdatedEntities}[kind]
	rows, err := s.pool.Query(ctx, sql, analyzer, after, limit)
	if err != nil {
		return nil, fmt.Errorf("find what is not indexed: %w", classify(err))
	}
	found, err := pgx.CollectRows(rows, scanIndexable)
	if err != nil {
		return nil, fmt.Errorf("find what is not indexed: %w", classify(err))
	}
	return found, nil
}

func scanIndexable(row pgx.CollectableRow) (Indexable, error) {
	var out Indexable
	var space *uuid.UUID
	err := row.Scan(&out.Kind, &out.Object.UUID, &out.Object.Kind, &out.Target.UUID, &out.Target.Kind, &out.Type, &space,
		&out.Author.Kind, &out.Author.UUID, &out.Language, &out.Tags, &out.Title, &out.Summary, &out.Body,
		&out.Data, &out.Experience, &out.Claims, &out.Names)
	out.Space = idOf(KindSpace, space)
	return out, err
}

// OutdatedClaims lists up to limit claims after the given one whose keys are of older rules.
func (s *Store) OutdatedClaims(ctx context.Context, version int, after uuid.UUID, limit int) ([]ClaimKey, error) {
	rows, err := s.pool.Query(ctx, `
		select id, text, language from claims where key_version < $1 and id > $2 order by id limit $3`, version, after, limit)
	if err != nil {
		return nil, fmt.Errorf("find claims with older keys: %w", classify(err))
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (ClaimKey, error) {
		out := ClaimKey{ID: ID{Kind: KindClaim}}
		err := row.Scan(&out.ID.UUID, &out.Text, &out.Language)
		return out, err
	})
	if err != nil {
		return nil, fmt.Errorf("find claims with older keys: %w", classify(err))
	}
	return found, nil
}

// ClaimKey is a claim with the keys that it is found by.
type ClaimKey struct {
	ID             ID
	Text, Language string
	NormalForm     string
	Keys           ClaimKeys
	Version        int
}

// PutClaimKeys gives claims other keys.
func (t *Tx) PutClaimKeys(ctx context.Context, claims []ClaimKey) error {
	var p pipeline
	for i := range claims {
		c := &claims[i]
		p.exec(`update claims set normal_form = $2, key_version = $3, claim_key = $4, sequence_key = $5, rotation_key = $6 where id = $1`,
			c.ID.UUID, c.NormalForm, c.Version, c.Keys.Strict, c.Keys.Sequence, c.Keys.Rotation)
	}
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("store the keys of claims: %w", err)
	}
	return nil
}
