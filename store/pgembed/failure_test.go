package pgembed

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStartFailsWithATypedError(t *testing.T) {
	t.Parallel()
	t.Run("no binaries where it is told to look", func(t *testing.T) {
		t.Parallel()
		o := testOptions(newDir(t))
		o.BinDir = filepath.Dir(o.DataDir)
		_, err := Start(testContext(t), o)
		require.ErrorIs(t, err, ErrNoBinaries)
		require.ErrorContains(t, err, installCommand())
		require.ErrorContains(t, err, o.BinDir)
	})
	t.Run("cluster of a version that is not installed", func(t *testing.T) {
		t.Parallel()
		o := testOptions(newDir(t))
		l := newLayout(o.DataDir)
		require.NoError(t, os.MkdirAll(l.pgData, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(l.pgData, "PG_VERSION"), []byte("14\n"), 0o600))
		_, err := Start(testContext(t), o)
		var missing *NoBinariesError
		require.ErrorAs(t, err, &missing)
		require.Equal(t, 14, missing.Want)
		require.ErrorContains(t, err, "14, which the existing cluster needs")
	})
	t.Run("setting that the server refuses", func(t *testing.T) {
		t.Parallel()
		o := testOptions(newDir(t))
		o.Settings["max_connections"] = "many"
		_, err := Start(testContext(t), o)
		var failed *StartError
		require.ErrorAs(t, err, &failed)
		require.Contains(t, failed.Log, "max_connections")
	})
	t.Run("account that does not exist", func(t *testing.T) {
		t.Parallel()
		onlyRoot(t)
		o := testOptions(newDir(t))
		o.OSUser = "no-such-account"
		_, err := Start(testContext(t), o)
		var acc *AccountError
		require.ErrorAs(t, err, &acc)
		require.ErrorContains(t, err, "no-such-account")
	})
	t.Run("root as the account", func(t *testing.T) {
		t.Parallel()
		onlyRoot(t)
		o := testOptions(newDir(t))
		o.OSUser = "root"
		_, err := Start(testContext(t), o)
		var acc *AccountError
		require.ErrorAs(t, err, &acc)
	})
	t.Run("cluster of another account", func(t *testing.T) {
		t.Parallel()
		onlyRoot(t)
		o := testOptions(newDir(t))
		stop(t, start(t, o))
		o.OSUser = "nobody"
		_, err := Start(testContext(t), o)
		var acc *AccountError
		require.ErrorAs(t, err, &acc)
		require.ErrorContains(t, err, "belongs to uid")
	})
	t.Run("parent that the account may not enter", func(t *testing.T) {
		t.Parallel()
		onlyRoot(t)
		closed := filepath.Dir(newDir(t))
		require.NoError(t, os.Chmod(closed, 0o700))
		_, err := Start(testContext(t), testOptions(filepath.Join(closed, "deep", "data")))
		var traverse *TraverseError
		require.ErrorAs(t, err, &traverse)
		require.Equal(t, closed, traverse.Dir)
	})
	t.Run("no data directory", func(t *testing.T) {
		t.Parallel()
		_, err := Start(testContext(t), Options{})
		require.ErrorIs(t, err, errNoDataDir)
	})
}

func TestClosedDataDirectoryOfRootIsOpenedForTheAccountOnly(t *testing.T) {
	t.Parallel()
	onlyRoot(t)
	o := testOptions(newDir(t))
	require.NoError(t, os.Mkdir(o.DataDir, 0o700)) // as mktemp -d makes it
	c := start(t, o)
	require.True(t, alive(c))
	info, err := os.Stat(o.DataDir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o710), info.Mode().Perm(), "the group may pass, others still may not")
}

func TestStartGivesUpWithItsContextWhileAnotherHoldsTheLock(t *testing.T) {
	t.Parallel()
	o := testOptions(newDir(t))
	require.NoError(t, os.MkdirAll(o.DataDir, 0o755))
	held, err := openLock(newLayout(o.DataDir).lock)
	require.NoError(t, err)
	defer held.release()
	got, err := held.try(syscall.LOCK_EX)
	require.NoError(t, err)
	require.True(t, got)

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err = Start(ctx, o)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestCancelledStartLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	o := testOptions(newDir(t))
	ctx, cancel := context.WithCancel(context.Background())
	l := newLayout(o.DataDir)
	go func() { // in the middle of initdb
		for !exists(filepath.Join(l.initDir, "base")) {
			if pause(ctx, time.Millisecond) != nil {
				return
			}
		}
		cancel()
	}()
	_, err := Start(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, l.initialised())
	eventually(t, "no process", func() bool { return len(leftBehind(o.DataDir)) == 0 })

	c := start(t, o)
	require.True(t, alive(c), "the next start begins anew")
}

func TestForeignSocketDirectoryIsRefused(t *testing.T) {
	t.Parallel()
	onlyRoot(t)
	dir := filepath.Dir(newDir(t))
	l := newLayout(dir)
	require.NoError(t, os.Mkdir(l.socket, 0o777)) // root's, not the account's
	acc, err := dropAccount("nobody", l)
	require.NoError(t, err)
	require.ErrorContains(t, l.makeSocketDir(acc), "does not belong to")

	require.NoError(t, os.Remove(l.socket))
	require.NoError(t, os.Symlink(os.TempDir(), l.socket))
	require.ErrorContains(t, l.makeSocketDir(acc), "does not belong to")
}
