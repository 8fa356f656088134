package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"interai/jobs"
	"interai/store"
	"interai/trustops"
)

func (a *app) trustVerify() *cobra.Command {
	var resume bool
	cmd := &cobra.Command{
		Use: "verify [NAME]", Short: "Compute all trust from raw evidence and compare it with what is stored, bit for bit",
		Args: cobra.MaximumNArgs(1),
		Long: "Figures, counts and statistics of every target are compared. How far it has come is kept: --resume goes on from\n" +
			"there. A server may run meanwhile; what its workers have not computed yet is counted as waiting.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
				bar := newProgress(os.Stderr, "targets")
				found, err := versions.Verify(ctx, strings.Join(args, ""), resume, func(done, total int64) { bar.update(int(done), int(total)) })
				bar.end()
				if err != nil {
					if found.Checked > 0 {
						return fmt.Errorf("stopped after %d targets, go on with --resume: %w", found.Checked, err)
					}
					return err
				}
				if err := a.print(cmd, found, func(w io.Writer) { writeVerification(w, &found) }); err != nil {
					return err
				}
				if found.Wrong > 0 {
					return fmt.Errorf("%d targets differ from their raw evidence", found.Wrong)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&resume, "resume", false, "go on where the last verification stopped")
	return cmd
}

func writeVerification(w io.Writer, found *trustops.Verification) {
	fmt.Fprintf(w, "%s: %d targets compared, %d differ, %d wait to be computed.\n", found.Name, found.Checked, found.Wrong, found.Stale)
	for _, f := range found.Findings {
		fmt.Fprintf(w, "%s\n", f.Target)
		for _, difference := range f.Differences {
			fmt.Fprintf(w, "  %s\n", difference)
		}
	}
}

// hasTrust reports whether trust can be asked for; an item stands for its current revision.
func hasTrust(kind store.Kind) bool {
	return slices.Contains([]store.Kind{store.KindContent, store.KindRevision, store.KindClaim, store.KindEntity}, kind)
}

func (a *app) trustExplain() *cobra.Command {
	var version, at string
	var parties int
	cmd := &cobra.Command{
		Use: "explain ID", Short: "Say what a target's trust is made of, computed from its raw evidence", Args: cobra.ExactArgs(1),
		Long: "ID is a cnt_, rev_, clm_ or ent_. Without --at the result must equal what is stored, bit for bit; if it does not,\n" +
			"the differences are printed and the command fails.",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := store.ParseID(args[0])
			if err != nil || !hasTrust(target.Kind) {
				return usagef("%q is not the ID of a target: cnt_, rev_, clm_ or ent_", args[0])
			}
			options := trustops.ExplainOptions{Version: version, Parties: parties}
			if at != "" {
				if options.At, err = time.Parse(time.RFC3339, at); err != nil || options.At.Before(time.Unix(0, 0)) || options.At.After(time.Now()) {
					return usagef("--at must be a time such as 2026-01-31T12:00:00Z, not before 1970 and not in the future")
				}
			}
			if parties < 0 {
				return usagef("--parties must not be negative")
			}
			return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
				found, err := versions.Explain(ctx, target, options)
				if err != nil {
					return err
				}
				if err := a.print(cmd, found, func(w io.Writer) { writeExplained(w, found) }); err != nil {
					return err
				}
				if len(found.Differences) > 0 && !found.Stale {
					return errors.New("what is stored is not what the raw evidence says")
				}
				return nil
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&at, "at", "", "the trust of an earlier moment: 2026-01-31T12:00:00Z")
	flags.StringVar(&version, "model", "", "a live version; the active one if not given")
	flags.IntVar(&parties, "parties", 50, "how many parties to list")
	return cmd
}

func writeExplained(w io.Writer, found *trustops.Explained) {
	fmt.Fprintf(w, "# %s under %s\n\n", found.Target, found.Version)
	switch {
	case found.At != nil:
		fmt.Fprintf(w, "As of %s, with %d records of evidence; published as %s.\n\n", found.At.UTC().Format(time.RFC3339), found.Applied, found.Status)
	case found.Stale:
		fmt.Fprintf(w, "Published as %s. More waits to be computed.\n\n", found.Status)
	case found.Equal:
		fmt.Fprintf(w, "Published as %s. What is stored equals what the raw evidence says.\n\n", found.Status)
	}
	if found.PendingStatus != "" {
		fmt.Fprintf(w, "The status %s waits to be published.\n\n", found.PendingStatus)
	}
	fmt.Fprint(w, found.Markdown)
	for _, difference := range found.Differences {
		fmt.Fprintf(w, "\nDIFFERS: %s\n", difference)
	}
}

func (a *app) trustEpoch() *cobra.Command {
	return &cobra.Command{
		Use: "epoch [NAME]", Short: "Compute reputation and the party map now, for all live versions or one", Args: cobra.MaximumNArgs(1),
		Long: "Workers do the same every hour (epoch-interval). Targets whose parties weigh differently then are computed anew by\n" +
			"the workers of a running server.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				if err := db.EnsureFirstModel(ctx); err != nil {
					return err
				}
				queue, err := jobs.NewEnqueuer(db.Store, db.logger)
				if err != nil {
					return err
				}
				sealed, err := trustops.NewVersions(db.Store, queue).Epoch(ctx, strings.Join(args, ""), db.logger)
				if len(sealed) == 0 && err != nil {
					return explainVersion(err)
				}
				rows := [][]string{{"VERSION", "EPOCH", "TARGETS", "OPINIONS", "PARTIES", "MERGED", "CHANGED"}}
				for _, e := range sealed {
					rows = append(rows, []string{
						e.Name, strconv.Itoa(int(e.Epoch)), strconv.FormatInt(e.Targets, 10), strconv.FormatInt(e.Opinions, 10), strconv.FormatInt(e.Parties, 10),
						strconv.FormatInt(e.Merged, 10), strconv.Itoa(e.Changed),
					})
				}
				return errors.Join(a.print(cmd, sealed, func(w io.Writer) { table(w, rows) }), err)
			})
		},
	}
}
