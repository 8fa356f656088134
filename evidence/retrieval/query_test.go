package retrieval_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/retrieval"
)

// asked are the forms of each term by its surface.
func asked(text string, languages ...string) map[string][]string {
	out := map[string][]string{}
	for _, term := range retrieval.AnalyzeQuery(text, languages).Terms {
		out[term.Surface] = term.Lexemes
	}
	return out
}

func TestTermsOfAQuery(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text      string
		languages []string
		want      map[string][]string
	}{
		"nothing":             {"", nil, map[string][]string{}},
		"marks only":          {"?! ...", nil, map[string][]string{}},
		"words and stems":     {"retries of connections", nil, map[string][]string{"retries": {"retries", "retri"}, "connections": {"connections", "connect"}}},
		"only function words": {"to be or not", nil, map[string][]string{"to": {"to"}, "be": {"be"}, "or": {"or"}, "not": {"not"}}},
		"stems of all languages": {
			"Entscheidungen",
			[]string{"en", "de-AT", "xx"},
			map[string][]string{"entscheidungen": {"entscheidungen", "entscheid"}},
		},
		"function words of the language that is spoken": {
			"die Verbindung mit der Datenbank",
			[]string{"en", "de"},
			map[string][]string{"verbindung": {"verbindung", "verbind"}, "datenbank": {"datenbank"}},
		},
		"a word that is a function word elsewhere": {
			"the process will die",
			[]string{"en", "de"},
			map[string][]string{"process": {"process"}, "die": {"die"}},
		},
		"an identifier": {
			"getUserNames", nil,
			map[string][]string{"getusernames": {"getusernames", "getusernam"}, "get": {"get"}, "user": {"user"}, "names": {"names", "name"}},
		},
		"a version": {"Go v1.26.3", nil, map[string][]string{"go": {"go"}, "1.26.3": {"1.26.3", "1.26"}}},
		"c++":       {"c++", nil, map[string][]string{"c++": {"c++"}}},
		"pairs":     {"数据库", nil, map[string][]string{"数据": {"数据"}, "据库": {"据库"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, asked(c.text, c.languages...))
		})
	}
}

func TestTheTextOfAQueryIsComparedWithTitles(t *testing.T) {
	t.Parallel()
	require.Equal(t, `how to "retry" a web-hook`, retrieval.AnalyzeQuery("  How to\n“Retry”  a web‐hook ", nil).Text)
	require.Equal(t, retrieval.Normalise("Ｗebhooks"), retrieval.AnalyzeQuery("WEBHOOKS", nil).Text)
}

func TestARepeatedWordCounts(t *testing.T) {
	t.Parallel()
	terms := retrieval.AnalyzeQuery("retry RETRY Retry backoff", nil).Terms
	require.Len(t, terms, 2)
	require.Equal(t, 3, terms[0].Count)
	require.Equal(t, 1, terms[1].Count)
}

func TestALongQueryIsBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 100_000 {
		b.WriteString(strings.Repeat("x", i%60+1) + "Y" + strings.Repeat("z", i/60%60+1) + " ")
	}
	q := retrieval.AnalyzeQuery(b.String(), nil)
	require.Len(t, q.Terms, 64)
}

func FuzzAnalyzeQuery(f *testing.F) {
	for _, seed := range []string{"how to retry a webhook", "--no-verify c++ v1.2", "'\\ & | ! ( ) :*", "数据库", "\x00\xff", "don't"} {
		f.Add(seed, "de")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		q := retrieval.AnalyzeQuery(text, []string{"en", language})
		require.LessOrEqual(t, len(q.Terms), 64)
		for _, term := range q.Terms {
			require.NotEmpty(t, term.Lexemes)
			require.Len(t, slices.Compact(slices.Sorted(slices.Values(term.Lexemes))), len(term.Lexemes), "each form once")
			for _, lexeme := range term.Lexemes {
				require.True(t, lexeme != "" && len(lexeme) <= 64, "%q", lexeme)
			}
		}
		plan := q.Plan(corpus{n: 1_000}, 10, 1)
		require.NoError(t, checkQuery(plan.Candidates))
	})
}
