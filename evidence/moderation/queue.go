package moderation

import (
	"context"
	"fmt"

	"interai/store"
)

// QueuePage is one page of the queue as the console lists it.
type QueuePage struct {
	Cases []store.Case
	// More says that the list goes on.
	More     bool
	Counts   store.CaseCounts
	Excerpts map[store.ID]store.CaseExcerpt
}

// Queue lists cases with an excerpt each, and counts what the same filter has in every state, all of one moment.
func (s *Service) Queue(ctx context.Context, q store.CaseQuery) (QueuePage, error) {
	var page QueuePage
	limit := min(max(q.Limit, 1), store.MaxCases-1)
	q.Limit = limit + 1
	err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		page = QueuePage{}
		if page.Cases, err = v.Cases(ctx, q); err != nil {
			return err
		}
		if page.More = len(page.Cases) > limit; page.More {
			page.Cases = page.Cases[:limit]
		}
		if page.Counts, err = v.CaseCounts(ctx, q); err != nil {
			return err
		}
		ids := make([]store.ID, len(page.Cases))
		for i := range page.Cases {
			ids[i] = page.Cases[i].ID
		}
		page.Excerpts, err = v.CaseExcerpts(ctx, ids)
		return err
	})
	if err != nil {
		return QueuePage{}, fmt.Errorf("read the queue: %w", err)
	}
	for id, excerpt := range page.Excerpts {
		excerpt.Text = s.scanner.Mask(excerpt.Text)
		page.Excerpts[id] = excerpt
	}
	return page, nil
}
