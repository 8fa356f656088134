package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"interai/trustmodel/simulate"
)

// runSimulate runs the command below a root that has the flag all commands share.
func runSimulate(t *testing.T, args ...string) (string, error) {
	t.Helper()
	root := &cobra.Command{Use: "interai", SilenceUsage: true, SilenceErrors: true}
	root.PersistentFlags().Bool("json", false, "")
	root.AddCommand(newTrustSimulateCommand())
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs(append([]string{"simulate"}, args...))
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestTrustSimulatePrintsInThreeForms(t *testing.T) {
	args := []string{"--seeds", "1", "--first-seed", "7", "--exposure", "2", "--attack", "whitewash", "--set", "caps.fresh=3"}
	for name, c := range map[string]struct {
		flag string
		want []string
	}{
		"text":     {"", []string{"seeds 7; changed: caps.fresh=3", "Without attackers\n", "whitewash, as itself"}},
		"Markdown": {"--markdown", []string{"### Without attackers", "| whitewash, as itself | 0 |"}},
		"JSON":     {"--json", []string{`"seeds":[7]`, `"attack":"whitewash"`}},
	} {
		t.Run(name, func(t *testing.T) {
			all := args
			if c.flag != "" {
				all = append(all, c.flag)
			}
			out, err := runSimulate(t, all...)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("%q is missing in:\n%s", want, out)
				}
			}
			if c.flag == "--json" {
				var r simulate.Report
				if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Honest) != 1 || len(r.Attacks) != 8 {
					t.Errorf("%d rows, %d attacks, error %v", len(r.Honest), len(r.Attacks), err)
				}
			}
		})
	}
}

func TestTrustSimulateRefusesAsUsageErrors(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no seeds":                 {[]string{"--seeds", "0"}, "--seeds must be"},
		"a negative seed":          {[]string{"--first-seed", "-1"}, "--first-seed"},
		"an unknown attack":        {[]string{"--attack", "bribe"}, `attack "bribe": not one of`},
		"an unknown parameter":     {[]string{"--set", "no.where=1"}, "--set: no.where: no such parameter"},
		"an impossible parameter":  {[]string{"--set", "level=2"}, "level: 2 is not within"},
		"an exposure of nothing":   {[]string{"--exposure", "0"}, "exposure 0"},
		"a change without a value": {[]string{"--set", "level"}, "want PATH=VALUE"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := runSimulate(t, c.args...)
			if _, usage := errors.AsType[*usageError](err); !usage || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want a usage error with %q", err, c.want)
			}
		})
	}
}
