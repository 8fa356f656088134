package ops

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// maxSummaryBytes bounds an audit summary (DECISIONS 16).
const maxSummaryBytes = 500

// Auditor records calls which no write transaction has audited itself: reads and
// refused calls. Audit may block while its buffer is full; it never drops an
// entry, so it must go on even when ctx is already cancelled.
type Auditor interface {
	Audit(ctx context.Context, entry Entry)
}

// Entry is the audit row of one call.
type Entry struct {
	// CorrelationID is the row's key (UUIDv7).
	CorrelationID uuid.UUID
	// Operation is the name that was called, registered or not.
	Operation string
	// Effect is the operation's effect, "" when the name is not registered.
	Effect Effect
	// Caller is nil for an unauthenticated call.
	Caller *Caller
	// Meta is what the adapter knew.
	Meta Meta
	// IdempotencyKey is the effective key, "" when there was none.
	IdempotencyKey string
	// Request is the masked and bounded request; always valid JSON.
	Request json.RawMessage
	// Summary says what came out: status, IDs, counts; at most 500 bytes.
	Summary string
	// Code is "" on success.
	Code Code
	// Outcome is Details.Outcome: "unknown" marks a write to be looked into.
	Outcome string
	// StartedAt is the server's time of arrival.
	StartedAt time.Time
	// Duration is the time from arrival to the encoded answer.
	Duration time.Duration
}

// Entry returns the call's audit entry as far as it is known before the answer.
// A write handler completes it with its summary and stores it in its own
// transaction.
func (c *Call) Entry() Entry {
	return Entry{
		CorrelationID:  c.CorrelationID,
		Operation:      c.Operation,
		Caller:         c.Caller,
		Meta:           c.Meta,
		IdempotencyKey: c.IdempotencyKey,
		Request:        c.AuditRequest(),
		StartedAt:      c.StartedAt,
	}
}
