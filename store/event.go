package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// operatorAdapter is the way in of what operators and the service itself do to identities.
const operatorAdapter = "operator"

// recordEvent leaves an audit row of what was done to an actor's identity, in the same transaction.
func (t *Tx) recordEvent(ctx context.Context, what string, actor ID, details map[string]string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make an audit row: %w", err)
	}
	request, err := json.Marshal(details)
	if err != nil {
		return fmt.Errorf("encode an audit row: %w", err)
	}
	return t.RecordCall(ctx, Call{
		ID: id, Actor: actor, Tool: what, Adapter: operatorAdapter, Request: request, Result: "ok", StartedAt: time.Now(),
	})
}
