package bench

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// settings are how long and how much a run measures. The defaults take about four minutes.
type settings struct {
	rounds  int
	warmUp  time.Duration // before each measurement, at the same load
	round   time.Duration // one measurement
	targets int
	parties int
	report  string // a file that gets the table as Markdown, "" for none
}

// Environment variables of a run; none needs to be set.
const (
	roundsEnv  = "INTERAI_BENCH_ROUNDS"
	warmUpEnv  = "INTERAI_BENCH_WARMUP"
	roundEnv   = "INTERAI_BENCH_ROUND"
	targetsEnv = "INTERAI_BENCH_TARGETS"
	reportEnv  = "INTERAI_BENCH_REPORT"
)

// parties is how many keys of different parties the connections share, so that no party's own bounds decide.
const parties = 64

func readSettings(lookup func(string) string) (settings, error) {
	s := settings{
		rounds: 3, warmUp: 500 * time.Millisecond, round: 3 * time.Second, targets: 10_000, parties: parties,
		report: lookup(reportEnv),
	}
	for name, to := range map[string]*int{roundsEnv: &s.rounds, targetsEnv: &s.targets} {
		if text := lookup(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return s, fmt.Errorf("%s: %q is not a positive number", name, text)
			}
			*to = n
		}
	}
	for name, to := range map[string]*time.Duration{warmUpEnv: &s.warmUp, roundEnv: &s.round} {
		if text := lookup(name); text != "" {
			d, err := time.ParseDuration(text)
			if err != nil || d <= 0 {
				return s, fmt.Errorf("%s: %q is not a positive duration", name, text)
			}
			*to = d
		}
	}
	return s, nil
}

func mustSettings(b *testing.B) settings {
	b.Helper()
	s, err := readSettings(os.Getenv)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func TestSettingsRefuseNonsense(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{roundsEnv: "0", targetsEnv: "many", warmUpEnv: "-1s", roundEnv: "3"} {
		if _, err := readSettings(func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}); err == nil {
			t.Errorf("%s=%s is accepted", name, value)
		}
	}
}
