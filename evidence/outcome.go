package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"interai/store"
)

// resolveOutcome finds out what became of a write whose COMMIT got no answer: the stored answer if it is durable, else
// an error that says whether the call may be sent again.
func (s *Service) resolveOutcome(ctx context.Context, call *Call, claim store.Claim) (*store.Replay, error) {
	if call.Key == "" {
		return nil, outcomeUnknown()
	}
	replay, durable, err := s.db.ResolveOutcome(ctx, claim)
	if err != nil {
		s.logger.ErrorContext(ctx, "outcome of a write stays unknown", "correlation_id", call.ID, "error", err)
		return nil, outcomeOpen()
	}
	if !durable {
		return nil, unavailable()
	}
	return &replay, nil
}

// stored answers what the committed write under the call's key has stored; ErrNotReplayed when there is none.
func (s *Service) stored(ctx context.Context, call *Call) (*store.Replay, error) {
	replay, err := s.db.Replay(ctx, store.IdempotencyKey{Actor: call.Actor, Tool: call.Tool, Key: call.Key})
	if errors.Is(err, store.ErrNotFound) {
		return nil, ErrNotReplayed
	}
	if err != nil {
		return nil, readable(err)
	}
	return &replay, nil
}

// decodeReplay answers what the first write under a key answered, if it was the same request.
func decodeReplay[T any](call *Call, replay *store.Replay, requestDigest [32]byte) (*T, error) {
	if replay.Digest != requestDigest {
		return nil, idempotencyConflict()
	}
	if replay.CorrelationID == call.ID {
		// It was this very call: its audit row is in the transaction whose COMMIT got no answer.
		call.Committed()
	} else if call.Replayed != nil {
		call.Replayed()
	}
	out := new(T)
	if err := json.Unmarshal(replay.Answer, out); err != nil {
		return nil, fmt.Errorf("decode a stored answer: %w", err)
	}
	return out, nil
}

// errReplay ends a transaction that found its key taken.
var errReplay = errors.New("the idempotency key holds an answer")

// claimed runs a write under the call's idempotency key, or answers what the first write under it has stored.
func (s *Service) claimed(ctx context.Context, call *Call, claim *store.Claim, work func(*store.Tx) error) (*store.Replay, error) {
	var replay *store.Replay
	err := s.patiently(ctx, func(tx *store.Tx) error {
		replay = nil
		if call.Key != "" {
			taken, err := tx.ClaimKey(ctx, *claim)
			if err != nil {
				return err
			}
			if !taken {
				held, err := tx.Replay(ctx, claim.IdempotencyKey)
				replay = &held
				return errors.Join(errReplay, err)
			}
		}
		return work(tx)
	})
	switch {
	case errors.Is(err, store.ErrOutcomeUnknown):
		return s.resolveOutcome(ctx, call, *claim)
	case replay != nil && errors.Is(err, errReplay) && replay.Answer != nil:
		return replay, nil
	case err != nil:
		return nil, readable(err)
	}
	call.Committed()
	return nil, nil //nolint:nilnil // written, and nothing of an earlier write to answer
}
