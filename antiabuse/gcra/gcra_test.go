package gcra

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func rate(t require.TestingT, capacity int, window time.Duration) Rate {
	r, err := New(capacity, window)
	require.NoError(t, err)
	return r
}

func TestARateHasACapacityThatItsWindowCanCount(t *testing.T) {
	for _, tt := range []struct {
		rule     string
		capacity int
		window   time.Duration
		fails    bool
	}{
		{"one is enough", 1, time.Microsecond, false},
		{"none is no rate", 0, time.Hour, true},
		{"less than none is no rate", -1, time.Hour, true},
		{"no window is no rate", 1, 0, true},
		{"one each microsecond is the most", 3_600_000_000, time.Hour, false},
		{"more than one each microsecond cannot be counted", 3_600_000_001, time.Hour, true},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			_, err := New(tt.capacity, tt.window)
			require.Equal(t, tt.fails, err != nil)
		})
	}
}

func TestTwoHundredAnHourAreOneEachEighteenSeconds(t *testing.T) {
	const now = int64(1_700_000_000_000_000)
	r := rate(t, 200, time.Hour)
	require.Equal(t, 200, r.Capacity())
	require.Equal(t, int64(18_000_000), r.Emission())
	require.Equal(t, 200, r.Remaining(0, now), "a meter that was never used is full")
	require.Zero(t, r.Wait(0, now))
	tat, ok := r.Take(0, now, 200)
	require.True(t, ok)
	require.Zero(t, r.Remaining(tat, now))
	require.Equal(t, 18*time.Second, r.Wait(tat, now))
	_, ok = r.Take(tat, now+18_000_000-1, 1)
	require.False(t, ok, "a microsecond early")
	tat, ok = r.Take(tat, now+18_000_000, 1)
	require.True(t, ok)
	require.Equal(t, 1, r.Remaining(r.Refund(tat, 1), now+18_000_000), "what is given back can be taken again")
	require.Equal(t, 200, r.Remaining(tat, now+3_618_000_000), "an hour later the meter is full again")
}

func TestMoreThanIsThereIsNotTakenAtAll(t *testing.T) {
	r := rate(t, 3, time.Hour)
	tat, ok := r.Take(0, 0, 4)
	require.False(t, ok)
	require.Zero(t, tat)
	_, ok = r.Take(0, 0, -1)
	require.False(t, ok, "nothing is given back by taking less than none")
	tat, ok = r.Take(0, 0, 0)
	require.True(t, ok)
	require.Equal(t, 3, r.Remaining(tat, 0))
}

func TestSecondsAreRoundedUp(t *testing.T) {
	for wait, seconds := range map[time.Duration]int{
		0: 0, 1: 1, time.Second: 1, time.Second + 1: 2, time.Hour: 3600,
	} {
		require.Equal(t, seconds, Seconds(wait), wait.String())
	}
}

// bucket is the same rule by another way: a bucket that counts what is left, and the microseconds towards the next.
type bucket struct {
	capacity, emission int64
	left, towards, at  int64
}

func (b *bucket) to(now int64) {
	b.towards += now - b.at
	b.at = now
	gained := b.towards / b.emission
	b.left, b.towards = b.left+gained, b.towards%b.emission
	if b.left >= b.capacity {
		b.left, b.towards = b.capacity, 0
	}
}

func (b *bucket) take(n int64) bool {
	if b.left < n {
		return false
	}
	b.left -= n
	return true
}

func (b *bucket) wait() time.Duration {
	if b.left > 0 {
		return 0
	}
	return time.Duration(b.emission-b.towards) * time.Microsecond
}

func TestAMeterIsABucketThatRefills(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := time.Duration(rapid.Int64Range(1, 3_600_000_000).Draw(t, "window")) * time.Microsecond
		capacity := rapid.IntRange(1, int(min(window.Microseconds(), 10_000_000))).Draw(t, "capacity")
		r := rate(t, capacity, window)
		now := rapid.Int64Range(0, 1<<52).Draw(t, "start")
		model := bucket{capacity: r.capacity, emission: r.emission, left: r.capacity, at: now}
		var tat int64
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			now += rapid.Int64Range(0, 2*window.Microseconds()).Draw(t, "pause") / rapid.Int64Range(1, 1000).Draw(t, "by")
			model.to(now)
			n := rapid.IntRange(0, min(capacity+1, 1000)).Draw(t, "n")
			after, ok := r.Take(tat, now, n)
			require.Equal(t, model.take(int64(n)), ok)
			tat = after
			require.Equal(t, int(model.left), r.Remaining(tat, now))
			require.Equal(t, model.wait(), r.Wait(tat, now))
		}
	})
}

func TestAfterTheWaitOnePassesAndBeforeItNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rate(t, rapid.IntRange(1, 10_000_000).Draw(t, "capacity"), time.Hour)
		now := rapid.Int64Range(0, 1<<52).Draw(t, "now")
		tat := now + rapid.Int64Range(-10, r.capacity*r.emission).Draw(t, "ahead")
		wait := r.Wait(tat, now).Microseconds()
		require.Positive(t, r.Remaining(tat, now+wait))
		if wait > 0 {
			require.Zero(t, r.Remaining(tat, now+wait-1))
		}
	})
}

func TestNoMoreThanTwiceTheCapacityPassesInAWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const window = time.Minute
		r := rate(t, rapid.IntRange(1, 50).Draw(t, "capacity"), window)
		var tat, now int64
		var passed []int64
		for range rapid.IntRange(1, 300).Draw(t, "tries") {
			now += rapid.Int64Range(0, 3_000_000).Draw(t, "pause")
			after, ok := r.Take(tat, now, 1)
			if ok {
				tat, passed = after, append(passed, now)
			}
		}
		for i := range passed {
			if last := i + 2*r.Capacity(); last < len(passed) {
				require.GreaterOrEqual(t, passed[last]-passed[i], window.Microseconds())
			}
		}
	})
}
