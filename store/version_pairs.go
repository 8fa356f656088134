package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Figures are what one version publishes about a target.
type Figures struct {
	Value, Lower, Upper float64
	Confirmations       int
	Contradictions      int
	RealWorld           int
	Status              string
}

// Pair is a target of which two versions have a snapshot.
type Pair struct {
	Target ID
	A, B   Figures
}

const selectPairs = `
	select h.target_id, h.kind,
	       a.value, a.lower_bound, a.upper_bound, a.independent_confirmations, a.contradictions, a.real_world_confirmations, a.status,
	       b.value, b.lower_bound, b.upper_bound, b.independent_confirmations, b.contradictions, b.real_world_confirmations, b.status
	from target_heads h
	join trust_snapshots a on a.target_id = h.target_id and a.model_id = $1
	join trust_snapshots b on b.target_id = h.target_id and b.model_id = $2
	where h.target_id > $3
	order by h.target_id
	limit $4`

// Pairs lists up to limit targets behind the given one that both versions have computed, in the order of their IDs.
// Both snapshots of a target are of one moment; those of different pages need not be.
func (s *Store) Pairs(ctx context.Context, a, b int16, after uuid.UUID, limit int) ([]Pair, error) {
	var pairs []Pair
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, selectPairs, a, b, after, limit)
		if err != nil {
			return err
		}
		pairs, err = pgx.CollectRows(rows, scanPair)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the snapshots of two trust models: %w", err)
	}
	return pairs, nil
}

func scanPair(row pgx.CollectableRow) (Pair, error) {
	var p Pair
	a, b := &p.A, &p.B
	err := row.Scan(&p.Target.UUID, &p.Target.Kind,
		&a.Value, &a.Lower, &a.Upper, &a.Confirmations, &a.Contradictions, &a.RealWorld, &a.Status,
		&b.Value, &b.Lower, &b.Upper, &b.Confirmations, &b.Contradictions, &b.RealWorld, &b.Status)
	return p, err
}

// PairInputs are the sums behind both snapshots of a target, and its title.
type PairInputs struct {
	// Title is "" for what the public may not see.
	Title string
	A, B  json.RawMessage
}

// Nobody in particular looks at the report of a comparison: what is not public has no title.
const selectPairInputs = `
	select t.id, a.inputs, b.inputs,
	       case when (c.id is null or c.visibility = 'published')
	             and space_visible(coalesce(c.space_id, k.space_id, e.space_id), '00000000-0000-0000-0000-000000000000')
	            then coalesce(v.title, w.title, k.text, e.name, '') else '' end
	from unnest($3::uuid[]) as t (id)
	join trust_snapshots a on a.target_id = t.id and a.model_id = $1
	join trust_snapshots b on b.target_id = t.id and b.model_id = $2
	left join revisions v on v.id = t.id
	left join contents c on c.id = coalesce(v.content_id, t.id)
	left join revisions w on w.id = c.current_revision_id
	left join claims k on k.id = t.id
	left join entities e on e.id = t.id`

// PairInputs reads what is behind the snapshots of some targets.
func (s *Store) PairInputs(ctx context.Context, a, b int16, targets []ID) (map[uuid.UUID]PairInputs, error) {
	out := map[uuid.UUID]PairInputs{}
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, selectPairInputs, a, b, uuids(targets))
		if err != nil {
			return err
		}
		var id uuid.UUID
		var inputs PairInputs
		_, err = pgx.ForEachRow(rows, []any{&id, &inputs.A, &inputs.B, &inputs.Title}, func() error {
			// The driver reuses what it scans into.
			out[id] = PairInputs{Title: inputs.Title, A: append(json.RawMessage(nil), inputs.A...), B: append(json.RawMessage(nil), inputs.B...)}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the inputs of two trust models: %w", err)
	}
	return out, nil
}

// CurrentRevisions answers which revision each of the items shows now; an item that does not exist is absent.
func (s *Store) CurrentRevisions(ctx context.Context, items []ID) (map[ID]ID, error) {
	rows, err := s.pool.Query(ctx, `select id, current_revision_id from contents where id = any ($1)`, uuids(items))
	if err != nil {
		return nil, fmt.Errorf("read current revisions: %w", classify(err))
	}
	out := make(map[ID]ID, len(items))
	var item, revision uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&item, &revision}, func() error {
		out[ID{Kind: KindContent, UUID: item}] = ID{Kind: KindRevision, UUID: revision}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read current revisions: %w", classify(err))
	}
	return out, nil
}
