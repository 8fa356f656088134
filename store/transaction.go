package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// rollbackWait is generous: a rollback that does not get through costs only its connection.
const rollbackWait = retryEvery * 20

// Tx is one read-write transaction (READ COMMITTED). It is not safe for concurrent use.
type Tx struct{ tx pgx.Tx }

// Pgx is the driver's transaction, for the job queue and for nothing else.
func (t *Tx) Pgx() pgx.Tx { return t.tx }

// Write runs work in one transaction and commits it. When work fails, nothing is written and its error is
// returned. Errors: ErrUnavailable when nothing was written for a passing reason, ErrOutcomeUnknown when the
// connection broke during COMMIT. Write never sends a transaction twice.
func (s *Store) Write(ctx context.Context, work func(*Tx) error) error {
	tx, err := s.begin(ctx, pgx.TxOptions{})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := work(&Tx{tx: tx}); err != nil {
		rollback(ctx, tx)
		return classify(err)
	}
	// The caller's deadline must not cut a COMMIT in two: nobody could tell what became of it.
	if err := tx.Commit(context.WithoutCancel(ctx)); err != nil {
		if refusedByServer(err) || errors.Is(err, pgx.ErrTxCommitRollback) {
			return classify(fmt.Errorf("commit: %w", err))
		}
		return fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
	}
	return nil
}

// Discard runs work in a transaction that is always rolled back.
func (s *Store) Discard(ctx context.Context, work func(*Tx) error) error {
	tx, err := s.begin(ctx, pgx.TxOptions{})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer rollback(ctx, tx)
	return classify(work(&Tx{tx: tx}))
}

// Snapshot is one consistent view of the database for reading.
type Snapshot struct {
	tx     pgx.Tx
	priors *priors
}

// beginRead begins a snapshot, in one round trip. What is read is found by key: on tables that are young, or grow faster
// than their statistics, the planner prefers to merge with an index read whole, which costs each reader more with
// every row that anybody writes.
const beginRead = `begin read only, isolation level repeatable read;
	set local enable_hashjoin = off; set local enable_mergejoin = off`

// Read runs work on one snapshot (REPEATABLE READ, read only): all it reads is of one moment. The whole of it is
// tried again while the database is down, within the store's waiting time; work must have no side effects.
func (s *Store) Read(ctx context.Context, work func(*Snapshot) error) error {
	return s.retry(ctx, func() error {
		tx, err := s.beginOnce(ctx, pgx.TxOptions{BeginQuery: beginRead})
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer rollback(ctx, tx)
		return work(&Snapshot{tx: tx, priors: &s.priors})
	})
}

func rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackWait)
	defer cancel()
	// A failed rollback closes the connection, which is what would have to be done anyway.
	_ = tx.Rollback(ctx)
}

// querier is what both kinds of transactions and the pool can do.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// pipeline sends several statements in one round trip.
type pipeline struct {
	batch pgx.Batch
	reads []func(pgx.BatchResults) error
}

// exec queues a statement whose rows nobody reads.
func (p *pipeline) exec(sql string, args ...any) {
	p.batch.Queue(sql, args...)
	p.reads = append(p.reads, func(results pgx.BatchResults) error {
		_, err := results.Exec()
		return err
	})
}

// queue adds a query whose rows collect scans into out.
func queue[T any](p *pipeline, out *[]T, collect pgx.RowToFunc[T], sql string, args ...any) {
	p.batch.Queue(sql, args...)
	p.reads = append(p.reads, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		*out, err = pgx.CollectRows(rows, collect)
		return err
	})
}

// scan adds a query whose rows each goes through.
func scan(p *pipeline, each func(pgx.CollectableRow) error, sql string, args ...any) {
	p.batch.Queue(sql, args...)
	p.reads = append(p.reads, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := each(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// sender is what can send a pipeline.
type sender interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

func (p *pipeline) send(ctx context.Context, on sender) error {
	if p.batch.Len() == 0 {
		return nil
	}
	results := on.SendBatch(ctx, &p.batch)
	var first error
	for _, read := range p.reads {
		if first = read(results); first != nil {
			break
		}
	}
	if err := results.Close(); first == nil {
		first = err
	}
	return first
}
