package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/guide"
	"interai/api/ops"
	"interai/evidence"
)

// addResources serves every address of the guide. They are read through the reader's executor, which authorises and
// audits each read as it does a call of the tool `get`.
func (s *Server) addResources(server *sdk.Server, adapter string) {
	read := s.resourceHandler(adapter)
	for _, r := range guide.Resources() {
		if r.Pattern {
			server.AddResourceTemplate(&sdk.ResourceTemplate{
				Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MediaType, URITemplate: r.URI,
			}, read)
			continue
		}
		server.AddResource(&sdk.Resource{
			Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MediaType, URI: r.URI,
		}, read)
	}
}

func (s *Server) resourceHandler(adapter string) sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		uri := req.Params.URI
		var document evidence.DocumentOutput
		result, err := s.read(ctx, req, adapter, "get", evidence.DocumentInput{ID: uri}, &document)
		if err != nil {
			if absent(err) {
				return nil, sdk.ResourceNotFoundError(uri)
			}
			return nil, protocolError(err)
		}
		return &sdk.ReadResourceResult{
			Meta:     sdk.Meta{metaCorrelationID: result.CorrelationID},
			Contents: contentsOf(uri, &document),
		}, nil
	}
}

// read runs an operation of the reader for a request and decodes its answer into out.
func (s *Server) read(ctx context.Context, req request, adapter, operation string, in, out any) (ops.Result, *ops.Error) {
	arguments, err := json.Marshal(in)
	if err != nil {
		return ops.Result{}, ops.Internal(err)
	}
	result := s.opts.Reader.Execute(ctx, ops.Call{
		Operation: operation, Arguments: arguments, Caller: callerOf(req.GetExtra()), Meta: metaOf(req, adapter),
	})
	if result.Err != nil {
		return result, result.Err
	}
	if err := json.Unmarshal(result.Structured, out); err != nil {
		s.log.ErrorContext(ctx, "answer of a read does not decode", "operation", operation, "error", err.Error())
		return result, ops.Internal(err)
	}
	return result, nil
}

// absent reports whether a refusal means "not for you": what does not exist, what has another form and what is
// forbidden look the same, so that nobody learns which it is.
func absent(e *ops.Error) bool {
	switch e.Code { //nolint:exhaustive // the others are failures of the server or of the caller's credential
	case ops.NotFound, ops.InvalidTarget, ops.ValidationFailed, ops.ForbiddenScope:
		return true
	}
	return false
}

// protocolError is a failure as an error of the protocol, with our own error as its data.
func protocolError(e *ops.Error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: e.Message, Data: e.Structured()}
}

// contentsOf is a document as contents: a schema as JSON, a file as its bytes, all else as Markdown.
func contentsOf(uri string, document *evidence.DocumentOutput) []*sdk.ResourceContents {
	if strings.HasPrefix(uri, schemaURIs) && len(document.StructuredData) > 0 {
		return []*sdk.ResourceContents{{URI: uri, MIMEType: guide.JSONSchema, Text: string(document.StructuredData)}}
	}
	if asset := document.Asset; asset != nil {
		data, err := base64.StdEncoding.DecodeString(asset.Base64)
		asset.Base64 = "" // the bytes follow on their own
		if err == nil {
			return []*sdk.ResourceContents{
				{URI: uri, MIMEType: asset.MediaType, Blob: data},
				{URI: uri, MIMEType: guide.Markdown, Text: document.Markdown(evidence.MarkdownForm{})},
			}
		}
	}
	return []*sdk.ResourceContents{{
		URI: uri, MIMEType: guide.Markdown, Text: document.Markdown(evidence.MarkdownForm{Immutable: immutable(uri)}),
	}}
}

// What the URIs of schemas and of content begin with.
const (
	schemaURIs  = "interai://schemas/"
	contentURIs = "interai://content/"
)

// immutable reports whether a resource never changes: a revision by its number, of which only the published text is
// shown.
func immutable(uri string) bool {
	return strings.HasPrefix(uri, contentURIs) && strings.Contains(uri, "/revision/")
}

// revisionTTL is how long clients may keep what never changes. It is bounded, since moderators may take it away.
const revisionTTL = int(24 * time.Hour / time.Millisecond)

// ttlOf is how long clients may keep a resource, in milliseconds: 0 for what evidence may change at any moment.
func ttlOf(uri string) int {
	switch {
	case immutable(uri):
		return revisionTTL
	case strings.HasPrefix(uri, schemaURIs):
		return listTTL
	}
	for _, r := range guide.Resources() {
		if !r.Pattern && r.URI == uri && r.Name != evidence.WordTrustModel {
			return listTTL
		}
	}
	return 0
}
