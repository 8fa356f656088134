// Package pgtest gives every test that needs PostgreSQL an empty or migrated
// database of its own, in milliseconds.
//
// All test binaries of a run share one private cluster in the user's temporary
// directory, through pgembed's own sharing; the last one out stops its server.
// The cluster's files stay for the next run, databases of dead runs are dropped
// at the next start. The cluster is not durable (fsync off): it must never hold
// anything but tests. With INTERAI_TEST_DATABASE_URL set, databases are made on
// that server instead.
//
// A package that uses it has
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
//
// and its tests call New or NewMigrated.
package pgtest
