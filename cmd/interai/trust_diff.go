package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"interai/trustops"
	"interai/trustops/report"
)

// maxMovers bounds how many movers one report lists.
const maxMovers = 10_000

func (a *app) trustDiff() *cobra.Command {
	var file, labels string
	options := trustops.CompareOptions{}
	cmd := &cobra.Command{
		Use: "diff A B", Short: "Compare two versions over all targets that both have computed", Args: cobra.ExactArgs(2),
		Long: "Changes of status, shifts of values, widths of intervals, sums by kind and the biggest movers with reasons.\n" +
			"--labels FILE adds how well both agree with known outcomes: lines \"target,truth\", the truth 0 or 1.",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if options.Limit < 0 || options.Limit > maxMovers {
				return usagef("--limit must be 0 to %d", maxMovers)
			}
			if labels != "" {
				if options.Labels, err = readLabels(labels); err != nil {
					return err
				}
			}
			if file != "" {
				// A comparison may take minutes: that its report cannot be written is said before.
				out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE, 0o666)
				if err != nil {
					return usagef("--html: %w", err)
				}
				defer out.Close()
			}
			return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
				bar := newProgress(os.Stderr, "targets")
				options.Progress = bar.update
				comparison, err := versions.Compare(ctx, args[0], args[1], options)
				bar.end()
				if err != nil {
					return err
				}
				if file != "" {
					if err := writeReport(file, &comparison); err != nil {
						return err
					}
				}
				return a.print(cmd, &comparison, func(w io.Writer) { writeComparison(w, &comparison) })
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&file, "html", "", "write the report to this file as well, with plots")
	flags.StringVar(&labels, "labels", "", "CSV file of known outcomes")
	flags.IntVar(&options.Limit, "limit", 20, "how many of the biggest movers to list")
	return cmd
}

func readLabels(name string) (labels trustops.Labels, err error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, usagef("--labels: %w", err)
	}
	defer in.Close()
	if labels, err = trustops.ReadLabels(bufio.NewReader(in)); err != nil {
		return nil, usagef("--labels %s: %w", name, err)
	}
	return labels, nil
}

// writeReport writes the document.
func writeReport(name string, comparison *trustops.Comparison) (err error) {
	out, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return report.HTML(out, comparison)
}

func writeComparison(w io.Writer, c *trustops.Comparison) {
	fmt.Fprintf(w, "%s → %s: %d targets, %d with another status, %d with another value", c.A, c.B, c.Shared, c.Changed, c.Moved)
	if c.OnlyA > 0 || c.OnlyB > 0 {
		fmt.Fprintf(w, "; %d only under %s, %d only under %s", c.OnlyA, c.A, c.OnlyB, c.B)
	}
	fmt.Fprintf(w, "\nepochs of reputations: %s %d, %s %d", c.A, c.EpochA, c.B, c.EpochB)
	if (c.EpochA == 0) != (c.EpochB == 0) {
		fmt.Fprint(w, "; one has none yet, so part of what differs is not the parameters but what is known of the parties")
	}
	fmt.Fprint(w, "\n\n")
	if len(c.Parameters) > 0 {
		rows := [][]string{{"PARAMETER", c.A, c.B}}
		for _, change := range c.Parameters {
			rows = append(rows, []string{change.Path, number(change.From), number(change.To)})
		}
		table(w, append(rows, nil))
	}
	table(w, append(matrixRows(c), nil))
	table(w, append(spreadRows(c), nil))
	table(w, append(kindRows(c), nil))
	if len(c.Agreement) > 0 {
		table(w, append(agreementRows(c), nil))
	}
	for i := range c.Movers {
		writeMover(w, &c.Movers[i])
	}
}

func matrixRows(c *trustops.Comparison) [][]string {
	rows := [][]string{append([]string{c.A + " \\ " + c.B}, c.Statuses...)}
	for i, counts := range c.Matrix {
		row := []string{c.Statuses[i]}
		for _, n := range counts {
			row = append(row, strconv.FormatInt(n, 10))
		}
		rows = append(rows, row)
	}
	return rows
}

func spreadRows(c *trustops.Comparison) [][]string {
	rows := [][]string{{"FIGURE", "MEAN", "MIN", "5%", "25%", "50%", "75%", "95%", "MAX"}}
	for _, s := range []struct {
		name   string
		format string
		trustops.Spread
	}{{"shift of the value", "%+.3f", c.Shift}, {"width, " + c.A, "%.3f", c.WidthA}, {"width, " + c.B, "%.3f", c.WidthB}} {
		row := []string{s.name}
		for _, v := range []float64{s.Mean, s.Min, s.P05, s.P25, s.P50, s.P75, s.P95, s.Max} {
			row = append(row, fmt.Sprintf(s.format, v))
		}
		rows = append(rows, row)
	}
	return rows
}

func kindRows(c *trustops.Comparison) [][]string {
	rows := [][]string{{"KIND", "TARGETS", "STATUS CHANGES", "MEAN |SHIFT|", "VALUE A, B", "WIDTH A, B", "CONFIRMATIONS A, B"}}
	for _, k := range c.Kinds {
		rows = append(rows, []string{
			string(k.Kind), strconv.FormatInt(k.Targets, 10), strconv.FormatInt(k.Changed, 10), fmt.Sprintf("%.3f", k.Shift),
			fmt.Sprintf("%.3f, %.3f", k.ValueA, k.ValueB), fmt.Sprintf("%.3f, %.3f", k.WidthA, k.WidthB),
			fmt.Sprintf("%d, %d", k.ConfirmationsA, k.ConfirmationsB),
		})
	}
	return rows
}

func agreementRows(c *trustops.Comparison) [][]string {
	rows := [][]string{{"LABELS", "FOUND", "ACCURACY", "BRIER", "COVERAGE"}}
	for _, g := range c.Agreement {
		rows = append(rows, []string{
			g.Version, fmt.Sprintf("%d of %d", g.Found, g.Labels), fmt.Sprintf("%.4f", g.Accuracy), fmt.Sprintf("%.4f", g.Brier),
			fmt.Sprintf("%.4f", g.Coverage),
		})
	}
	return rows
}

func writeMover(w io.Writer, m *trustops.Mover) {
	fmt.Fprintf(w, "%+.3f  %s  %.3f [%.3f, %.3f] %s → %.3f [%.3f, %.3f] %s", m.Delta, m.Target,
		m.A.Value, m.A.Lower, m.A.Upper, m.A.Status, m.B.Value, m.B.Lower, m.B.Upper, m.B.Status)
	if m.Title != "" {
		fmt.Fprintf(w, "  %s", oneLine(m.Title))
	}
	fmt.Fprintf(w, "\n        %s\n", m.Reason)
}

// oneLine keeps a text that a user wrote from moving the cursor of a terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}
