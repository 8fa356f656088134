//go:build conformance

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// step is the pause between notifications. It is short: the reader of the suite now and then gives up a stream that lasts.
const step = 5 * time.Millisecond

// richSchema has the keywords of JSON Schema 2020-12 that a list of tools must pass on.
const richSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false,
  "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {
    "name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}
  },
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]}, "else": {"required": ["email"]}
}`

// addFixtureTools adds the tools whose answers are none of an operation: images, sound, progress, errors of the protocol.
func addFixtureTools(server *sdk.Server) {
	image := &sdk.ImageContent{Data: pixel, MIMEType: "image/png"}
	embedded := func(uri, media, content string) *sdk.EmbeddedResource {
		return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: media, Text: content}}
	}
	answer := func(name string, content ...sdk.Content) {
		addFixtureTool(server, name, `{"type":"object","properties":{},"additionalProperties":false}`,
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return &sdk.CallToolResult{Content: content}, nil
			})
	}
	answer("test_image_content", image)
	answer("test_audio_content", &sdk.AudioContent{Data: silence, MIMEType: "audio/wav"})
	answer("test_embedded_resource", embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."))
	answer("test_multiple_content_types", text("Multiple content types test:"), image,
		embedded("test://mixed-content-resource", mediaJSON, `{"test":"data","value":123}`))
	answer("test_logging_tool", text("Done, and nothing was logged to the client."))
	answer("test_streaming_elicitation", text("Done: this server asks its clients nothing."))
	addFixtureTool(server, "json_schema_2020_12_tool", richSchema, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{text("Done.")}}, nil
	})
	addFixtureTool(server, "test_x_mcp_header", `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`,
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{text("Done.")}}, nil
		})
	addFixtureTool(server, "test_tool_with_progress", `{"type":"object"}`, reportProgress)
	addFixtureTool(server, "test_missing_capability", `{"type":"object"}`, demandSampling)
}

func addFixtureTool(server *sdk.Server, name, schema string, run sdk.ToolHandler) {
	server.AddTool(&sdk.Tool{Name: name, Description: "For the conformance suite.", InputSchema: json.RawMessage(schema)}, run)
}

func reportProgress(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	for _, done := range []float64{0, 50, 100} {
		if token := req.Params.GetProgressToken(); token != nil {
			err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100})
			if err != nil {
				return nil, fmt.Errorf("report progress: %w", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("report progress: %w", ctx.Err())
		case <-time.After(step):
		}
	}
	return &sdk.CallToolResult{Content: []sdk.Content{text("Done.")}}, nil
}

// demandSampling refuses every client: this server never samples, so none declares that it may.
func demandSampling(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return nil, &jsonrpc.Error{
		Code: sdk.CodeMissingRequiredClientCapabilities, Message: "the tool needs the client's capability sampling",
		Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
	}
}
