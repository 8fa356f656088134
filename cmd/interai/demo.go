package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"interai/api/node"
	"interai/config"
	"interai/demo"
)

// demoProbe bounds the look whether the server is there.
const demoProbe = 5 * time.Second

func (a *app) demoCommand() *cobra.Command {
	var options demo.Options
	var remove bool
	cmd := &cobra.Command{
		Use: "demo", Short: "Play a small world, or labelled data, through MCP and show what trust makes of it", Args: cobra.NoArgs,
		Long: "Plays real work through a real MCP client against the running server: without --data a small world whose truth\n" +
			"is known, with --data DIR data in the two forms of docs/DEMO.md. It may be interrupted and run again.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if options.Limit < 0 || options.Workers < 0 {
				return usagef("--limit and --clients must not be negative")
			}
			if options.Data != "" && options.Seed != 0 {
				return usagef("--seed is for the built-in world, without --data")
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				options.Store = db.Store
				if remove {
					return a.demoRemove(ctx, cmd, db)
				}
				return a.demoRun(ctx, cmd, &db.config, options)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&options.Data, "data", os.Getenv("INTERAI_DATA"), "directory with usage/ or labels/ data; absent: the built-in world [INTERAI_DATA]")
	flags.StringVar(&options.URL, "url", "", "base URL of the running server (default: that of credentials.json)")
	flags.IntVar(&options.Limit, "limit", 0, "at most this many reports; 0: all")
	flags.IntVar(&options.Workers, "clients", 0, "MCP clients at once; 0: 16")
	flags.Int64Var(&options.Seed, "seed", 0, "which built-in world; 0: the first")
	flags.BoolVar(&remove, "remove", false, "take all demonstration data out again")
	cmd.AddCommand(a.demoKnowledgeCommand())
	return cmd
}

func (a *app) demoKnowledgeCommand() *cobra.Command {
	var options demo.Options
	cmd := &cobra.Command{
		Use: "knowledge", Short: "Load a small set of real knowledge and walk through it: search, compare, get", Args: cobra.NoArgs,
		Long: "Loads some sixty items about the operation of known software, with claims, sources, experiences and judgments, into\n" +
			"the running server, and prints a walk from a question to a decision: each request, and the server's answer under it.\n" +
			"It may be interrupted and run again. `interai demo --remove` takes it out.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if options.Workers < 0 {
				return usagef("--clients must not be negative")
			}
			return a.withDatabase(cmd, func(ctx context.Context, db *database) error {
				options.Store = db.Store
				return a.demoKnowledge(ctx, cmd, &db.config, options)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&options.URL, "url", "", "base URL of the running server (default: that of credentials.json)")
	flags.IntVar(&options.Workers, "clients", 0, "MCP clients at once; 0: 16")
	return cmd
}

func (a *app) demoKnowledge(ctx context.Context, cmd *cobra.Command, cfg *config.Config, options demo.Options) error {
	return playDemo(ctx, a, cmd, cfg, options, demo.RunKnowledge, (*demo.KnowledgeReport).WriteText)
}

func (a *app) demoRun(ctx context.Context, cmd *cobra.Command, cfg *config.Config, options demo.Options) error {
	return playDemo(ctx, a, cmd, cfg, options, demo.Run, (*demo.Report).WriteTable)
}

// playDemo runs a demonstration against the server, with its progress, and prints its report.
func playDemo[R any](ctx context.Context, a *app, cmd *cobra.Command, cfg *config.Config, options demo.Options,
	run func(context.Context, demo.Options) (R, error), write func(*R, io.Writer) error,
) error {
	base, err := serverURL(ctx, cfg, options.URL)
	if err != nil {
		return err
	}
	options.URL = base + "/mcp"
	bar := newProgress(os.Stderr, "calls")
	options.Progress = bar.update
	report, err := run(ctx, options)
	bar.end()
	if err != nil {
		return err
	}
	return a.print(cmd, report, func(w io.Writer) {
		if err := write(&report, w); err != nil {
			fmt.Fprintln(os.Stderr, "interai: print the report:", err)
		}
	})
}

func (a *app) demoRemove(ctx context.Context, cmd *cobra.Command, db *database) error {
	bar := newProgress(os.Stderr, "rows")
	removed, err := demo.Remove(ctx, db.Store, bar.update)
	bar.end()
	if err != nil {
		return err
	}
	return a.print(cmd, removed, func(w io.Writer) {
		fmt.Fprintf(w, "Removed %d items, %d claims, %d entities, %d sources, %d records and %d actors of the demonstration.\n",
			removed.Contents, removed.Claims, removed.Entities, removed.Sources, removed.Evidence, removed.Actors)
		if removed.KeptActors > 0 {
			fmt.Fprintf(w, "%d actors stay: real content refers to what they made.\n", removed.KeptActors)
		}
	})
}

// serverURL is where the running server answers; an error when it does not.
func serverURL(ctx context.Context, cfg *config.Config, given string) (string, error) {
	base := strings.TrimSuffix(given, "/")
	if base == "" {
		local, err := node.ReadCredentials(cfg.DataDir)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		if base = local.URL; base == "" {
			base = "http://" + cfg.Addr
		}
	}
	ctx, cancel := context.WithTimeout(ctx, demoProbe)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", http.NoBody)
	if err != nil {
		return "", usagef("--url %q is not a URL", base)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fmt.Errorf("no server answers at %s: start it with `make run` or `interai serve`: %w", base, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the server at %s is not ready: %s", base, response.Status)
	}
	return base, nil
}

// progress shows how far long work is: a bar on a terminal, a plain line now and then elsewhere.
type progress struct {
	out   *os.File
	what  string
	bar   *progressbar.ProgressBar
	shown time.Time
}

// plainEvery is how often a line is written where there is no terminal.
const plainEvery = 5 * time.Second

func newProgress(out *os.File, what string) *progress {
	return &progress{out: out, what: what, shown: time.Now()}
}

// update is called by one goroutine at a time.
func (p *progress) update(done, total int) {
	if isTerminal(p.out) {
		if p.bar == nil {
			p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription(p.what),
				progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(time.Second/10))
		}
		p.bar.ChangeMax(total)
		_ = p.bar.Set(done) // a bar that cannot be drawn must not stop the work
		return
	}
	if time.Since(p.shown) >= plainEvery || done == total {
		p.shown = time.Now()
		fmt.Fprintf(p.out, "%d of %d %s\n", done, total, p.what)
	}
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
		fmt.Fprintln(p.out)
	}
}
