//go:build linux

package pgembed

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemTotalIsReadInBytes(t *testing.T) {
	t.Parallel()
	require.Equal(t, int64(24682404)<<10, parseMemTotal("MemFree: 1 kB\nMemTotal:       24682404 kB\n"))
	require.Zero(t, parseMemTotal("MemTotal: x kB\n"))
	require.Zero(t, parseMemTotal(""))
	require.Positive(t, memoryBytes())
}

func TestOnlyAPostgresInTheDirectoryServesIt(t *testing.T) {
	t.Parallel()
	wd, err := os.Getwd()
	require.NoError(t, err)
	require.False(t, serves(os.Getpid(), wd), "right directory, wrong program")
	require.False(t, serves(1<<30, wd), "no such process")

	c := start(t, testOptions(newDir(t)))
	require.True(t, serves(c.PID(), c.layout.pgData))
	require.False(t, serves(c.PID(), wd), "right program, wrong directory")
	require.Contains(t, serverProcesses(c.layout.pgData), c.PID())
}
