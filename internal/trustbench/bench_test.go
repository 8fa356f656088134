package trustbench

import (
	"fmt"
	"os"
	"strconv"
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

	firstSeedVariable = "INTERAI_BENCH_FIRST_SEED" // seed of the first simulated world
	seedsVariable     = "INTERAI_BENCH_SEEDS"      // how many worlds of each kind
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

// seeds are the simulated worlds that the environment names, the default ones if it
// names none.
func seeds(tb testing.TB) []int {
	tb.Helper()
	standard := simulate.DefaultSeeds()
	first, n := stated(tb, firstSeedVariable, standard[0]), stated(tb, seedsVariable, len(standard))
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}

// stated is the number that a variable of the environment states, or otherwise where it states none.
func stated(tb testing.TB, variable string, otherwise int) int {
	tb.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("%s: %q is no number of 1 or more", variable, text)
	}
	return n
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
		o := simulate.Options{Params: params(t), Seeds: seeds(t)}
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
