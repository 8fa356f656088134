// Package evidence owns the domain: what publishing, reporting, reading and identity mean, with the input and
// output of each operation and its rules. It knows no transport and writes no SQL.
//
// Start reading at [Service].
package evidence

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"interai/evidence/moderation"
	"interai/evidence/schemas"
	"interai/jobs"
	"interai/store"
)

// Service runs the operations. It is safe for concurrent use.
type Service struct {
	db         *store.Store
	jobs       *jobs.Enqueuer
	committer  *committer
	logger     *slog.Logger
	limits     Limits
	schemas    *schemas.Set
	corpora    *corpora
	search     SearchOptions
	moderation *moderation.Service
}

// Limits bound what a party does.
type Limits struct {
	// Writes an hour are what whoami reports; whoever charges them does so before a call comes here.
	Writes store.WriteLimits
	// ClaimsPerDay bounds the new claims of a root controller.
	ClaimsPerDay int
}

// NewService makes the service. Run must be running for evidence to be accepted.
func NewService(
	db *store.Store, enqueuer *jobs.Enqueuer, cases *moderation.Service, logger *slog.Logger, limits Limits, search SearchOptions,
) *Service {
	return &Service{
		db: db, jobs: enqueuer, moderation: cases, logger: logger, limits: limits, schemas: schemas.MustLoad(),
		corpora: &corpora{db: db, logger: logger}, search: search,
		committer: newCommitter(db, enqueuer, logger),
	}
}

// Run commits evidence until ctx ends, then what waits already, and returns.
func (s *Service) Run(ctx context.Context) { s.committer.run(ctx) }

// Call is what an operation knows of its call besides the input.
type Call struct {
	// ID is the key of the audit row.
	ID uuid.UUID
	// Actor, Root and Controller come from the credential. Controller may be the zero ID.
	Actor, Root, Controller store.ID
	// Scopes are the rights of the credential.
	Scopes []string
	// KeyID is the public part of the credential, "" when there is none.
	KeyID string
	// Tool is the operation's name, to which idempotency keys belong.
	Tool string
	// Key is the idempotency key, "" when there is none.
	Key string
	// ReplayOnly forbids to write: the call may only be answered what is stored under its key, else with ErrNotReplayed.
	ReplayOnly bool
	// Wait is how long the caller is willing to wait until trust includes its evidence.
	Wait time.Duration
	// Withheld says that nothing of the input may be kept, not even in a list of questions.
	Withheld bool
	// Audit is the audit row but for its result and duration.
	Audit store.Call
	// Committed is told once the call's own transaction, with its audit row, is durable.
	Committed func()
	// Replayed, if not nil, is told that the answer is that of an earlier call.
	Replayed func()
	// Included is told whether trust includes the evidence by the end of Wait.
	Included func(bool)
}

// audit completes the audit row of a write that is about to commit.
func (c *Call) audit(result string) *store.Call {
	row := c.Audit
	row.Result = result
	row.Duration = time.Since(row.StartedAt)
	return &row
}
