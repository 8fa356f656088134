package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// judged is a row with a truth, a value and a share.
func judged(truth, value, share float64) Row {
	return Row{Set: "s", Truth: truth, Judged: true, Value: value, Share: share, Reports: 1}
}

func TestAccuracyIsTheShareOfItemsOnTheSideOfTheTruth(t *testing.T) {
	for name, c := range map[string]struct {
		rows               []Row
		accuracy, majority float64
	}{
		"both right":                 {[]Row{judged(1, .9, .8), judged(0, .1, .2)}, 1, 1},
		"trust right, majority not":  {[]Row{judged(0, .3, .9)}, 1, 0},
		"majority right, trust not":  {[]Row{judged(1, .3, .9)}, 0, 1},
		"one half holds on all":      {[]Row{judged(.5, .5, .5)}, 1, 1},
		"a tie about a false item":   {[]Row{judged(.49, .5, .5)}, 0, 0},
		"unknown truth counts never": {[]Row{judged(1, .9, .9), {Set: "s", Value: .1, Reports: 1}}, 1, 1},
		"nothing is judged":          {[]Row{{Set: "s", Value: .1, Reports: 1}}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var r Report
			r.add(&dataset{name: "s"}, c.rows, counts{})
			require.InDelta(t, c.accuracy, r.Sets[0].Accuracy, 1e-9)
			require.InDelta(t, c.majority, r.Sets[0].Majority, 1e-9)
			require.Equal(t, len(c.rows), r.Sets[0].Items)
		})
	}
}

func TestErrorsAreMeanDistancesFromTheTruth(t *testing.T) {
	var r Report
	r.add(&dataset{name: "s"}, []Row{judged(1, .8, .5), judged(0, .4, .1)}, counts{})
	require.InDelta(t, .3, r.Sets[0].Error, 1e-9)
	require.InDelta(t, .3, r.Sets[0].MajorityError, 1e-9)
}

func TestTheTableShowsItemsAndAccuracy(t *testing.T) {
	var r Report
	long := strings.Repeat("x", 80)
	rows := []Row{judged(1, .875, .75), {Set: "s", Title: long, Status: "disputed", Reports: 3}}
	rows[0].Title, rows[0].Status = "Git:\ta task", "supported"
	r.add(&dataset{name: "s"}, rows, counts{sent: 4, actors: 2, deferred: 5})
	var out bytes.Buffer
	require.NoError(t, r.WriteTable(&out))
	text := out.String()
	require.Regexp(t, `Git: a task +1\.000 +supported +0\.875 +\[0\.000, 0\.000\] +0 +0 +1 +0\.750`, text)
	require.Regexp(t, `x{59}… +- +disputed`, text)
	require.Regexp(t, `s +2 +1 +4 +2 +100\.00 % +100\.00 %`, text)
	require.Contains(t, text, "5 reports met a rate limit")
}

func TestTheTableOfManyItemsIsCut(t *testing.T) {
	var r Report
	var rows []Row
	for i := range maxTableRows + 7 {
		rows = append(rows, Row{Set: "s", Title: fmt.Sprint("item ", i)})
	}
	r.add(&dataset{name: "s"}, rows, counts{})
	var out bytes.Buffer
	require.NoError(t, r.WriteTable(&out))
	require.Equal(t, maxTableRows, strings.Count(out.String(), "item "))
	require.Contains(t, out.String(), "… and 7 more")
}

// brokenWriter is a terminal that is gone.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestATableThatCannotBeWrittenIsAnError(t *testing.T) {
	r := Report{Sets: []Set{{Name: "s"}}}
	require.ErrorContains(t, r.WriteTable(brokenWriter{}), "gone")
}

func TestTheReportIsJSONWithNamedFields(t *testing.T) {
	var r Report
	r.add(&dataset{name: "s", kind: kindWorld}, []Row{judged(1, .9, .9)}, counts{sent: 1})
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	for _, field := range []string{`"sets"`, `"rows"`, `"accuracy"`, `"majority"`, `"truth"`, `"lower_bound"`, `"kind":"world"`} {
		require.Contains(t, string(raw), field)
	}
}
