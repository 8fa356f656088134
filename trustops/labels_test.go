package trustops_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/store"
	"interai/trustops"
)

const (
	revisionID = "rev_01jz0000000000000000000001"
	claimID    = "clm_01jz0000000000000000000002"
)

func TestLabelsAreReadOrRefused(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text, problem string
		labels        int
	}{
		"with a header":                   {text: "target,truth\n" + revisionID + ",1\n" + claimID + ",0\n", labels: 2},
		"without a header":                {text: revisionID + ",1\n", labels: 1},
		"with a byte order mark":          {text: "\ufefftarget,truth\r\n" + revisionID + ", 1\r\n", labels: 1},
		"twice the same":                  {text: strings.Repeat(revisionID+",1\n", 2), labels: 1},
		"nothing":                         {},
		"both truths":                     {text: revisionID + ",1\n" + revisionID + ",0\n", problem: "line 2: " + revisionID + " has both truths"},
		"no truth":                        {text: revisionID + ",2\n", problem: `line 1: "2" is not 0 or 1`},
		"an ID that is none":              {text: claimID + ",1\nrev_1,1\n", problem: `line 2: "rev_1" is not an ID`},
		"an ID that is no target":         {text: strings.Replace(revisionID, "rev", "usr", 1) + ",1\n", problem: "is not a revision"},
		"three columns":                   {text: revisionID + ",1,1\n", problem: "wrong number of fields"},
		"a header in the middle":          {text: revisionID + ",1\ntarget,truth\n", problem: `"target" is not an ID`},
		"a quotation that does not close": {text: `"` + revisionID, problem: "read labels"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			labels, err := trustops.ReadLabels(strings.NewReader(c.text))
			if c.problem != "" {
				require.ErrorContains(t, err, c.problem)
				return
			}
			require.NoError(t, err)
			require.Len(t, labels, c.labels)
		})
	}
}

func FuzzLabelsHoldOnlyTargets(f *testing.F) {
	f.Add("target,truth\n" + revisionID + ",1\n")
	f.Add(claimID + ",0\n\"" + claimID + "\",0")
	f.Fuzz(func(t *testing.T, text string) {
		labels, err := trustops.ReadLabels(strings.NewReader(text))
		if err != nil {
			return
		}
		for id := range labels {
			again, err := store.ParseID(id.String())
			if err != nil || again != id {
				t.Fatalf("%v: %v", id, err)
			}
		}
	})
}
