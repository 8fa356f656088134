package node

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/gin-gonic/gin"

	"interai/antiabuse/gcra"
	"interai/api/auth"
	"interai/api/public"
	"interai/api/tools"
)

// maxNetworks bounds the meters of failed authentications.
const maxNetworks = 100_000

// bearer is the HTTP layer that authenticates, as it is configured.
func (n *Node) bearer() (*auth.Bearer, error) {
	trusted := make([]netip.Prefix, 0, len(n.Config.TrustedProxies))
	for _, text := range n.Config.TrustedProxies {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("read a trusted proxy: %w", err)
		}
		trusted = append(trusted, network)
	}
	rate, err := gcra.New(n.Config.FailuresPerMinute, time.Minute)
	if err != nil {
		return nil, fmt.Errorf("bound failed authentications: %w", err)
	}
	options := []auth.Option{
		auth.WithLogger(n.logger), auth.WithClients(auth.NewClients(n.Config.BehindProxy, trusted)),
		auth.WithFailures(gcra.NewMeters(rate, maxNetworks)),
	}
	if n.Config.OIDCIssuer != "" {
		tokens, err := auth.NewOIDC(auth.OIDCConfig{
			Issuer: n.Config.OIDCIssuer, Audience: n.resource(), Hosts: n.Config.OIDCHosts,
		}, n.Store, n.logger)
		if err != nil {
			return nil, err
		}
		options = append(options, auth.WithTokens(tokens.Verify),
			auth.WithResourceMetadata(n.Config.PublicURL+auth.MetadataPath+public.MCPPath, tools.DefaultScopes()...))
	}
	return auth.NewBearer(n.Verify, options...), nil
}

// resource is the canonical URL of the MCP endpoint, which access tokens must be meant for.
func (n *Node) resource() string { return siteURL(&n.Config) + public.MCPPath }

// mount adds the routes that depend on the configuration.
func (n *Node) mount() (func(gin.IRouter), error) {
	if n.Config.OIDCIssuer == "" {
		return nil, nil //nolint:nilnil // there is nothing to mount
	}
	metadata, err := auth.NewResourceMetadata(n.resource(), n.Config.OIDCIssuer, n.Config.PublicURL+"/ai.md", tools.Scopes()).Handler()
	if err != nil {
		return nil, err
	}
	return func(router gin.IRouter) {
		for _, path := range []string{auth.MetadataPath, auth.MetadataPath + public.MCPPath} {
			router.GET(path, gin.WrapH(metadata))
			router.HEAD(path, gin.WrapH(metadata))
		}
	}, nil
}
