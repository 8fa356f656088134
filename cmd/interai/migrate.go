package main

import (
	"context"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"interai/migrations"
)

func (a *app) migrateCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "migrate", Short: "The database's structure"}
	up := &cobra.Command{
		Use: "up", Short: "Bring the database to this version", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withNewDatabase(cmd, func(ctx context.Context, db *database) error {
				if err := migrations.Up(ctx, db.conn, db.logger); err != nil {
					return err
				}
				return a.migrationStatus(ctx, cmd, db)
			})
		},
	}
	status := &cobra.Command{
		Use: "status", Short: "List migrations", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDatabaseAsItIs(cmd, func(ctx context.Context, db *database) error { return a.migrationStatus(ctx, cmd, db) })
		},
	}
	cmd.AddCommand(up, status)
	return cmd
}

func (a *app) migrationStatus(ctx context.Context, cmd *cobra.Command, db *database) error {
	versions, err := migrations.Status(ctx, db.conn)
	if err != nil {
		return err
	}
	return a.print(cmd, versions, func(w io.Writer) {
		rows := [][]string{{"NO", "NAME", "APPLIED"}}
		for _, v := range versions {
			rows = append(rows, []string{strconv.FormatInt(v.Number, 10), v.Name, strconv.FormatBool(v.Applied)})
		}
		table(w, rows)
	})
}
