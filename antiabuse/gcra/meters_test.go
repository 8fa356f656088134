package gcra

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEachKeyHasItsOwnMeter(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	m := NewMeters(rate(t, 2, time.Minute), 10)
	require.Zero(t, m.Wait("a", now))
	require.Zero(t, m.Take("a", now))
	require.Zero(t, m.Take("a", now))
	require.Equal(t, 30*time.Second, m.Take("a", now))
	require.Equal(t, 30*time.Second, m.Wait("a", now), "what does not pass costs nothing")
	require.Zero(t, m.Take("b", now))
	require.Zero(t, m.Take("a", now.Add(30*time.Second)))
}

func TestMetersAreBoundedAndForgetTheFullOnesFirst(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	m := NewMeters(rate(t, 1, time.Minute), 16)
	for i := range 15 {
		require.Zero(t, m.Take("old "+strconv.Itoa(i), now))
	}
	now = now.Add(time.Hour)
	require.Zero(t, m.Take("kept", now))
	require.Zero(t, m.Take("new", now))
	require.Len(t, m.tats, 2)
	require.NotZero(t, m.Wait("kept", now))
	for i := range 1000 {
		m.Take(strconv.Itoa(i), now)
		require.LessOrEqual(t, len(m.tats), 16)
	}
	one := NewMeters(rate(t, 1, time.Minute), 0)
	one.Take("a", now)
	one.Take("b", now)
	require.Len(t, one.tats, 1)
}

func TestMetersAreSafeForConcurrentUse(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	m := NewMeters(rate(t, 100, time.Hour), 10)
	var passed atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if m.Take("k", now) == 0 {
					passed.Add(1)
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, int64(100), passed.Load())
}
