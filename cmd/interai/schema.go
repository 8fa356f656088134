package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"interai/migrations"
	"interai/store/pgembed"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the database's structure as SQL", Args: cobra.NoArgs, Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withNewDatabase(cmd, func(ctx context.Context, db *database) error {
				binaries, err := pgembed.FindBinaries(db.config.PGBinDir)
				if err != nil {
					return err
				}
				sql, err := migrations.DumpSchema(ctx, filepath.Join(binaries.Dir, "pg_dump"), db.conn)
				if err != nil {
					return err
				}
				fmt.Fprint(cmd.OutOrStdout(), sql)
				return nil
			})
		},
	}
}
