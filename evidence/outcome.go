package evidence

import (
	"context"
	"encoding/json"
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

// decodeReplay answers what the first write under a key answered, if it was the same request.
func decodeReplay[T any](call *Call, replay *store.Replay, requestDigest [32]byte) (*T, error) {
	if replay.Digest != requestDigest {
		return nil, idempotencyConflict()
	}
	if replay.CorrelationID == call.ID {
		// It was this very call: its audit row is in the transaction whose COMMIT got no answer.
		call.Committed()
	}
	out := new(T)
	if err := json.Unmarshal(replay.Answer, out); err != nil {
		return nil, fmt.Errorf("decode a stored answer: %w", err)
	}
	return out, nil
}
