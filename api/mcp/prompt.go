package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/guide"
)

// addPrompt serves the one prompt, which teaches the recommended workflow.
func (s *Server) addPrompt(server *sdk.Server) {
	prompt := &sdk.Prompt{
		Name: guide.PromptName, Title: guide.PromptTitle, Description: guide.PromptDescription,
		Arguments: []*sdk.PromptArgument{{Name: guide.PromptArgument, Description: guide.PromptArgumentDescription}},
	}
	server.AddPrompt(prompt, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{
			Description: guide.PromptDescription,
			Messages: []*sdk.PromptMessage{{
				Role: "user", Content: &sdk.TextContent{Text: s.opts.Guide.Prompt(req.Params.Arguments[guide.PromptArgument])},
			}},
		}, nil
	})
}
