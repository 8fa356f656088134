package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// internalMessage is all that a client learns of a fault in the protocol layer.
const internalMessage = "internal error"

// recoverPanics is the outermost layer: the SDK runs handlers in goroutines of its
// own, where a panic would end the process.
func (s *Server) recoverPanics(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.log.ErrorContext(ctx, "protocol handler panicked", "method", method,
					"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: internalMessage}
			}
		}()
		return next(ctx, method, req)
	}
}

// normaliseErrors keeps plain errors from leaving with code 0 and their own text.
func (s *Server) normaliseErrors(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		if err == nil {
			return result, nil
		}
		if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
			return result, s.harmless(wire, req)
		}
		s.log.WarnContext(ctx, "protocol handler failed", "method", s.exec.Clean(method), "error", s.exec.Clean(err.Error()))
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: internalMessage}
	}
}

// maxErrorBytes bounds what an error of the protocol says: it may repeat what the client sent.
const maxErrorBytes = 512

// harmless is an error without what must not be repeated, such as a secret in the name of a tool that there is not. What
// the SDK says of a resource is said anew: it quotes the URI as Go does, which for some characters is no JSON, and would
// break the whole answer.
func (s *Server) harmless(e *jsonrpc.Error, req sdk.Request) error {
	out := *e
	out.Message = s.bounded(e.Message)
	switch params, read := req.GetParams().(*sdk.ReadResourceParams); {
	case len(e.Data) == 0 || ours(e.Data):
	case read:
		out.Data = nil
		if data, err := json.Marshal(map[string]string{"uri": s.bounded(params.URI)}); err == nil {
			out.Data = data
		}
	default:
		if out.Data = json.RawMessage(s.bounded(string(e.Data))); !json.Valid(out.Data) {
			out.Data = nil
		}
	}
	return &out
}

// ours reports whether the data of an error is of the form that tools use: nothing in it is the client's.
func ours(data json.RawMessage) bool {
	var form struct {
		Error *struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	return json.Unmarshal(data, &form) == nil && form.Error != nil
}

// bounded is a text as it may be repeated.
func (s *Server) bounded(text string) string {
	text = s.exec.Clean(text)
	if len(text) > maxErrorBytes {
		text = strings.ToValidUTF8(text[:maxErrorBytes], "") + "…"
	}
	return text
}

// refuseUnserved answers "method not found" for the parts that are not served. The
// SDK would answer empty lists, which claims that the part exists.
func refuseUnserved(f Features) sdk.Middleware {
	refused := map[string]bool{
		"prompts/": !f.Prompts, "resources/": !f.Resources, "completion/": !f.Completions,
	}
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			part, _, _ := strings.Cut(method, "/")
			if refused[part+"/"] {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("method not found: %q", method)}
			}
			return next(ctx, method, req)
		}
	}
}

// requestContextKey carries the HTTP request's own context to bridgeHangUp.
type requestContextKey struct{}

// bridgeHangUp cancels a handler when its HTTP request ends. The SDK does so for
// the 2026-07-28 protocol only; a legacy client that hangs up would leave its
// handler running to the end.
func bridgeHangUp(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		request, ok := ctx.Value(requestContextKey{}).(context.Context)
		if !ok {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := context.AfterFunc(request, cancel)
		defer stop()
		return next(ctx, method, req)
	}
}
