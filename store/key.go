package store

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/netip"
	"strings"
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
	// LastUsedFrom is the network of the last use, /24 or /48; nil when it is not known.
	LastUsedFrom *netip.Prefix
	// RevokedReason is why it was revoked, "" when nobody said.
	RevokedReason string
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
		if _, err := tx.tx.Exec(ctx, insertKey, key.ID, key.Hash[:], key.Actor.UUID, key.Name, key.Scopes, allowed,
			nullable(createdBy), key.ExpiresAt); err != nil {
			return err
		}
		return tx.recordEvent(ctx, "key create", key.Actor, map[string]string{"key": key.ID, "scopes": strings.Join(key.Scopes, ",")})
	})
	if err != nil {
		return fmt.Errorf("create key: %w", err)
	}
	return nil
}

// RevokedLeaked is the reason of a key that was found in content.
const RevokedLeaked = "found in content"

// RevokeKey switches a key off for ever, for a reason that may be empty. Revoking it again changes nothing.
func (s *Store) RevokeKey(ctx context.Context, id, reason string) error {
	return s.Write(ctx, func(tx *Tx) error {
		var actor ID
		var live bool
		err := tx.tx.QueryRow(ctx, `
			select k.actor_id, a.kind, k.revoked_at is null from api_keys k join actors a on a.id = k.actor_id
			where k.id = $1 for update of k`, id).Scan(&actor.UUID, &actor.Kind, &live)
		if err != nil {
			return fmt.Errorf("key %s: %w", id, classify(err))
		}
		if !live {
			return nil
		}
		return tx.revokeKey(ctx, id, actor, reason)
	})
}

func (t *Tx) revokeKey(ctx context.Context, id string, actor ID, reason string) error {
	_, err := t.tx.Exec(ctx, `update api_keys set revoked_at = clock_timestamp(), revoked_reason = $2 where id = $1`, id, reason)
	if err != nil {
		return fmt.Errorf("revoke key %s: %w", id, err)
	}
	return t.recordEvent(ctx, "key revoke", actor, map[string]string{"key": id, "reason": reason})
}

// RevokeLeaked revokes a key that was found in content, if it is live and its hash is that of the key found: its text is
// known to nobody but its holder, and now to whoever read the content. It answers whose key it was.
func (s *Store) RevokeLeaked(ctx context.Context, id string, hash [32]byte) (owner ID, revoked bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		owner, revoked = ID{}, false
		var held []byte
		var actor ID
		scanErr := tx.tx.QueryRow(ctx, `
			select k.hash, k.actor_id, a.kind from api_keys k join actors a on a.id = k.actor_id
			where k.id = $1 and k.revoked_at is null for update of k`, id).Scan(&held, &actor.UUID, &actor.Kind)
		if errors.Is(scanErr, pgx.ErrNoRows) {
			return nil
		}
		if scanErr != nil {
			return fmt.Errorf("look a leaked key up: %w", scanErr)
		}
		if subtle.ConstantTimeCompare(held, hash[:]) != 1 {
			return nil
		}
		owner, revoked = actor, true
		return tx.revokeKey(ctx, id, actor, RevokedLeaked)
	})
	if err != nil {
		return ID{}, false, err
	}
	return owner, revoked, nil
}

const selectKeys = `
	select k.id, k.hash, k.actor_id, a.kind as actor_kind, k.name, k.scopes, k.allowed_from, k.created_at,
	       k.expires_at, coalesce(k.revoked_at, actor_disabled_at(a.id)) as revoked_at, k.last_used_at, k.last_used_from,
	       k.revoked_reason
	from api_keys k
	join actors a on a.id = k.actor_id`

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

	LastUsedFrom  *netip.Prefix
	RevokedReason string
}

func (r keyRow) key() Key {
	return Key{
		ID: r.ID, Hash: [32]byte(r.Hash), Actor: ID{Kind: r.ActorKind, UUID: r.ActorID}, Name: r.Name,
		Scopes: r.Scopes, AllowedFrom: r.AllowedFrom, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt,
		RevokedAt: r.RevokedAt, LastUsedAt: r.LastUsedAt, LastUsedFrom: r.LastUsedFrom, RevokedReason: r.RevokedReason,
	}
}

// Keys lists the keys of an actor, or of all actors for the zero ID, oldest first.
func (s *Store) Keys(ctx context.Context, actor ID) ([]Key, error) {
	var keys []Key
	err := s.Read(ctx, func(v *Snapshot) (err error) {
		keys, err = v.Keys(ctx, actor)
		return err
	})
	return keys, err
}

// Keys lists the keys of an actor, or of all actors for the zero ID, oldest first.
func (v *Snapshot) Keys(ctx context.Context, actor ID) ([]Key, error) {
	where, args := ``, []any(nil)
	if !actor.IsZero() {
		where, args = ` where k.actor_id = $1`, []any{actor.UUID}
	}
	rows, err := v.tx.Query(ctx, selectKeys+where+` order by k.created_at, k.id`, args...)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[keyRow])
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	keys := make([]Key, len(found))
	for i, row := range found {
		keys[i] = row.key()
	}
	return keys, nil
}

// Credential is a key with the actor it speaks for.
type Credential struct {
	Key   Key
	Actor Actor
}

// Credential reads a key by its public part, with its actor. RevokedAt is set also when the actor or one that
// controls it is disabled.
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

// KeyUse says when a key was last used, and from which network; the zero Prefix when that is not known.
type KeyUse struct {
	At   time.Time
	From netip.Prefix
}

// TouchKeys records when keys were last used, many at once.
func (s *Store) TouchKeys(ctx context.Context, used map[string]KeyUse) error {
	ids := make([]string, 0, len(used))
	times := make([]time.Time, 0, len(used))
	networks := make([]*netip.Prefix, 0, len(used))
	for id, use := range used {
		ids, times = append(ids, id), append(times, use.At)
		var network *netip.Prefix
		if use.From.IsValid() {
			network = &use.From
		}
		networks = append(networks, network)
	}
	_, err := s.pool.Exec(ctx, `
		update api_keys k set last_used_at = greatest(k.last_used_at, u.at), last_used_from = coalesce(u.network, k.last_used_from)
		from unnest($1::text[], $2::timestamptz[], $3::cidr[]) as u (id, at, network) where k.id = u.id`, ids, times, networks)
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
