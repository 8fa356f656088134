package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"interai/trustops"
)

func (a *app) trustShow() *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Show a version's parameters, and how they differ from its parent's", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
				return a.printVersion(ctx, cmd, versions, args[0])
			})
		},
	}
}

// printVersion prints a version with its parameters.
func (a *app) printVersion(ctx context.Context, cmd *cobra.Command, versions *trustops.Versions, name string) error {
	shown, err := versions.Show(ctx, name)
	if err != nil {
		return err
	}
	return a.print(cmd, shown, func(w io.Writer) { writeVersion(w, &shown) })
}

func writeVersion(w io.Writer, shown *trustops.Shown) {
	rows := [][]string{
		{"name", shown.Name},
		{"state", shown.State},
		{"parent", orDash(shown.Parent)},
		{"note", orDash(oneLine(shown.Note))},
		{"created", day(&shown.CreatedAt)},
		{"activated", orDash(day(shown.ActivatedAt))},
		{"epoch", strconv.Itoa(int(shown.Epoch))},
		{"backfill", percent(shown.Backfill)},
		{"computed", fmt.Sprintf("%d of %d targets", shown.Computed, shown.Targets)},
		{"hash", shown.ParamsHash},
	}
	table(w, rows)
	changed := map[string]float64{}
	for _, change := range shown.Changes {
		changed[change.Path] = change.From
	}
	parameters := [][]string{{"", "", ""}, {"PARAMETER", "VALUE", "PARENT"}}
	for _, constant := range shown.Parameters.Constants() {
		before := ""
		if from, differs := changed[constant.Path]; differs {
			before = number(from)
		}
		parameters = append(parameters, []string{constant.Path, number(constant.Value), before})
	}
	table(w, parameters)
}

// number writes a number as short as it can be read back.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
