package claimkey_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"interai/evidence/claimkey"
)

func TestHints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b    string
		hint    claimkey.Hint
		differs bool
	}{
		"a paraphrase":            {"Retries cause duplicates", "Repeated calls cause duplicates", claimkey.Near, false},
		"an inflection":           {"Retries cause duplicates", "A retry caused duplicates", claimkey.Near, false},
		"a negation":              {"The API is safe", "The API is not safe", claimkey.PossiblyOpposite, true},
		"a contracted negation":   {"It can cause data loss", "It can't cause data loss", claimkey.PossiblyOpposite, true},
		"two negations":           {"It is never not safe", "It is safe", claimkey.Near, true},
		"a denial":                {"Caching helps", "It is false that caching helps", claimkey.PossiblyOpposite, true},
		"opposites":               {"Compression increases throughput", "Compression reduces throughput", claimkey.PossiblyOpposite, false},
		"a prefix":                {"The migration is reversible", "The migration is irreversible", claimkey.PossiblyOpposite, false},
		"opposite quantifiers":    {"All requests are retried", "Some requests are retried", claimkey.PossiblyOpposite, true},
		"with and without":        {"It works with Redis", "It works without Redis", claimkey.PossiblyOpposite, true},
		"the other way round":     {"Nginx forwards to Apache", "Apache forwards to Nginx", claimkey.PossiblyOpposite, true},
		"a modal":                 {"It should retry", "It could retry", claimkey.Near, true},
		"numbers":                 {"It takes 10 ms", "It takes 20 ms", claimkey.DifferentNumbers, true},
		"units":                   {"It takes 10 ms", "It takes 10 seconds", claimkey.DifferentNumbers, true},
		"versions":                {"Go 1.26.1 is required", "Go 1.26.2 is required", claimkey.DifferentNumbers, true},
		"a number inside a name":  {"IL-10 inhibits the response", "IL-11 inhibits the response", claimkey.DifferentNumbers, true},
		"an identifier":           {"Call foo_bar first", "Call foo_baz first", claimkey.DifferentSubjects, true},
		"a language without list": {"Der Dienst ist sicher", "Der Dienst ist nicht sicher", claimkey.Near, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			language := "en"
			if name == "a language without list" {
				language = "de"
			}
			for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
				hint, differs := claimkey.Compare(pair[0], pair[1], language)
				require.Equal(t, c.hint, hint)
				require.Equal(t, c.differs, differs)
			}
		})
	}
}

func TestSimilarity(t *testing.T) {
	t.Parallel()
	idf := func(stem string) float64 {
		return map[string]float64{"retri": 4, "caus": 1, "duplic": 3, "loss": 8}[stem]
	}
	for name, c := range map[string]struct {
		a, b string
		want float64
	}{
		"equal":                      {"Retries cause duplicates", "The retry causes duplicates", 1},
		"function words are no part": {"Retries cause duplicates", "Retries may not cause duplicates", 1},
		"by weight":                  {"Retries cause duplicates", "Retries cause loss", 5. / 16},
		"nothing shared":             {"Retries", "loss", 0},
		"nothing said":               {"it is", "they are", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.InDelta(t, c.want, claimkey.Similarity(c.a, c.b, "en", idf), 1e-9)
			require.InDelta(t, c.want, claimkey.Similarity(c.b, c.a, "en", idf), 1e-9)
		})
	}
	require.InDelta(t, .5, claimkey.Similarity("Retries cause duplicates", "Retries cause loss", "en", nil), 1e-9, "without idf all words count the same")
}

func TestSimilarityIsAShareAndSymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := sentence().Draw(t, "a"), sentence().Draw(t, "b")
		idf := func(stem string) float64 { return float64(len(stem) - 2) }
		similarity := claimkey.Similarity(a, b, "en", idf)
		require.GreaterOrEqual(t, similarity, 0.)
		require.LessOrEqual(t, similarity, 1.)
		require.InDelta(t, similarity, claimkey.Similarity(b, a, "en", idf), 1e-12)
		if claimkey.Equivalent(a, b, "en") != claimkey.None && claimkey.ContentTokens(a, "en") > 0 {
			require.InDelta(t, 1, claimkey.Similarity(a, b, "en", nil), 1e-12, "one claim has the same content")
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for b.Loop() {
		claimkey.Of("In production, retries of failed webhook deliveries don't cause more than 3 duplicates in v1.26.3.", "en")
	}
}

// A long text must not take long: rotations and moved phrases are looked for in linear and quadratic time.
func BenchmarkLongEquivalent(b *testing.B) {
	phrase := "in " + strings.Repeat("retry in ", 400)
	for b.Loop() {
		claimkey.Equivalent(phrase+"x y", phrase+"y x", "en")
	}
}
