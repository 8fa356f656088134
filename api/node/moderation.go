package node

import (
	"context"
	"fmt"
	"log/slog"

	"interai/antiabuse"
	"interai/api/auth"
	"interai/api/limits"
	"interai/evidence/moderation"
	"interai/jobs"
	"interai/store"
)

// moderation builds the screen and the queue of cases.
func (n *Node) moderation(enqueuer *jobs.Enqueuer) (*moderation.Service, error) {
	scanner, err := antiabuse.NewScanner()
	if err != nil {
		return nil, fmt.Errorf("build the scanner: %w", err)
	}
	return moderation.NewService(n.Store, enqueuer, scanner, parties{limiter: n.limiter}, n.revokeLeaked, n.logger), nil
}

// Queue is the queue of cases of a database, for a process that serves no calls.
func Queue(db *store.Store, logger *slog.Logger) (*moderation.Service, error) {
	scanner, err := antiabuse.NewScanner()
	if err != nil {
		return nil, fmt.Errorf("build the scanner: %w", err)
	}
	enqueuer, err := jobs.NewEnqueuer(db, quiet(logger))
	if err != nil {
		return nil, err
	}
	return moderation.NewService(db, enqueuer, scanner, parties{}, nil, logger), nil
}

// revokeLeaked switches off one of our keys that stands in a text, if it is one that lives.
func (n *Node) revokeLeaked(ctx context.Context, text string) error {
	owner, revoked, err := auth.RevokeLeaked(ctx, n.Store, text)
	if err != nil {
		return err
	}
	if revoked {
		n.logger.WarnContext(ctx, "a key was found in a text and is revoked", "owner", owner)
	}
	return nil
}

// parties is what moderation does to limits. Without a limiter nothing is screened, and so nothing rejected.
type parties struct{ limiter *limits.Limiter }

// Rejected counts a rejected write of a party.
func (p parties) Rejected(ctx context.Context, root store.ID) { p.limiter.Rejected(ctx, root.String()) }

// Limit sets how many writes an hour a party has.
func (p parties) Limit(ctx context.Context, tx *store.Tx, root store.ID, writesPerHour int) error {
	return tx.SetLimits(ctx, root, store.OwnLimits{Writes: &writesPerHour})
}
