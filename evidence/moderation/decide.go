package moderation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"interai/store"
)

// Decisions on a case.
const (
	Uphold     = "uphold"
	FalseAlarm = "false_alarm"
	Hold       = "hold"
	Release    = "release"
	Redact     = "redact"
	Remove     = "remove"
	Restore    = "restore"
	Limit      = "limit"
)

// Decisions lists them in the order in which they are offered.
func Decisions() []string {
	return []string{Uphold, FalseAlarm, Hold, Release, Redact, Remove, Restore, Limit}
}

// Moderator is who decides.
type Moderator struct {
	Actor, Root store.ID
	Scopes      []string
	// Adapter is the way in, "console" or "cli", for the audit.
	Adapter string
}

// May reports whether the moderator may moderate at all.
func (m Moderator) May() bool { return slices.Contains(m.Scopes, "moderate") }

// Decision is what a moderator decides about a case, and why.
type Decision struct {
	What   string
	Reason string
	// WritesPerHour is for Limit.
	WritesPerHour int
	// Stands, if there is one, is asked about the case as it is when nobody else can decide about it any more, and
	// refuses what was decided about another state of it.
	Stands func(*store.Case) error
}

// Offered lists the decisions that fit a case.
func Offered(c *store.Case) []string {
	if c.Origin == store.OriginRejection || c.Object.IsZero() {
		return []string{Uphold, FalseAlarm, Limit}
	}
	switch c.Object.Kind {
	case store.KindUsage, store.KindReview, store.KindRating:
		return []string{Uphold, FalseAlarm, Hold, Release, Redact, Remove, Limit}
	case store.KindClaim, store.KindEntity:
		return []string{Uphold, FalseAlarm, Hold, Release, Redact, Limit}
	case store.KindAsset:
		return []string{Uphold, FalseAlarm, Redact, Limit}
	default:
		return Decisions()
	}
}

// OwnParty reports whether a moderator belongs to the party that a case is about, then or now.
func (m Moderator) OwnParty(c *store.Case) bool {
	return c.Actor == m.Actor || c.Root == m.Root || c.RootNow == m.Root || c.Root == m.Actor
}

// Decide carries a decision out: its effect, the case's history and the audit row are one transaction.
func (s *Service) Decide(ctx context.Context, m Moderator, id store.ID, d Decision) (store.Case, error) {
	if !m.May() {
		return store.Case{}, ErrScope
	}
	if err := s.checkReason(&d.Reason); err != nil {
		return store.Case{}, err
	}
	started := time.Now()
	err := s.db.Write(ctx, func(tx *store.Tx) error {
		c, err := tx.LockCase(ctx, id)
		if err != nil {
			return err
		}
		if err := permitted(m, &c, d); err != nil {
			return err
		}
		if err := s.effect(ctx, tx, m, &c, d); err != nil {
			return err
		}
		if err := tx.DecideCase(ctx, id, d.What, m.Actor, d.Reason); err != nil {
			return err
		}
		return audit(ctx, tx, m, "moderation.decide", id, d.What, started)
	})
	if err != nil {
		return store.Case{}, fmt.Errorf("decide about %s: %w", id, err)
	}
	return s.Case(ctx, id)
}

// permitted holds the rules of who decides what.
func permitted(m Moderator, c *store.Case, d Decision) error {
	if m.OwnParty(c) {
		return ErrOwnParty
	}
	if d.Stands != nil {
		if err := d.Stands(c); err != nil {
			return err
		}
	}
	switch {
	case !slices.Contains(Offered(c), d.What):
		return fmt.Errorf("%w: it takes %s", ErrNotOffered, strings.Join(Offered(c), ", "))
	case d.What == Limit && (d.WritesPerHour < 1 || d.WritesPerHour > store.MaxCapacity):
		return fmt.Errorf("%w: limit needs the writes an hour, within 1 and %d", ErrNotOffered, store.MaxCapacity)
	}
	return nil
}

// checkReason normalises a reason and refuses an empty one, a long one, and one that holds what must not be stored.
func (s *Service) checkReason(reason *string) error {
	*reason = strings.TrimSpace(normal(*reason))
	if n := utf8.RuneCountInString(*reason); n < 1 || n > maxReasonRunes {
		return ErrReason
	}
	if s.scanner.Mask(*reason) != *reason {
		return ErrReasonHolds
	}
	return nil
}

// effect does what a decision means for what is stored.
func (s *Service) effect(ctx context.Context, tx *store.Tx, m Moderator, c *store.Case, d Decision) error {
	switch d.What {
	case Uphold: // also of what another moderator has called a false alarm before
		return tx.WithdrawExemptions(ctx, c.ID)
	case Limit:
		return s.parties.Limit(ctx, tx, c.RootNow, d.WritesPerHour)
	case FalseAlarm:
		switch {
		case c.Origin == store.OriginRejection:
			return tx.Exempt(ctx, c.ID, c.Actor, blocking(c.Findings), exemptionLives)
		case c.Object.IsZero():
			return nil
		case c.Object.Kind == store.KindRevision:
			if err := tx.ClearLabels(ctx, c.Object); err != nil {
				return err
			}
		}
		return s.show(ctx, tx, c, false)
	case Release, Restore:
		return s.show(ctx, tx, c, d.What == Restore)
	case Hold:
		return s.hide(ctx, tx, c, store.VisibleQuarantined, m)
	case Remove:
		return s.hide(ctx, tx, c, store.VisibleRemoved, m)
	case Redact:
		return s.redact(ctx, tx, c)
	}
	return ErrNotOffered
}

// audit records what a moderator or an author did to a case.
func audit(ctx context.Context, tx *store.Tx, m Moderator, tool string, id store.ID, what string, started time.Time) error {
	call, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make an ID: %w", err)
	}
	request, err := json.Marshal(map[string]string{"case": id.String(), "decision": what})
	if err != nil {
		return fmt.Errorf("encode the audit row: %w", err)
	}
	return tx.RecordCall(ctx, store.Call{
		ID: call, Actor: m.Actor, Tool: tool, Adapter: m.Adapter, Request: request, Result: id.String() + " " + what,
		StartedAt: started, Duration: time.Since(started),
	})
}

// Appeal opens a case again at its author's word, inside the author's own transaction. A case of somebody else is not
// found.
func (s *Service) Appeal(ctx context.Context, tx *store.Tx, author, id store.ID, reason string) error {
	if err := s.checkReason(&reason); err != nil {
		return err
	}
	c, err := tx.LockCase(ctx, id)
	switch {
	case err != nil:
		return err
	case c.Actor != author:
		return fmt.Errorf("case %s: %w", id, store.ErrNotFound)
	case c.Open && c.AppealedAt != nil:
		return ErrAppealed
	case c.Open:
		return ErrNoAppeal
	}
	err = tx.AppealCase(ctx, id, author, reason)
	if errors.Is(err, store.ErrExists) {
		return ErrAppealed
	}
	return err
}
