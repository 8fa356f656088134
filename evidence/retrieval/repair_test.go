package retrieval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/evidence/retrieval"
)

func TestWordsThatDeserveRepair(t *testing.T) {
	t.Parallel()
	c := corpus{n: 100, df: map[string]float64{"known": 3, "retri": 2}}
	for query, want := range map[string][]string{
		"known conection":   {"conection"},
		"retries":           nil, // the stem is known
		"abc abcd":          {"abcd"},
		"x1y2z3 v1.2 数据库":   nil,
		"the conection not": {"conection"},
		"verbíndung":        {"verbíndung"},
	} {
		require.Equal(t, want, retrieval.AnalyzeQuery(query, nil).Unknown(c), query)
	}
	repaired := retrieval.AnalyzeQuery("conection", nil).With("conection", retrieval.Guess{Word: "conectiom", DF: 1})
	require.Equal(t, []string{"conection"}, repaired.Unknown(c), "a repair is not repaired again")
}

func TestRepairTakesFewEditsAndCommonWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		word    string
		guesses []retrieval.Guess
		want    string
	}{
		"nothing near":                          {"conection", nil, ""},
		"the nearest":                           {"conection", []retrieval.Guess{{"collection", 9}, {"connection", 9}}, "connection"},
		"of equally near ones the common":       {"cache", []retrieval.Guess{{"caches", 2}, {"cached", 400}}, "cached"},
		"a common one at two edits":             {"databsae", []retrieval.Guess{{"databsa", 1}, {"database", 5_000}}, "database"},
		"a short word is another after two":     {"restore", []retrieval.Guess{{"restart", 1e9}}, ""},
		"neighbours that changed places":        {"cahce", []retrieval.Guess{{"cache", 2}}, "cache"},
		"a much more common one at two edits":   {"transacton", []retrieval.Guess{{"transector", 1}, {"transacted", 1e9}}, "transacted"},
		"no length that differs by two":         {"time", []retrieval.Guess{{"timers", 50}}, ""},
		"nothing at three edits":                {"postgres", []retrieval.Guess{{"possesss", 50}}, ""},
		"not the word itself":                   {"cache", []retrieval.Guess{{"cache", 50}}, ""},
		"nothing that no document has":          {"conection", []retrieval.Guess{{"connection", 0}}, ""},
		"of equals the first of the dictionary": {"abcd", []retrieval.Guess{{"abce", 5}, {"abca", 5}}, "abca"},
		"letters, not bytes":                    {"größe", []retrieval.Guess{{"grösse", 5}, {"große", 5}}, "große"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, found := retrieval.Repair(c.word, c.guesses)
			require.Equal(t, c.want != "", found)
			require.Equal(t, c.want, got.Word)
		})
	}
}

func TestRepairDoesNotDependOnTheOrderOfGuesses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		guesses := rapid.SliceOf(rapid.Custom(func(t *rapid.T) retrieval.Guess {
			return retrieval.Guess{Word: rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 3, 6, -1).Draw(t, "word"), DF: float64(rapid.IntRange(0, 3).Draw(t, "df"))}
		})).Draw(t, "guesses")
		want, found := retrieval.Repair("abcab", guesses)
		got, again := retrieval.Repair("abcab", rapid.Permutation(guesses).Draw(t, "permutation"))
		require.Equal(t, found, again)
		require.Equal(t, want, got)
	})
}

func TestARepairedWordStandsBesideTheWrittenOne(t *testing.T) {
	t.Parallel()
	q := retrieval.AnalyzeQuery("conection pool", nil)
	with := q.With("conection", retrieval.Guess{Word: "connections", DF: 9})
	require.Len(t, q.Terms, 2, "the query itself stays")
	require.Equal(t, []string{"conection", "connections", "pool"}, []string{with.Terms[0].Surface, with.Terms[1].Surface, with.Terms[2].Surface})
	require.Equal(t, []string{"connections", "connect"}, with.Terms[1].Lexemes)
	require.InDelta(t, .7, with.Terms[1].Weight, 0)
	require.Equal(t, q.Text, with.Text)
	require.Equal(t, with, with.With("conection", retrieval.Guess{Word: "connections", DF: 9}), "once is enough")
	require.Equal(t, q, q.With("absent", retrieval.Guess{Word: "x", DF: 1}))
}
