package node

import (
	"context"
	"fmt"
	"net/http"

	"interai/api/limits"
	"interai/api/mcp"
	"interai/api/public"
)

// Handler is the node's whole HTTP interface.
func (n *Node) Handler() (http.Handler, error) {
	handler, err := public.NewHandler(public.Config{
		MCP: n.MCP.HTTPHandler(mcp.HTTPConfig{
			Bearer: n.Bearer, MaxBodyBytes: n.Config.PublishBodyLimit, MaxOtherBytes: n.Config.BodyLimit,
		}),
		Ready:   n.notReady,
		Metrics: n.metrics.registry,
		Guide:   n.guide, Pages: n.pages, PublicURL: n.Config.PublicURL,
		Hosts:   limits.NewHosts(n.Config.PublicURL, n.Config.AllowedHosts...),
		Origins: limits.NewOrigins(n.Config.PublicURL, n.Config.AllowedOrigins...),
		Logger:  n.logger,
	})
	if err != nil {
		return nil, fmt.Errorf("build the HTTP interface: %w", err)
	}
	return handler, nil
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
