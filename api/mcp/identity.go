package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/auth"
	"interai/api/ops"
)

// callerExtra is the key of the caller in TokenInfo.Extra.
const callerExtra = "interai/caller"

// tokenInfo wraps a caller in the form that the SDK hands to handlers.
func tokenInfo(c *ops.Caller) *sdkauth.TokenInfo {
	return &sdkauth.TokenInfo{UserID: c.Actor, Scopes: c.Scopes, Extra: map[string]any{callerExtra: c}}
}

// callerOf reads the caller of a request. It comes from the request's own token
// information and never from a context, which may be another request's.
func callerOf(extra *sdk.RequestExtra) *ops.Caller {
	if extra == nil || extra.TokenInfo == nil {
		return nil
	}
	c, _ := extra.TokenInfo.Extra[callerExtra].(*ops.Caller)
	return c
}

// handOver gives the caller that the bearer layer found to the SDK. The SDK's own
// middleware is the only way in; our layer has answered every failure before.
func handOver(next http.Handler) http.Handler {
	verify := func(ctx context.Context, _ string, _ *http.Request) (*sdkauth.TokenInfo, error) {
		c := auth.CallerFrom(ctx)
		if c == nil {
			return nil, fmt.Errorf("no caller: %w", sdkauth.ErrInvalidToken)
		}
		return tokenInfo(c), nil
	}
	return sdkauth.RequireBearerToken(verify, &sdkauth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
}

// actAs gives every request of an adapter without credentials that reads or writes
// objects the caller that identify names. Without one the request goes on
// unauthenticated, and says so, unless the credential cannot be looked up just now.
func (s *Server) actAs(identify Identify) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			extra := extraOf(req)
			if extra == nil {
				return next(ctx, method, req)
			}
			caller, err := identify(ctx)
			if errors.Is(err, auth.ErrUnavailable) {
				s.log.WarnContext(ctx, "caller cannot be looked up", "error", err)
				refusal := ops.Unavailable("database_unavailable", time.Second)
				if _, isCall := req.(*sdk.CallToolRequest); !isCall {
					return nil, protocolError(refusal)
				}
				return resultOf(ops.Result{
					Err: refusal, Structured: refusal.Structured(), Text: refusal.Text(), Envelope: s.refusedEnvelope(req),
				}), nil
			}
			acting := sdk.RequestExtra{}
			if *extra != nil {
				acting = **extra
			}
			if acting.TokenInfo = nil; err == nil {
				acting.TokenInfo = tokenInfo(caller)
			}
			*extra = &acting
			return next(ctx, method, req)
		}
	}
}

// refusedEnvelope answers the envelope of a call that reaches no executor.
func (s *Server) refusedEnvelope(req sdk.Request) *ops.Envelope {
	var m ops.Meta
	readEnvelope(&m, req.GetParams().GetMeta()[metaEnvelope])
	m.EnvelopeID, m.EnvelopeTrace, m.TraceParent = s.exec.Clean(m.EnvelopeID), s.exec.Clean(m.EnvelopeTrace), ""
	return m.Refused()
}

// extraOf is where a request keeps what it knows of its caller, nil for requests that
// are about no object.
func extraOf(req sdk.Request) **sdk.RequestExtra {
	switch r := req.(type) {
	case *sdk.CallToolRequest:
		return &r.Extra
	case *sdk.ReadResourceRequest:
		return &r.Extra
	case *sdk.CompleteRequest:
		return &r.Extra
	}
	return nil
}
