package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"interai/config"
	"interai/migrations"
	"interai/store"
	"interai/store/pgembed"
)

// database is an open database for one command, beside a running server or without one.
type database struct {
	*store.Store

	config config.Config
	conn   string
	logger *slog.Logger
}

// withDatabase opens a database that exists, migrates it if the configuration lets it, and runs work. A private
// cluster is shared with whoever runs it, and stopped if nobody else does.
func (a *app) withDatabase(cmd *cobra.Command, work func(ctx context.Context, db *database) error) error {
	cfg, err := a.load(cmd)
	if err != nil {
		return err
	}
	if err := mustExist(&cfg); err != nil {
		return err
	}
	return a.openDatabase(cmd, cfg, work)
}

// mustExist refuses to make a cluster where somebody only wants to look, perhaps with a mistyped directory.
func mustExist(cfg *config.Config) error {
	if cfg.PrivateCluster() && !pgembed.Exists(cfg.DataDir) {
		return fmt.Errorf("there is no database in %s: start the server once (make run, or interai serve), or name another --data-dir", cfg.DataDir)
	}
	return nil
}

// withNewDatabase is withDatabase for commands that may make the cluster.
func (a *app) withNewDatabase(cmd *cobra.Command, work func(ctx context.Context, db *database) error) error {
	cfg, err := a.load(cmd)
	if err != nil {
		return err
	}
	return a.openDatabase(cmd, cfg, work)
}

// withDatabaseAsItIs is withDatabase for commands that look at the structure itself: it never migrates.
func (a *app) withDatabaseAsItIs(cmd *cobra.Command, work func(ctx context.Context, db *database) error) error {
	cfg, err := a.load(cmd)
	if err != nil {
		return err
	}
	if err := mustExist(&cfg); err != nil {
		return err
	}
	cfg.AutoMigrate = false
	return a.openDatabase(cmd, cfg, work)
}

func (a *app) openDatabase(cmd *cobra.Command, cfg config.Config, work func(ctx context.Context, db *database) error) (err error) {
	ctx := cmd.Context()
	logger := newLogger(&cfg)
	conn := cfg.DatabaseURL.Plain()
	if cfg.PrivateCluster() {
		cluster, err := pgembed.Start(ctx, pgembed.Options{DataDir: cfg.DataDir, BinDir: cfg.PGBinDir, OSUser: cfg.PGOSUser})
		if err != nil {
			return fmt.Errorf("start the private cluster: %w", err)
		}
		defer func() { err = errors.Join(err, cluster.Stop(context.WithoutCancel(ctx))) }()
		conn = cluster.ConnString()
	}
	if cfg.AutoMigrate {
		if err := migrations.Up(ctx, conn, slog.New(slog.DiscardHandler)); err != nil {
			return err
		}
	}
	db, err := store.Open(store.Options{ConnString: conn, MaxConns: 8, Wait: cfg.DBWait})
	if err != nil {
		return err
	}
	defer db.Close()
	return work(ctx, &database{Store: db, config: cfg, conn: conn, logger: logger})
}
