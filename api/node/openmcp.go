package node

import (
	"strings"

	"interai/api/guide"
	"interai/api/mcp"
	"interai/api/openmcp"
	"interai/api/ops"
	"interai/api/public"
	"interai/api/tools"
	"interai/config"
)

// openMCPSpec is the node's OpenMCPSpec document for the address by which a reader came.
func (n *Node) openMCPSpec(url string) ([]byte, error) {
	return OpenMCPSpec(n.calls.Registry(), &n.Config, n.version, url)
}

// OpenMCPSpec is the document of a node with that configuration; url is its address, "" for the configured one.
func OpenMCPSpec(registry *ops.Registry, cfg *config.Config, version, url string) ([]byte, error) {
	if url == "" {
		url = siteURL(cfg)
	}
	site := openmcp.Site{
		URL: url, Version: version, Scopes: tools.Scopes(), Revisions: mcp.Revisions(), Metrics: MetricNames(),
		Documents: []string{guide.LLMsPath, guide.AIPath, guide.SkillPath}, WritesPerHour: cfg.WritesPerHour,
	}
	if cfg.Actions() && strings.HasPrefix(cfg.PublicURL, "https://") {
		if _, err := OpenAPI(registry, cfg.PublicURL, version); err == nil { // else it is not served
			site.Documents = append(site.Documents, public.OpenAPIPath)
		}
	}
	if cfg.OIDCIssuer != "" {
		site.Issuer, site.Audience = cfg.OIDCIssuer, siteURL(cfg)+public.MCPPath
	}
	return openmcp.Build(registry, site)
}
