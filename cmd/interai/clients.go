package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"interai/api/node"
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
			printClients(cmd.OutOrStdout(), local, cfg.DataDir)
			return nil
		},
	}
}

// printClients prints ready-to-paste configurations of the common clients, for HTTP and for stdio.
func printClients(w io.Writer, local node.Credentials, dataDir string) {
	binary, err := os.Executable()
	if err != nil {
		binary = "interai"
	}
	endpoint := local.URL + "/mcp"
	headers := map[string]string{"Authorization": "Bearer " + local.Key}
	stdioArgs := []string{"stdio", "--data-dir", dataDir}
	fmt.Fprintf(w, "\nLocal human %s, local agent %s.\nThe agent's API key, printed only now (it is kept in %s/%s):\n\n  %s\n",
		local.Human, local.Agent, dataDir, node.CredentialsFile, local.Key)
	fmt.Fprintf(w, "\nClaude Code, HTTP:\n  claude mcp add --transport http inter-ai %s --header \"Authorization: Bearer %s\"\n", endpoint, local.Key)
	fmt.Fprintf(w, "Claude Code, stdio:\n  claude mcp add inter-ai -- %s stdio --data-dir %s\n", binary, dataDir)
	stdio := map[string]any{"command": binary, "args": stdioArgs}
	section(w, "Claude Desktop (claude_desktop_config.json), stdio", servers("mcpServers", stdio))
	section(w, "Claude Desktop, HTTP through mcp-remote", servers("mcpServers", map[string]any{
		"command": "npx", "args": []string{"-y", "mcp-remote", endpoint, "--header", "Authorization: Bearer " + local.Key},
	}))
	section(w, "Cursor (.cursor/mcp.json), HTTP", servers("mcpServers", map[string]any{"url": endpoint, "headers": headers}))
	section(w, "Cursor, stdio", servers("mcpServers", stdio))
	section(w, "VS Code (.vscode/mcp.json), HTTP", servers("servers", map[string]any{"type": "http", "url": endpoint, "headers": headers}))
	section(w, "VS Code, stdio", servers("servers", map[string]any{"type": "stdio", "command": binary, "args": stdioArgs}))
	fmt.Fprintln(w)
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
