package collusion

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// steady are hours of one count.
func steady(n, count, young int) []Hour {
	return slices.Repeat([]Hour{{Count: count, Young: young}}, n)
}

func TestBursts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hours []Hour
		want  []int
	}{
		"a quiet target":                           {steady(100, 0, 0), nil},
		"a few at once":                            {append(steady(50, 0, 0), Hour{5, 5}), nil},
		"many young ones at once":                  {append(steady(50, 1, 1), Hour{30, 30}), []int{50}},
		"at the very beginning":                    {[]Hour{{30, 30}}, []int{0}},
		"as many old ones count half":              {append(steady(50, 1, 0), Hour{16, 0}), nil},
		"very many old ones":                       {append(steady(50, 1, 0), Hour{60, 0}), []int{50}},
		"a busy target is busy once it is known":   {append(steady(200, 40, 20), Hour{55, 30}), []int{0, 1}},
		"a known target far above itself":          {append(steady(200, 40, 20), Hour{160, 150}), []int{0, 1, 200}},
		"counts that cannot be":                    {append(steady(10, -5, 9), Hour{3, 300}), nil},
		"a burst does not teach that it is normal": {append(steady(50, 1, 1), Hour{200, 200}, Hour{200, 200}), []int{50, 51}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var hours []int
			for _, s := range Bursts([]Target{{ID: "x", Hours: c.hours}}, Defaults()) {
				hours = append(hours, s.Hour)
				require.Less(t, s.Tail, 1e-6)
				require.Contains(t, s.Sentence, "x got ")
			}
			slices.Sort(hours)
			require.Equal(t, c.want, hours)
		})
	}
}

func TestASteadyRateNeverAlarms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(0, 200).Draw(t, "count")
		young := rapid.IntRange(0, count).Draw(t, "young")
		for _, s := range Bursts([]Target{{ID: "x", Hours: steady(100, count, young)}}, Defaults()) {
			require.Less(t, s.Hour, 24, "a rate that is new is learnt within a day")
			require.Greater(t, count, 4)
		}
	})
}

func TestARateThatVariesAsChanceDoesNeverAlarms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(4, 100).Draw(t, "count")
		spread := int(math.Sqrt(float64(count)))
		hours := steady(48, count, count)
		for range 100 {
			n := count + rapid.IntRange(-2*spread, 2*spread).Draw(t, "spread")
			hours = append(hours, Hour{n, n})
		}
		for _, s := range Bursts([]Target{{ID: "x", Hours: hours}}, Defaults()) {
			require.Less(t, s.Hour, 24)
		}
	})
}

func TestMoreVerdictsNeverMakeAnHourLessUnlikely(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		expected := rapid.Float64Range(0.01, 100).Draw(t, "expected")
		count := rapid.IntRange(0, 300).Draw(t, "count")
		young := rapid.IntRange(0, count).Draw(t, "young")
		_, alarm := burst(Hour{count, young}, expected, Defaults())
		_, more := burst(Hour{count + 1, young + 1}, expected, Defaults())
		_, younger := burst(Hour{count, count}, expected, Defaults())
		require.True(t, !alarm || more && younger)
	})
}

func TestTheLeastLikelyHourComesFirst(t *testing.T) {
	t.Parallel()
	got := Bursts([]Target{{"a", append(steady(50, 1, 1), Hour{20, 20})}, {"b", append(steady(50, 1, 1), Hour{60, 60})}}, Defaults())
	require.Len(t, got, 2)
	require.Equal(t, "b", got[0].Target)
}
