package pgembed

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestVersionIsReadFromTheBanner(t *testing.T) {
	t.Parallel()
	for banner, want := range map[string]struct {
		version string
		major   int
	}{
		"postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)\n": {"15.20", 15},
		"postgres (PostgreSQL) 18beta1\n":                        {"18beta1", 18},
		"postgres (PostgreSQL) 17.2 (Homebrew)\n":                {"17.2", 17},
	} {
		version, major, err := parseVersion(banner)
		require.NoError(t, err)
		require.Equal(t, want.version, version)
		require.Equal(t, want.major, major)
	}
	_, _, err := parseVersion("psql 15")
	require.Error(t, err)
}

func TestBinariesAreFoundAndNewEnough(t *testing.T) {
	t.Parallel()
	b, err := FindBinaries("")
	require.NoError(t, err)
	require.GreaterOrEqual(t, b.Major, MinMajor)

	parent, err := FindBinaries(filepath.Dir(b.Dir))
	require.NoError(t, err, "the parent of bin will do as well")
	require.Equal(t, b.Version, parent.Version)

	_, err = findBinaries("", 9)
	var missing *NoBinariesError
	require.ErrorAs(t, err, &missing)
	require.NotEmpty(t, missing.Found, "it says what is there instead")
}

func TestInstallCommandFollowsThePackageManager(t *testing.T) {
	for _, in := range installers() {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, in.tool), []byte("#!/bin/sh\n"), 0o755))
		t.Setenv("PATH", dir)
		require.Contains(t, installCommand(), in.command)
	}
	t.Setenv("PATH", t.TempDir())
	require.Contains(t, installCommand(), "package manager")
}

func TestPidFileIsReadAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		raw  string
		want pidFile
		ok   bool
	}{
		"whole":         {"42\n/data\n1700000000\n5432\n/run/x\n\n 1 2\nready   \n", pidFile{42, "/run/x"}, true},
		"first line":    {"42\n", pidFile{pid: 42}, true},
		"stand-alone":   {"-42\n/data\n", pidFile{pid: 42}, true},
		"empty":         {"", pidFile{}, false},
		"not a number":  {"x\n", pidFile{}, false},
		"zero is a nil": {"0\n", pidFile{}, false},
	} {
		got, ok := parsePID(tc.raw)
		require.Equal(t, tc.ok, ok, name)
		require.Equal(t, tc.want, got, name)
	}
}

func TestServerEnvironmentIsClean(t *testing.T) {
	t.Parallel()
	got := serverEnv([]string{"PATH=/bin", "PGDATA=/x", "LC_ALL=bad", "LANG=bad", "LANGUAGE=bad", "INTERAI_DATABASE_URL=secret", "TZ=UTC"})
	require.Equal(t, []string{"PATH=/bin", "TZ=UTC", "LC_ALL=C"}, got)
}

func TestSharedBuffersFollowTheMemory(t *testing.T) {
	t.Parallel()
	for memory, want := range map[int64]int64{
		0:         maxSharedBuffers,
		64 << 20:  minSharedBuffers,
		512 << 20: 128 << 20,
		32 << 30:  maxSharedBuffers,
	} {
		require.Equal(t, want, sharedBuffers(memory), memory)
	}
}

func TestSmallSharedMemoryTurnsParallelQueriesOff(t *testing.T) {
	t.Parallel()
	require.NotContains(t, serverSettings(0, false), "dynamic_shared_memory_type")
	small := serverSettings(0, true)
	require.Equal(t, "mmap", small["dynamic_shared_memory_type"])
	require.Equal(t, "0", small["max_parallel_workers_per_gather"])
}

func TestSettingsAreSortedArguments(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"-c", "a=1", "-c", "b="}, settingArgs(map[string]string{"b": "", "a": "1"}))
}

func TestRestartsThatFollowCloselyWaitLonger(t *testing.T) {
	t.Parallel()
	var b backoff
	now := time.Unix(1_700_000_000, 0)
	require.Zero(t, b.next(now), "the first is immediate")
	want := minBackoff
	for range 10 {
		now = now.Add(time.Second)
		require.Equal(t, want, b.next(now))
		want = min(2*want, maxBackoff)
	}
	now = now.Add(settled + maxBackoff + time.Second)
	require.Zero(t, b.next(now), "a server that stayed up is forgiven")
}

func TestLargeLogIsMovedAsideAtAStart(t *testing.T) {
	t.Parallel()
	c := &Cluster{layout: newLayout(t.TempDir())}
	for _, tc := range []struct {
		size  int64
		moved bool
	}{{maxLogBytes, false}, {maxLogBytes + 1, true}} {
		require.NoError(t, os.WriteFile(c.layout.log, nil, 0o600))
		require.NoError(t, os.Truncate(c.layout.log, tc.size))
		log, err := c.openLog()
		require.NoError(t, err)
		require.NoError(t, log.Close())
		require.Equal(t, tc.moved, exists(c.layout.log+".1"))
	}
}
