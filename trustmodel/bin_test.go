package trustmodel

import (
	"math"
	"testing"
	"time"
)

func TestBinOfRoundsDownInUTC(t *testing.T) {
	const day = 24 * time.Hour
	epoch := time.Unix(0, 0)
	for name, c := range map[string]struct {
		at   time.Time
		want int32
	}{
		"the epoch":                     {epoch, 0},
		"the last second of a bin":      {epoch.Add(30*day - time.Second), 0},
		"a fraction before the end":     {epoch.Add(30*day - time.Nanosecond), 0},
		"the first moment of the next":  {epoch.Add(30 * day), 1},
		"a moment before the epoch":     {epoch.Add(-time.Nanosecond), -1},
		"a whole bin before the epoch":  {epoch.Add(-30 * day), -1},
		"more than a bin before":        {epoch.Add(-30*day - time.Second), -2},
		"another zone, the same moment": {epoch.Add(30 * day).In(time.FixedZone("", -12*3600)), 1},
		"a day of 2026":                 {time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 681},
		"too far ahead":                 {time.Unix(math.MaxInt64/2, 0), math.MaxInt32},
		"too far back":                  {time.Unix(math.MinInt64/2, 0), math.MinInt32},
	} {
		if got := BinOf(c.at); got != c.want {
			t.Errorf("%s: bin %d, want %d", name, got, c.want)
		}
	}
}
