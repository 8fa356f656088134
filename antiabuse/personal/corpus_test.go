package personal

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/antiabuse/finding"
	"interai/internal/scanbench"
)

// corpus loads a part of the corpus of attacks, or skips the test where there is none.
func corpus(t *testing.T, part string) []scanbench.Case {
	t.Helper()
	dir := filepath.Join(cmp.Or(os.Getenv("INTERAI_DATA"), filepath.Join("..", "..", "..", "shared", "data")), "antiabuse")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus at %s: the cases of %s were not run", dir, part)
	}
	cases, err := scanbench.Load(dir, part)
	require.NoError(t, err)
	return cases
}

// reached is the severest action on what must be found, and on anything.
func reached(e *Engine, c scanbench.Case) (within, anywhere finding.Action) {
	for _, f := range e.Scan(finding.NewBudget(), c.Text, Options{}) {
		anywhere = max(anywhere, f.Action)
		for _, s := range c.Spans {
			if f.Start < s.End && s.Start < f.End {
				within = max(within, f.Action)
			}
		}
	}
	if len(c.Spans) == 0 {
		within = anywhere
	}
	return within, anywhere
}

func TestPersonalDataOfTheCorpus(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	for _, c := range corpus(t, "pii.jsonl") {
		within, anywhere := reached(e, c)
		switch c.Expect {
		case "reject":
			require.Equal(t, finding.Reject, within, c.ID)
		case "redact":
			require.GreaterOrEqual(t, within, finding.Redact, c.ID)
		case "flag":
			require.GreaterOrEqual(t, within, finding.Flag, c.ID)
		case "allow":
			require.Zero(t, anywhere, c.ID)
		}
	}
}

func TestOtherPartsOfTheCorpusHaveNoPersonalData(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	for _, part := range []string{"secrets.jsonl", "inject.jsonl"} {
		for _, c := range corpus(t, part) {
			_, anywhere := reached(e, c)
			require.False(t, anywhere.Blocks(), c.ID)
		}
	}
}
