package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"interai/store"
	"interai/trustops"
)

const (
	// backfillPoll is the pause between looks at a backfill that is waited for.
	backfillPoll = 250 * time.Millisecond
	// idlePatience is how long a backfill is waited for while no worker is running: one that takes another's place is
	// elected within seconds.
	idlePatience = 30 * time.Second
	noWorkers    = "no worker is running: the backfill goes on when `interai serve` does"
)

func (a *app) trustModels() *cobra.Command {
	return &cobra.Command{
		Use: "models", Short: "List the versions, and how far each is computed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
				list, err := versions.List(ctx)
				if err != nil {
					return err
				}
				rows := [][]string{{"NAME", "STATE", "PARENT", "CREATED", "ACTIVATED", "EPOCH", "COMPUTED", "FAILED", "BACKFILL", "LAG", "NOTE"}}
				for i := range list {
					rows = append(rows, versionRow(&list[i]))
				}
				return a.print(cmd, list, func(w io.Writer) { table(w, rows) })
			})
		},
	}
}

func versionRow(v *trustops.Version) []string {
	return []string{
		v.Name, v.State, orDash(v.Parent), day(&v.CreatedAt), orDash(day(v.ActivatedAt)), strconv.Itoa(int(v.Epoch)),
		fmt.Sprintf("%d / %d", v.Computed, v.Targets), strconv.FormatInt(v.Failed, 10), percent(v.Backfill),
		fmt.Sprintf("%d targets, %d records", v.Lagging, v.Behind), oneLine(v.Note),
	}
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func (a *app) trustCreate() *cobra.Command {
	var wanted trustops.NewVersion
	cmd := &cobra.Command{
		Use: "create NAME", Short: "Make a draft from another version", Args: cobra.ExactArgs(1),
		Example: "  interai trust create trust-v2 --from trust-v1 --set status.high_lower=.7 --note 'stricter'",
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted.Name = args[0]
			return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
				if err := versions.Create(ctx, wanted); err != nil {
					return err
				}
				return a.printVersion(ctx, cmd, versions, wanted.Name)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&wanted.From, "from", "", "the version whose parameters are changed (default: the active one)")
	flags.StringArrayVar(&wanted.Set, "set", nil, "PATH=VALUE: a parameter by its JSON path, such as status.high_lower=.7; may be repeated")
	flags.StringVar(&wanted.Note, "note", "", "why there is this version")
	return cmd
}

func (a *app) trustShadow() *cobra.Command {
	var wait bool
	cmd := &cobra.Command{
		Use: "shadow NAME", Short: "Compute a version beside the active one", Args: cobra.ExactArgs(1),
		Long: "Live evidence feeds the version from now on, and a backfill by the running server's workers brings it all\n" +
			"older evidence. Nobody sees it until it is promoted.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onBackfill(cmd, args[0], wait, (*trustops.Versions).Shadow)
		},
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "wait until the backfill has ended, and show how far it is")
	return cmd
}

func (a *app) trustPause() *cobra.Command {
	return &cobra.Command{
		Use: "pause NAME", Short: "Stop a version's backfill for now", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onBackfill(cmd, args[0], false, (*trustops.Versions).Pause)
		},
	}
}

func (a *app) trustResume() *cobra.Command {
	var wait bool
	cmd := &cobra.Command{
		Use: "resume NAME", Short: "Go on with a backfill that was paused, or lost", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.onBackfill(cmd, args[0], wait, (*trustops.Versions).Resume)
		},
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "wait until the backfill has ended, and show how far it is")
	return cmd
}

// onBackfill does something to a version's backfill and prints how far it is then.
func (a *app) onBackfill(cmd *cobra.Command, name string, wait bool,
	do func(*trustops.Versions, context.Context, string) error,
) error {
	return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
		if err := do(versions, ctx, name); err != nil {
			return err
		}
		if wait {
			if err := awaitBackfill(ctx, versions, name); err != nil {
				return err
			}
		}
		progress, err := versions.Progress(ctx, name)
		if err != nil {
			return err
		}
		if b := progress.Backfill; b != nil && b.State == store.BackfillRunning && !progress.WorkersRunning {
			fmt.Fprintln(os.Stderr, "interai:", noWorkers)
		}
		return a.print(cmd, progress, func(w io.Writer) {
			fmt.Fprintf(w, "%s is %s", progress.Name, progress.State)
			if b := progress.Backfill; b != nil {
				fmt.Fprintf(w, "; its backfill is %s: %d of %d targets", b.State, b.Done, b.Total)
			}
			fmt.Fprintln(w)
		})
	})
}

// awaitBackfill shows how far a backfill is until it has ended.
func awaitBackfill(ctx context.Context, versions *trustops.Versions, name string) error {
	bar := newProgress(os.Stderr, "targets")
	defer bar.end()
	poll := time.NewTicker(backfillPoll)
	defer poll.Stop()
	alive, shown := time.Now(), int64(-1)
	for {
		progress, err := versions.Progress(ctx, name)
		if err != nil {
			return err
		}
		b := progress.Backfill
		if b == nil {
			return fmt.Errorf("version %s has no backfill", name)
		}
		if b.Done != shown {
			shown = b.Done
			bar.update(int(b.Done), int(b.Total))
		}
		switch {
		case b.State == store.BackfillDone:
			return nil
		case b.State == store.BackfillPaused:
			return fmt.Errorf("the backfill was paused at %d of %d targets: `interai trust resume %s`", b.Done, b.Total, name)
		case progress.WorkersRunning:
			alive = time.Now()
		case time.Since(alive) > idlePatience:
			return errors.New(noWorkers)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the backfill, which goes on: %w", ctx.Err())
		case <-poll.C:
		}
	}
}

func (a *app) trustPromote() *cobra.Command {
	return &cobra.Command{
		Use: "promote NAME", Short: "Show a shadow version to readers from now on", Args: cobra.ExactArgs(1),
		Long: "One transaction: a reader sees all of one version or all of the other. The former version stays computed as a\n" +
			"shadow version, so promoting it again goes back at once.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
				done, err := versions.Promote(ctx, args[0])
				if err != nil {
					return err
				}
				return a.print(cmd, done, func(w io.Writer) {
					fmt.Fprintf(w, "%s is active. %s is a shadow version now: `interai trust promote %s` goes back at once.\n",
						done.Active, done.Former, done.Former)
				})
			})
		},
	}
}

func (a *app) trustRetire() *cobra.Command {
	return &cobra.Command{
		Use: "retire NAME", Short: "Stop computing a shadow version", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withVersions(cmd, func(ctx context.Context, versions *trustops.Versions) error {
				if err := versions.Retire(ctx, args[0]); err != nil {
					return err
				}
				done := map[string]string{"name": args[0], "state": store.ModelRetired}
				return a.print(cmd, done, func(w io.Writer) {
					fmt.Fprintf(w, "%s is retired: its snapshots stay and age; to come back it is shadowed again.\n", args[0])
				})
			})
		},
	}
}
