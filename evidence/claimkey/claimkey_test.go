package claimkey_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/evidence/claimkey"
)

// same reports whether two wordings share a key of a tier, as a look-up by keys would find.
func same(a, b claimkey.Keys) bool {
	return a.Strict == b.Strict || a.HasSequence && b.HasSequence && a.Sequence == b.Sequence ||
		a.HasRotation && b.HasRotation && a.Rotation == b.Rotation
}

// merged reports by which tier two wordings would be linked: by equal keys, then by the check behind them.
func merged(t require.TestingT, a, b, language string) claimkey.Tier {
	tier := claimkey.Equivalent(a, b, language)
	require.Equal(t, tier, claimkey.Equivalent(b, a, language), "symmetry of %q and %q", a, b)
	if tier != claimkey.None {
		require.True(t, same(claimkey.Of(a, language), claimkey.Of(b, language)), "%q and %q are equivalent and share no key", a, b)
	}
	return tier
}

func TestWordingsOfOneClaim(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b string
		tier claimkey.Tier
	}{
		"case":                          {"Deduplicating by delivery id works.", "deduplicating by Delivery ID works.", claimkey.Strict},
		"blanks":                        {"It  works\n today", " It works today ", claimkey.Strict},
		"the mark at the end":           {"It works today.", "It works today!", claimkey.Strict},
		"invisible characters":          {"Dedupli\u200bcating works", "Deduplicating works", claimkey.Strict},
		"full-width forms":              {"Ｄatabases work．", "Databases work.", claimkey.Strict},
		"quotes":                        {"Use “strict” mode.", `Use "strict" mode.`, claimkey.Strict},
		"hyphens":                       {"The B‐cell repertoire", "The B-cell repertoire", claimkey.Strict},
		"a hyphen or a blank":           {"It is thread-safe", "It is thread safe", claimkey.Strict},
		"a contraction":                 {"It doesn't crash", "It does not crash", claimkey.Strict},
		"cannot":                        {"It can't crash", "It cannot crash", claimkey.Strict},
		"percent":                       {"Over 90 percent", "Over 90%", claimkey.Strict},
		"per cent":                      {"Over 90 per cent is full", "Over 90 % is full", claimkey.Strict},
		"a unit in a word":              {"Below 10 milliseconds", "Below 10ms", claimkey.Strict},
		"thousands":                     {"The limit is 1,000 requests", "The limit is 1000 requests", claimkey.Strict},
		"a number in letters":           {"It needs three retries", "It needs 3 retries", claimkey.Strict},
		"zeros behind a measured value": {"It takes 1.50 seconds", "It takes 1.5 s", claimkey.Strict},
		"the v of a version":            {"Fixed in v1.2.3", "Fixed in 1.2.3", claimkey.Strict},
		"British spelling":              {"Its behaviour was optimised", "Its behavior was optimized", claimkey.Strict},
		"a short name":                  {"Postgres runs on k8s", "PostgreSQL runs on Kubernetes", claimkey.Strict},
		"a code span":                   {"Call `close()` before `flush()`", "Call close() before flush()", claimkey.Strict},
		"a gene's case":                 {"N348I mutations cause it", "n348i mutations cause it", claimkey.Strict},
		"an article":                    {"Deduplicating by the delivery id", "Deduplicating by delivery id", claimkey.Sequence},
		"a comma":                       {"If it fails, retry it", "If it fails retry it", claimkey.Sequence},
		"scare quotes":                  {`Use "strict" mode`, "Use strict mode", claimkey.Sequence},
		"a plural":                      {"Retry failed deliveries", "Retry failed delivery", claimkey.Sequence},
		"a third person":                {"Retries cause duplicates", "A retry causes duplicates", claimkey.Sequence},
		"a doubled consonant":           {"The job stopped early", "The job stops early", claimkey.Sequence},
		"a phrase in front":             {"In production, retries cause duplicates.", "Retries cause duplicates in production.", claimkey.Rotation},
		"a clause in front":             {"If the disk is full, writes fail", "Writes fail if the disk is full", claimkey.Rotation},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.tier, merged(t, c.a, c.b, "en"))
		})
	}
}

func TestDifferentClaimsNeverMeet(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]string{
		"a negation":                {"It supports streaming", "It does not support streaming"},
		"another number":            {"Latency is below 10 ms", "Latency is below 100 ms"},
		"another version":           {"Fixed in v1.2.3", "Fixed in v1.2.4"},
		"a zero of a version":       {"Python 3.10 is required", "Python 3.1 is required"},
		"a question":                {"Is it safe", "Is it safe?"},
		"order of words":            {"A is faster than B", "B is faster than A"},
		"a sign":                    {"The offset is -1", "The offset is +1"},
		"a decimal":                 {"It takes 1.5 s", "It takes 15 s"},
		"bits and bytes":            {"It carries 10 Mb", "It carries 10 MB"},
		"minutes and millions":      {"The limit is 5m", "The limit is 5M"},
		"a stem without inflection": {"The important option is required", "The import option is required"},
		"paste and past":            {"Paste the key here", "Past the key here"},
		"a thing of its own":        {"The mapping is immutable", "The map is immutable"},
		"a system and a pane":       {"Windows need updates", "A window needs updates"},
		"an error code":             {"ECONNREFUSED means it is down", "ECONNRESET means it is down"},
		"the case of code":          {"`Close` is called twice", "`close` is called twice"},
		"the case of a flag":        {"Use -v for more", "Use -V for more"},
		"a dotted name":             {"Use math.floor here", "Use Math.floor here"},
		"a comparison":              {"The load is > 5", "The load is < 5"},
		"a symbol":                  {"CD4+ cells respond", "CD4- cells respond"},
		"a quantifier":              {"All requests are retried", "Some requests are retried"},
		"a modal":                   {"It must retry", "It may retry"},
		"before and after":          {"Encrypt before compressing it", "Encrypt after compressing it"},
		"roles turned round":        {"Before the flush, close the file", "Before the close, flush the file"},
		"a rotation without phrase": {"Nginx forwards requests to Apache", "Apache forwards requests to Nginx"},
		"now and then":              {"The test was stable", "The test is stable"},
		"a unit":                    {"It takes 10 ms", "It takes 10 seconds"},
		"a range":                   {"Between 20-40 replicas", "Between 20-50 replicas"},
		"a setting":                 {"Set fsync=on in production", "Set fsync=off in production"},
		"unequal and equal":         {"In JavaScript NaN != NaN for every number", "In JavaScript NaN = NaN for every number"},
		"not in code":               {"The loop exits if !done holds", "The loop exits if done holds"},
		"an answer":                 {"No, retries are safe for idempotent requests", "No retries are safe for idempotent requests"},
		"a power":                   {"It takes 10² steps", "It takes 102 steps"},
		"a mark that is meant":      {"Split the fields at ; first", "Split the fields at , first"},
		"a dot of an expression":    {"The expression a.*b matches it", "The expression a*b matches it"},
		"dots of a folder":          {"Running cd .. leaves it", "Running cd . leaves it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, claimkey.None, merged(t, pair[0], pair[1], "en"))
		})
	}
}

func TestOtherLanguagesHaveTheStrictKeyOnly(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"", "und", "de", "fr-CA", "zh"} {
		keys := claimkey.Of("Die Wiederholung in der Produktion verursacht Duplikate.", language)
		require.False(t, keys.HasSequence || keys.HasRotation)
		require.Equal(t, claimkey.Strict, merged(t, "Die Antwort kommt.", "die  Antwort kommt", language))
		require.Equal(t, claimkey.None, merged(t, "Die Antworten kommen", "Die Antwort kommt", language))
	}
	english := claimkey.Of("Retries in production cause duplicates", "en-GB")
	require.True(t, english.HasSequence && english.HasRotation)
	require.False(t, claimkey.Of("It works", "en").HasRotation, "too short to move anything")
	require.False(t, claimkey.Of("The.", "en").HasSequence, "nothing but fillers")
}

// pairs reads a file of testdata: label, wording, wording.
func pairs(t *testing.T, name string) [][2]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var out [][2]string
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, fields, 3)
		out = append(out, [2]string(fields[1:]))
	}
	require.Greater(t, len(out), 10)
	return out
}

func TestTechnicalNearMissesNeverMerge(t *testing.T) {
	t.Parallel()
	for _, pair := range pairs(t, "tech_neg.tsv") {
		require.Equal(t, claimkey.None, merged(t, pair[0], pair[1], "en"), "%q", pair)
	}
}

func TestTechnicalVariantsAllMerge(t *testing.T) {
	t.Parallel()
	for _, pair := range pairs(t, "tech_pos.tsv") {
		require.NotEqual(t, claimkey.None, merged(t, pair[0], pair[1], "en"), "%q", pair)
	}
}

func TestSelfContained(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Deduplicating by delivery id prevents double processing": true,
		"It prevents double processing of webhook deliveries":     false,
		`"This prevents double processing of deliveries`:          false,
		"Latency is below 10 ms":                                  false,
		"Latency of Redis 7.2 is below 10 ms":                     true,
		"":                                                        false,
	} {
		require.Equal(t, want, claimkey.SelfContained(claimkey.Normalise(text)), text)
	}
}

func TestContentTokens(t *testing.T) {
	t.Parallel()
	require.Equal(t, 5, claimkey.ContentTokens("Deduplicating by the delivery id prevents duplicates", "en"))
	require.Equal(t, 0, claimkey.ContentTokens("It is not that, or is it?", "en"))
	require.Equal(t, 3, claimkey.ContentTokens("Die Antwort kommt!", "de"))
}

// sentence draws from words that the rules are about.
func sentence() *rapid.Generator[string] {
	vocabulary := []string{
		"in", "production", "retries", "retry", "cause", "caused", "not", "the", "a", "A", "if", "fails", "10", "ms", "1.50", "percent", ",", ".",
		"doesn't", "`Close()`", "close()", "v1.2", "all", "-v", "IL-10", "thread-safe", "with", "before", "stopping", "stopped", "?", "one",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 9).Draw(t, "words"), " ")
	})
}

func TestEquivalenceIsSymmetricReflexiveAndFoundByKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := sentence().Draw(t, "a"), sentence().Draw(t, "b")
		language := rapid.SampledFrom([]string{"en", "de", ""}).Draw(t, "language")
		merged(t, a, b, language)
		require.Equal(t, claimkey.Strict, merged(t, a, a, language))
		require.Equal(t, claimkey.Strict, merged(t, a, claimkey.Of(a, language).Normal, language), "idempotence")
		hint, differs := claimkey.Compare(a, b, language)
		again, differsAgain := claimkey.Compare(b, a, language)
		require.Equal(t, hint, again)
		require.Equal(t, differs, differsAgain)
	})
}

func TestTheFirstAndLastOfATierAreInOneClass(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := []claimkey.Keys{}
		for range 3 {
			list = append(list, claimkey.Of(sentence().Draw(t, "sentence"), "en"))
		}
		a, b, c := list[0], list[1], list[2]
		require.True(t, a.Strict != b.Strict || b.Strict != c.Strict || a.Strict == c.Strict)
		require.True(t, a.Strict != b.Strict || !a.HasSequence || a.Sequence == b.Sequence, "a stricter key implies the softer one")
		require.True(t, a.Sequence != b.Sequence || !a.HasRotation || a.Rotation == b.Rotation)
	})
}

func TestNormalFormsAreTheirOwn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("aAsSvV019.,'\"`-+=/:_()<>!? %\u00b5\u00e9İ\u0301½²\u200b５{}"))).Draw(t, "text")
		language := rapid.SampledFrom([]string{"en", ""}).Draw(t, "language")
		once := claimkey.Of(text, language).Normal
		require.Equal(t, once, claimkey.Of(once, language).Normal)
	})
}

func FuzzNormaliseIsIdempotent(f *testing.F) {
	for _, seed := range []string{
		"A  b.", "ﬁne—“x”", "İ", "…", "1．5", "a. . .", "`X`", "``a`b``", "Foo::bar() --V -1 +1 5M 10ms", "v1.2 percent", "can't've", "http://A.b/c).", "a'b'",
	} {
		f.Add(seed, "en")
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		once := claimkey.Of(text, language)
		again := claimkey.Of(once.Normal, language)
		if again.Normal != once.Normal {
			t.Fatalf("%q gives %q, and that %q", text, once.Normal, again.Normal)
		}
		if claimkey.Equivalent(text, once.Normal, language) != claimkey.Strict {
			t.Fatalf("%q is not its own normal form %q", text, once.Normal)
		}
	})
}
