package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Deleting a row makes PostgreSQL look for rows that still refer to it. Nothing but a removal deletes from these
// tables, so the columns that refer to them have no index, which would cost every write. Without one each deleted
// row reads a whole table; so a removal makes the indexes for as long as it runs.

// removalIndex is what the names of such indexes begin with.
const removalIndex = "demo_removal_"

// The foreign keys of our own tables whose leading column leads no usable index.
const findUnindexedReferences = `
	select c.conname, c.conrelid::regclass::text, quote_ident(a.attname)
	from pg_constraint c
	join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
	join pg_class t on t.oid = c.conrelid and t.relkind = 'r'
	where c.contype = 'f'
	  and c.confrelid = any (array['evidence', 'target_heads', 'target_states', 'contents', 'revisions', 'claims', 'entities',
	                               'sources', 'assets', 'threads', 'actors']::regclass[])
	  and not exists (
		select from pg_index i
		where i.indrelid = c.conrelid and i.indisvalid and i.indkey[0] = c.conkey[1]
		  and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))
	order by c.conname`

const findRemovalIndexes = `
	select oid::regclass::text from pg_class where relkind = 'i' and starts_with(relname, $1) order by oid`

// IndexForDemoRemoval makes the indexes without which a removal would be slow, without blocking writers. The caller
// calls drop at the end. Those that an interrupted removal left behind are dropped first.
func (s *Store) IndexForDemoRemoval(ctx context.Context) (drop func() error, err error) {
	err = s.unhurried(ctx, "index for the removal of the demonstration", func(conn *pgxpool.Conn) error {
		if err := dropRemovalIndexes(ctx, conn); err != nil {
			return err
		}
		return makeRemovalIndexes(ctx, conn)
	})
	drop = func() error {
		ctx := context.WithoutCancel(ctx)
		return s.unhurried(ctx, "drop the indexes of the removal", func(conn *pgxpool.Conn) error {
			return dropRemovalIndexes(ctx, conn)
		})
	}
	if err != nil {
		return nil, errors.Join(err, drop())
	}
	return drop, nil
}

// unhurried runs work on a connection without the time limits of ordinary statements: an index that is made beside
// running writers takes as long as their tables are large.
func (s *Store) unhurried(ctx context.Context, what string, work func(*pgxpool.Conn) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", what, classify(err))
	}
	defer conn.Release()
	_, err = conn.Exec(ctx, `select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`)
	if err == nil {
		err = work(conn)
	}
	if _, resetErr := conn.Exec(context.WithoutCancel(ctx), `reset statement_timeout; reset lock_timeout`); resetErr != nil {
		// A connection without time limits must not go back to the pool.
		err = errors.Join(err, resetErr, conn.Conn().Close(context.WithoutCancel(ctx)))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, classify(err))
	}
	return nil
}

func makeRemovalIndexes(ctx context.Context, conn *pgxpool.Conn) error {
	type reference struct{ Constraint, Table, Column string }
	rows, err := conn.Query(ctx, findUnindexedReferences)
	if err != nil {
		return err
	}
	missing, err := pgx.CollectRows(rows, pgx.RowToStructByPos[reference])
	if err != nil {
		return err
	}
	for _, r := range missing {
		// The names come from the catalogue, quoted by the database itself but for the new one.
		statement := fmt.Sprintf("create index concurrently %s on %s (%s) where %[3]s is not null",
			pgx.Identifier{removalIndex + r.Constraint}.Sanitize(), r.Table, r.Column)
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func dropRemovalIndexes(ctx context.Context, conn *pgxpool.Conn) error {
	rows, err := conn.Query(ctx, findRemovalIndexes, removalIndex)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := conn.Exec(ctx, "drop index concurrently if exists "+name); err != nil {
			return err
		}
	}
	return nil
}
