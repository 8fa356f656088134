package moderation

import (
	"context"
	"fmt"

	"interai/antiabuse/text"
	"interai/store"
)

// Clean masks a short string before it is logged or stored.
func (s *Service) Clean(in string) string { return s.scanner.MaskShort(in) }

// normal is a text in the form in which texts are stored.
func normal(in string) string {
	out, _ := text.Normalise(in)
	return out
}

// Case reads one case with its findings.
func (s *Service) Case(ctx context.Context, id store.ID) (store.Case, error) {
	var c store.Case
	err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		c, err = v.Case(ctx, id)
		return err
	})
	return c, err
}

// Dossier is everything that a moderator sees of a case.
type Dossier struct {
	Case   store.Case
	Events []store.CaseEvent
	Party  store.PartyHistory
	// Offered are the decisions that fit the case.
	Offered []string
	// Present is what is stored now: the object, or the item that a refused revision was for; nil when nothing is.
	Present []store.MaskedText
	// Before is the revision before the one that the case is about, nil when there is none.
	Before []store.MaskedText
	// Held says that the object is held back now.
	Held bool
}

// Dossier reads a case with its history, its party's, and what is stored.
func (s *Service) Dossier(ctx context.Context, id store.ID) (Dossier, error) {
	var d Dossier
	err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		if d.Case, err = v.Case(ctx, id); err != nil {
			return err
		}
		if d.Events, err = v.CaseEvents(ctx, id); err != nil {
			return err
		}
		if d.Party, err = v.PartyHistory(ctx, d.Case.RootNow); err != nil {
			return err
		}
		d.Present, d.Before, d.Held, err = v.CaseTexts(ctx, &d.Case)
		return err
	})
	if err != nil {
		return Dossier{}, fmt.Errorf("read a case: %w", err)
	}
	d.Offered = Offered(&d.Case)
	for _, list := range [][]store.MaskedText{d.Present, d.Before} {
		for i := range list {
			list[i].Text = s.scanner.Mask(list[i].Text)
		}
	}
	return d, nil
}

// Cases lists cases, and says whether there are more.
func (s *Service) Cases(ctx context.Context, q store.CaseQuery) (cases []store.Case, more bool, err error) {
	limit := min(max(q.Limit, 1), store.MaxCases-1)
	q.Limit = limit + 1
	err = s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		cases, err = v.Cases(ctx, q)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if len(cases) > limit {
		return cases[:limit], true, nil
	}
	return cases, false, nil
}

// Statistics reads the figures of the queue.
func (s *Service) Statistics(ctx context.Context) (store.CaseStatistics, error) {
	var out store.CaseStatistics
	err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		out, err = v.CaseStatistics(ctx)
		return err
	})
	return out, err
}
