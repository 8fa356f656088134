package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// SearchCursor is a frozen list of results, and whom it was frozen for.
type SearchCursor struct {
	ID          [10]byte
	Actor       ID
	Fingerprint [32]byte
	Docs        []int64
	// Explored is the document that was shown to be tried, 0 for none.
	Explored int64
}

// searchCursorLife is how long a list can be paged through, and maxSearchCursors how many lists there are at most: the
// oldest go first.
const (
	searchCursorLife = 15 * time.Minute
	maxSearchCursors = 100_000
)

// PutSearchCursor freezes a list.
func (s *Store) PutSearchCursor(ctx context.Context, c *SearchCursor) error {
	_, err := s.exec(ctx, `
		insert into search_cursors (id, actor_id, fingerprint, docs, explored, expires_at)
		values ($1, $2, $3, $4, $5, clock_timestamp() + $6::interval)`,
		c.ID[:], c.Actor.UUID, c.Fingerprint[:], c.Docs, c.Explored, searchCursorLife)
	if err != nil {
		return fmt.Errorf("freeze search results: %w", classify(err))
	}
	return nil
}

// SearchCursor reads a frozen list of an actor for a question. Errors: ErrNotFound for one that does not exist, has
// expired, or belongs to another actor or question.
func (s *Store) SearchCursor(ctx context.Context, id [10]byte, actor ID, fingerprint [32]byte) (*SearchCursor, error) {
	c := &SearchCursor{ID: id, Actor: actor, Fingerprint: fingerprint}
	err := s.on(ctx, func(conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, `
			select docs, explored from search_cursors
			where id = $1 and actor_id = $2 and fingerprint = $3 and expires_at > clock_timestamp()`,
			id[:], actor.UUID, fingerprint[:]).Scan(&c.Docs, &c.Explored)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("cursor: %w", ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("read frozen search results: %w", classify(err))
	}
	return c, nil
}

// ExpireSearch drops expired lists, and unanswered questions beyond what is kept.
func (s *Store) ExpireSearch(ctx context.Context) error {
	for _, sql := range []string{
		`delete from search_cursors where expires_at < clock_timestamp()`,
		fmt.Sprintf(`delete from search_cursors where id in (select id from search_cursors order by expires_at desc offset %d)`, maxSearchCursors),
		fmt.Sprintf(`delete from search_unanswered where query in (select query from search_unanswered order by last_at desc offset %d)`, maxUnanswered),
	} {
		if _, err := s.pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("expire what searches left: %w", classify(err))
		}
	}
	return nil
}

// maxUnanswered is how many unanswered questions are kept, the latest ones.
const maxUnanswered = 20_000

// Unanswered is a question that found nothing.
type Unanswered struct {
	Query           string
	Times           int64
	FirstAt, LastAt time.Time
}

// CountUnanswered counts a question that found nothing.
func (s *Store) CountUnanswered(ctx context.Context, query string) error {
	_, err := s.pool.Exec(ctx, `
		insert into search_unanswered as u (query) values ($1)
		on conflict (query) do update set times = u.times + 1, last_at = clock_timestamp()`, query)
	if err != nil {
		return fmt.Errorf("count an unanswered question: %w", classify(err))
	}
	return nil
}

// UnansweredQuestions lists the questions that were asked most often in vain since a moment.
func (s *Store) UnansweredQuestions(ctx context.Context, since time.Time, limit int) ([]Unanswered, error) {
	rows, err := s.pool.Query(ctx, `
		select query, times, first_at, last_at from search_unanswered where last_at >= $1
		order by times desc, last_at desc limit $2`, since, limit)
	if err != nil {
		return nil, fmt.Errorf("list unanswered questions: %w", classify(err))
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Unanswered])
	if err != nil {
		return nil, fmt.Errorf("list unanswered questions: %w", classify(err))
	}
	return found, nil
}
