// Package store owns the application's SQL: rows, transactions and the pool of connections. One file holds one
// noun. It decides nothing about the domain, and no other package but migrations writes SQL.
//
// Start reading at [Store].
package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"interai/trustmodel"
)

// Session settings of every connection: nothing of ours runs longer, and an old transaction would stop vacuum.
const (
	statementTimeout = 15 * time.Second
	lockTimeout      = 2 * time.Second
	idleTimeout      = 30 * time.Second
	connectTimeout   = 2 * time.Second
	// retryEvery is the pause between attempts to reach a database that is down.
	retryEvery = 50 * time.Millisecond
)

// Options say how to reach the database.
type Options struct {
	// ConnString is a PostgreSQL URL or key/value string.
	ConnString string
	// MaxConns is the size of the pool; 0 means 16.
	MaxConns int
	// Wait is how long one call waits for a database that is down; 0 means 2 s.
	Wait time.Duration
	// Started, when not nil, is closed once the database may be connected to: until then calls wait for it, at
	// most StartWait (0 means 30 s).
	Started   <-chan struct{}
	StartWait time.Duration
}

// Store is the database. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	opened time.Time
	// moved is when a connection was last taken or given back, in nanoseconds since opened.
	moved     atomic.Int64
	wait      time.Duration
	started   <-chan struct{}
	startWait time.Duration
	priors    priors
}

// Open prepares a store without connecting: a database that is down makes calls fail, not the process.
func Open(options Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(options.ConnString)
	if err != nil {
		return nil, fmt.Errorf("parse the database URL: %w", err)
	}
	config.MaxConns = int32(max(options.MaxConns, 4))
	if options.MaxConns == 0 {
		config.MaxConns = 16
	}
	config.MaxConnIdleTime = 5 * time.Minute
	config.HealthCheckPeriod = 15 * time.Second
	config.ConnConfig.ConnectTimeout = connectTimeout
	for name, value := range map[string]time.Duration{
		"statement_timeout": statementTimeout, "lock_timeout": lockTimeout,
		"idle_in_transaction_session_timeout": idleTimeout,
	} {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = strconv.FormatInt(value.Milliseconds(), 10)
		}
	}
	// All hot statements, and the checks of foreign keys, reach their rows by key. Their plans are kept by the session:
	// one made while a table was young would read it whole for as long as its statistics are older than its growth.
	config.ConnConfig.RuntimeParams["enable_seqscan"] = "off"
	config.ConnConfig.RuntimeParams["application_name"] = "interai"
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		registerUUID(conn.TypeMap())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, fmt.Errorf("prepare the connection pool: %w", err)
	}
	s := &Store{pool: pool, opened: time.Now(), wait: options.Wait, started: options.Started, startWait: options.StartWait}
	s.priors.byHash = map[string]trustmodel.Snapshot{}
	if s.wait == 0 {
		s.wait = 2 * time.Second
	}
	if s.startWait == 0 {
		s.startWait = 30 * time.Second
	}
	return s, nil
}

// Close ends all connections.
func (s *Store) Close() { s.pool.Close() }

// Pool is the pool itself, for the job queue and for nothing else.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// Ping answers nil when the database answers.
func (s *Store) Ping(ctx context.Context) error { return classify(s.pool.Ping(ctx)) }

// awaitStart waits for a private cluster that is still starting.
func (s *Store) awaitStart(ctx context.Context) error {
	if s.started == nil {
		return nil
	}
	select {
	case <-s.started:
		return nil
	default:
	}
	timer := time.NewTimer(s.startWait)
	defer timer.Stop()
	select {
	case <-s.started:
		return nil
	case <-timer.C:
		return fmt.Errorf("%w: it is still starting", ErrUnavailable)
	case <-ctx.Done():
		return fmt.Errorf("wait for the database to start: %w", ctx.Err())
	}
}

// retry runs attempt until it ends with anything but ErrUnavailable, or the store's waiting time is over.
func (s *Store) retry(ctx context.Context, attempt func() error) error {
	if err := s.awaitStart(ctx); err != nil {
		return err
	}
	deadline := time.Now().Add(s.wait)
	for {
		err := classify(attempt())
		if err == nil || !errors.Is(err, ErrUnavailable) || time.Now().Add(retryEvery).After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(retryEvery):
		}
	}
}

// begin takes a connection and begins, waiting for a database that is down.
func (s *Store) begin(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error) {
	var tx pgx.Tx
	err := s.retry(ctx, func() (err error) {
		tx, err = s.beginOnce(ctx, options)
		return err
	})
	if errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrUnreachable) {
		err = fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return tx, err
}

// Now is the database's clock, by which evidence is ordered and aged.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	var now time.Time
	if err := s.pool.QueryRow(ctx, `select clock_timestamp()`).Scan(&now); err != nil {
		return time.Time{}, fmt.Errorf("read the database's clock: %w", classify(err))
	}
	return now, nil
}
