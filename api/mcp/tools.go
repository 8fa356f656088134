package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/ops"
)

// metaCorrelationID is the member of a result's _meta that names the audit row.
const metaCorrelationID = "interai/correlation_id"

// toolOf describes an operation. All four hints are explicit, because two of them
// default to true when they are absent.
func toolOf(op ops.Operation) *sdk.Tool {
	spec := op.Spec()
	read := spec.Effect == ops.Read
	destructive, openWorld := spec.Hints.Destructive, spec.Hints.OpenWorld
	return &sdk.Tool{
		Name:         spec.Name,
		Title:        spec.Title,
		Description:  spec.Description,
		InputSchema:  op.InputSchema(),
		OutputSchema: op.OutputSchema(),
		Annotations: &sdk.ToolAnnotations{
			Title:           spec.Title,
			ReadOnlyHint:    read,
			IdempotentHint:  read || spec.Hints.Idempotent,
			DestructiveHint: &destructive,
			OpenWorldHint:   &openWorld,
		},
	}
}

// handler runs one operation. It uses the SDK's raw form: the executor decodes the
// bytes of the arguments itself, so integers stay exact and problems are ours to
// word.
func (s *Server) handler(operation, adapter string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		result := s.exec.Execute(ctx, ops.Call{
			Operation: operation,
			Arguments: req.Params.Arguments,
			Caller:    callerOf(req.Extra),
			Meta:      metaOf(req, adapter),
		})
		return resultOf(result), nil
	}
}

// resultOf renders a result. Text and structured content are each sufficient
// alone, since clients show the model only one of them.
func resultOf(r ops.Result) *sdk.CallToolResult {
	meta := sdk.Meta{}
	for name, value := range r.Meta {
		meta[name] = value
	}
	meta[metaCorrelationID] = r.CorrelationID
	if r.Envelope != nil {
		meta[metaEnvelope] = r.Envelope
	}
	content := []sdk.Content{&sdk.TextContent{Text: r.Text}}
	for _, link := range r.Links {
		content = append(content, &sdk.ResourceLink{URI: link.URI, Name: link.Name, Title: link.Title, MIMEType: "text/markdown"})
	}
	return &sdk.CallToolResult{
		Meta:              meta,
		Content:           content,
		StructuredContent: r.Structured,
		IsError:           r.Err != nil,
	}
}
