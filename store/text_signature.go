package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// TextSignature is the MinHash signature of an object's text with the bands under which others like it are found. A
// short text has no signature, and the digest of what it says as its only band.
type TextSignature struct {
	Object    ID
	Signature []byte
	Bands     []int64
}

// LikeText is a text that shares a band with another.
type LikeText struct {
	Object    ID
	Author    ID
	Root      ID
	Signature []byte
	// Item is the item of a revision.
	Item ID
}

// maxLikeTexts bounds the texts that are compared with one: those that were there first.
const maxLikeTexts = 50

const selectLike = `
	select s.object_kind, s.object_id, a.kind, a.id, r.kind, r.id, s.signature,
	       coalesce(v.content_id, '00000000-0000-0000-0000-000000000000')
	from (select distinct b.object_id
	      from unnest($1::bigint[]) with ordinality as q (hash, ord) join text_bands b on b.band = q.ord - 1 and b.hash = q.hash
	      where b.object_id <> $2 and b.object_id < $2 order by b.object_id limit $3) l
	join text_signatures s on s.object_id = l.object_id and s.object_kind = $4
	left join revisions v on v.id = s.object_id and s.object_kind = 'rev'
	left join evidence e on e.id = s.object_id and s.object_kind <> 'rev'
	join actors a on a.id = coalesce(v.author_id, e.actor_id) join actors r on r.id = a.root_controller_id
	order by s.object_id`

// LikeTexts lists older texts of the same kind that share a band, oldest first.
func (s *Store) LikeTexts(ctx context.Context, t *TextSignature) ([]LikeText, error) {
	rows, err := s.pool.Query(ctx, selectLike, t.Bands, t.Object.UUID, maxLikeTexts, t.Object.Kind)
	if err != nil {
		return nil, fmt.Errorf("find texts like %s: %w", t.Object, classify(err))
	}
	out, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (LikeText, error) {
		l := LikeText{Item: ID{Kind: KindContent}}
		err := row.Scan(&l.Object.Kind, &l.Object.UUID, &l.Author.Kind, &l.Author.UUID, &l.Root.Kind, &l.Root.UUID, &l.Signature, &l.Item.UUID)
		if l.Item.UUID == uuid.Nil {
			l.Item = ID{}
		}
		return l, err
	})
	if err != nil {
		return nil, fmt.Errorf("find texts like %s: %w", t.Object, classify(err))
	}
	return out, nil
}

// PutTextSignature stores the signature of an object's text.
func (t *Tx) PutTextSignature(ctx context.Context, s *TextSignature) error {
	var p pipeline
	p.exec(`delete from text_signatures where object_id = $1`, s.Object.UUID)
	p.exec(`insert into text_signatures (object_id, object_kind, signature) values ($1, $2, $3)`, s.Object.UUID, s.Object.Kind, notNil(s.Signature))
	p.exec(`
		insert into text_bands (band, hash, object_id)
		select ord - 1, hash, $1 from unnest($2::bigint[]) with ordinality as q (hash, ord)`, s.Object.UUID, s.Bands)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("store the signature of %s: %w", s.Object, err)
	}
	return nil
}
