package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"interai/api/node"
	"interai/api/public"
)

// drainTimeout bounds how long a stopping server waits for running calls.
const drainTimeout = 10 * time.Second

func (a *app) serveCommand() *cobra.Command {
	var noWorkers, noAPI bool
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve MCP over HTTP and compute trust", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if noWorkers && noAPI {
				return usagef("--no-workers and --no-api together leave nothing to do")
			}
			return a.serve(cmd, node.Roles{API: !noAPI, Workers: !noWorkers})
		},
	}
	cmd.Flags().BoolVar(&noWorkers, "no-workers", false, "accept calls only; other nodes compute trust")
	cmd.Flags().BoolVar(&noAPI, "no-api", false, "compute trust only; no listener")
	return cmd
}

func (a *app) serve(cmd *cobra.Command, roles node.Roles) (err error) {
	cfg, err := a.load(cmd)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	setMemory(cfg.MemoryLimit)
	logger := newLogger(&cfg)
	n, err := node.Open(cfg, version, logger, roles)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Stop(ctx)) }()

	served := make(chan error, 1)
	if roles.API {
		listener, err := listen(ctx, n)
		if err != nil {
			return err
		}
		handler, err := n.Handler()
		if err != nil {
			return err
		}
		server := public.NewServer(n.ServerConfig(), handler, logger)
		go func() { served <- server.Serve(listener, cfg.TLSCert, cfg.TLSKey) }()
		defer func() { err = errors.Join(err, drain(ctx, server)) }()
	}
	n.Begin(ctx)
	select {
	case <-n.Ready():
		a.announce(n, roles)
	case err := <-n.Failed():
		return err
	case err := <-served:
		return err
	case <-ctx.Done():
		return nil
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return nil
	}
}

// listen binds the address and tells the node under which URL clients reach it.
func listen(ctx context.Context, n *node.Node) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", n.Config.Addr)
	if err != nil {
		return nil, fmt.Errorf("%w (choose another address with --addr)", err)
	}
	if n.URL = n.Config.PublicURL; n.URL == "" {
		scheme := "http://"
		if n.Config.TLS() {
			scheme = "https://"
		}
		n.URL = scheme + listener.Addr().String()
	}
	return listener, nil
}

// drain stops accepting and lets running calls end.
func drain(ctx context.Context, server *public.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("drain: %w", err), server.Close())
	}
	return nil
}

// announce prints the one line that says that the server is ready, and on a first start how to connect.
func (a *app) announce(n *node.Node, roles node.Roles) {
	if !roles.API {
		fmt.Fprintln(os.Stdout, "Inter-AI computes trust; no listener.")
		return
	}
	fmt.Fprintf(os.Stdout, "Inter-AI is ready at %s\n", n.URL)
	if n.FirstStart {
		fmt.Fprintln(os.Stdout, "\nThis is the first start. The agent's API key is printed once; interai clients prints it again.")
		printClients(os.Stdout, n.Local, &n.Config)
	}
}
