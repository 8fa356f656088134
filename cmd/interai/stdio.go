package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"interai/api/auth"
	"interai/api/node"
	"interai/api/ops"
	"interai/api/tools"
	"interai/store"
)

// stdioStart bounds how long a call waits for a private cluster that starts.
const stdioStart = 30 * time.Second

// apiKeyEnv names the key that stdio acts with; else it is the local agent that acts.
const apiKeyEnv = "INTERAI_API_KEY" //nolint:gosec // the name of a variable, not a key

func (a *app) stdioCommand() *cobra.Command {
	return &cobra.Command{
		Use: "stdio", Short: "Serve MCP over standard input and output", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.stdio(cmd) },
	}
}

// stdio answers the protocol at once; calls wait for the database, which starts in the background.
func (a *app) stdio(cmd *cobra.Command) (err error) {
	cfg, err := a.load(cmd)
	if err != nil {
		return err
	}
	setMemory(cfg.MemoryLimit)
	logger := newLogger(&cfg)
	// The process computes trust too: there may be no server beside it.
	n, err := node.Open(cfg, version, logger, node.Roles{API: true, Workers: true})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(cmd.Context())
	defer cancel(nil)
	defer func() { err = errors.Join(err, n.Stop(ctx)) }()
	n.Begin(ctx)
	go func() {
		select {
		case failure := <-n.Failed():
			cancel(failure)
		case <-ctx.Done():
		}
	}()
	caller := &localCaller{node: n, key: os.Getenv(apiKeyEnv)}
	err = n.MCP.ServeStdio(ctx, os.Stdin, os.Stdout, caller.identify)
	if cause := context.Cause(ctx); cause != nil && cmd.Context().Err() == nil {
		return errors.Join(err, cause)
	}
	return err
}

// localCaller is who calls over stdio: the holder of the key in the environment, or the local agent of the data
// directory. Both are looked up at each call, so that one who was switched off is refused at once.
type localCaller struct {
	node *node.Node
	key  string
}

func (l *localCaller) identify(ctx context.Context) (*ops.Caller, error) {
	ctx, cancel := context.WithTimeout(ctx, stdioStart)
	defer cancel()
	select {
	case <-l.node.Ready():
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: the database is still starting", auth.ErrUnavailable)
	}
	if l.key != "" {
		key, err := auth.Parse(l.key)
		if err != nil {
			return nil, auth.ErrUnauthenticated
		}
		return l.node.Verify(ctx, key)
	}
	id, err := store.ParseID(l.node.Local.Agent)
	if err != nil {
		return nil, auth.ErrUnauthenticated
	}
	actor, err := l.node.Store.Actor(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound) || err == nil && actor.DisabledAt != nil:
		return nil, auth.ErrUnauthenticated
	case err != nil:
		return nil, fmt.Errorf("%w: %w", auth.ErrUnavailable, err)
	}
	return auth.CallerOf(actor, tools.DefaultScopes(), ""), nil
}
