// Package node owns one running node: it assembles database, workers and transports from a configuration, starts
// them in order and stops them in reverse. It holds no rule; the command line and the test kit both run nodes.
//
// Start reading at [Open].
package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"interai/api/auth"
	"interai/api/console"
	"interai/api/guide"
	"interai/api/identity"
	"interai/api/limits"
	"interai/api/mcp"
	"interai/api/ops"
	"interai/api/tools"
	"interai/config"
	"interai/evidence"
	"interai/evidence/moderation"
	"interai/jobs"
	"interai/migrations"
	"interai/store"
	"interai/store/pgembed"
)

const (
	// startRetry is the pause between attempts to reach a database at start.
	startRetry = 500 * time.Millisecond
	// stopTimeout bounds each step of a stop.
	stopTimeout = 15 * time.Second
	// jobConns are the pool's connections beside one for each worker: listener, leader, completer, enqueuers.
	jobConns = 6
)

// Roles say what a node does.
type Roles struct {
	// API accepts calls; Workers compute trust.
	API, Workers bool
}

// Node is one running node.
type Node struct {
	Config config.Config
	// URL is where clients reach the node; set it before Begin. "" leaves the stored one.
	URL   string
	Store *store.Store
	// Local are the data directory's identities, complete once Ready is closed; FirstStart says that this start
	// made them.
	Local      Credentials
	FirstStart bool
	MCP        *mcp.Server
	Bearer     *auth.Bearer
	// Moderation is the screen and the queue of cases.
	Moderation *moderation.Service
	Verify     auth.Verify

	logger   *slog.Logger
	roles    Roles
	cluster  *pgembed.Cluster
	work     *store.Store
	service  *evidence.Service
	limiter  *limits.Limiter
	prover   *identity.Prover
	audit    *evidence.AuditLog
	verifier *auth.Verifier
	runner   *jobs.Runner
	metrics  *metrics
	guide    *guide.Guide
	jobs     *console.Jobs
	pages    *ops.Executor
	fetch    *mcp.Server
	calls    *ops.Executor
	version  string

	started   chan struct{}
	ready     chan struct{}
	failed    chan error
	stop      context.CancelFunc
	running   sync.WaitGroup
	startOnce sync.Once
}

// Open assembles a node without waiting for its database. Begin starts it.
func Open(cfg config.Config, version string, logger *slog.Logger, roles Roles) (*Node, error) {
	n := &Node{
		Config: cfg, logger: logger, roles: roles, metrics: newMetrics(), version: version,
		started: make(chan struct{}), ready: make(chan struct{}), failed: make(chan error, 1),
	}
	conn, err := connString(&cfg)
	if err != nil {
		return nil, err
	}
	if n.Store, err = store.Open(store.Options{ConnString: conn, MaxConns: cfg.DBConns, Wait: cfg.DBWait, Started: n.started}); err != nil {
		return nil, err
	}
	if n.work, err = store.Open(store.Options{ConnString: conn, MaxConns: cfg.Workers + jobConns, Wait: cfg.DBWait}); err != nil {
		return nil, err
	}
	if err := n.assemble(version); err != nil {
		return nil, err
	}
	return n, nil
}

// connString is the outside database, or the private cluster's socket.
func connString(cfg *config.Config) (string, error) {
	if !cfg.PrivateCluster() {
		return cfg.DatabaseURL.Plain(), nil
	}
	conn, err := pgembed.ConnString(cfg.DataDir)
	if err != nil {
		return "", fmt.Errorf("prepare the data directory: %w", err)
	}
	return conn, nil
}

func (n *Node) assemble(version string) error {
	enqueuer, err := jobs.NewEnqueuer(n.Store, quiet(n.logger))
	if err != nil {
		return err
	}
	n.prover = identity.NewProver(n.Store, enqueuer)
	n.limiter = limits.NewLimiter(n.Store, limits.WriteLimits{
		WriteLimits: n.writeLimits(), Rejections: n.Config.RejectionsPerHour,
	}, n.logger)
	if n.jobs, err = console.NewJobs(enqueuer, quiet(n.logger)); err != nil {
		return err
	}
	if n.Moderation, err = n.moderation(enqueuer); err != nil {
		return fmt.Errorf("build the screen: %w", err)
	}
	n.service = evidence.NewService(n.Store, enqueuer, n.Moderation, n.logger, evidence.Limits{
		Writes: n.writeLimits(), ClaimsPerDay: n.Config.ClaimsPerDay,
	},
		evidence.SearchOptions{
			TrustWeight: float64(n.Config.SearchTrustPercent) / 100, ExploreSlots: n.Config.SearchExploreSlots,
			Languages: n.Config.SearchLanguages,
		})
	n.audit = evidence.NewAuditLog(n.Store, n.logger)
	n.verifier = auth.NewVerifier(n.Store, n.logger)
	n.Verify = n.verifier.Verify
	if n.Bearer, err = n.bearer(); err != nil {
		return fmt.Errorf("build the authentication: %w", err)
	}
	table, err := tools.NewTable(n.service, guide.Site{
		URL: siteURL(&n.Config), Public: n.Config.PublicURL != "", Version: version,
	})
	if err != nil {
		return fmt.Errorf("build the registry: %w", err)
	}
	executor, err := n.executors()
	if err != nil {
		return fmt.Errorf("bound the calls: %w", err)
	}
	if err := n.speak(table, executor, version); err != nil {
		return err
	}
	n.guide, n.pages = table.Guide, executor(table.Pages)
	if !n.roles.Workers {
		return nil
	}
	n.runner, err = jobs.NewRunner(n.work, quiet(n.logger), jobs.Options{
		Workers: n.Config.Workers, SweepInterval: n.Config.SweepInterval, EpochInterval: n.Config.EpochInterval,
		SignalsInterval: n.Config.SignalsInterval,
		Retention:       jobs.Retention{Audit: n.Config.AuditRetention, Idempotency: n.Config.IdempotencyRetention},
		Folded:          n.metrics.folded,
		Scanner:         n.Moderation,
	})
	return err
}

// speak builds the servers of the protocol: the whole one, and the one for hosts that expect two tools.
func (n *Node) speak(table *tools.Table, executor func(*ops.Registry) *ops.Executor, version string) error {
	n.calls = executor(table.Operations)
	var err error
	n.MCP, err = mcp.NewServer(n.calls, mcp.Options{
		Version: version, Logger: n.logger, Guide: table.Guide, Reader: executor(table.Resources),
	})
	if err != nil {
		return fmt.Errorf("build the MCP server: %w", err)
	}
	n.fetch, err = mcp.NewServer(executor(table.Fetch), mcp.Options{
		Title: "Inter-AI, to search and fetch", Version: version, Logger: n.logger, Guide: table.FetchGuide, Adapter: mcp.AdapterFetch,
	})
	if err != nil {
		return fmt.Errorf("build the MCP server of search and fetch: %w", err)
	}
	return nil
}

// siteURL is where the configuration says that the node is: its public URL, or the address on which it listens.
func siteURL(cfg *config.Config) string {
	switch {
	case cfg.PublicURL != "":
		return cfg.PublicURL
	case cfg.TLS():
		return "https://" + cfg.Addr
	default:
		return "http://" + cfg.Addr
	}
}

// quiet lets only warnings and errors of a library through.
func quiet(logger *slog.Logger) *slog.Logger {
	return slog.New(atLeast{Handler: logger.Handler(), level: slog.LevelWarn})
}

type atLeast struct {
	slog.Handler

	level slog.Level
}

func (a atLeast) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= a.level && a.Handler.Enabled(ctx, level)
}

func (a atLeast) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeast{Handler: a.Handler.WithAttrs(attrs), level: a.level}
}

func (a atLeast) WithGroup(name string) slog.Handler {
	return atLeast{Handler: a.Handler.WithGroup(name), level: a.level}
}

// Begin starts everything in the background: cluster, migrations, workers. The node accepts calls at once; they
// wait for the database. Ready is closed when all of it runs; Failed answers why it never will.
func (n *Node) Begin(ctx context.Context) {
	n.startOnce.Do(func() {
		life, stop := context.WithCancel(context.WithoutCancel(ctx))
		n.stop = stop
		n.running.Go(func() {
			if err := n.start(life); err != nil && life.Err() == nil {
				n.failed <- err
			}
		})
	})
}

// Ready is closed once the node does all that it is for.
func (n *Node) Ready() <-chan struct{} { return n.ready }

// Failed gives the error of a start that cannot succeed.
func (n *Node) Failed() <-chan error { return n.failed }

func (n *Node) start(ctx context.Context) error {
	if n.Config.PrivateCluster() {
		cluster, err := pgembed.Start(ctx, pgembed.Options{
			DataDir: n.Config.DataDir, BinDir: n.Config.PGBinDir, OSUser: n.Config.PGOSUser, Logger: n.logger,
		})
		if err != nil {
			return fmt.Errorf("start the private cluster: %w", err)
		}
		n.cluster = cluster
	}
	if err := n.prepare(ctx); err != nil {
		return err
	}
	n.running.Go(func() { n.service.Run(ctx) })
	n.running.Go(func() { n.limiter.Run(ctx) })
	n.running.Go(func() { n.audit.Run(ctx) })
	n.running.Go(func() { n.verifier.Run(ctx) })
	close(n.started)
	var err error
	if n.Local, n.FirstStart, err = n.EnsureCredentials(ctx, n.URL); err != nil {
		return fmt.Errorf("make local credentials: %w", err)
	}
	if n.roles.API {
		if err := n.jobs.Start(ctx); err != nil {
			return err
		}
	}
	if n.runner != nil {
		if err := n.runner.Start(ctx); err != nil {
			return err
		}
	}
	close(n.ready)
	return nil
}

// prepare migrates, and makes what every database has: a trust model, the audit log's partitions, first
// credentials. It tries again while the database is away.
func (n *Node) prepare(ctx context.Context) error {
	conn, err := connString(&n.Config)
	if err != nil {
		return err
	}
	for {
		err := n.prepareOnce(ctx, conn)
		if err == nil || ctx.Err() != nil || !store.IsUnavailable(err) {
			return err
		}
		n.logger.WarnContext(ctx, "the database cannot be reached yet", "error", err)
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the database: %w", ctx.Err())
		case <-time.After(startRetry):
		}
	}
}

func (n *Node) prepareOnce(ctx context.Context, conn string) error {
	migrate := migrations.Check
	if n.Config.AutoMigrate {
		migrate = func(ctx context.Context, conn string) error { return migrations.Up(ctx, conn, n.logger) }
	}
	if err := migrate(ctx, conn); err != nil {
		return err
	}
	return errors.Join(n.work.EnsureFirstModel(ctx), n.work.EnsureCallPartitions(ctx))
}

// Stop ends calls and jobs in order, then gives the cluster back. Nothing that was acknowledged is lost.
func (n *Node) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	var errs []error
	if n.stop != nil {
		n.stop()
		if n.runner != nil && isClosed(n.ready) {
			errs = append(errs, n.runner.Stop(ctx))
		}
		n.running.Wait()
	}
	n.Store.Close()
	n.work.Close()
	if n.cluster != nil {
		errs = append(errs, n.cluster.Stop(ctx))
	}
	return errors.Join(errs...)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
