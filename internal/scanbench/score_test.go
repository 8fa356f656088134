package scanbench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// parrot reports the same places in every text.
type parrot []Hit

func (parrot) Name() string        { return "parrot" }
func (p parrot) Scan(string) []Hit { return p }

func TestScore(t *testing.T) {
	cases := []Case{
		{ID: "hit", Family: "f", Carrier: "c", Expect: "reject", Text: "0123456789", Spans: []Span{{2, 5}}},
		{ID: "beside", Family: "f", Carrier: "d", Expect: "reject", Text: "0123456789", Spans: []Span{{6, 9}}},
		{ID: "anywhere", Family: "g", Carrier: "c", Expect: "redact", Text: "0123456789"},
		{ID: "alarm", Family: "h", Carrier: "d", Expect: "allow", Text: "0123456789"},
		{ID: "unscored", Family: "i", Carrier: "d", Expect: "either", Text: "0123456789"},
	}
	for name, c := range map[string]struct {
		hits  parrot
		want  Tally
		wrong []string
	}{
		"a hit counts where it overlaps a span": {parrot{{Start: 4, End: 6, Blocks: true}}, Tally{Caught: 2, Must: 3, Alarms: 1, Pass: 1}, []string{"beside", "alarm"}},
		"a flag catches, and alarms nobody":     {parrot{{Start: 2, End: 9}}, Tally{Caught: 3, Must: 3, Pass: 1}, nil},
		"nothing found":                         {nil, Tally{Must: 3, Pass: 1}, []string{"hit", "beside", "anywhere"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := Score(c.hits, cases)
			require.Equal(t, c.want, r.All)
			require.Equal(t, c.wrong, r.Wrong)
			require.NotContains(t, r.Families, "i")
		})
	}
	require.InDelta(t, 1, (&Tally{}).Recall(), 0)
	require.InDelta(t, 0, (&Tally{}).FalseRate(), 0)
}

func TestPrint(t *testing.T) {
	r := Score(parrot{{Start: 0, End: 9, Blocks: true}}, []Case{
		{Family: "f", Carrier: "c", Expect: "reject", Text: "0123456789"}, {Family: "h", Carrier: "d", Expect: "allow", Text: "0123456789"},
	})
	var b strings.Builder
	require.NoError(t, Print(&b, []string{"parrot"}, []Result{r}))
	require.Equal(t, `| | must | pass | parrot recall | parrot false |
|---|---:|---:|---:|---:|
| **all** | 1 | 1 | 1.000 | 1.000 |
| carrier c | 1 | 0 | 1.000 |  |
| carrier d | 0 | 1 |  | 1.000 |
| f | 1 | 0 | 1.000 |  |
| h | 0 | 1 |  | 1.000 |
`, b.String())
}

func TestLoadRefusesWhatIsNoCorpus(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"no JSON": "x", "unknown macro": `{"id":"a","text":"{{nothing}}"}`, "open macro": `{"id":"a","text":"{{rnd:hex:4"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "part"), []byte(content), 0o600))
		_, err := Load(dir, "part")
		require.Error(t, err, name)
	}
	_, err := Load(dir, "absent")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestDocumentsHaveTheirSize(t *testing.T) {
	for _, size := range sizes {
		for _, text := range Documents([]Case{{Expect: "allow", Text: "some text\n"}}, size, 3) {
			require.Len(t, text, size)
		}
	}
	for _, w := range HostileTexts() {
		require.LessOrEqual(t, len(w.Text), worstSize, w.Name)
		require.Greater(t, len(w.Text), worstSize-20, w.Name)
	}
}

func TestCostIsMeasured(t *testing.T) {
	cost, err := Cost(parrot{}, []string{"x"}, 10*time.Millisecond)
	require.NoError(t, err)
	require.Positive(t, cost)
}
