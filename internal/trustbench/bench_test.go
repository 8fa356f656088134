package trustbench

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"interai/trustmodel"
	"interai/trustmodel/simulate"
)

// Environment of the two printed measurements, which are skipped without the
// first.
const (
	outVariable = "INTERAI_BENCH_OUT" // file that the table is written to
	setVariable = "INTERAI_BENCH_SET" // changes to the parameters, PATH=VALUE, separated by spaces
)

// params are trust-v1 with the changes that the environment names.
func params(tb testing.TB) trustmodel.Params {
	tb.Helper()
	p := trustmodel.V1()
	if err := p.Apply(strings.Fields(os.Getenv(setVariable))...); err != nil {
		tb.Fatalf("%s: %v", setVariable, err)
	}
	return p
}

// write puts text where the environment says; the test is skipped without a place.
func write(tb testing.TB, measure func() string) {
	tb.Helper()
	path := os.Getenv(outVariable)
	if path == "" {
		tb.Skip("prints a table: make bench-trust, make bench-simulate")
	}
	if err := os.WriteFile(path, []byte(measure()), 0o600); err != nil {
		tb.Fatal(err)
	}
}

// TestTrustTable is `make bench-trust`.
func TestTrustTable(t *testing.T) {
	write(t, func() string {
		r := measureAll(t, newModel(t, params(t)))
		return fmt.Sprintf("%s\n%s", r.markdown(), goalsMarkdown(r.goals()))
	})
}

// TestSimulationGoals is `make bench-simulate`.
func TestSimulationGoals(t *testing.T) {
	write(t, func() string {
		o := simulate.Options{Params: params(t)}
		o.Progress = func(done, total int) {
			if done%50 == 0 || done == total {
				fmt.Fprintf(os.Stderr, "%d of %d worlds\n", done, total)
			}
		}
		r, err := simulate.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r.Markdown()
	})
}

func measureAll(tb testing.TB, m *trustmodel.Model) *measurement {
	tb.Helper()
	r := &measurement{}
	methods := append(plainMethods(), method{"Dawid-Skene", dawidSkene}, trustMethod(m))
	for _, name := range labelSets {
		r.measureClaims(loadClaims(tb, name), methods)
	}
	usage := loadUsage(tb)
	for _, s := range []*split{usage.randomHalves(), usage.laterMonths(), loadNetwork(tb).lastRatings()} {
		r.measureSplit(m, s)
	}
	items := ratedItems(tb)
	for _, raters := range []int{2, 3, 5} {
		r.ratings = append(r.ratings, foretellRatings(m, items, raters))
	}
	return r
}
