package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Demonstration data: actors that the operator's own program makes in bulk. What they do afterwards goes the way
// of every other caller; only their making and their removal have statements of their own.

// demoBatch bounds the rows that one statement makes, so that no transaction of a demonstration is long.
const demoBatch = 500

// demoLockKey is the session advisory lock that a run or a removal of the demonstration holds.
const demoLockKey = 7306915206331990004

var (
	// ErrDemoBusy says that another process runs or removes the demonstration: it would revoke our keys.
	ErrDemoBusy = errors.New("another process runs or removes the demonstration")
	// ErrNotDemo says that an actor of a demo actor's natural identity exists and is a real one.
	ErrNotDemo = errors.New("a real actor has this name already")
)

// LockDemo makes this process the only one that runs or removes the demonstration, until release is called or the
// connection ends. It takes one connection out of the pool.
func (s *Store) LockDemo(ctx context.Context) (release func(), err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock the demonstration: %w", classify(err))
	}
	var taken bool
	if err := conn.QueryRow(ctx, `select pg_try_advisory_lock($1)`, int64(demoLockKey)).Scan(&taken); err != nil || !taken {
		conn.Release()
		if err != nil {
			return nil, fmt.Errorf("lock the demonstration: %w", classify(err))
		}
		return nil, ErrDemoBusy
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackWait)
		defer cancel()
		if _, err := conn.Exec(ctx, `select pg_advisory_unlock($1)`, int64(demoLockKey)); err != nil {
			// A connection that cannot say it gave the lock back must not go back to the pool with it.
			_ = conn.Conn().Close(ctx)
		}
		conn.Release()
	}, nil
}

const insertDemoActors = `
	insert into actors (id, kind, display_name, name_key, controller_id, root_controller_id, vouched, demo)
	select r.id, r.kind, r.name, r.name_key, r.controller, r.id, r.vouched, true
	from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::bool[])
	     as r (id, kind, name, name_key, controller, vouched)
	on conflict on constraint actors_natural_identity do nothing`

const findDemoActors = `
	select r.ord::int, a.id, a.demo
	from unnest($1::text[], $2::text[], $3::uuid[]) with ordinality as r (kind, name_key, controller, ord)
	join actors a on a.kind = r.kind and a.name_key = r.name_key and a.controller_id is not distinct from r.controller`

// EnsureDemoActors finds or makes demo actors by their natural identity and answers their IDs in order. Each spec's
// Kind, Name, Controller and Vouched are used. A real actor of the same identity is ErrNotDemo: it is never taken.
func (s *Store) EnsureDemoActors(ctx context.Context, specs []NewActor) ([]ID, error) {
	out := make([]ID, 0, len(specs))
	for start := 0; start < len(specs); start += demoBatch {
		batch := specs[start:min(start+demoBatch, len(specs))]
		ids, err := s.ensureDemoActors(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("make demo actors: %w", err)
		}
		out = append(out, ids...)
	}
	return out, nil
}

func (s *Store) ensureDemoActors(ctx context.Context, specs []NewActor) ([]ID, error) {
	ids, kinds := make([]uuid.UUID, len(specs)), make([]string, len(specs))
	names, keys := make([]string, len(specs)), make([]string, len(specs))
	controllers, vouched := make([]*uuid.UUID, len(specs)), make([]bool, len(specs))
	for i, spec := range specs {
		id, err := NewID(spec.Kind)
		if err != nil {
			return nil, err
		}
		ids[i], kinds[i], names[i], keys[i] = id.UUID, string(spec.Kind), spec.Name, NameKey(spec.Name)
		controllers[i], vouched[i] = nullable(spec.Controller), spec.Vouched
	}
	found := make([]ID, len(specs))
	err := s.Write(ctx, func(tx *Tx) error {
		if _, err := tx.tx.Exec(ctx, insertDemoActors, ids, kinds, names, keys, controllers, vouched); err != nil {
			return controllerRule(err, ID{})
		}
		rows, err := tx.tx.Query(ctx, findDemoActors, kinds, keys, controllers)
		if err != nil {
			return err
		}
		var ord int
		var id uuid.UUID
		var demo bool
		_, err = pgx.ForEachRow(rows, []any{&ord, &id, &demo}, func() error {
			if !demo {
				return fmt.Errorf("%q: %w", names[ord-1], ErrNotDemo)
			}
			found[ord-1] = ID{Kind: specs[ord-1].Kind, UUID: id}
			return nil
		})
		return err
	})
	return found, err
}

// Disabled demo actors and real ones get no key: the count of inserted rows tells.
const insertDemoKeys = `
	insert into api_keys (id, hash, actor_id, name, scopes, expires_at)
	select r.id, r.hash, r.actor, $4, $5, $6
	from unnest($1::text[], $2::bytea[], $3::uuid[]) as r (id, hash, actor)
	join actors a on a.id = r.actor and a.demo and a.disabled_at is null`

const revokeDemoKeys = `
	update api_keys k set revoked_at = clock_timestamp()
	from actors a
	where a.id = k.actor_id and a.demo and k.actor_id = any ($1) and k.revoked_at is null`

// A demonstration writes as fast as it can.
const liftDemoLimits = `
	insert into limits (scope, key, capacity)
	select distinct l.scope, case l.scope when 'actor' then a.id else a.root_controller_id end, $2::int
	from actors a join actors r on r.id = a.root_controller_id and r.demo
	cross join (values ('root'), ('actor'), ('claims')) as l (scope)
	where a.id = any ($1) and a.demo
	order by 1, 2
	on conflict (scope, key) do update set capacity = excluded.capacity`

// IssueDemoKeys gives each demo actor one new key, revokes those it had (nobody has kept their secrets), and lifts its
// limits. Of each
// key ID, Hash and Actor are used; name, scopes and the moment they expire are the same for all.
func (s *Store) IssueDemoKeys(ctx context.Context, keys []Key, name string, scopes []string, expires time.Time) error {
	for start := 0; start < len(keys); start += demoBatch {
		batch := keys[start:min(start+demoBatch, len(keys))]
		ids, hashes, actors := make([]string, len(batch)), make([][]byte, len(batch)), make([]uuid.UUID, len(batch))
		for i := range batch {
			ids[i], hashes[i], actors[i] = batch[i].ID, batch[i].Hash[:], batch[i].Actor.UUID
		}
		err := s.Write(ctx, func(tx *Tx) error {
			if _, err := tx.tx.Exec(ctx, revokeDemoKeys, actors); err != nil {
				return err
			}
			tag, err := tx.tx.Exec(ctx, insertDemoKeys, ids, hashes, actors, name, scopes, expires)
			if err == nil && tag.RowsAffected() != int64(len(batch)) {
				return fmt.Errorf("%d of %d actors are disabled or not demo actors: %w",
					int64(len(batch))-tag.RowsAffected(), len(batch), ErrNotFound)
			}
			if err != nil {
				return err
			}
			_, err = tx.tx.Exec(ctx, liftDemoLimits, actors, MaxCapacity)
			return err
		})
		if err != nil {
			return fmt.Errorf("issue demo keys: %w", err)
		}
	}
	return nil
}

const countLaggingAmong = `
	select count(*)
	from target_heads h
	left join target_states s on s.target_id = h.target_id
		and s.model_id = (select id from trust_models where state = 'active')
	where h.target_id = any ($1) and h.last_seq > coalesce(s.applied_seq, 0) and s.failed_at is null`

// LaggingAmong counts which of the targets have evidence that trust does not include yet. A cnt_ means its current
// revision. Targets whose computation was given up are not waited for.
func (s *Store) LaggingAmong(ctx context.Context, targets []ID) (int64, error) {
	var lagging int64
	err := s.Read(ctx, func(v *Snapshot) error {
		queries := make([]TargetQuery, len(targets))
		for i, target := range targets {
			queries[i] = TargetQuery{ID: target}
		}
		resolved, err := resolve(ctx, v.tx, queries)
		if err != nil {
			return err
		}
		return v.tx.QueryRow(ctx, countLaggingAmong, uuids(resolved)).Scan(&lagging)
	})
	if err != nil {
		return 0, fmt.Errorf("count lagging targets: %w", err)
	}
	return lagging, nil
}

// CountDemoActors counts the demo actors, of all kinds.
func (s *Store) CountDemoActors(ctx context.Context) (int64, error) {
	var n int64
	err := s.Read(ctx, func(v *Snapshot) error {
		return v.tx.QueryRow(ctx, `select count(*) from actors where demo`).Scan(&n)
	})
	if err != nil {
		return 0, fmt.Errorf("count demo actors: %w", err)
	}
	return n, nil
}

// removing is the announcement by which the database lets this transaction delete immutable rows.
const removing = `select set_config('interai.removing_demo', 'on', true)`

// demoAuthors is the condition that column names a demo actor.
func demoAuthors(column string) string {
	return strings.ReplaceAll(`exists (select from actors d where d.id = COLUMN and d.demo)`, "COLUMN", column)
}
