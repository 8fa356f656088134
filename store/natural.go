package store

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// NewEntity names an entity by its natural identity.
type NewEntity struct {
	Type, Name, URL string
	Space           ID
}

// NewSource names a source by its canonical URL. By is who cites it, zero for the author of everything else.
type NewSource struct {
	URL, Family, Title string
	By                 ID
}

// Named is an object found or made by its natural identity.
type Named struct {
	ID     ID
	Made   bool
	Family string
}

const insertEntities = `
	insert into entities (id, type, name, name_key, space_id, url, created_by)
	select r.id, r.type, r.name, r.name_key, $5, nullif(r.url, ''), $6
	from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $7::text[]) as r (id, type, name, name_key, url)
	order by r.type, r.name_key
	on conflict on constraint entities_natural_identity do nothing`

const findNamedEntities = `
	select r.ord::int, e.id from unnest($1::text[], $2::text[]) with ordinality as r (type, name_key, ord)
	join entities e on e.type = r.type and e.name_key = r.name_key and e.space_id is not distinct from $3`

const insertSources = `
	insert into sources (id, canonical_url, url_digest, family, title, first_cited_by)
	select r.id, r.url, r.digest, coalesce(a.alias_of, r.family), r.title, r.by
	from unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::uuid[]) as r (id, url, digest, family, title, by)
	left join source_family_aliases a on a.family = r.family
	order by r.digest
	on conflict on constraint sources_natural_identity do nothing`

const findNamedSources = `
	select r.ord::int, s.id, s.family from unnest($1::bytea[]) with ordinality as r (digest, ord)
	join sources s on s.url_digest = r.digest`

// EnsureNamed finds entities and sources by their natural identity and makes those that are missing, in one round
// trip. Answers come in order. The find is a statement of its own: it sees what a transaction committed that the
// insert waited for.
func (t *Tx) EnsureNamed(ctx context.Context, author, space ID, entities []NewEntity, sources []NewSource) (found, cited []Named, err error) {
	var p pipeline
	found, cited = make([]Named, len(entities)), make([]Named, len(sources))
	if len(entities) > 0 {
		if err := queueEntities(&p, author, space, entities, found); err != nil {
			return nil, nil, err
		}
	}
	if len(sources) > 0 {
		if err := queueSources(&p, author, sources, cited); err != nil {
			return nil, nil, err
		}
	}
	if err := p.send(ctx, t.tx); err != nil {
		return nil, nil, fmt.Errorf("find or make entities and sources: %w", err)
	}
	return found, cited, nil
}

func queueEntities(p *pipeline, author, space ID, entities []NewEntity, out []Named) error {
	ids, made, err := freshIDs(KindEntity, len(entities))
	if err != nil {
		return err
	}
	types, names, keys, urls := make([]string, len(ids)), make([]string, len(ids)), make([]string, len(ids)), make([]string, len(ids))
	for i, e := range entities {
		types[i], names[i], keys[i], urls[i] = e.Type, e.Name, NameKey(e.Name), e.URL
	}
	p.exec(insertEntities, ids, types, names, keys, nullable(space), author.UUID, urls)
	var rows []struct{}
	queue(p, &rows, func(row pgx.CollectableRow) (struct{}, error) {
		var ord int
		var id uuid.UUID
		if err := row.Scan(&ord, &id); err != nil {
			return struct{}{}, err
		}
		out[ord-1] = Named{ID: ID{Kind: KindEntity, UUID: id}, Made: made[id]}
		return struct{}{}, nil
	}, findNamedEntities, types, keys, nullable(space))
	return nil
}

func queueSources(p *pipeline, author ID, sources []NewSource, out []Named) error {
	ids, made, err := freshIDs(KindSource, len(sources))
	if err != nil {
		return err
	}
	urls, families, titles := make([]string, len(ids)), make([]string, len(ids)), make([]string, len(ids))
	digests, by := make([][]byte, len(ids)), make([]uuid.UUID, len(ids))
	for i, s := range sources {
		sum := sha256.Sum256([]byte(s.URL))
		urls[i], families[i], titles[i], digests[i] = s.URL, s.Family, s.Title, sum[:]
		if by[i] = s.By.UUID; s.By.IsZero() {
			by[i] = author.UUID
		}
	}
	p.exec(insertSources, ids, urls, digests, families, titles, by)
	var rows []struct{}
	queue(p, &rows, func(row pgx.CollectableRow) (struct{}, error) {
		var ord int
		var id uuid.UUID
		var family string
		if err := row.Scan(&ord, &id, &family); err != nil {
			return struct{}{}, err
		}
		out[ord-1] = Named{ID: ID{Kind: KindSource, UUID: id}, Made: made[id], Family: family}
		return struct{}{}, nil
	}, findNamedSources, digests)
	return nil
}

func freshIDs(kind Kind, n int) ([]uuid.UUID, map[uuid.UUID]bool, error) {
	ids, made := make([]uuid.UUID, n), make(map[uuid.UUID]bool, n)
	for i := range ids {
		id, err := NewID(kind)
		if err != nil {
			return nil, nil, err
		}
		ids[i], made[id.UUID] = id.UUID, true
	}
	return ids, made, nil
}
