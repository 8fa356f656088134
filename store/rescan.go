package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// What a scan of everything goes through, one after the other.
const (
	RescanRevisions = "rev"
	RescanEvidence  = "evidence"
	RescanEntities  = "ent"
)

// RescanKinds lists them.
func RescanKinds() []string { return []string{RescanRevisions, RescanEvidence, RescanEntities} }

// Rescan is how far the rules of a version have looked at what was stored.
type Rescan struct {
	What       string
	Rules      int
	After      uuid.UUID
	Scanned    int64
	Found      int64
	UpdatedAt  time.Time
	FinishedAt *time.Time
}

// Revisions that the worker has scanned by these rules already, as all new ones are, are passed over. Of evidence only
// records with a text are looked at.
func rescanQuery(what string) string {
	switch what {
	case RescanRevisions:
		return `select 'rev', v.id from revisions v left join revision_scans s on s.revision_id = v.id
			where v.id > $1 and coalesce(s.rules, 0) < $2 order by v.id limit $3`
	case RescanEvidence:
		return `select case e.kind when 'usage' then 'use' when 'review' then 'rvw' else 'rat' end, e.id from evidence e
			where e.id > $1 and $2 > 0 and e.kind in ('usage', 'review', 'rating')
			  and (e.note <> '' or e.context <> '{}' or e.metrics <> '{}') order by e.id limit $3`
	default:
		return `select 'ent', e.id from entities e where e.id > $1 and $2 > 0 order by e.id limit $3`
	}
}

// NextToScan lists up to limit objects after the given one for a scan by the rules of a version.
func (s *Store) NextToScan(ctx context.Context, what string, rules int, after uuid.UUID, limit int) ([]ID, error) {
	rows, err := s.pool.Query(ctx, rescanQuery(what), after, rules, limit)
	if err != nil {
		return nil, fmt.Errorf("find what to scan: %w", classify(err))
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (ID, error) {
		var id ID
		err := row.Scan(&id.Kind, &id.UUID)
		return id, err
	})
	if err != nil {
		return nil, fmt.Errorf("find what to scan: %w", classify(err))
	}
	return found, nil
}

const beginRescan = `
	insert into rescans as r (what, rules) values ($1, $2)
	on conflict (what, rules) do update set updated_at = r.updated_at
	returning what, rules, after_id as after, scanned, found, updated_at, finished_at`

// Rescan reads how far a scan has come, and begins it if nobody has.
func (s *Store) Rescan(ctx context.Context, what string, rules int) (Rescan, error) {
	rows, err := s.pool.Query(ctx, beginRescan, what, rules)
	if err != nil {
		return Rescan{}, fmt.Errorf("read a rescan: %w", classify(err))
	}
	out, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Rescan])
	if err != nil {
		return Rescan{}, fmt.Errorf("read a rescan: %w", classify(err))
	}
	return out, nil
}

// SaveRescan keeps how far a scan has come, so that it can be taken up again.
func (s *Store) SaveRescan(ctx context.Context, r *Rescan, finished bool) error {
	_, err := s.pool.Exec(ctx, `
		update rescans set after_id = $3, scanned = $4, found = $5, updated_at = clock_timestamp(),
			finished_at = case when $6 then clock_timestamp() end
		where what = $1 and rules = $2`, r.What, r.Rules, r.After, r.Scanned, r.Found, finished)
	if err != nil {
		return fmt.Errorf("save a rescan: %w", classify(err))
	}
	return nil
}

// Rescans lists all scans of everything, the newest rules first.
func (s *Store) Rescans(ctx context.Context) ([]Rescan, error) {
	rows, err := s.pool.Query(ctx, `
		select what, rules, after_id as after, scanned, found, updated_at, finished_at from rescans order by rules desc, what`)
	if err != nil {
		return nil, fmt.Errorf("list rescans: %w", classify(err))
	}
	out, err := pgx.CollectRows(rows, pgx.RowToStructByName[Rescan])
	if err != nil {
		return nil, fmt.Errorf("list rescans: %w", classify(err))
	}
	return out, nil
}

// EarlierID is the least UUIDv7 of a time before that of another, the zero UUID for none.
func EarlierID(id uuid.UUID, by time.Duration) uuid.UUID {
	if id == uuid.Nil {
		return id
	}
	seconds, nanos := id.Time().UnixTime()
	millis := time.Unix(seconds, nanos).Add(-by).UnixMilli()
	var out uuid.UUID
	for i := range 6 {
		out[i] = byte(millis >> (8 * (5 - i)))
	}
	return out
}
