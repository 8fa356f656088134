package main

import (
	"github.com/spf13/cobra"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{Use: "demo", Short: "Load real, labelled data through MCP and show what trust makes of it", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return usagef("the demo is not wired yet") }}
}
