//go:build conformance

package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addFixtures adds what the official conformance suite calls by name, to the same server object, behind the same
// middleware and HTTP layers. Tools that the executor can run are operations of package tools.
func (s *Server) addFixtures(server *sdk.Server) {
	addFixtureTools(server)
	addFixtureResources(server)
	addFixturePrompts(server)
}

// pixel is a PNG of one red pixel.
var pixel = mustDecode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC")

// silence is a WAV of four samples, 8 bits, mono, 8 kHz.
var silence = mustDecode("UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA")

func mustDecode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

func addFixtureResources(server *sdk.Server) {
	read := func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		uri := req.Params.URI
		switch uri {
		case "test://static-text":
			return contents(&sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "This is the content of the static text resource."})
		case "test://static-binary":
			return contents(&sdk.ResourceContents{URI: uri, MIMEType: "image/png", Blob: pixel})
		}
		id, isTemplate := strings.CutPrefix(uri, "test://template/")
		id, hasData := strings.CutSuffix(id, "/data")
		if !isTemplate || !hasData {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		text, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
		if err != nil {
			return nil, fmt.Errorf("encode a fixture: %w", err)
		}
		return contents(&sdk.ResourceContents{URI: uri, MIMEType: mediaJSON, Text: string(text)})
	}
	server.AddResource(&sdk.Resource{
		URI: "test://static-text", Name: "static-text", Description: "A text.", MIMEType: "text/plain",
	}, read)
	server.AddResource(&sdk.Resource{
		URI: "test://static-binary", Name: "static-binary", Description: "An image.", MIMEType: "image/png",
	}, read)
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: "test://template/{id}/data", Name: "template", Description: "Data by its ID.", MIMEType: mediaJSON,
	}, read)
}

func contents(c *sdk.ResourceContents) (*sdk.ReadResourceResult, error) {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{c}}, nil
}

func addFixturePrompts(server *sdk.Server) {
	user := func(c sdk.Content) *sdk.PromptMessage { return &sdk.PromptMessage{Role: "user", Content: c} }
	add := func(name, description string, arguments []string, write func(map[string]string) []*sdk.PromptMessage) {
		prompt := &sdk.Prompt{Name: name, Description: description}
		for _, a := range arguments {
			prompt.Arguments = append(prompt.Arguments, &sdk.PromptArgument{Name: a, Description: "An argument.", Required: true})
		}
		server.AddPrompt(prompt, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Description: description, Messages: write(req.Params.Arguments)}, nil
		})
	}
	add("test_simple_prompt", "A prompt.", nil, func(map[string]string) []*sdk.PromptMessage {
		return []*sdk.PromptMessage{user(text("This is a simple prompt for testing."))}
	})
	add("test_prompt_with_arguments", "A prompt with arguments.", []string{"arg1", "arg2"}, func(a map[string]string) []*sdk.PromptMessage {
		return []*sdk.PromptMessage{user(text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])))}
	})
	add("test_prompt_with_embedded_resource", "A prompt with a resource.", []string{"resourceUri"}, func(a map[string]string) []*sdk.PromptMessage {
		embedded := &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{
			URI: a["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing.",
		}}
		return []*sdk.PromptMessage{user(embedded), user(text("Please process the embedded resource above."))}
	})
	add("test_prompt_with_image", "A prompt with an image.", nil, func(map[string]string) []*sdk.PromptMessage {
		return []*sdk.PromptMessage{
			user(&sdk.ImageContent{Data: pixel, MIMEType: "image/png"}), user(text("Please analyze the image above.")),
		}
	})
}

func text(s string) *sdk.TextContent { return &sdk.TextContent{Text: s} }
