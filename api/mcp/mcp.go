// Package mcp owns the Model Context Protocol side: the registry's operations as
// tools, over Streamable HTTP (stateless, both protocol eras) and over stdio, and a
// thin client of the same protocol for demonstrations and tests.
//
// It holds no rule of any operation: it translates a wire call into an ops.Call and
// an ops.Result back. It works around what the SDK does not do (panics, hang-ups of
// legacy clients, answers lost at the end of stdin) and says so where it does.
// Start reading at [Server].
package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/guide"
	"interai/api/ops"
)

// Adapter names of ops.Meta.
const (
	// AdapterHTTP is Streamable HTTP.
	AdapterHTTP = "mcp-http"
	// AdapterFetch is Streamable HTTP with the two tools search and fetch.
	AdapterFetch = "mcp-fetch"
	// AdapterStdio is stdin and stdout.
	AdapterStdio = "mcp-stdio"
)

// Revisions lists the revisions of the protocol that the server negotiates, the newest first.
func Revisions() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

// Options configure a Server.
type Options struct {
	// Name and Version identify the server to clients; Name defaults to "inter-ai".
	Name, Version string
	// Title is the display name; default "Inter-AI".
	Title string
	// Adapter names the way in over HTTP; default AdapterHTTP.
	Adapter string
	// Guide writes what models are told, and the prompt; default one of the executor's registry.
	Guide *guide.Guide
	// Reader runs the registry of resources: operations `get` and `complete`. With it resources, completions and the
	// prompt are served.
	Reader *ops.Executor
	// Logger receives what goes wrong; default slog.Default().
	Logger *slog.Logger
	// Features adds what is served beside tools.
	Features Features
}

// Features are the parts of the protocol beside tools. What is not given here is
// neither advertised nor answered: clients get "method not found".
type Features struct {
	// Prompts, Resources and Completions switch the parts on.
	Prompts, Resources, Completions bool
	// Complete answers completion/complete; needed with Completions.
	Complete func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error)
	// Register adds the prompts and resources to a server of the SDK. It runs once
	// for each server object.
	Register func(*sdk.Server)
}

// Server serves the operations of one executor as tools.
type Server struct {
	exec *ops.Executor
	opts Options
	log  *slog.Logger
	http *sdk.Server
}

// NewServer builds a server object, once for all its requests. Mistakes in the registry were found by ops.NewRegistry
// already.
func NewServer(exec *ops.Executor, opts Options) (*Server, error) {
	if exec == nil {
		return nil, errors.New("build MCP server: executor is missing")
	}
	if opts.Features.Completions && opts.Features.Complete == nil {
		return nil, errors.New("build MCP server: completions need a handler")
	}
	if opts.Name == "" {
		opts.Name = "inter-ai"
	}
	if opts.Adapter == "" {
		opts.Adapter = AdapterHTTP
	}
	if opts.Title == "" {
		opts.Title = "Inter-AI"
	}
	if opts.Guide == nil {
		var err error
		if opts.Guide, err = guide.New(exec.Registry(), guide.Site{Version: opts.Version}); err != nil {
			return nil, fmt.Errorf("build MCP server: %w", err)
		}
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	s := &Server{exec: exec, opts: opts, log: opts.Logger}
	s.http = s.build(opts.Adapter, nil)
	return s, nil
}

// build makes a server object of the SDK for one adapter. Local names the caller of
// an adapter that has no credential on the wire (stdio), nil otherwise.
func (s *Server) build(adapter string, local Identify) *sdk.Server {
	f := s.features(adapter)
	options := &sdk.ServerOptions{
		Instructions: s.opts.Guide.Instructions(),
		Logger:       s.sdkLogger(),
		Capabilities: capabilities(f),
		SetCacheable: privateCache,
	}
	if f.Completions {
		options.CompletionHandler = f.Complete
	}
	server := sdk.NewServer(&sdk.Implementation{Name: s.opts.Name, Title: s.opts.Title, Version: s.opts.Version}, options)
	if f.Register != nil {
		f.Register(server)
	}
	for _, op := range s.exec.Registry().Operations() {
		server.AddTool(toolOf(op), s.handler(op.Spec().Name, adapter))
	}
	middleware := []sdk.Middleware{s.recoverPanics, s.normaliseErrors, refuseUnserved(f), bridgeHangUp}
	if local != nil {
		middleware = append(middleware, s.actAs(local))
	}
	server.AddReceivingMiddleware(middleware...)
	return server
}

// features are those of the options, with resources, completions and the prompt where they can be read.
func (s *Server) features(adapter string) Features {
	f := s.opts.Features
	if s.opts.Reader == nil {
		return f
	}
	more := f.Register
	f.Prompts, f.Resources, f.Completions, f.Complete = true, true, true, s.completer(adapter)
	f.Register = func(server *sdk.Server) {
		s.addResources(server, adapter)
		s.addPrompt(server)
		s.addFixtures(server)
		if more != nil {
			more(server)
		}
	}
	return f
}

// capabilities are explicit: the SDK's defaults claim logging and changing lists.
func capabilities(f Features) *sdk.ServerCapabilities {
	c := &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}
	if f.Prompts {
		c.Prompts = &sdk.PromptCapabilities{}
	}
	if f.Resources {
		c.Resources = &sdk.ResourceCapabilities{}
	}
	if f.Completions {
		c.Completions = &sdk.CompletionCapabilities{}
	}
	return c
}

// listTTL is how long clients may keep lists, in milliseconds: they change only
// with the binary.
const listTTL = 300_000

// privateCache forbids shared caches everything that may differ between callers.
// The SDK's default is "public".
func privateCache(_ context.Context, req sdk.Request, c *sdk.Cacheable) {
	c.CacheScope = "private"
	if read, ok := req.GetParams().(*sdk.ReadResourceParams); ok {
		c.TTLMs = ttlOf(read.URI)
	} else if c.TTLMs == 0 {
		c.TTLMs = listTTL
	}
}

// warnings drops what the SDK logs about each of the sessions that it makes for
// every stateless request.
type warnings struct{ slog.Handler }

// Enabled lets warnings and errors pass.
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs keeps the filter on derived handlers.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the filter on derived handlers.
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

// sdkLogger is the logger given to the SDK.
func (s *Server) sdkLogger() *slog.Logger { return slog.New(warnings{s.log.Handler()}) }
