// Package public owns the listener's outermost layers and its plain routes: health,
// readiness, metrics, the documents and pages for anybody, the answer to everything
// unknown, and the place where the other adapters are mounted.
//
// It never authenticates and holds no operation: mounted handlers bring their own
// layers, and pages are read as a caller that is nobody. Start reading at [NewHandler].
package public

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"interai/api/guide"
	"interai/api/identity"
	"interai/api/limits"
	"interai/api/ops"
	"interai/api/refusal"
)

// Config is what the handler is made of.
type Config struct {
	// MCP is mounted at /mcp and /mcp/; nil leaves both unknown.
	MCP http.Handler
	// Fetch is mounted at /mcp/fetch and /mcp/fetch/; nil leaves both unknown.
	Fetch http.Handler
	// Actions serves everything below /actions with any method, before there are routes; nil leaves all of it unknown.
	Actions http.Handler
	// OpenAPI is what /openapi.json shows; empty leaves it unknown.
	OpenAPI []byte
	// Ready returns "" when the service can answer, else a snake_case reason, which
	// is public. It must return when its context ends. Required.
	Ready func(ctx context.Context) (reason string)
	// Metrics is what /metrics shows; nil leaves it unknown.
	Metrics prometheus.Gatherer
	// Guide writes /llms.txt, /ai.md and /SKILL.md; nil leaves them unknown.
	Guide *guide.Guide
	// OpenMCP writes /openmcpspec.json for a server at an address; nil leaves it unknown.
	OpenMCP func(url string) ([]byte, error)
	// Pages runs the registry of public pages, /{id} and /{id}.md, beside the home page; nil leaves all of them unknown.
	// It needs Guide.
	Pages *ops.Executor
	// Prover answers the links of verification mails; nil leaves them unknown. It needs Pages.
	Prover *identity.Prover
	// PublicURL is the address that the world uses; "" takes that by which each reader comes.
	PublicURL string
	// Hosts and Origins guard every route. Required.
	Hosts   *limits.Hosts
	Origins *limits.Origins
	// Logger gets one line for each request; default slog.Default().
	Logger *slog.Logger
	// Mount adds further routes; it may be nil.
	Mount func(router gin.IRouter)
}

// readyPatience bounds one readiness check, so that a probe gets its answer before
// it gives up.
const readyPatience = 2 * time.Second

// NewHandler returns the handler of the whole listener. Its layers, from outside:
// request ID, access log, recover, Host, Origin, security headers, routes.
func NewHandler(cfg Config) (http.Handler, error) {
	if cfg.Ready == nil || cfg.Hosts == nil || cfg.Origins == nil {
		return nil, errors.New("build HTTP handler: Ready, Hosts and Origins are required")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	router, err := routes(&cfg)
	if err != nil {
		return nil, err
	}
	var h http.Handler = router
	if cfg.Actions != nil {
		h = underActions(cfg.Actions, h)
	}
	h = securityHeaders(h)
	h = cfg.Origins.Middleware(h)
	h = cfg.Hosts.Middleware(h)
	h = recoverPanics(cfg.Logger, h)
	h = accessLog(cfg.Logger, h)
	return requestID(h), nil
}

// routes builds the router. Gin's own logger and recovery stay out: they write to
// stdout, which belongs to the protocol in stdio mode.
func routes(cfg *Config) (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.RedirectTrailingSlash = false
	router.HandleMethodNotAllowed = true
	router.Use(noteRoute)
	servePage, unknownPage, err := mountPages(router, cfg)
	if err != nil {
		return nil, err
	}
	// Pages are looked for where nothing else is: a route for them would answer 405 to every other method of every
	// other path of one part.
	router.NoRoute(func(c *gin.Context) {
		if servePage(c) {
			return
		}
		c.Header("Vary", "Accept")
		if unknownPage(c) {
			return
		}
		e := ops.NewError(ops.NotFound, "There is no such route.")
		if cfg.MCP != nil {
			e = e.WithHints("MCP is at " + MCPPath + ".")
		}
		refusal.Write(c.Writer, http.StatusNotFound, e)
	})
	router.NoMethod(func(c *gin.Context) {
		refusal.Write(c.Writer, http.StatusMethodNotAllowed,
			ops.NewError(ops.ValidationFailed, "The route does not answer this method.").WithReason("method_not_allowed"))
	})
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		router.Handle(method, "/healthz", healthy)
		router.Handle(method, "/readyz", ready(cfg.Ready))
	}
	if cfg.Metrics != nil {
		router.GET("/metrics", gin.WrapH(promhttp.HandlerFor(cfg.Metrics, promhttp.HandlerOpts{})))
	}
	if cfg.OpenMCP != nil {
		mountOpenMCP(router, cfg)
	}
	if cfg.MCP != nil {
		router.Any(MCPPath, gin.WrapH(cfg.MCP))
		router.Any(MCPPath+"/", gin.WrapH(cfg.MCP))
	}
	if cfg.Fetch != nil {
		router.Any(FetchPath, gin.WrapH(cfg.Fetch))
		router.Any(FetchPath+"/", gin.WrapH(cfg.Fetch))
	}
	if len(cfg.OpenAPI) > 0 {
		serve := func(c *gin.Context) { send(c, http.StatusOK, "application/json", documentCache, cfg.OpenAPI) }
		router.GET(OpenAPIPath, serve)
		router.HEAD(OpenAPIPath, serve)
	}
	if cfg.Mount != nil {
		cfg.Mount(router)
	}
	return router, nil
}

// healthy says that the process serves; it looks at nothing else, so that a
// database outage does not get the process killed.
func healthy(c *gin.Context) {
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, gin.H{"status": "ok"})
}

func ready(check func(context.Context) string) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx, cancel := context.WithTimeout(c.Request.Context(), readyPatience)
		defer cancel()
		c.Header("Cache-Control", "no-store")
		if reason := check(ctx); reason != "" {
			c.JSON(http.StatusServiceUnavailable, gin.H{"status": "unavailable", "reason": reason})
			return
		}
		c.JSON(http.StatusOK, gin.H{"status": "ready"})
	}
}
