package migrations_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/migrations"
	"interai/store/pgembed"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// schemaFile is what `make schema` writes.
const schemaFile = "inter_ai_schema.sql"

func up(t *testing.T, conn string) {
	t.Helper()
	require.NoError(t, migrations.Up(t.Context(), conn, slog.New(slog.DiscardHandler)))
}

// run runs SQL, one statement or many.
func run(t *testing.T, conn, sql string) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), conn)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close(context.WithoutCancel(t.Context()))) }()
	_, err = db.PgConn().Exec(t.Context(), sql).ReadAll()
	require.NoError(t, err)
}

func dump(t *testing.T, conn string) string {
	t.Helper()
	binaries, err := pgembed.FindBinaries("")
	require.NoError(t, err)
	sql, err := migrations.DumpSchema(t.Context(), filepath.Join(binaries.Dir, "pg_dump"), conn)
	require.NoError(t, err)
	return sql
}

func TestMigratingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	require.Error(t, migrations.Check(t.Context(), conn))
	states, err := migrations.Status(t.Context(), conn)
	require.NoError(t, err)
	require.NotEmpty(t, states)
	for _, state := range states {
		require.False(t, state.Applied)
	}
	up(t, conn)
	first := dump(t, conn)
	up(t, conn)
	require.Equal(t, first, dump(t, conn))
	require.NoError(t, migrations.Check(t.Context(), conn))
	states, err = migrations.Status(t.Context(), conn)
	require.NoError(t, err)
	for i, state := range states {
		require.True(t, state.Applied)
		require.EqualValues(t, i+1, state.Number, "numbers have no gaps")
	}
}

func TestNodesThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	var all sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		all.Go(func() { errs[i] = migrations.Up(t.Context(), conn, slog.New(slog.DiscardHandler)) })
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.NoError(t, migrations.Check(t.Context(), conn))
}

func TestADatabaseOfANewerVersionIsRefused(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	up(t, conn)
	run(t, conn, `insert into goose_db_version (version_id, is_applied) values (99999, true)`)
	require.ErrorIs(t, migrations.Up(t.Context(), conn, slog.New(slog.DiscardHandler)), migrations.ErrNewerDatabase)
	require.ErrorIs(t, migrations.Check(t.Context(), conn), migrations.ErrNewerDatabase)
}

func TestTheSchemaFileIsWhatTheMigrationsMake(t *testing.T) {
	t.Parallel()
	migrated := pgtest.New(t)
	up(t, migrated)
	want := dump(t, migrated)
	raw, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	require.Equal(t, want, string(raw), "run make schema")
	loaded := pgtest.New(t)
	run(t, loaded, string(raw))
	require.Equal(t, want, dump(t, loaded))
	for _, object := range []string{"CREATE TABLE public.evidence ", "CREATE TRIGGER evidence_immutable ", "CREATE UNIQUE INDEX "} {
		require.Contains(t, want, object)
	}
}
