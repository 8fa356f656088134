package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Limit is an actor's own limit, and what is used of it.
type Limit struct {
	Actor ID
	// Scope is root for what a party writes, actor for what one actor writes, and rejections, actors or claims.
	Scope string
	// Capacity is the operator's own limit for it, 0: the configured one.
	Capacity int
	// FullAt is when all of it is there again; BlockedUntil is set while a party may not write.
	FullAt       time.Time
	BlockedUntil *time.Time
}

// Limits lists the meters of an actor, or of all who may not write for now if it is the zero ID.
func (s *Store) Limits(ctx context.Context, actor ID) ([]Limit, error) {
	var out []Limit
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, `
			select l.scope, l.key, a.kind, coalesce(l.capacity, 0), to_timestamp(greatest(l.tat, l.bytes_tat) / 1e6),
			       case when l.blocked_until > micros(clock_timestamp()) then to_timestamp(l.blocked_until / 1e6) end
			from limits l join actors a on a.id = l.key
			where case when $1::uuid is null then l.blocked_until > micros(clock_timestamp()) else l.key = $1 end
			order by l.key, l.scope limit 1000`, nullable(actor))
		if err != nil {
			return fmt.Errorf("list limits: %w", err)
		}
		out, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (l Limit, err error) {
			err = row.Scan(&l.Scope, &l.Actor.UUID, &l.Actor.Kind, &l.Capacity, &l.FullAt, &l.BlockedUntil)
			return l, err
		})
		return err
	})
	return out, err
}

// OwnLimits are limits that an operator gives an actor; nil leaves one as it is, 0 takes it away again.
type OwnLimits struct {
	// Writes an hour: of the whole party for a root controller, else of the actor alone.
	Writes *int
	// Claims a day, of a root controller.
	Claims *int
}

const setLimit = `
	insert into limits as l (scope, key, capacity) values ($1, $2, nullif($3, 0))
	on conflict (scope, key) do update set capacity = excluded.capacity`

// SetLimits gives an actor limits of its own, from the next write on.
func (s *Store) SetLimits(ctx context.Context, actor ID, limits OwnLimits) error {
	return s.Write(ctx, func(tx *Tx) error { return tx.SetLimits(ctx, actor, limits) })
}

// SetLimits does the same inside a transaction.
func (t *Tx) SetLimits(ctx context.Context, actor ID, limits OwnLimits) error {
	var root bool
	err := t.tx.QueryRow(ctx, `select root_controller_id = id from actors where id = $1 and kind = $2`, actor.UUID, actor.Kind).Scan(&root)
	if err != nil {
		return fmt.Errorf("actor %s: %w", actor, err)
	}
	scope := scopeActor
	if root {
		scope = scopeRoot
	}
	if limits.Claims != nil && !root {
		return fmt.Errorf("claims are counted for root controllers, which %s is not: %w", actor, ErrControllerRule)
	}
	for scope, n := range map[string]*int{scope: limits.Writes, scopeClaims: limits.Claims} {
		if n == nil {
			continue
		}
		if _, err := t.tx.Exec(ctx, setLimit, scope, actor.UUID, *n); err != nil {
			return fmt.Errorf("set limit: %w", err)
		}
	}
	return nil
}

// mergeMeters carries what a party has used into the party under which one of its actors moves, so that moving makes
// nothing free.
const mergeMeters = `
	insert into limits as l (scope, key, tat, bytes_tat, blocked_until)
	select scope, $2, tat, bytes_tat, blocked_until from limits where key = $1 and scope <> 'actor' order by scope
	on conflict (scope, key) do update set tat = greatest(l.tat, excluded.tat),
		bytes_tat = greatest(l.bytes_tat, excluded.bytes_tat), blocked_until = greatest(l.blocked_until, excluded.blocked_until)`
