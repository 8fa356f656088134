package node

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"interai/api/auth"
	"interai/api/console"
	"interai/api/limits"
	"interai/api/mcp"
	"interai/api/public"
)

// Handler is the node's whole HTTP interface.
func (n *Node) Handler() (http.Handler, error) {
	mount, err := n.mount()
	if err != nil {
		return nil, fmt.Errorf("build the HTTP interface: %w", err)
	}
	bounds, err := n.httpBounds()
	if err != nil {
		return nil, fmt.Errorf("build the HTTP interface: %w", err)
	}
	pages, err := n.console()
	if err != nil {
		return nil, fmt.Errorf("build the HTTP interface: %w", err)
	}
	actions, document, err := n.actions(bounds.bodies)
	if err != nil {
		return nil, fmt.Errorf("build the HTTP interface: %w", err)
	}
	wire := n.wire(bounds)
	handler, err := public.NewHandler(public.Config{
		Actions: actions, OpenAPI: document,
		MCP: n.MCP.HTTPHandler(wire), Fetch: n.fetch.HTTPHandler(wire),
		Ready:   n.notReady,
		Metrics: n.metrics.registry,
		OpenMCP: n.openMCPSpec,
		Guide:   n.guide, Pages: n.pages, Prover: n.prover, PublicURL: n.Config.PublicURL,
		Hosts:   limits.NewHosts(n.Config.PublicURL, n.Config.AllowedHosts...),
		Origins: limits.NewOrigins(n.Config.PublicURL, n.Config.AllowedOrigins...),
		Logger:  n.logger,
		Mount: func(router gin.IRouter) {
			pages.Mount(router)
			if mount != nil {
				mount(router)
			}
		},
	})
	if err != nil {
		return nil, fmt.Errorf("build the HTTP interface: %w", err)
	}
	return handler, nil
}

// ServerConfig bounds the listener.
func (n *Node) ServerConfig() public.ServerConfig {
	c := &n.Config
	return public.ServerConfig{
		Header: c.HeaderTimeout, Read: c.ReadTimeout, Idle: c.IdleTimeout, Write: c.WriteTimeout, Connections: c.MaxConnections,
	}
}

// wire is how both servers of the protocol take requests: they share all places.
func (n *Node) wire(bounds *httpBounds) mcp.HTTPConfig {
	return mcp.HTTPConfig{
		Bearer: n.Bearer, Bodies: bounds.bodies, Requests: bounds.requests, Reads: bounds.reads, Streams: bounds.streams,
		StreamLifetime: n.Config.StreamLifetime, MaxNesting: n.Config.MaxNesting,
	}
}

// console builds the pages for moderators. A proxy in front of the node speaks TLS.
func (n *Node) console() (*console.Console, error) {
	return console.New(console.Config{
		Queue: n.Moderation, Sessions: n.Store, Door: auth.NewDoor(n.Bearer, n.verifier), Audit: n.audit,
		Secure: strings.HasPrefix(siteURL(&n.Config), "https://") || n.Config.BehindProxy && n.Config.PublicURL == "",
		Jobs:   n.jobs, Logger: n.logger,
	})
}

// notReady answers why the node cannot serve now, "" when it can.
func (n *Node) notReady(ctx context.Context) string {
	if !isClosed(n.ready) {
		return "starting"
	}
	if err := n.Store.Ping(ctx); err != nil {
		return "database_unavailable"
	}
	return ""
}
