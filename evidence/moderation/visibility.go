package moderation

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"interai/store"
)

// isItem reports whether an object is content, whose visibility can change.
func isItem(object store.ID) bool {
	return object.Kind == store.KindRevision || object.Kind == store.KindContent
}

// hide takes an object out of search and trust at once. Of an item everything goes; of a record of evidence a hold
// withholds the text while the outcome counts on, since suspicion changes no weight; a removal retracts the record.
func (s *Service) hide(ctx context.Context, tx *store.Tx, c *store.Case, visibility string, m Moderator) error {
	if isItem(c.Object) {
		return s.hideItem(ctx, tx, c.Object, c.ID, visibility)
	}
	if err := tx.Hold(ctx, c.Object, c.ID); err != nil {
		return err
	}
	if visibility == store.VisibleRemoved {
		return s.retract(ctx, tx, c.Object, m)
	}
	return nil
}

// hideItem hides an item and takes back what its revisions state about claims of others.
func (s *Service) hideItem(ctx context.Context, tx *store.Tx, object, caseID store.ID, visibility string) error {
	item, err := tx.LockItem(ctx, object)
	if err != nil {
		return err
	}
	if item.Visibility == store.VisibleRemoved && visibility == store.VisibleQuarantined {
		return fmt.Errorf("%w: it is removed already", ErrNotOffered)
	}
	if err := tx.SetVisibility(ctx, &item, visibility); err != nil {
		return err
	}
	if err := tx.Hold(ctx, item.Content, caseID); err != nil {
		return err
	}
	var rows []store.Append
	for _, stated := range item.Stated {
		rows, err = appendRow(rows, store.Evidence{
			Kind: store.EvidenceRetraction, Target: stated.Claim, Actor: item.Author, Retracts: stated.Evidence,
		})
		if err != nil {
			return err
		}
	}
	return s.wake(ctx, tx, &item, rows)
}

// show makes an object visible again. What was removed needs a restoration, which says so.
func (s *Service) show(ctx context.Context, tx *store.Tx, c *store.Case, restore bool) error {
	if !isItem(c.Object) {
		return tx.Release(ctx, c.Object)
	}
	item, err := tx.LockItem(ctx, c.Object)
	switch {
	case err != nil:
		return err
	case item.Visibility == store.VisibleRemoved && !restore:
		return fmt.Errorf("%w: what was removed is restored, not released", ErrNotOffered)
	}
	if err := tx.Release(ctx, item.Content); err != nil || item.Visibility == store.VisiblePublished {
		return err
	}
	return s.showItem(ctx, tx, &item)
}

// showItem makes an item visible, with what it states.
func (s *Service) showItem(ctx context.Context, tx *store.Tx, item *store.HeldItem) error {
	if err := tx.SetVisibility(ctx, item, store.VisiblePublished); err != nil {
		return err
	}
	var rows []store.Append
	var err error
	for _, claim := range item.States {
		if slices.ContainsFunc(item.Stated, func(a store.Assertion) bool { return a.Claim == claim }) {
			continue
		}
		rows, err = appendRow(rows, store.Evidence{
			Kind: store.EvidenceAssertion, Target: claim, Actor: item.Author, StatedIn: item.Current,
		})
		if err != nil {
			return err
		}
	}
	return s.wake(ctx, tx, item, rows)
}

// retract takes a record out of trust for good: its author may report anew.
func (s *Service) retract(ctx context.Context, tx *store.Tx, record store.ID, m Moderator) error {
	target, retracted, err := tx.RecordToRemove(ctx, record)
	if err != nil || retracted {
		return err
	}
	rows, err := appendRow(nil, store.Evidence{Kind: store.EvidenceRetraction, Target: target, Actor: m.Actor, Retracts: record.UUID})
	if err != nil {
		return err
	}
	_, wake, err := tx.AppendEvidence(ctx, rows)
	if err != nil {
		return err
	}
	return s.jobs.Recompute(ctx, tx, wake)
}

// wake appends rows and enqueues whatever depends on the item.
func (s *Service) wake(ctx context.Context, tx *store.Tx, item *store.HeldItem, rows []store.Append) error {
	_, wake, err := tx.AppendEvidence(ctx, rows)
	if err != nil {
		return err
	}
	if err := s.jobs.Published(ctx, tx, item.Current); err != nil {
		return err
	}
	return s.jobs.Recompute(ctx, tx, wake)
}

func appendRow(rows []store.Append, row store.Evidence) ([]store.Append, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("make an ID: %w", err)
	}
	row.ID = id
	return append(rows, store.Append{Evidence: row}), nil
}
