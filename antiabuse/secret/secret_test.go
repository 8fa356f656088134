package secret

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/antiabuse/finding"
)

// rules are the names of the rules that fire in a text.
func rules(e *Engine, text string) []string {
	var out []string
	for _, f := range e.Scan(finding.NewBudget(), text) {
		out = append(out, f.Rule)
	}
	return out
}

func TestEveryPatternFindsItsOwnSamples(t *testing.T) {
	e, r := newEngine(t), rand.New(rand.NewPCG(5, 6))
	for _, f := range allFamilies() {
		samples := f.patterns
		if f.yes != nil {
			samples = f.yes
		}
		for _, pattern := range samples {
			missed := 0
			for range 10 {
				sample := expand(r, pattern)
				for _, format := range []string{
					"%s", "use %s here", "x=%s&y=1", "|%s|", "<b>%s</b>", `{"a":"%s"}`,
					`\"%s\"`,
				} {
					found := e.Scan(finding.NewBudget(), fmt.Sprintf(format, sample))
					if !slices.ContainsFunc(found, func(g finding.Finding) bool {
						return f.tier == Weak ||
							g.Action.Blocks()
					}) {
						missed++
					}
				}
			}
			require.LessOrEqual(t, missed, 7, "%s: %s is missed in %d of 70", f.name, pattern, missed) // one draw may look like an example
		}
	}
}

func TestNoPatternTakesAPlaceholder(t *testing.T) {
	e := newEngine(t)
	for _, f := range allFamilies() {
		for _, pattern := range f.patterns {
			segments, err := parseSegments(pattern)
			require.NoError(t, err)
			for _, filler := range []string{"x", "X", "0", "*", "A"} {
				var b strings.Builder
				for _, s := range segments {
					b.WriteString(s.literal)
					b.WriteString(strings.Repeat(filler, s.least))
				}
				for _, found := range e.Scan(finding.NewBudget(), "use "+b.String()+" here") {
					long := slices.ContainsFunc(segments, func(s segment) bool { return s.least >= 16 })
					require.False(t, long &&
						found.Action.Blocks(), "%s takes %s for %s", found.Rule, b.String(), f.name)
				}
			}
		}
		for _, no := range f.no {
			require.Empty(t, rules(e, no))
		}
	}
}

func TestRulesAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		require.False(t, seen[r.Name], r.Name)
		seen[r.Name] = true
		require.NotEmpty(t, r.Description)
		require.Contains(t, []Tier{Structural, Contextual, Weak}, r.Tier)
		require.Equal(t, strings.ToLower(r.Name), r.Name)
	}
	structural := 0
	for _, f := range allFamilies() {
		if f.tier == Structural {
			structural++
		}
	}
	require.GreaterOrEqual(t, structural, 75)
}

func TestFindingsSayWhatToDoAndNeverWhatTheyFound(t *testing.T) {
	token := drawGitHub(rand.New(rand.NewPCG(7, 8)))
	text := "the token: " + token + "."
	found := newEngine(t).Scan(finding.NewBudget(), text)
	require.Len(t, found, 1)
	f := found[0]
	require.Equal(t, token, text[f.Start:f.End])
	require.Equal(t, finding.Reject, f.Action)
	require.Equal(t, finding.Secret, f.Kind)
	require.Contains(t, f.Hint, "<GITHUB_TOKEN>")
	require.Contains(t, f.Hint, "rotate")
	require.NotContains(t, fmt.Sprint(f), token)
}

func TestPairsAreJudgedAsWritten(t *testing.T) {
	e, r := newEngine(t), rand.New(rand.NewPCG(9, 10))
	for key, want := range map[string]bool{
		"password": true, "db_password": true, "apiKey": true, "client_secret": true, "accessToken": true,
		"Passwort": true, "пароль": true,
		"password_hash": false, "name": false, "title": false, "commit": false, "keyId": false, "token_type": false,
		"": false,
	} {
		pw := drawPassword(r, 20)
		found := e.ScanPair(finding.NewBudget(), key, pw)
		require.Equal(t, want, len(found) > 0 && found[0].Action.Blocks(), key)
		for _, f := range found {
			require.GreaterOrEqual(t, f.Start, 0)
			require.LessOrEqual(t, f.End, len(pw))
		}
	}
	token := drawGitHub(r)
	found := e.ScanPair(finding.NewBudget(), "note", "x "+token)
	require.Len(t, found, 1)
	require.Equal(t, 2, found[0].Start)
}

func TestABudgetThatIsSpentShows(t *testing.T) {
	e := newEngine(t)
	b := finding.NewBudget()
	b.Calls = 3
	e.Scan(b, strings.Repeat("password: x ", 10))
	require.True(t, b.Exceeded())
	b = finding.NewBudget()
	b.Bytes = 10
	e.Scan(b, b64(strings.Repeat("some words that are text ", 10)))
	require.True(t, b.Exceeded())
	b = finding.NewBudget()
	r := rand.New(rand.NewPCG(11, 12))
	var many strings.Builder
	for range 40 {
		many.WriteString(drawGitHub(r) + "\n")
	}
	require.Len(t, e.Scan(b, many.String()), finding.MaxFindings)
	require.True(t, b.Full())
	require.False(t, b.Exceeded())
}

func TestAutomatonFindsWhatASearchFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab_]{3,5}`), 1, 8, rapid.ID).Draw(t, "words")
		text := rapid.StringMatching(`[abAB_x]{0,60}`).Draw(t, "text")
		a, err := newAutomaton(words)
		require.NoError(t, err)
		type place struct{ word, end int }
		var got, want []place
		a.find(text, func(word, start, end int) bool {
			require.Equal(t, len(words[word]), end-start)
			got = append(got, place{word, end})
			return true
		})
		for i, w := range words {
			for end := len(w); end <= len(text); end++ {
				if strings.EqualFold(text[end-len(w):end], w) {
					want = append(want, place{i, end})
				}
			}
		}
		require.ElementsMatch(t, want, got)
	})
	for _, bad := range []string{"ab", "Abc"} {
		_, err := newAutomaton([]string{bad})
		require.Error(t, err)
	}
}

func TestPatternsAreChecked(t *testing.T) {
	for _, bad := range []string{
		"ab{alnum:3}", "abc{nothing:3}", "abc{alnum:3", "abc{alnum:x}", "abc{alnum:3-x}",
		"abc{alnum:5-3}", "abc{alnum:0}", "abc{alnum:9999}", "{alnum:3}",
	} {
		_, err := compilePattern(bad)
		require.Error(t, err, bad)
	}
}

// linear is how many bytes are looked at for a byte of text, at most: a verifier's window for each of a few literals
// that can end at one place, in each view.
const linear, constant = 400, 20_000

// sound checks what a scan promises for every text.
func sound(t require.TestingT, e *Engine, text string) {
	b := finding.NewBudget()
	found := e.Scan(b, text)
	require.LessOrEqual(t, b.Work, linear*len(text)+constant, "not linear")
	require.LessOrEqual(t, len(found), 3*finding.MaxFindings)
	require.True(t, slices.IsSortedFunc(found, finding.Order))
	for _, f := range found {
		require.GreaterOrEqual(t, f.Start, 0)
		require.Less(t, f.Start, f.End)
		require.LessOrEqual(t, f.End, len(text))
		require.NotEmpty(t, f.Hint)
		require.Equal(t, finding.Secret, f.Kind)
	}
}

// crumbs are what scanners trip over.
var crumbs = []string{
	"password", "pass", "=", ": ", " is ", "\"", "'", "`", "\\", "\\\"", "\n", "\r\n", "|", "|---|\n", ",", "(",
	")", "[", "://", "@", ":", "/", "sk-", "gh" + "p_", "eyJ", ".", "-----BEGIN PRIVATE KEY-----",
	"Authorization: ", "Bearer ", "Basic ", "cookie:",
	"curl -u ", "mysql -p", "-p", "kind: Secret\ndata:\n  ", "mnemonic", " abandon", "AK" + "IA", "aB3dE5gH7jK9",
	"0123456789abcdef", "%41", "&#65;", "&quot;", "\\u0041", "\\x41", "c2VjcmV0OiBhYmM=", "67 68 70 ", "0x67, ",
	"00000000: 6768 705f", "密码", "是", "пароль", "\u200b", "\U000e0041", "\xff", "é", "<d>", "\"d\":\"", "token",
	"key", "secret", "value=", "twitter", "heroku", "{{", "}}", "${", "...", "IDENTIFIED BY '", "app password ",
	"\"auth\": \"", "htpasswd ", "sqlplus a/b@c", "chpasswd", ":5432:", "@tcp(", "PuTTY private-lines: 2\n",
}

func TestScanIsSound(t *testing.T) {
	e := newEngine(t)
	rapid.Check(t, func(t *rapid.T) {
		sound(t, e, strings.Join(rapid.SliceOfN(rapid.SampledFrom(crumbs), 0, 60).Draw(t, "crumbs"), ""))
	})
}

func FuzzScan(f *testing.F) {
	for _, c := range crumbs {
		f.Add(c + c + " aB3dE5gH7jK9#x " + c)
	}
	e := newEngine(f)
	f.Fuzz(func(t *testing.T, text string) { sound(t, e, text) })
}

func FuzzScanPair(f *testing.F) {
	f.Add("password", "aB3dE5gH7jK9#x")
	f.Add("", "x")
	f.Add("ключ", "\xff\x00")
	e := newEngine(f)
	f.Fuzz(func(t *testing.T, key, value string) {
		b := finding.NewBudget()
		for _, found := range e.ScanPair(b, key, value) {
			require.True(t, 0 <= found.Start && found.Start <= found.End && found.End <= len(value))
		}
		require.LessOrEqual(t, b.Work, linear*(len(key)+len(value)+2)+constant)
	})
}
