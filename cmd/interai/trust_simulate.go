package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"interai/trustmodel"
	"interai/trustmodel/simulate"
)

// mostSeeds keeps a slip of the finger from running for days.
const mostSeeds = 1000

// simulateFlags are what the command line says.
type simulateFlags struct {
	options      simulate.Options
	first, seeds int
	set          []string
	markdown     bool
}

func newTrustSimulateCommand() *cobra.Command {
	var given simulateFlags
	cmd := &cobra.Command{
		Use: "simulate", Short: "Let attackers loose on simulated worlds and check the goals of the trust model", Args: cobra.NoArgs,
		Long: "Draws worlds of 200 honest parties and 600 targets whose truth is known, lets attackers loose on them, and sets what\n" +
			"the model says beside the truth and beside simpler rules. It needs no database and no server, and the same flags\n" +
			"give the same report. Seeds 1 to 20 are for trying out parameters (--first-seed 1), all others for checking them.\n\n" +
			"Attacks:\n" + describeAttacks(),
		Example: "  interai trust simulate --attack sybil --attack operator --seeds 2\n" +
			"  interai trust simulate --first-seed 1 --set caps.fresh=2 --set status.supported_lower=.4 --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := given.complete(); err != nil {
				return &usageError{err}
			}
			return given.run(cmd)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&given.seeds, "seeds", len(simulate.DefaultSeeds()), "how many worlds of each kind")
	flags.IntVar(&given.first, "first-seed", simulate.DefaultSeeds()[0], "the seed of the first")
	flags.StringArrayVar(&given.options.Attacks, "attack", nil, "only this attack; may be repeated")
	flags.Float64SliceVar(&given.options.Exposures, "exposure", simulate.DefaultExposures(), "mean numbers of parties that try a target, in worlds without attackers")
	flags.StringArrayVar(&given.set, "set", nil, "PATH=VALUE: change a parameter of "+trustmodel.V1Name+"; may be repeated")
	flags.BoolVar(&given.markdown, "markdown", false, "print Markdown")
	return cmd
}

func describeAttacks() string {
	var lines []string
	for _, kind := range simulate.Kinds() {
		lines = append(lines, fmt.Sprintf("  %-11s %s", kind.Name, kind.About))
	}
	return strings.Join(lines, "\n")
}

// complete turns flags into options; the error lists every problem.
func (f *simulateFlags) complete() error {
	if f.seeds < 1 || f.seeds > mostSeeds || f.first < 0 {
		return fmt.Errorf("--seeds must be within 1..%d, and --first-seed not negative", mostSeeds)
	}
	f.options.Seeds = nil
	for i := range f.seeds {
		f.options.Seeds = append(f.options.Seeds, f.first+i)
	}
	f.options.Params = trustmodel.V1()
	if err := f.options.Params.Apply(f.set...); err != nil {
		return fmt.Errorf("--set: %w", err)
	}
	return f.options.Check()
}

func (f *simulateFlags) run(cmd *cobra.Command) error {
	bar := newProgress(os.Stderr, "worlds")
	f.options.Progress = bar.update
	report, err := simulate.Run(cmd.Context(), f.options)
	bar.end()
	if err != nil {
		return err
	}
	if f.markdown {
		fmt.Fprint(cmd.OutOrStdout(), report.Markdown())
		return nil
	}
	asJSON, err := cmd.Flags().GetBool("json")
	if err != nil {
		return fmt.Errorf("read --json: %w", err)
	}
	a := &app{json: asJSON}
	return a.print(cmd, report, func(w io.Writer) {
		fmt.Fprintln(w, report.Heading())
		for _, s := range report.Sections() {
			fmt.Fprintf(w, "\n%s\n", s.Title)
			table(w, append([][]string{s.Head}, s.Rows...))
		}
	})
}
