package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"interai/api/guide"
	"interai/api/mcp"
	"interai/api/openapi"
	"interai/api/openmcp"
	"interai/api/ops"
	"interai/api/public"
	"interai/api/tools"
	"interai/evidence"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print version, commit, Go version and MCP revisions", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			about := struct {
				Version string   `json:"version"`
				Commit  string   `json:"commit"`
				Go      string   `json:"go"`
				MCP     []string `json:"mcp_revisions"`
			}{version, commit, runtime.Version(), mcp.Revisions()}
			return a.print(cmd, about, func(w io.Writer) {
				fmt.Fprintf(w, "interai %s (%s), %s, MCP %v\n", about.Version, about.Commit, about.Go, about.MCP)
			})
		},
	}
}

// capability is one operation as it is listed.
type capability struct {
	Name   string     `json:"name"`
	Effect ops.Effect `json:"effect"`
	Scope  string     `json:"scope"`
}

func (a *app) capabilitiesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "capabilities", Short: "List transports, protocol revisions, operations, endpoints and documents as configured", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.load(cmd)
			if err != nil {
				return err
			}
			// The registry needs a service only to run operations, not to list them.
			registry, err := tools.NewRegistry(&evidence.Service{})
			if err != nil {
				return fmt.Errorf("build the registry: %w", err)
			}
			var operations []capability
			for _, op := range registry.Operations() {
				spec := op.Spec()
				operations = append(operations, capability{Name: spec.Name, Effect: spec.Effect, Scope: spec.Scope})
			}
			all := struct {
				Transports []string     `json:"transports"`
				Revisions  []string     `json:"protocol_revisions"`
				Operations []capability `json:"operations"`
				Endpoints  []string     `json:"endpoints"`
				Documents  []string     `json:"documents"`
			}{
				[]string{"mcp-streamable-http", "mcp-stdio"},
				mcp.Revisions(), operations,
				[]string{public.MCPPath, public.FetchPath},
				[]string{guide.LLMsPath, guide.AIPath, guide.SkillPath, openmcp.Path, "/{id}", "/{id}.md", "/healthz", "/readyz", "/metrics"},
			}
			if cfg.Actions() {
				all.Transports = append(all.Transports, "actions")
				all.Endpoints = append(all.Endpoints, openapi.PathPrefix+"{operation}")
				all.Documents = append(all.Documents, public.OpenAPIPath)
			}
			return a.print(cmd, all, func(w io.Writer) {
				fmt.Fprintf(w, "Transports: %v\nMCP revisions: %v\nEndpoints: %v\nDocuments: %v\nOperations:\n",
					all.Transports, all.Revisions, all.Endpoints, all.Documents)
				for _, op := range operations {
					fmt.Fprintf(w, "  %s (%s, scope %q)\n", op.Name, op.Effect, op.Scope)
				}
			})
		},
	}
}

func (a *app) configCommand() *cobra.Command {
	return &cobra.Command{
		Use: "config", Short: "Print the effective configuration with its sources; secrets are masked", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.load(cmd)
			if err != nil {
				return err
			}
			if err := cfg.Print(cmd.OutOrStdout(), a.json); err != nil {
				return fmt.Errorf("print the configuration: %w", err)
			}
			return nil
		},
	}
}
