package scanbench

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// outEnv names the file to which the table goes; without it nothing is measured.
const outEnv = "INTERAI_BENCH_OUT"

func indexFrom(text, part string, from int) int {
	i := strings.Index(text[from:], part)
	if i < 0 {
		return -1
	}
	return from + i
}

// TestScanTable writes how scanners do on the corpus, how fast they are, and their worst cases.
func TestScanTable(t *testing.T) {
	path := os.Getenv(outEnv)
	if path == "" {
		t.Skip("not run: set " + outEnv + " to the file for the table, or use make bench-scan")
	}
	out, err := os.Create(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, out.Close()) }()
	scanners := []Scanner{Secrets{engine(t)}, newGitleaks(t)}
	cases := load(t, "secrets.jsonl")
	names, results := make([]string, 0, len(scanners)), make([]Result, 0, len(scanners))
	for _, s := range scanners {
		names, results = append(names, s.Name()), append(results, Score(s, cases))
	}
	_, err = fmt.Fprint(out, "## Secrets: recall and false alarms\n\n")
	require.NoError(t, err)
	require.NoError(t, Print(out, names, results))
	_, err = fmt.Fprint(out, "\n## Cost\n\n")
	require.NoError(t, err)
	require.NoError(t, PrintSpeed(out, scanners, cases))
	_, err = fmt.Fprint(out, "\n## Worst cases\n\n")
	require.NoError(t, err)
	const shown = 12
	require.NoError(t, PrintWorst(out, scanners[0], WorstCases(), shown))
	inlineTables(t, out, cases, scanners[1])
}

// inlineTables write how everything inline does: what comes out, what it costs, and what it costs at worst.
func inlineTables(t *testing.T, out io.Writer, secrets []Case, other Scanner) {
	t.Helper()
	all := Inline{whole(t)}
	heading := func(text string) {
		_, err := fmt.Fprintf(out, "\n## %s\n\n", text)
		require.NoError(t, err)
	}
	for _, part := range []struct{ file, heading string }{{"pii.jsonl", "Personal data"}, {"inject.jsonl", "Hostile content"}} {
		heading(part.heading)
		wrong, err := all.PrintRight(out, load(t, part.file))
		require.NoError(t, err)
		if len(wrong) > 0 {
			_, err = fmt.Fprintf(out, "\nwrong: %s\n", strings.Join(wrong, ", "))
			require.NoError(t, err)
		}
	}
	heading("Cost of everything inline")
	require.NoError(t, PrintExpenses(out, []Scanner{all.Whole, Inert{}, all}, secrets))
	heading("The whole scan beside another scanner")
	require.NoError(t, PrintSpeed(out, []Scanner{all.Whole, other}, secrets))
	const shown = 12
	for _, s := range []Scanner{all.Whole, Inert{}} {
		heading("Worst cases: " + s.Name())
		require.NoError(t, PrintWorst(out, s, HostileTexts(), shown))
	}
}

// worstCPU is what any text of the largest size may cost.
const worstCPU = 300 * time.Millisecond

// TestNoTextIsTooDear is about CPU time and so runs only where the table is made.
func TestNoTextIsTooDear(t *testing.T) {
	if os.Getenv(outEnv) == "" {
		t.Skip("not run: CPU time is measured with the table (make bench-scan)")
	}
	for _, s := range []Scanner{whole(t), Inert{}} {
		for _, w := range HostileTexts() {
			cost, err := Cost(s, []string{w.Text}, 100*time.Millisecond)
			require.NoError(t, err)
			require.LessOrEqual(t, cost, worstCPU, "%s of %s", s.Name(), w.Name)
		}
	}
}
