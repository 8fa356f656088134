package claimkey_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/claimkey"
)

func TestWordingsOfOneClaim(t *testing.T) {
	t.Parallel()
	const claim = "Deduplicating by delivery id prevents double processing."
	for name, other := range map[string]string{
		"case":             "deduplicating by Delivery ID prevents double processing.",
		"blanks":           "  Deduplicating by delivery id\n prevents  double processing. ",
		"no full stop":     "Deduplicating by delivery id prevents double processing",
		"invisible letter": "Dedupli\u200bcating by delivery id prevents double processing.",
		"full-width forms": "Ｄeduplicating by delivery id prevents double processing．",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, want := claimkey.Of(claim)
			_, got := claimkey.Of(other)
			require.Equal(t, want, got)
		})
	}
}

func TestDifferentClaimsNeverMeet(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]string{
		"a negation":      {"It supports streaming", "It does not support streaming"},
		"another number":  {"Latency is below 10 ms", "Latency is below 100 ms"},
		"another version": {"Fixed in v1.2.3", "Fixed in v1.2.4"},
		"a question":      {"Is it safe", "Is it safe?"},
		"order of words":  {"A is faster than B", "B is faster than A"},
		"a sign":          {"The offset is -1", "The offset is +1"},
		"a decimal":       {"It takes 1.5 s", "It takes 15 s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, a := claimkey.Of(pair[0])
			_, b := claimkey.Of(pair[1])
			require.NotEqual(t, a, b)
		})
	}
}

func FuzzNormaliseIsIdempotent(f *testing.F) {
	for _, seed := range []string{"A  b.", "ﬁne—“x”", "İ", "…", "1．5", "a. . ."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := claimkey.Normalise(text)
		if again := claimkey.Normalise(once); again != once {
			t.Fatalf("%q gives %q, and that %q", text, once, again)
		}
	})
}
