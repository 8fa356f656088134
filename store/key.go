package store

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Key is one API key as the database keeps it: never the key itself, only its SHA-256.
type Key struct {
	ID          string
	Hash        [32]byte
	Actor       ID
	Name        string
	Scopes      []string
	AllowedFrom []netip.Prefix
	CreatedAt   time.Time
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	LastUsedAt  *time.Time
}

// ErrTooManyKeys says that an actor has two live keys already, as many as a rotation needs.
var ErrTooManyKeys = errors.New("an actor has at most two live keys: revoke one first")

// maxLiveKeys lets a new key be handed out before the old one is revoked (ANTIABUSE section 6).
const maxLiveKeys = 2

const countLiveKeys = `
	select count(*) from api_keys
	where actor_id = $1 and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`

const insertKey = `
	insert into api_keys (id, hash, actor_id, name, scopes, allowed_from, created_by, expires_at)
	values ($1, $2, $3, $4, $5, $6, $7, $8)`

// CreateKey stores a key of an actor. createdBy is the zero ID for the command line.
func (s *Store) CreateKey(ctx context.Context, key Key, createdBy ID) error {
	err := s.Write(ctx, func(tx *Tx) error {
		// The actor's row is the lock under which its live keys are counted.
		var disabled bool
		if err := tx.tx.QueryRow(ctx, `select disabled_at is not null from actors where id = $1 and kind = $2 for update`,
			key.Actor.UUID, key.Actor.Kind).Scan(&disabled); err != nil {
			return fmt.Errorf("actor %s: %w", key.Actor, err)
		}
		if disabled {
			return fmt.Errorf("actor %s is disabled: %w", key.Actor, ErrNotFound)
		}
		var live int
		if err := tx.tx.QueryRow(ctx, countLiveKeys, key.Actor.UUID).Scan(&live); err != nil {
			return fmt.Errorf("count keys: %w", err)
		}
		if live >= maxLiveKeys {
			return ErrTooManyKeys
		}
		allowed := key.AllowedFrom
		if allowed == nil {
			allowed = []netip.Prefix{}
		}
		_, err := tx.tx.Exec(ctx, insertKey, key.ID, key.Hash[:], key.Actor.UUID, key.Name, key.Scopes, allowed,
			nullable(createdBy), key.ExpiresAt)
		return err
	})
	if err != nil {
		return fmt.Errorf("create key: %w", err)
	}
	return nil
}

// RevokeKey switches a key off for ever. Revoking it again changes nothing.
func (s *Store) RevokeKey(ctx context.Context, id string) error {
	return s.Write(ctx, func(tx *Tx) error {
		tag, err := tx.tx.Exec(ctx,
			`update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1`, id)
		if err == nil && tag.RowsAffected() == 0 {
			return fmt.Errorf("key %s: %w", id, ErrNotFound)
		}
		return err
	})
}

const selectKeys = `
	select k.id, k.hash, k.actor_id, a.kind as actor_kind, k.name, k.scopes, k.allowed_from, k.created_at,
	       k.expires_at, coalesce(k.revoked_at, a.disabled_at, r.disabled_at) as revoked_at, k.last_used_at
	from api_keys k
	join actors a on a.id = k.actor_id
	join actors r on r.id = a.root_controller_id`

type keyRow struct {
	ID          string
	Hash        []byte
	ActorID     uuid.UUID
	ActorKind   Kind
	Name        string
	Scopes      []string
	AllowedFrom []netip.Prefix
	CreatedAt   time.Time
	ExpiresAt   *time.Time
	RevokedAt   *time.Time
	LastUsedAt  *time.Time
}

func (r keyRow) key() Key {
	return Key{
		ID: r.ID, Hash: [32]byte(r.Hash), Actor: ID{Kind: r.ActorKind, UUID: r.ActorID}, Name: r.Name,
		Scopes: r.Scopes, AllowedFrom: r.AllowedFrom, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt,
		RevokedAt: r.RevokedAt, LastUsedAt: r.LastUsedAt,
	}
}

// Keys lists the keys of an actor, or of all actors for the zero ID, oldest first.
func (s *Store) Keys(ctx context.Context, actor ID) ([]Key, error) {
	var keys []Key
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, selectKeys+` where $1::uuid is null or k.actor_id = $1 order by k.created_at, k.id`,
			nullable(actor))
		if err != nil {
			return fmt.Errorf("list keys: %w", err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[keyRow])
		if err != nil {
			return fmt.Errorf("list keys: %w", err)
		}
		keys = make([]Key, len(found))
		for i, row := range found {
			keys[i] = row.key()
		}
		return nil
	})
	return keys, err
}

// Credential is a key with the actor it speaks for.
type Credential struct {
	Key   Key
	Actor Actor
}

// Credential reads a key by its public part, with its actor. RevokedAt is set also when the actor or its root
// controller is disabled.
func (s *Store) Credential(ctx context.Context, keyID string) (Credential, error) {
	var out Credential
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, selectKeys+` where k.id = $1`, keyID)
		if err != nil {
			return fmt.Errorf("read key: %w", err)
		}
		row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[keyRow])
		if err != nil {
			return fmt.Errorf("read key: %w", err)
		}
		out.Key = row.key()
		out.Actor, err = v.Actor(ctx, out.Key.Actor)
		return err
	})
	return out, err
}

// TouchKeys records when keys were last used, many at once.
func (s *Store) TouchKeys(ctx context.Context, used map[string]time.Time) error {
	ids := make([]string, 0, len(used))
	times := make([]time.Time, 0, len(used))
	for id, at := range used {
		ids = append(ids, id)
		times = append(times, at)
	}
	_, err := s.pool.Exec(ctx, `
		update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
		from unnest($1::text[], $2::timestamptz[]) as u (id, at) where k.id = u.id`, ids, times)
	return classify(err)
}

// credentialChannel is what the database notifies when a key or an actor is switched off.
const credentialChannel = "interai_keys"

// ListenCredentials calls changed once the subscription stands and at each change of a credential, until the
// connection or ctx ends. It takes one connection out of the pool for as long as it runs.
func (s *Store) ListenCredentials(ctx context.Context, changed func()) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return classify(err)
	}
	raw := conn.Hijack()
	defer func() { _ = raw.Close(context.WithoutCancel(ctx)) }()
	if _, err := raw.Exec(ctx, "listen "+credentialChannel); err != nil {
		return classify(err)
	}
	for {
		changed()
		if _, err := raw.WaitForNotification(ctx); err != nil {
			return classify(err)
		}
	}
}
