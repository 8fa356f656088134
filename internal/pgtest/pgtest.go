package pgtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"interai/store/pgembed"
)

const (
	// externalEnv names an outside server (a connection string) to use instead.
	externalEnv = "INTERAI_TEST_DATABASE_URL"
	// patience bounds one step of the kit: the first start on a loaded machine
	// runs initdb, which was measured at up to 15 s.
	patience = 2 * time.Minute
)

// Main runs a package's tests and gives the shared cluster back at the end. A
// process that dies before that (a time-out, Ctrl-C) is cleaned up after by a
// watchdog. It returns the exit code for os.Exit.
func Main(m *testing.M) int {
	if dir := os.Getenv(watchdogEnv); dir != "" {
		return guardShare(dir, os.Stdin)
	}
	shared.pin()
	code := m.Run()
	if err := shared.unpin(); err != nil {
		println("pgtest: give the test cluster back:", err.Error())
		return max(code, 1)
	}
	return code
}

// New returns the connection string of a fresh, empty database that is dropped
// when the test ends.
func New(t testing.TB) string {
	t.Helper()
	srv := use(t)
	name := srv.nextName()
	if err := srv.create(name, ""); err != nil {
		t.Fatal("make test database: ", err)
	}
	t.Cleanup(func() { dropAtEnd(t, srv, name) })
	return srv.connString(name)
}

// NewMigrated is New with the schema that migrate makes. migrate runs once for
// each state of the migrations, on a template that later databases are cloned
// from, so what it does must follow from its code and the migrations alone, and
// it must close its connections.
func NewMigrated(t testing.TB, migrate func(ctx context.Context, connString string) error) string {
	t.Helper()
	srv := use(t)
	key, err := shared.templateKey(migrate)
	if err != nil {
		t.Fatal("name the database template: ", err)
	}
	name := srv.nextName()
	if err := srv.cloneTemplate(key, name, migrate); err != nil {
		t.Fatal("make migrated test database: ", err)
	}
	t.Cleanup(func() { dropAtEnd(t, srv, name) })
	return srv.connString(name)
}

// Cluster returns the shared cluster. Other packages' tests run on it at the
// same time: a test that kills a server takes NewCluster. It skips the test
// when an outside server is in use.
func Cluster(t testing.TB) *pgembed.Cluster {
	t.Helper()
	srv := use(t)
	if srv.cluster == nil {
		t.Skip("not run: " + externalEnv + " is set, and this test needs the private cluster")
	}
	return srv.cluster
}

// NewCluster returns a cluster of the test's own, for tests that stop or kill
// the server; it is removed when the test ends.
func NewCluster(t testing.TB) *pgembed.Cluster {
	t.Helper()
	dir, err := os.MkdirTemp(scratchDir(), "interai-cluster-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // as root, the server's account has to pass
	}
	if err != nil {
		t.Fatal("make cluster directory: ", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := pgembed.Start(ctx, pgembed.Options{
		DataDir:  filepath.Join(dir, "data"),
		Settings: map[string]string{"fsync": "off", "shared_buffers": "64MB"},
	})
	if err != nil {
		t.Fatal("start cluster: ", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := c.Stop(ctx); err != nil {
			t.Error("stop cluster: ", err)
		}
	})
	return c
}

// use takes part in the shared server until the test ends.
func use(t testing.TB) *server {
	t.Helper()
	srv, err := shared.acquire()
	if err != nil {
		t.Fatal("start the test cluster: ", err)
	}
	t.Cleanup(func() {
		if err := shared.release(); err != nil {
			t.Error("give the test cluster back: ", err)
		}
	})
	return srv
}

func dropAtEnd(t testing.TB, srv *server, name string) {
	if err := srv.drop(name); err != nil {
		t.Error("drop test database: ", err)
	}
}
