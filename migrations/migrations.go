// Package migrations owns the database's structure: the numbered SQL files of this application, embedded, and
// River's own, run together under one lock. It never reads or writes the application's rows.
//
// Start reading at [Up].
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed sql/*.sql
var files embed.FS

// RiverSchema is the PostgreSQL schema that holds River's tables, apart from ours so that grants and
// maintenance can differ.
const RiverSchema = "river"

// lockKey is the session advisory lock that serialises nodes which start together.
const lockKey = 7306915206331990000

// minServerVersion is PostgreSQL 15 (UNIQUE NULLS NOT DISTINCT).
const minServerVersion = 150000

// ErrNewerDatabase says that a newer binary has migrated this database.
var ErrNewerDatabase = errors.New("the database was migrated by a newer version of interai: use that version")

// ErrOldServer says that the PostgreSQL server is older than 15.
var ErrOldServer = errors.New("PostgreSQL 15 or newer is required")

// Version is one migration of the application and whether the database has it.
type Version struct {
	Number  int64  `json:"number"`
	Name    string `json:"name"`
	Applied bool   `json:"applied"`
}

// Up brings the database to this binary's version. It is idempotent, and safe when several nodes run it at once:
// one works, the others wait for it. The lock is held on a connection of its own, which ends with the call.
func Up(ctx context.Context, connString string, logger *slog.Logger) (err error) {
	lock, err := pgx.Connect(ctx, connString)
	if err != nil {
		return fmt.Errorf("connect to migrate: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close(context.WithoutCancel(ctx))) }()
	if err := checkServer(ctx, lock); err != nil {
		return err
	}
	if _, err := lock.Exec(ctx, "select pg_advisory_lock($1)", int64(lockKey)); err != nil {
		return fmt.Errorf("take the migration lock: %w", err)
	}
	if err := upRiver(ctx, connString, logger); err != nil {
		return err
	}
	return withProvider(connString, func(p *goose.Provider) error {
		if err := refuseNewer(ctx, p); err != nil {
			return err
		}
		results, err := p.Up(ctx)
		if err != nil {
			return fmt.Errorf("apply migrations: %w", err)
		}
		for _, r := range results {
			logger.InfoContext(ctx, "migration applied", "number", r.Source.Version, "took", r.Duration)
		}
		return nil
	})
}

// Status lists the application's migrations in order.
func Status(ctx context.Context, connString string) ([]Version, error) {
	var out []Version
	err := withProvider(connString, func(p *goose.Provider) error {
		states, err := p.Status(ctx)
		if err != nil {
			return fmt.Errorf("read migration status: %w", err)
		}
		for _, s := range states {
			out = append(out, Version{Number: s.Source.Version, Name: s.Source.Path, Applied: s.State == goose.StateApplied})
		}
		return nil
	})
	return out, err
}

// Check answers nil when the database is exactly at this binary's version.
func Check(ctx context.Context, connString string) error {
	return withProvider(connString, func(p *goose.Provider) error {
		if err := refuseNewer(ctx, p); err != nil {
			return err
		}
		pending, err := p.HasPending(ctx)
		if err != nil {
			return fmt.Errorf("read migration status: %w", err)
		}
		if pending {
			return errors.New("migrations are pending: run `interai migrate up`")
		}
		return nil
	})
}

func checkServer(ctx context.Context, conn *pgx.Conn) error {
	var version int
	if err := conn.QueryRow(ctx, "select current_setting('server_version_num')::int").Scan(&version); err != nil {
		return fmt.Errorf("read the server's version: %w", err)
	}
	return supported(version)
}

// supported takes a version as PostgreSQL numbers them: 150020 is 15.20.
func supported(version int) error {
	if version < minServerVersion {
		return fmt.Errorf("%w: this one is %d", ErrOldServer, version/10000)
	}
	return nil
}

func refuseNewer(ctx context.Context, p *goose.Provider) error {
	current, target, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read migration versions: %w", err)
	}
	if current > target {
		return fmt.Errorf("%w (database %d, binary %d)", ErrNewerDatabase, current, target)
	}
	return nil
}

func upRiver(ctx context.Context, connString string, logger *slog.Logger) error {
	pool, err := pgxpool.New(ctx, connString)
	if err != nil {
		return fmt.Errorf("connect to migrate the job queue: %w", err)
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, "create schema if not exists "+RiverSchema); err != nil {
		return fmt.Errorf("create the job queue's schema: %w", err)
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{
		Schema: RiverSchema,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return fmt.Errorf("prepare the job queue's migrations: %w", err)
	}
	result, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	if err != nil {
		return fmt.Errorf("apply the job queue's migrations: %w", err)
	}
	if len(result.Versions) > 0 {
		logger.InfoContext(ctx, "job queue migrated", "versions", len(result.Versions))
	}
	// Three dead tuples a job and none of them HOT: vacuum by count, not by share of the table.
	if _, err := pool.Exec(ctx, `alter table `+RiverSchema+`.river_job set (autovacuum_vacuum_scale_factor = 0,
		autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05,
		fillfactor = 80)`); err != nil {
		return fmt.Errorf("set the job table's maintenance: %w", err)
	}
	return nil
}

func withProvider(connString string, use func(*goose.Provider) error) (err error) {
	config, err := pgx.ParseConfig(connString)
	if err != nil {
		return fmt.Errorf("parse the database URL: %w", err)
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, closeDB(db)) }()
	sqlFiles, err := fs.Sub(files, "sql")
	if err != nil {
		return fmt.Errorf("open the embedded migrations: %w", err)
	}
	provider, err := goose.NewProvider(database.DialectPostgres, db, sqlFiles, goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return fmt.Errorf("read the embedded migrations: %w", err)
	}
	return use(provider)
}

func closeDB(db *sql.DB) error {
	if err := db.Close(); err != nil {
		return fmt.Errorf("close the migration connection: %w", err)
	}
	return nil
}
