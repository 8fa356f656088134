package node_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/api/node"
	"interai/config"
	"interai/internal/pgtest"
	"interai/internal/stack"
)

func TestFirstStartMakesTheDataDirectoryOfAnOutsideDatabase(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "not", "there")
	cfg, err := config.Load(map[string]string{
		"database-url": pgtest.NewMigrated(t, stack.Migrate), "data-dir": dir, "workers": "1",
	}, nil, "")
	require.NoError(t, err)
	n, err := node.Open(cfg, "test", stack.Logger(t), node.Roles{API: true, Workers: true})
	require.NoError(t, err)
	n.URL = "http://127.0.0.1:1"
	n.Begin(t.Context())
	select {
	case <-n.Ready():
	case err := <-n.Failed():
		t.Fatal(err)
	case <-t.Context().Done():
		t.Fatal("not ready in time")
	}
	require.NoError(t, n.Stop(t.Context()))

	stored, err := node.ReadCredentials(dir)
	require.NoError(t, err)
	require.Equal(t, n.Local, stored)
	require.Equal(t, "http://127.0.0.1:1", stored.URL)
	other, err := config.Load(map[string]string{
		"database-url": pgtest.NewMigrated(t, stack.Migrate), "data-dir": dir, "workers": "1",
	}, nil, "")
	require.NoError(t, err)
	stranger, err := node.Open(other, "test", stack.Logger(t), node.Roles{API: true, Workers: true})
	require.NoError(t, err)
	stranger.Begin(t.Context())
	select {
	case err := <-stranger.Failed():
		require.ErrorIs(t, err, node.ErrForeignCredentials)
	case <-stranger.Ready():
		t.Fatal("credentials of another database were taken")
	}
	require.NoError(t, stranger.Stop(t.Context()))

	info, err := os.Stat(filepath.Join(dir, node.CredentialsFile))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestDamagedCredentialsAreNamedAndKept(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "cut": `{"url":"http://`, "null": "null", "a list": "[]", "without a key": `{"agent":"ai_x"}`, "without an agent": `{"key":"x"}`, "another type": `{"agent":5}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), node.CredentialsFile)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			_, err := node.ReadCredentials(filepath.Dir(path))
			require.ErrorIs(t, err, node.ErrDamagedCredentials)
			require.ErrorContains(t, err, path, "the operator learns which file")
			require.NotErrorIs(t, err, os.ErrNotExist, "it is not replaced")
		})
	}
}
