package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"interai/jobs"
	"interai/trustops"
)

func (a *app) trustCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "trust", Short: "Versions of the trust model: make, compute, compare, switch, check",
		Long: "A version is a set of parameters: draft, then shadow (computed beside the active one, seen by nobody), then active.\n" +
			"docs/TRUST_VERSIONS.md tells the life of one.",
	}
	cmd.AddCommand(a.trustModels(), a.trustShow(), a.trustCreate(), a.trustShadow(), a.trustPause(), a.trustResume(),
		a.trustDiff(), a.trustPromote(), a.trustRetire(),
		a.trustEpoch(), a.trustExplain(), a.trustVerify(), newTrustSimulateCommand())
	return cmd
}

// withVersions opens the database for commands over versions.
func (a *app) withVersions(cmd *cobra.Command, work func(ctx context.Context, versions *trustops.Versions) error) error {
	return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
		if err := db.EnsureFirstModel(ctx); err != nil {
			return err
		}
		enqueuer, err := jobs.NewEnqueuer(db.Store, db.logger)
		if err != nil {
			return err
		}
		return explainVersion(work(ctx, trustops.NewVersions(db.Store, enqueuer)))
	})
}

// explainVersion makes a mistake in what was typed a usage error.
func explainVersion(err error) error {
	if invalid, ok := errors.AsType[*trustops.InvalidError](err); ok {
		return usagef("%w", invalid)
	}
	return err
}

// percent writes how far a backfill is.
func percent(b *trustops.Backfill) string {
	if b == nil {
		return "-"
	}
	return fmt.Sprintf("%s %.0f%%", b.State, b.Percent)
}
