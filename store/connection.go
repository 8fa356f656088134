package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// errStill is the cause of a wait that is given up because no connection moves.
var errStill = errors.New("no connection was taken or given back for the waiting time")

// acquire takes a connection; give it back with release. Where connections come and go, callers queue until their
// deadline: the database works, and is busy. Where none has moved for the waiting time the database is away, or its
// machine is, which nobody hears of for long: every connection is then held by an attempt to make or to end one, and
// callers would wait for each other's attempts, one round after the other. Errors: ErrUnreachable.
func (s *Store) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	waiting, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	began, patience := s.clock(), max(s.wait, connectTimeout)
	var timer *time.Timer
	timer = time.AfterFunc(time.Hour, func() { // which nobody waits: it is set when the variable is
		if still := s.clock() - max(began, time.Duration(s.moved.Load())); still < patience {
			timer.Reset(patience - still)
			return
		}
		giveUp(errStill)
	})
	timer.Reset(patience)
	defer timer.Stop()
	conn, err := s.pool.Acquire(waiting)
	if err == nil {
		s.moved.Store(int64(s.clock()))
		return conn, nil
	}
	if errors.Is(context.Cause(waiting), errStill) {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, errStill)
	}
	return nil, err
}

// clock is the time since the store was opened.
func (s *Store) clock() time.Duration { return time.Since(s.opened) }

func (s *Store) release(conn *pgxpool.Conn) {
	conn.Release()
	s.moved.Store(int64(s.clock()))
}

// on runs statements that may be repeated on a connection of their own, waiting for a database that is down.
func (s *Store) on(ctx context.Context, work func(*pgxpool.Conn) error) error {
	return s.retry(ctx, func() error {
		conn, err := s.acquire(ctx)
		if err != nil {
			return err
		}
		defer s.release(conn)
		return work(conn)
	})
}

// exec runs one statement, once.
func (s *Store) exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	conn, err := s.acquire(ctx)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	defer s.release(conn)
	return conn.Exec(ctx, sql, args...)
}

// beginOnce takes a connection and begins; the end of the transaction gives the connection back.
func (s *Store) beginOnce(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	conn, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := conn.BeginTx(ctx, options)
	if err != nil {
		s.release(conn)
		return nil, err
	}
	return &pooledTx{Tx: tx, giveBack: func() { s.release(conn) }}, nil
}

// pooledTx is a transaction that gives its connection back when it ends.
type pooledTx struct {
	pgx.Tx

	giveBack func()
}

// Commit ends the transaction.
func (t *pooledTx) Commit(ctx context.Context) error {
	defer t.end()
	return t.Tx.Commit(ctx)
}

// Rollback ends the transaction, if nothing has yet.
func (t *pooledTx) Rollback(ctx context.Context) error {
	defer t.end()
	return t.Tx.Rollback(ctx)
}

func (t *pooledTx) end() {
	if t.giveBack != nil {
		t.giveBack()
		t.giveBack = nil
	}
}
