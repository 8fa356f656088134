package demo

import (
	"fmt"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func usageRows(ratings ...int) []usageRow {
	rows := make([]usageRow, len(ratings))
	for i, rating := range ratings {
		rows[i] = usageRow{target: "g", version: "v", gpu: "amd", system: fmt.Sprint("s", i), day: i, rating: rating}
	}
	return rows
}

func TestRatingsBecomeResults(t *testing.T) {
	for rating, want := range []string{failure, failure, partial, success, success} {
		row, err := parseUsage([]string{"g", "-3", strconv.Itoa(rating), "", "", "s"})
		require.NoError(t, err)
		require.Equal(t, want, usageOf(row).Result)
		require.True(t, usageOf(row).RealWorldUse)
		require.Equal(t, map[string]string{"gpu": "", "version": unnamedVersion}, usageOf(row).Context)
	}
	for name, row := range map[string][]string{
		"a rating above": {"g", "1", "5", "v", "g", "s"}, "a rating below": {"g", "1", "-1", "v", "g", "s"},
		"a rating in words": {"g", "1", "gold", "v", "g", "s"}, "a broken day": {"g", "1.5", "1", "v", "g", "s"},
		"no target": {"", "1", "1", "v", "g", "s"}, "no system": {"g", "1", "1", "v", "g", ""},
	} {
		_, err := parseUsage(row)
		require.Error(t, err, name)
	}
}

func TestTheLatestReportsAreHeldOutAsTheTruth(t *testing.T) {
	rows := usageRows(0, 0, 0, 0, 0, 0, 0, 4, 4, 2)
	rows[0], rows[9] = rows[9], rows[0] // the file need not be in the order of the days
	d := usageDataset("set", []*usageItem{{target: "g", version: "v", rows: rows}})
	require.Len(t, d.reports, 7)
	for _, r := range d.reports {
		require.Equal(t, failure, r.args.(usageArgs).Result, "only the early reports, all failures, are sent")
	}
	require.True(t, d.items[0].known)
	require.InDelta(t, (1+1+partialOutcome)/3, d.items[0].truth, 1e-9)
}

func TestAnItemWithFewLaterReportsIsNotJudged(t *testing.T) {
	for n, known := range map[int]bool{1: false, 9: false, 10: true} {
		d := usageDataset("set", []*usageItem{{target: "g", version: "v", rows: usageRows(make([]int, n)...)}})
		require.Equal(t, known, d.items[0].known, "%d reports", n)
		require.NotEmpty(t, d.reports)
	}
}

func TestALimitKeepsTheItemsWithMostReportsAndTheirTruth(t *testing.T) {
	d, err := loadUsage("games", filepath.Join("testdata", "usage", "games.csv"))
	require.NoError(t, err)
	require.Len(t, d.items, 3)
	truth, keys := d.items[0].truth, map[string]bool{}
	for _, r := range d.reports {
		require.False(t, keys[r.key], "each report has a key of its own")
		keys[r.key] = true
	}
	d.limitTo(12)
	items, publications, actors := d.used()
	require.Equal(t, []bool{true, true, false}, items)
	require.Equal(t, []bool{true, true, false}, publications)
	require.Less(t, count(actors), len(d.actors))
	require.InDelta(t, truth, d.items[0].truth, 0)
	for _, r := range d.reports {
		require.True(t, keys[r.key], "the limit changes no key")
	}
}

func TestReportsThatAreEqualInEveryFieldAreTwo(t *testing.T) {
	row := usageRows(4)[0]
	d := usageDataset("set", []*usageItem{{target: "g", version: "v", rows: []usageRow{row, row}}})
	require.Len(t, d.reports, 2)
	require.NotEqual(t, d.reports[0].key, d.reports[1].key)
	require.Equal(t, d.reports[0].actor, d.reports[1].actor)
}
