package store_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/migrations"
	"interai/store"
)

// propertyChecks is how many cases a property test makes unless -rapid.checks says otherwise: each step waits for a
// real database.
const propertyChecks = "30"

func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = checks.Value.Set(propertyChecks)
	}
	os.Exit(pgtest.Main(m))
}

func migrate(ctx context.Context, connString string) error {
	return migrations.Up(ctx, connString, slog.New(slog.DiscardHandler))
}

// open opens a store on a database, as one more process does.
func open(t *testing.T, connString string) *store.Store {
	t.Helper()
	db, err := store.Open(store.Options{ConnString: connString, MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

// setup opens a store on a migrated database of the test's own.
func setup(t *testing.T) (db *store.Store, connString string) {
	t.Helper()
	connString = pgtest.NewMigrated(t, migrate)
	db = open(t, connString)
	require.NoError(t, db.EnsureFirstModel(t.Context()))
	return db, connString
}

var named atomic.Int64

// name makes a name that no other actor or entity has.
func name() string { return fmt.Sprint("name ", named.Add(1)) }

func actor(t require.TestingT, db *store.Store, kind store.Kind, controller store.ID) store.ID {
	made, err := db.CreateActor(context.Background(), store.NewActor{Kind: kind, Name: name(), Controller: controller})
	require.NoError(t, err)
	return made.ID
}

// entities makes entities, which may be targets of evidence without more.
func entities(t *testing.T, db *store.Store, by store.ID, n int) []store.ID {
	t.Helper()
	wanted := make([]store.NewEntity, n)
	for i := range wanted {
		wanted[i] = store.NewEntity{Type: "thing", Name: name()}
	}
	out := make([]store.ID, n)
	require.NoError(t, db.Write(t.Context(), func(tx *store.Tx) error {
		found, _, err := tx.EnsureNamed(t.Context(), by, store.ID{}, wanted, nil)
		for i := range found {
			out[i] = found[i].ID
		}
		return err
	}))
	return out
}

// usage is a row of evidence.
func usage(target, by store.ID) store.Evidence {
	return store.Evidence{
		ID: uuid.Must(uuid.NewV7()), Target: target, Kind: store.EvidenceUsage, Actor: by, UsageType: "use", Result: "success",
		Context: json.RawMessage(`{}`), Metrics: json.RawMessage(`{}`),
	}
}

func exec(t require.TestingT, db *store.Store, sql string, args ...any) {
	_, err := db.Pool().Exec(context.Background(), sql, args...)
	require.NoError(t, err, sql)
}

func number(t require.TestingT, db *store.Store, sql string) int {
	var n int
	require.NoError(t, db.Pool().QueryRow(context.Background(), sql).Scan(&n), sql)
	return n
}
