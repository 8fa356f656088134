package retrieval_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/evidence/retrieval"
)

// corpus is a snapshot in memory.
type corpus struct {
	n  int
	df map[string]float64
}

func (c corpus) Documents() int { return c.n }

func (c corpus) DF(lexeme string) float64 {
	if df, ok := c.df[lexeme]; ok {
		return df
	}
	return .5
}

// checkQuery parses a tsquery of quoted lexemes, parentheses, & and |, as PostgreSQL would.
func checkQuery(text string) error {
	if text == "" {
		return nil
	}
	rest, err := disjunction(text)
	if err == nil && rest != "" {
		err = fmt.Errorf("%q is left over", rest)
	}
	return err
}

func disjunction(text string) (string, error) {
	for {
		rest, err := operand(text)
		if err != nil {
			return "", err
		}
		if !strings.HasPrefix(rest, " | ") && !strings.HasPrefix(rest, " & ") {
			return rest, nil
		}
		text = rest[3:]
	}
}

func operand(text string) (string, error) {
	if inner, ok := strings.CutPrefix(text, "("); ok {
		rest, err := disjunction(inner)
		if err == nil && !strings.HasPrefix(rest, ")") {
			err = fmt.Errorf("no parenthesis at %q", rest)
		}
		return strings.TrimPrefix(rest, ")"), err
	}
	word, rest, err := unquote(text)
	if err == nil && word == "" {
		err = fmt.Errorf("an empty lexeme before %q", rest)
	}
	return rest, err
}

func TestPlans(t *testing.T) {
	t.Parallel()
	c := corpus{n: 100_000, df: map[string]float64{
		"rare": 10, "seldom": 40, "postgresql": 9_000, "timeout": 6_000, "pool": 5_000, "python": 50_000, "java": 45_000, "code": 60_000,
	}}
	for name, plan := range map[string]struct {
		query      string
		budget     int
		candidates string
		walk       bool
		rare       string
	}{
		"nothing":                               {"", 2_000, "", false, ""},
		"rare words alone":                      {"rare seldom", 2_000, "'rare' | 'seldom'", false, ""},
		"a new word is looked up":               {"qwzx rare seldom", 2_000, "'qwzx' | 'rare' | 'seldom'", false, ""},
		"common words together":                 {"timeout pool", 2_000, "('pool' & 'timeout')", false, ""},
		"pairs while they fit":                  {"timeout pool postgresql", 2_000, "('pool' & 'timeout')", false, ""},
		"more pairs for more budget":            {"timeout pool postgresql", 4_000, "('pool' & 'timeout') | ('pool' & 'postgresql') | ('timeout' & 'postgresql')", false, ""},
		"three where two are too many":          {"timeout pool postgresql", 300, "('pool' & 'timeout' & 'postgresql')", false, ""},
		"all forms of a word":                   {"timeouts pool", 2_000, "('pool' & ('timeouts' | 'timeout'))", false, ""},
		"a common word beside a rare one":       {"rare pool", 2_000, "'rare' | 'pool'", true, "'rare'"},
		"a single common word":                  {"python", 2_000, "'python'", true, ""},
		"a common word beside an unknown one":   {"python qwzx", 2_000, "'qwzx' | 'python'", true, "'qwzx'"},
		"common words whose pair is too common": {"python code", 2_000, "('python' & 'code')", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := retrieval.AnalyzeQuery(plan.query, nil).Plan(c, plan.budget, 1)
			require.Equal(t, plan.candidates, got.Candidates)
			require.Equal(t, plan.walk, got.Walk)
			require.Equal(t, plan.rare, got.Rare)
			require.NoError(t, checkQuery(got.Candidates))
			if !got.Walk {
				require.LessOrEqual(t, got.Estimated, float64(plan.budget))
			}
		})
	}
}

func TestAFilterWidensTheBudget(t *testing.T) {
	t.Parallel()
	c := corpus{n: 1_000_000, df: map[string]float64{"timeout": 15_000, "pool": 30_000}}
	q := retrieval.AnalyzeQuery("timeout pool", nil)
	require.Equal(t, "('timeout' & 'pool')", q.Plan(c, 2_000, 1).Candidates)
	require.Equal(t, "'timeout'", q.Plan(c, 2_000, .1).Candidates, "a tenth is left: ten times as many")
	require.Equal(t, "'timeout' | 'pool'", q.Plan(c, 2_000, .0005).Candidates, "one space of many: all terms")
	require.LessOrEqual(t, q.Plan(c, 2_000, .05).Estimated, 20_000., "the widening is bounded")
	require.NotEmpty(t, q.Plan(c, 2_000, 0).Candidates)
	require.NotEmpty(t, q.Plan(c, 2_000, math.NaN()).Candidates)
}

func TestWhatIsScored(t *testing.T) {
	t.Parallel()
	c := corpus{n: 1_000, df: map[string]float64{"retries": 20, "retri": 80, "backoff": 5, "user_name": 2, "username": 9, "user": 100, "name": 200}}
	weights := func(q retrieval.Query) map[string]float64 {
		out := map[string]float64{}
		plan := q.Plan(c, 100, 1)
		sum := 0.
		for _, scored := range plan.Scored {
			out[scored.Lexeme] = scored.Weight
			sum += scored.Weight
		}
		require.InDelta(t, sum, plan.SumIDF, 1e-9)
		return out
	}
	idf := func(lexeme string) float64 { return retrieval.Idf(c.n, c.DF(lexeme)) }

	got := weights(retrieval.AnalyzeQuery("retries backoff", nil))
	require.Equal(t, map[string]float64{"retri": idf("retri"), "retries": .2 * idf("retries"), "backoff": idf("backoff")}, got,
		"the stem stands for the word, and the written form adds to it")

	got = weights(retrieval.AnalyzeQuery(strings.Repeat("backoff ", 3), nil))
	require.InDelta(t, (1+.5*math.Log(3))*idf("backoff"), got["backoff"], 1e-12, "a repetition counts less than a word")

	query := retrieval.AnalyzeQuery("bakcoff", nil)
	got = weights(query.With("bakcoff", retrieval.Guess{Word: "backoff", DF: 5}))
	require.InDelta(t, .7*idf("backoff"), got["backoff"], 1e-12, "a repaired word counts less")

	got = weights(retrieval.AnalyzeQuery("user_name", nil))
	require.InDelta(t, idf("user"), got["user"], 1e-12, "the parts of an identifier count")
	require.InDelta(t, idf("username"), got["username"], 1e-12, "and all its writings by the joined form")
	require.InDelta(t, .2*idf("user_name"), got["user_name"], 1e-12, "and the very writing a little")

	got = weights(retrieval.AnalyzeQuery("user-name", nil))
	require.InDelta(t, .3*idf("username"), got["username"], 1e-12, "in prose the whole is little more than its parts")

	got = weights(retrieval.AnalyzeQuery("v1.26.3", nil))
	require.InDelta(t, idf("1.26.3"), got["1.26.3"], 1e-12, "each form of a version counts")
	require.InDelta(t, idf("1.26"), got["1.26"], 1e-12)
}

func TestLongQuestionsAreScoredByTheirRarestKnownWords(t *testing.T) {
	t.Parallel()
	c := corpus{n: 1_000, df: map[string]float64{}}
	var text []string
	for i := range 60 {
		word := fmt.Sprintf("w%dx", i)
		if text = append(text, word); i%2 == 0 {
			c.df[word] = float64(i + 1)
		}
	}
	scored := retrieval.AnalyzeQuery(strings.Join(text, " "), nil).Plan(c, 100, 1).Scored
	require.Len(t, scored, 40)
	known := 0
	for _, lexeme := range scored {
		if c.df[lexeme.Lexeme] > 0 {
			known++
		}
	}
	require.Equal(t, 30, known, "what no document has is dropped first")
}

func TestIdfFallsWithFrequency(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1_000_000).Draw(t, "n")
		df := rapid.Float64Range(.5, 2_000_000).Draw(t, "df")
		idf := retrieval.Idf(n, df)
		require.False(t, math.IsNaN(idf) || math.IsInf(idf, 0) || idf < 0)
		require.LessOrEqual(t, retrieval.Idf(n, df+1), idf)
	})
}

func TestPlansKeepTheirBudgetAndNeverForgetANewWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2_000_000).Draw(t, "n")
		c := corpus{n: n, df: map[string]float64{}}
		var text []string
		for i := range rapid.IntRange(0, 20).Draw(t, "words") {
			word := fmt.Sprintf("w%dx", i)
			if rapid.IntRange(0, 9).Draw(t, "known") > 0 {
				c.df[word] = float64(rapid.IntRange(1, n).Draw(t, "df"))
			}
			text = append(text, word)
		}
		budget := rapid.IntRange(1, 5_000).Draw(t, "budget")
		plan := retrieval.AnalyzeQuery(strings.Join(text, " "), nil).Plan(c, budget, 1)
		require.NoError(t, checkQuery(plan.Candidates))
		require.NoError(t, checkQuery(plan.Rare))
		require.Equal(t, len(text) == 0, plan.Candidates == "")
		require.LessOrEqual(t, plan.Estimated, float64(n))
		if !plan.Walk {
			require.LessOrEqual(t, plan.Estimated, float64(budget))
		}
		require.Len(t, plan.Scored, len(text))
		for i := 1; i < len(plan.Scored); i++ {
			require.GreaterOrEqual(t, plan.Scored[i-1].Weight, plan.Scored[i].Weight)
		}
	})
}

func FuzzQuoting(f *testing.F) {
	for _, seed := range []string{"'", `\`, "a b", "x':*", "\x00", "\xff", "') | ('y'", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := retrieval.Query{Terms: []retrieval.Term{{Surface: text, Lexemes: []string{"x" + text}, Weight: 1}}}
		plan := q.Plan(corpus{n: 10}, 100, 1)
		word, rest, err := unquote(plan.Candidates)
		require.NoError(t, err)
		require.Empty(t, rest, "nothing of a lexeme is an operator")
		require.Equal(t, "x"+strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""), word)
	})
}
