package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// IdempotencyKey names one write of one actor through one tool.
type IdempotencyKey struct {
	Actor ID
	Tool  string
	Key   string
}

// Claim ties a key to a request and to the answer that the write will give.
type Claim struct {
	IdempotencyKey
	Digest        [32]byte
	CorrelationID uuid.UUID
	Answer        json.RawMessage
}

// Replay is what an earlier write under the same key answered.
type Replay struct {
	Digest        [32]byte
	CorrelationID uuid.UUID
	Answer        json.RawMessage
}

const claimKey = `
	insert into idempotency_keys (actor_id, tool, key, request_digest, correlation_id, answer)
	values ($1, $2, $3, $4, $5, $6)
	on conflict do nothing`

// ClaimKey takes the key for this transaction; false means that another write has it. A write that holds the key
// and has not committed yet is waited for.
func (t *Tx) ClaimKey(ctx context.Context, claim Claim) (bool, error) {
	tag, err := t.tx.Exec(ctx, claimKey, claim.Actor.UUID, claim.Tool, claim.Key, claim.Digest[:],
		claim.CorrelationID, claim.Answer)
	if err != nil {
		return false, fmt.Errorf("claim idempotency key: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// SetAnswer replaces the answer of a key that this transaction has claimed.
func (t *Tx) SetAnswer(ctx context.Context, key IdempotencyKey, answer json.RawMessage) error {
	_, err := t.tx.Exec(ctx, `update idempotency_keys set answer = $4 where actor_id = $1 and tool = $2 and key = $3`,
		key.Actor.UUID, key.Tool, key.Key, answer)
	if err != nil {
		return fmt.Errorf("store the answer of an idempotency key: %w", err)
	}
	return nil
}

const selectReplay = `
	select request_digest, correlation_id, answer from idempotency_keys where actor_id = $1 and tool = $2 and key = $3`

func replay(ctx context.Context, on querier, key IdempotencyKey) (Replay, error) {
	var out Replay
	var digest []byte
	err := on.QueryRow(ctx, selectReplay, key.Actor.UUID, key.Tool, key.Key).Scan(&digest, &out.CorrelationID, &out.Answer)
	if err != nil {
		return Replay{}, fmt.Errorf("read idempotency key: %w", classify(err))
	}
	out.Digest = [32]byte(digest)
	return out, nil
}

// Replay reads what the committed write under key answered.
func (t *Tx) Replay(ctx context.Context, key IdempotencyKey) (Replay, error) {
	return replay(ctx, t.tx, key)
}

// Replay reads what the committed write under key answered; ErrNotFound when there is none.
func (s *Store) Replay(ctx context.Context, key IdempotencyKey) (Replay, error) {
	var out Replay
	err := s.retry(ctx, func() (err error) {
		out, err = replay(ctx, s.pool, key)
		return err
	})
	return out, err
}

// ResolveOutcome finds out whether a write whose COMMIT got no answer is durable: it competes for the same key,
// which waits for the old transaction if the server still works on it. The answer is final.
func (s *Store) ResolveOutcome(ctx context.Context, claim Claim) (Replay, bool, error) {
	var out Replay
	var committed bool
	err := s.Discard(ctx, func(tx *Tx) error {
		taken, err := tx.ClaimKey(ctx, claim)
		if err != nil || taken {
			return err
		}
		committed = true
		out, err = tx.Replay(ctx, claim.IdempotencyKey)
		return err
	})
	if err != nil {
		return Replay{}, false, fmt.Errorf("resolve the outcome: %w", err)
	}
	return out, committed, nil
}

// DropKeysBefore forgets keys older than moment, at most limit of them, and answers how many.
func (s *Store) DropKeysBefore(ctx context.Context, moment time.Time, limit int) (int64, error) {
	tag, err := s.pool.Exec(ctx, `
		delete from idempotency_keys where ctid = any (array(
			select ctid from idempotency_keys where created_at < $1 limit $2))`, moment, limit)
	if err != nil {
		return 0, fmt.Errorf("drop old idempotency keys: %w", classify(err))
	}
	return tag.RowsAffected(), nil
}

// replays reads many keys at once, in the order asked; a missing one has a zero digest.
func replays(ctx context.Context, on querier, keys []IdempotencyKey) ([]Replay, error) {
	actors := make([]uuid.UUID, len(keys))
	tools := make([]string, len(keys))
	names := make([]string, len(keys))
	for i, key := range keys {
		actors[i], tools[i], names[i] = key.Actor.UUID, key.Tool, key.Key
	}
	rows, err := on.Query(ctx, `
		select r.ord::int, k.request_digest, k.correlation_id, k.answer
		from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as r (actor_id, tool, key, ord)
		join idempotency_keys k using (actor_id, tool, key)`, actors, tools, names)
	if err != nil {
		return nil, fmt.Errorf("read idempotency keys: %w", err)
	}
	out := make([]Replay, len(keys))
	var ord int
	var digest []byte
	var found Replay
	_, err = pgx.ForEachRow(rows, []any{&ord, &digest, &found.CorrelationID, &found.Answer}, func() error {
		found.Digest = [32]byte(digest)
		found.Answer = append(json.RawMessage(nil), found.Answer...)
		out[ord-1] = found
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read idempotency keys: %w", err)
	}
	return out, nil
}
