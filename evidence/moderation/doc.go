// Package moderation owns what becomes of harmful content: the screen that every call passes before anything of it is
// stored, the cases that follow from it, and what moderators and authors may do about them.
//
// It never keeps a value that was found: a case has the texts with every finding masked, and of each value a mark by
// which it is known again. Start reading at [Service].
package moderation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"interai/antiabuse"
	"interai/antiabuse/opinion"
	"interai/jobs"
	"interai/store"
)

// exemptionLives is how long an author may send again what was called a false alarm (ANTIABUSE section 1.4).
const exemptionLives = 24 * time.Hour

// maxReasonRunes bounds what moderators and authors write about a case.
const maxReasonRunes = 2000

// Parties is what moderation does to the limits of a party.
type Parties interface {
	// Rejected counts a rejection of a root controller; so many of them cool it down.
	Rejected(ctx context.Context, root store.ID)
	// Limit sets how many writes an hour a root controller has, inside the decision's transaction.
	Limit(ctx context.Context, tx *store.Tx, root store.ID, writesPerHour int) error
}

// Leaked is what is done about API keys of ours that somebody sends: the key is a text of the form of a key.
type Leaked func(ctx context.Context, key string) error

// Service runs the screen and the queue. It is safe for concurrent use.
type Service struct {
	db      *store.Store
	jobs    *jobs.Enqueuer
	scanner *antiabuse.Scanner
	opinion *opinion.Scanner
	parties Parties
	leaked  Leaked
	logger  *slog.Logger

	marks sync.Mutex
	key   []byte // of marks, read once
}

// NewService makes the service.
func NewService(db *store.Store, enqueuer *jobs.Enqueuer, scanner *antiabuse.Scanner, parties Parties, leaked Leaked, logger *slog.Logger) *Service {
	return &Service{
		db: db, jobs: enqueuer, scanner: scanner, opinion: opinion.New(), parties: parties, leaked: leaked, logger: logger,
	}
}

// Errors of decisions and appeals. Each is a refusal that its reader may see.
var (
	// ErrOwnParty: nobody decides about their own party.
	ErrOwnParty = errors.New("nobody decides about their own party: ask another moderator")
	// ErrScope: the caller may not moderate.
	ErrScope = errors.New("moderation needs the scope moderate")
	// ErrReason: a decision and an appeal say why.
	ErrReason = fmt.Errorf("a reason of 1 to %d characters is required", maxReasonRunes)
	// ErrReasonHolds: a reason holds what the screen refuses.
	ErrReasonHolds = errors.New("the reason holds a secret or personal data: write it without")
	// ErrNotOffered: the decision does not fit the case.
	ErrNotOffered = errors.New("this decision does not fit the case")
	// ErrNoAppeal: there is nothing to appeal against.
	ErrNoAppeal = errors.New("there is no decision to appeal against: the case waits for a moderator")
	// ErrAppealed: one appeal for each decision.
	ErrAppealed = errors.New("this was appealed against already, and waits for a moderator")
)

// IsRefusal reports whether an error of this package says what its reader did wrong.
func IsRefusal(err error) bool {
	for _, refusal := range []error{
		ErrOwnParty, ErrScope, ErrReason, ErrReasonHolds, ErrNotOffered, ErrNoAppeal, ErrAppealed, store.ErrNotFound,
	} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}
