package retrieval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/evidence/retrieval"
)

// analyzed are the lexemes of a body with the places where they stand.
func analyzed(text, language string) map[string][]int {
	out := map[string][]int{}
	for _, lexeme := range retrieval.Analyze([]retrieval.Field{{Text: text, Weight: 'D'}}, language).Lexemes {
		for _, position := range lexeme.Positions {
			out[lexeme.Text] = append(out[lexeme.Text], int(position.At))
		}
	}
	return out
}

func TestWhatATextIsFoundBy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		language string
		has, not []string
	}{
		"a word by its form and its stem":        {"Retries", "en", []string{"retries", "retri"}, nil},
		"an unknown language by English stems":   {"Retries", "", []string{"retries", "retri"}, nil},
		"a word of another language":             {"Entscheidungen", "de", []string{"entscheidungen", "entscheid"}, nil},
		"a regional tag":                         {"Entscheidungen", "de-AT", []string{"entscheid"}, nil},
		"no function word":                       {"the retries of it", "en", []string{"retri"}, []string{"the", "of", "it"}},
		"function words where nobody says which": {"the war", "und", []string{"the", "war"}, nil},
		"full-width and ligature forms":          {"ＦＩＮＤ ﬁle", "en", []string{"find", "file"}, nil},
		"without what nobody sees":               {"dead\u00adlock zero\u200bwidth", "en", []string{"deadlock", "zerowidth"}, nil},
		"the owner without the apostrophe":       {"the server’s cache", "en", []string{"server", "cach"}, []string{"s", "server's"}},
		"a contraction, which is a stop word":    {"it doesn't crash", "en", []string{"crash"}, []string{"doesn't", "doesn", "t"}},
		"camel case":                             {"getUserName", "en", []string{"getusername", "get", "user", "name"}, nil},
		"snake case":                             {"get_user_name", "en", []string{"get_user_name", "getusername", "get", "user", "name"}, nil},
		"hyphens":                                {"user-name", "en", []string{"user-name", "username", "user", "name"}, nil},
		"a word before an acronym":               {"HTTPServer parseJSON", "en", []string{"httpserver", "http", "server", "parsejson", "pars", "json"}, nil},
		"the plural of an acronym":               {"APIs", "en", []string{"apis"}, []string{"ap", "is"}},
		"a capital inside a short name":          {"iOS mTLS IPv6 p53", "en", []string{"ios", "mtls", "ipv6", "p53"}, []string{"os", "tls", "pv6", "53"}},
		"letters and digits of two or more":      {"sha256sum", "en", []string{"sha256sum", "sha", "256", "sum"}, nil},
		"a dotted name":                          {"os.path.join", "en", []string{"os.path.join", "ospathjoin", "os", "path", "join"}, nil},
		"a name inside a dotted name":            {"self.user_name", "en", []string{"self.user_name", "user_name", "username", "user"}, nil},
		"colons and arrows":                      {"std::vector ptr->next", "en", []string{"std::vector", "stdvector", "vector", "ptr->next", "next"}, nil},
		"a special name of Python":               {"__init__", "en", []string{"__init__", "init"}, nil},
		"no underscores of emphasis":             {"_strongly_", "en", []string{"strongly", "strong"}, []string{"_strongly_"}},
		"a version":                              {"v1.2.3", "en", []string{"1.2.3", "1.2"}, []string{"v1.2.3", "1", "2", "3"}},
		"a version of a release candidate":       {"1.2.3-rc1", "en", []string{"1.2.3-rc1", "1.2.3", "1.2"}, nil},
		"a decimal":                              {"0.05", "en", []string{"0.05"}, []string{"05"}},
		"a version at the end of a sentence":     {"It is 1.26.", "en", []string{"1.26"}, nil},
		"years":                                  {"2009–2014", "en", []string{"2009-2014", "2009", "2014"}, nil},
		"thousands":                              {"10,000 or 1,000,000 but 1,2,3", "en", []string{"10000", "1000000", "1", "2"}, []string{"000", "123"}},
		"c++, c# and their kin":                  {"C++ C# F#", "en", []string{"c++", "c#", "f#"}, []string{"c", "f"}},
		".net and node.js":                       {".NET node.js", "en", []string{".net", "net", "node.js", "nodejs", "node", "js"}, nil},
		"flags":                                  {"use --no-verify or -v", "en", []string{"--no-verify", "no-verify", "noverify", "verifi", "-v", "v"}, nil},
		"no flag in a list or a sentence":        {"- item\na - b", "en", []string{"item"}, []string{"-item", "-b"}},
		"a setting":                              {"fsync=off", "en", []string{"fsync"}, nil},
		"error codes": {
			"ECONNREFUSED TS2345 E0308 ERR_HTTP_HEADERS_SENT", "en",
			[]string{"econnrefused", "ts2345", "ts", "2345", "e0308", "err_http_headers_sent", "headers"},
			nil,
		},
		"an identifier of a weakness": {"CVE-2024-1234", "en", []string{"cve-2024-1234", "cve", "2024", "1234"}, []string{"-2024"}},
		"an address": {
			"https://github.com/go/pkg", "en", []string{"https", "github.com/go/pkg", "github", "pkg"}, []string{"https://github.com/go/pkg"},
		},
		"a long dash between words": {"word—clause", "en", []string{"word", "clause"}, []string{"word-clause"}},
		"Chinese by pairs":          {"数据库连接", "zh", []string{"数据", "据库", "库连", "连接"}, []string{"数据库连接"}},
		"one character of Chinese":  {"库", "zh", []string{"库"}, nil},
		"Japanese beside Latin":     {"Goの言語", "ja", []string{"go", "の言", "言語"}, nil},
		"Thai with its marks":       {"ที่นี่", "th", []string{"ที่นี่"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := analyzed(c.text, c.language)
			for _, want := range c.has {
				require.Contains(t, got, want)
			}
			for _, unwanted := range c.not {
				require.NotContains(t, got, unwanted)
			}
		})
	}
}

func TestFormsOfOneWordStandAtOnePlace(t *testing.T) {
	t.Parallel()
	require.Equal(t, map[string][]int{
		"call": {1}, "os.path.join": {2}, "ospathjoin": {2}, "os": {2}, "path": {2}, "join": {2},
		"always": {3}, "alway": {3},
	}, analyzed("call os.path.join always", "en"))
	require.Equal(t, []int{3}, analyzed("restart of it", "de")["it"], "a function word of another language is a word")
	require.Equal(t, []int{3}, analyzed("restart the server", "en")["server"], "a function word leaves its place free")
	require.Equal(t, []int{3}, analyzed("数据库 server", "en")["server"], "pairs have places of their own")
}

func TestLengthCountsPartsAndNoFunctionWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":                              0,
		"the of":                        0,
		"restart the server":            2,
		"os.path.join":                  3,
		"c++ 1.2.3":                     2,
		"数据库":                           2,
		"___ !":                         0,
		strings.Repeat("word ", 10_000): 4_000,
	} {
		require.Equal(t, want, retrieval.Analyze([]retrieval.Field{{Text: text, Weight: 'D'}}, "en").Length, "%.20q", text)
	}
}

func TestWeightsSayWhereALexemeStands(t *testing.T) {
	t.Parallel()
	document := retrieval.Analyze([]retrieval.Field{{Text: "pool", Weight: 'A'}, {Text: "the pool", Weight: 'B'}, {Text: "a pool", Weight: 'D'}}, "en")
	require.Equal(t, "'pool':1A,3B,5", document.TSVector())
}

func TestHeadingsBehindTheBoundAreIndexed(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("filler text\n", 4_000) + "## Rollback plan\nunreachable\n```\n# comment\n```\n### Deadlock\n"
	document := retrieval.Analyze([]retrieval.Field{{Text: body, Weight: 'D', Markdown: true}}, "en")
	var texts []string
	for _, lexeme := range document.Lexemes {
		texts = append(texts, lexeme.Text)
	}
	require.Subset(t, texts, []string{"rollback", "plan", "deadlock"})
	require.NotContains(t, texts, "unreachable")
	require.NotContains(t, texts, "comment", "a line of code is no heading")

	plain := retrieval.Analyze([]retrieval.Field{{Text: body, Weight: 'D'}}, "en")
	require.False(t, slices.ContainsFunc(plain.Lexemes, func(l retrieval.Lexeme) bool { return l.Text == "rollback" }))
}

func TestHugeTextsStayWithinTheBounds(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"one long word":       strings.Repeat("x", 1<<20),
		"one long identifier": strings.Repeat("a_", 1<<18),
		"one long path":       strings.Repeat("ab/", 1<<18),
		"capitals":            strings.Repeat("Ab", 1<<18),
		"Chinese":             strings.Repeat("数据库", 1<<16),
		"marks":               "a" + strings.Repeat("\u0301", 1<<16),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkBounds(t, retrieval.Analyze([]retrieval.Field{{Text: text, Weight: 'D', Markdown: true}}, "en"))
		})
	}
	var long []retrieval.Field
	for i := range 20 {
		var b strings.Builder
		for j := range 4_000 {
			fmt.Fprintf(&b, "%060d.%060d/x%dy ", i, j, j)
		}
		long = append(long, retrieval.Field{Text: b.String(), Weight: 'D'})
	}
	checkBounds(t, retrieval.Analyze(long, "en"))
}

// checkBounds holds a document to what a tsvector can hold, and to its order.
func checkBounds(t require.TestingT, document retrieval.Document) {
	size := 0
	for i, lexeme := range document.Lexemes {
		size += len(lexeme.Text) + 8 + 2*len(lexeme.Positions)
		require.NotEmpty(t, lexeme.Text)
		require.LessOrEqual(t, len(lexeme.Text), 64)
		require.True(t, utf8.ValidString(lexeme.Text))
		require.NotEmpty(t, lexeme.Positions)
		require.LessOrEqual(t, len(lexeme.Positions), 255)
		for j, position := range lexeme.Positions {
			require.GreaterOrEqual(t, position.At, uint16(1))
			require.LessOrEqual(t, position.At, uint16(16_383))
			require.True(t, j == 0 || lexeme.Positions[j-1].At < position.At, "positions go up")
		}
		require.True(t, i == 0 || document.Lexemes[i-1].Text < lexeme.Text, "lexemes are sorted, each once")
	}
	require.Less(t, size, 1<<20)
	require.LessOrEqual(t, document.Length, 16_032)
}

func TestAQueryFindsTheTextItIsMadeOf(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("abAB12_.-:/>'+# é数据เ"))).Draw(t, "text")
		language := rapid.SampledFrom([]string{"en", "", "de", "fr", "zh"}).Draw(t, "language")
		has := analyzed(text, language)
		for _, term := range retrieval.AnalyzeQuery(text, []string{"en"}).Terms {
			found := slices.ContainsFunc(term.Lexemes, func(lexeme string) bool { return has[lexeme] != nil })
			require.True(t, found || onlyStops(language, term), "%q does not find %q (%s)", term, text, language)
		}
	})
}

// onlyStops reports whether a term is a function word of the document's language, which documents do not have.
func onlyStops(language string, term retrieval.Term) bool {
	return term.Natural && retrieval.Analyze([]retrieval.Field{{Text: term.Surface, Weight: 'D'}}, language).Length == 0
}

func FuzzAnalyze(f *testing.F) {
	for _, seed := range []string{"getUserName()", "v1.2.3-rc1", "--no-verify", "c++", "数据库", "# A\n```\nx\n```", "\xff'\\:A", "İ_ß", "1,000,000.5"} {
		f.Add(seed, "en", true)
	}
	f.Fuzz(func(t *testing.T, text, language string, markdown bool) {
		document := retrieval.Analyze([]retrieval.Field{{Text: text, Weight: 'A', Markdown: markdown}, {Text: text, Weight: 'D'}}, language)
		checkBounds(t, document)
		again, err := parseVector(document.TSVector())
		require.NoError(t, err)
		require.Equal(t, document.Lexemes, again)
	})
}
