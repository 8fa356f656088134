package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// chargeTries bounds how often a charge that lost against another node looks again.
const chargeTries = 20

// chargeWrites takes one round trip and leaves no transaction open. It looks at the meters without locking anything,
// and charges only what seems to have room, so a denial writes nothing. Two nodes may both see the last room: the
// upsert looks again, at the newest row, and leaves out a row in which not all has room any more. The disk is not waited
// for: a crash makes the limits forget less than a second of charges.
//
// The actor's own row is charged only where its limit is below its party's: else it could never bind.
const chargeWrites = `
	with moment as materialized (
		select micros(clock_timestamp()) as now, set_config('synchronous_commit', 'off', true)
	), asked as (
		select a.ord, a.root, a.actor, m.now, coalesce(k.held, false) as replay, coalesce(r.tat, 0) as root_tat,
		       coalesce(r.bytes_tat, 0) as bytes_tat, coalesce(w.tat, 0) as actor_tat,
		       coalesce(j.blocked_until, 0) as blocked_until, coalesce(r.capacity, $6) as root_capacity,
		       coalesce(w.capacity, nullif($7::int, 0), r.capacity, $6) as actor_capacity,
		       (a.bytes * $8 + coalesce(r.capacity, $6) * $9::bigint - 1) / (coalesce(r.capacity, $6) * $9::bigint) as bytes
		from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[]) with ordinality
			as a (root, actor, tool, key, bytes, ord)
		cross join moment m
		left join lateral (select * from limits l where l.scope = 'root' and l.key = a.root offset 0) r on true
		left join lateral (select * from limits l where l.scope = 'actor' and l.key = a.actor offset 0) w on true
		left join lateral (select * from limits l where l.scope = 'rejections' and l.key = a.root offset 0) j on true
		left join lateral (select true as held from idempotency_keys i
			where i.actor_id = a.actor and i.tool = a.tool and i.key = a.key and a.key <> '' offset 0) k on true
	), open as (
		select *, row_number() over (partition by actor order by ord) as turn from asked
		where not replay and blocked_until <= now and bytes_tat < now + $8
	), roomy as (
		select *, row_number() over (partition by root order by ord) as place from open
		where actor_capacity >= root_capacity or turn <= limit_room(actor_tat, actor_capacity, $8, now)
	), passing as (
		select * from roomy where place <= limit_room(root_tat, root_capacity, $8, now)
	), wanted as (
		select 'root' as scope, root as key, now + count(*) * limit_emission(root_capacity, $8) as tat,
		       now + sum(bytes)::bigint as bytes_tat
		from passing group by root, now, root_capacity
		union all
		select 'actor', actor, now + count(*) * limit_emission(actor_capacity, $8), now
		from passing where actor_capacity < root_capacity group by actor, now, actor_capacity
	), charged as (
		insert into limits as l (scope, key, tat, bytes_tat) select * from wanted order by scope, key
		on conflict (scope, key) do update set
			tat = excluded.tat + greatest(0, l.tat - (select now from moment)),
			bytes_tat = excluded.bytes_tat + greatest(0, l.bytes_tat - (select now from moment))
		where excluded.tat + greatest(0, l.tat - (select now from moment)) <= (select now from moment)
			+ limit_reach(coalesce(l.capacity, case when l.scope = 'actor' then nullif($7::int, 0) end, $6), $8)
		returning scope, key
	)
	select a.ord::int, a.now, a.replay, a.root_tat, a.bytes_tat, a.actor_tat, a.blocked_until, a.root_capacity,
	       a.actor_capacity, a.bytes, p.ord is not null as passing,
	       exists (select from charged c where c.scope = 'root' and c.key = a.root) as root_charged,
	       exists (select from charged c where c.scope = 'actor' and c.key = a.actor) as actor_charged
	from asked a left join passing p using (ord) order by a.ord`

// chargedRow is what the statement says of one write.
type chargedRow struct {
	Ord           int
	Now           int64
	Replay        bool
	RootTAT       int64
	BytesTAT      int64
	ActorTAT      int64
	BlockedUntil  int64
	RootCapacity  int
	ActorCapacity int
	Bytes         int64
	Passing       bool
	RootCharged   bool
	ActorCharged  bool
}

// ownLimit says that the actor has a limit which can bind before its party's.
func (r *chargedRow) ownLimit() bool { return r.ActorCapacity < r.RootCapacity }

// complete says that all that the write needs was charged.
func (r *chargedRow) complete() bool { return r.RootCharged && (r.ActorCharged || !r.ownLimit()) }

// Charge charges writes in their order, or says which have to wait. Limits hold over any number of nodes.
func (s *Store) Charge(ctx context.Context, limits WriteLimits, writes []PendingWrite) ([]Charge, error) {
	out := make([]Charge, len(writes))
	at := make([]int, len(writes)) // of those that are still to be decided
	for i := range at {
		at[i] = i
	}
	for range chargeTries {
		rows, err := s.chargeOnce(ctx, limits, writes, at)
		if err != nil {
			return nil, fmt.Errorf("charge writes: %w", err)
		}
		if at, err = s.settleCharges(ctx, rows, writes, at, out); err != nil {
			return nil, fmt.Errorf("charge writes: %w", err)
		}
		if len(at) == 0 {
			return out, nil
		}
	}
	return nil, fmt.Errorf("charge writes: %w", ErrContended)
}

func (s *Store) chargeOnce(ctx context.Context, limits WriteLimits, writes []PendingWrite, at []int) ([]chargedRow, error) {
	n := len(at)
	roots, actors := make([]uuid.UUID, n), make([]uuid.UUID, n)
	tools, keys, bytes := make([]string, n), make([]string, n), make([]int64, n)
	for k, i := range at {
		w := &writes[i]
		roots[k], actors[k], tools[k], keys[k], bytes[k] = w.Root.UUID, w.Actor.UUID, w.Tool, w.Key, int64(w.Bytes)
	}
	var out []chargedRow
	err := s.on(ctx, func(conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, chargeWrites, roots, actors, tools, keys, bytes, limits.Root, limits.Actor,
			writeWindow.Microseconds(), bytesPerWrite)
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, pgx.RowToStructByPos[chargedRow])
		return err
	})
	return out, err
}

// settleCharges says what the statement has decided, and answers which writes lost against another node: they are tried
// again, after what they were charged in part has been given back.
func (s *Store) settleCharges(ctx context.Context, rows []chargedRow, writes []PendingWrite, at []int, out []Charge) (again []int, err error) {
	var back refunds
	rootTaken, actorTaken := map[uuid.UUID]int{}, map[uuid.UUID]int{}
	for k := range rows {
		row, write := &rows[k], &writes[at[k]]
		if !row.Passing {
			continue
		}
		cost, err := row.cost()
		if err != nil {
			return nil, err
		}
		if row.complete() {
			rootTaken[write.Root.UUID]++
			actorTaken[write.Actor.UUID]++
			out[at[k]] = cost
			continue
		}
		again = append(again, at[k])
		back.add(write, cost, row.RootCharged, row.ActorCharged)
	}
	for k := range rows {
		row, write := &rows[k], &writes[at[k]]
		switch {
		case row.Replay:
			out[at[k]] = Charge{Replay: true, at: row.Now}
		case !row.Passing:
			denied, err := row.denial(rootTaken[write.Root.UUID], actorTaken[write.Actor.UUID])
			if err != nil {
				return nil, err
			}
			out[at[k]] = Charge{Denied: denied, at: row.Now}
		}
	}
	return again, s.refund(ctx, back)
}

// cost is what the statement charges for the write.
func (r *chargedRow) cost() (Charge, error) {
	root, err := newMeter(r.RootCapacity, writeWindow, r.RootTAT, r.Now)
	if err != nil || !r.ownLimit() {
		return Charge{root: root.rate.Emission(), bytes: r.Bytes, at: r.Now}, err
	}
	actor, err := newMeter(r.ActorCapacity, writeWindow, r.ActorTAT, r.Now)
	return Charge{root: root.rate.Emission(), bytes: r.Bytes, actor: actor.rate.Emission(), at: r.Now}, err
}

// denial says why the write does not pass, after so many others of its party and its actor that did.
func (r *chargedRow) denial(rootTaken, actorTaken int) (*Denial, error) {
	if wait := until(r.BlockedUntil, r.Now); wait > 0 {
		return &Denial{Reason: DeniedRejections, Wait: wait}, nil
	}
	if wait := bytesWait(r.BytesTAT, r.Now); wait > 0 {
		return &Denial{Reason: DeniedBytes, Wait: wait}, nil
	}
	root, err := newMeter(r.RootCapacity, writeWindow, r.RootTAT, r.Now)
	if err != nil {
		return nil, err
	}
	actor, err := newMeter(r.ActorCapacity, writeWindow, r.ActorTAT, r.Now)
	if err != nil {
		return nil, err
	}
	party := &Denial{Reason: DeniedParty, Wait: root.after(rootTaken).wait()}
	if own := actor.after(actorTaken).wait(); r.ownLimit() && own > party.Wait {
		return &Denial{Reason: DeniedActor, Wait: own}, nil
	}
	return party, nil
}

// refunds are what is to be given back, row by row.
type refunds struct {
	scopes []string
	keys   []uuid.UUID
	tats   []int64
	bytes  []int64
}

func (f *refunds) add(w *PendingWrite, cost Charge, root, actor bool) {
	if root && cost.root > 0 {
		f.row(scopeRoot, w.Root.UUID, cost.root, cost.bytes)
	}
	if actor && cost.actor > 0 {
		f.row(scopeActor, w.Actor.UUID, cost.actor, 0)
	}
}

func (f *refunds) row(scope string, key uuid.UUID, tat, bytes int64) {
	f.scopes, f.keys = append(f.scopes, scope), append(f.keys, key)
	f.tats, f.bytes = append(f.tats, tat), append(f.bytes, bytes)
}

const refundWrites = `
	with relaxed as materialized (select set_config('synchronous_commit', 'off', true)), given as (
		select scope, key, sum(tat)::bigint as tat, sum(bytes)::bigint as bytes
		from relaxed, unnest($1::text[], $2::uuid[], $3::bigint[], $4::bigint[]) as r (scope, key, tat, bytes)
		group by scope, key
	), held as materialized (
		select l.scope, l.key from limits l join given g on g.scope = l.scope and g.key = l.key
		order by l.scope, l.key for update of l
	)
	update limits l set tat = l.tat - g.tat, bytes_tat = l.bytes_tat - g.bytes
	from held h join given g using (scope, key) where l.scope = h.scope and l.key = h.key`

func (s *Store) refund(ctx context.Context, back refunds) error {
	if len(back.keys) == 0 {
		return nil
	}
	if _, err := s.exec(ctx, refundWrites, back.scopes, back.keys, back.tats, back.bytes); err != nil {
		return fmt.Errorf("refund writes: %w", classify(err))
	}
	return nil
}

// Refund gives a charge back, because nothing came of the write.
func (s *Store) Refund(ctx context.Context, write PendingWrite, charge Charge) error {
	var back refunds
	back.add(&write, charge, true, true)
	return s.refund(ctx, back)
}
