package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"interai/api/node"
	"interai/api/openapi"
	"interai/api/tools"
	"interai/evidence"
)

func (a *app) openapiCommand() *cobra.Command {
	var origin string
	var pretty bool
	cmd := &cobra.Command{
		Use: "openapi", Short: "Print the OpenAPI document for GPT Actions; needs no database", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if origin == "" {
				cfg, err := a.load(cmd)
				if err != nil {
					return err
				}
				if origin = cfg.PublicURL; origin == "" {
					return usagef("--origin or --public-url is needed: hosts call the server there")
				}
			}
			if _, err := openapi.ParseOrigin(origin); err != nil {
				return &usageError{err}
			}
			// The registry needs a service only to run operations, not to describe them.
			registry, err := tools.NewRegistry(&evidence.Service{})
			if err != nil {
				return fmt.Errorf("build the registry: %w", err)
			}
			document, err := node.OpenAPI(registry, origin, version)
			if err == nil && pretty {
				document, err = openapi.Pretty(document)
			}
			if err != nil {
				return err
			}
			if !pretty {
				document = append(document, '\n')
			}
			_, err = cmd.OutOrStdout().Write(document)
			return err
		},
	}
	cmd.Flags().StringVar(&origin, "origin", "", "where the world reaches the server, such as https://example.org (default: --public-url)")
	cmd.Flags().BoolVar(&pretty, "pretty", false, "print it indented")
	return cmd
}
