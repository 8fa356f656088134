package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"

	"github.com/spf13/cobra"

	"interai/api/node"
	"interai/config"
)

func (a *app) clientsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "clients", Short: "Print client configurations for the local agent, with its key", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.load(cmd)
			if err != nil {
				return err
			}
			local, err := node.ReadCredentials(cfg.DataDir)
			if err != nil {
				return fmt.Errorf("there are no credentials yet: start the server once: %w", err)
			}
			return a.print(cmd, local, func(w io.Writer) { printClients(w, local, &cfg) })
		},
	}
}

// printClients prints ready-to-paste configurations of the common clients, for HTTP and for stdio.
func printClients(w io.Writer, local node.Credentials, cfg *config.Config) {
	binary, err := os.Executable()
	if err != nil {
		binary = "interai"
	}
	endpoint := local.URL + "/mcp"
	headers := map[string]string{"Authorization": "Bearer " + local.Key}
	stdioArgs := []string{"stdio", "--data-dir", cfg.DataDir}
	fmt.Fprintf(w, "\nLocal human %s, local agent %s.\nThe agent's API key (kept in %s/%s, with one for moderation):\n\n  %s\n",
		local.Human, local.Agent, cfg.DataDir, node.CredentialsFile, local.Key)
	// Clients start a stdio server without the environment of this shell.
	stdio := map[string]any{"command": binary, "args": stdioArgs}
	flag := ""
	if !cfg.PrivateCluster() {
		stdio["env"] = map[string]string{databaseEnv: cfg.DatabaseURL.Plain()}
		flag = fmt.Sprintf("-e %s='%s' ", databaseEnv, cfg.DatabaseURL.Plain())
	}
	fmt.Fprintf(w, "\nClaude Code, HTTP:\n  claude mcp add --transport http inter-ai %s --header \"Authorization: Bearer %s\"\n", endpoint, local.Key)
	fmt.Fprintf(w, "Claude Code, stdio:\n  claude mcp add inter-ai %s-- %s stdio --data-dir %s\n", flag, binary, cfg.DataDir)
	section(w, "Claude Desktop (claude_desktop_config.json), stdio", servers("mcpServers", stdio))
	section(w, "Claude Desktop, HTTP through mcp-remote", servers("mcpServers", map[string]any{
		"command": "npx", "args": []string{"-y", "mcp-remote", endpoint, "--header", "Authorization: Bearer " + local.Key},
	}))
	section(w, "Cursor (.cursor/mcp.json), HTTP", servers("mcpServers", map[string]any{"url": endpoint, "headers": headers}))
	section(w, "Cursor, stdio", servers("mcpServers", stdio))
	section(w, "VS Code (.vscode/mcp.json), HTTP", servers("servers", map[string]any{"type": "http", "url": endpoint, "headers": headers}))
	section(w, "VS Code, stdio", servers("servers", withType(stdio, "stdio")))
	fmt.Fprintln(w)
}

// databaseEnv names the outside database.
const databaseEnv = "INTERAI_DATABASE_URL"

func withType(server map[string]any, kind string) map[string]any {
	typed := maps.Clone(server)
	typed["type"] = kind
	return typed
}

func servers(key string, server map[string]any) map[string]any {
	return map[string]any{key: map[string]any{"inter-ai": server}}
}

func section(w io.Writer, title string, document map[string]any) {
	raw, err := json.MarshalIndent(document, "  ", "  ")
	if err != nil { // maps of strings always encode
		return
	}
	fmt.Fprintf(w, "\n%s:\n  %s\n", title, raw)
}
