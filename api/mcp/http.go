package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"interai/api/auth"
	"interai/api/limits"
	"interai/api/ops"
)

// HTTPConfig configures the HTTP handler. All fields are required.
type HTTPConfig struct {
	// Bearer authenticates every request.
	Bearer *auth.Bearer
	// Bodies reads request bodies. One over the ordinary bound must be a call with large arguments.
	Bodies *limits.Bodies
	// Requests bounds the requests at work, of each party and of all, until the last byte of their answer is out;
	// Reads those of them that read, since their answers may be large, and Streams those that are subscriptions.
	Requests, Reads, Streams *limits.Gate
	// StreamLifetime ends an event stream.
	StreamLifetime time.Duration
	// MaxNesting bounds the depth of the arguments of a call, and of all other parameters.
	MaxNesting int
}

// requestPatience is how long a request waits for its place, like a call for its own.
const requestPatience = ops.DefaultReadDeadline

// HTTPHandler returns the handler of /mcp: body cap, Accept repair, authentication,
// protocol. The layers outside of it (request ID, access log, recover, Host, Origin)
// are those of the whole listener, in api/public.
func (s *Server) HTTPHandler(cfg HTTPConfig) http.Handler {
	h := jsonFailures(handOver(s.hybrid(&cfg)))
	h = s.readBody(&cfg, h)
	h = cfg.Requests.Middleware(partyOf, requestPatience)(h)
	h = cfg.Bearer.WithOutage(answerOutage(cfg.Bodies)).Middleware(h)
	h = repairAccept(h)
	return limits.BodyCap(func(*http.Request) int64 { return cfg.Bodies.Limit() })(h)
}

// partyOf is whose places a request takes.
func partyOf(r *http.Request) string {
	if caller := auth.CallerFrom(r.Context()); caller != nil {
		return caller.Root
	}
	return ""
}

const (
	mediaJSON  = "application/json"
	mediaEvent = "text/event-stream"
)

// repairAccept lets clients in that name one of the two media types, or none. The
// SDK demands both, which curl-like clients and some proxies do not send. A client
// that takes only events is remembered by the order of the types.
func repairAccept(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			repaired := mediaJSON + ", " + mediaEvent
			if onlyEvents(r.Header.Values("Accept")) {
				repaired = mediaEvent + ", " + mediaJSON
			}
			r.Header.Set("Accept", repaired)
		}
		next.ServeHTTP(w, r)
	})
}

// onlyEvents reports whether a client accepts event streams and no JSON.
func onlyEvents(accept []string) bool {
	var events, others bool
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, _, err := mime.ParseMediaType(part)
		switch {
		case err != nil:
		case media == mediaEvent:
			events = true
		default:
			others = true
		}
	}
	return events && !others
}

// largeOperations are the quoted names of the operations whose arguments may be larger
// than an ordinary body.
func (s *Server) largeOperations(bodies *limits.Bodies) [][]byte {
	var names [][]byte
	for _, op := range s.exec.Registry().Operations() {
		if spec := op.Spec(); bodies.OverBytes(int64(spec.MaxInputBytes)) != nil {
			names = append(names, []byte(`"`+spec.Name+`"`))
		}
	}
	return names
}

// readBody reads the whole (capped) body, so that a body over the cap and one that
// is not JSON get our answers, and the protocol layer can be chosen by its content.
// A body over the ordinary bound must name an operation that may be that large.
func (s *Server) readBody(cfg *HTTPConfig, next http.Handler) http.Handler {
	large := s.largeOperations(cfg.Bodies)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		body, release, err := cfg.Bodies.Read(r, partyOf(r))
		if err != nil {
			limits.RefuseBody(w, err)
			return
		}
		defer release()
		names := func(name []byte) bool { return bytes.Contains(body, name) }
		if err := cfg.Bodies.OverBytes(int64(len(body))); err != nil && !slices.ContainsFunc(large, names) {
			limits.RefuseBody(w, err)
			return
		}
		messages, ok := acceptMessages(w, r, body, cfg.MaxNesting)
		if !ok {
			return
		}
		if slices.ContainsFunc(messages, s.reads) {
			leave, err := cfg.Reads.AcquireFor(r.Context(), partyOf(r), requestPatience)
			if err != nil {
				limits.WriteBusy(w, err)
				return
			}
			defer leave()
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		ctx := context.WithValue(r.Context(), bodyKey{}, body)
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, requestContextKey{}, r.Context())))
	})
}

// acceptMessages tells what a body asks for, or answers one that the protocol layer must not see.
func acceptMessages(w http.ResponseWriter, r *http.Request, body []byte, nesting int) ([]asked, bool) {
	if tooDeep(body, nesting+messageNesting) {
		refuseDepth(w, r, body, nesting)
		return nil, false
	}
	if !json.Valid(body) {
		writeFailure(w, http.StatusBadRequest, flaw{code: jsonrpc.CodeParseError, message: "the body is not valid JSON"})
		return nil, false
	}
	messages, f := inspect(body)
	if f == nil {
		return messages, true
	}
	status := http.StatusBadRequest
	if len(f.id) > 0 { // it answers a call
		status = http.StatusOK
	}
	writeFailure(w, status, *f)
	return nil, false
}

// bodyKey carries the body's bytes from readBody to hybrid.
type bodyKey struct{}

// hybrid answers with JSON, which is cheapest, or with an event stream when the
// client wants progress (JSON loses it) or accepts nothing else. Both forms serve
// the same server object.
func (s *Server) hybrid(cfg *HTTPConfig) http.Handler {
	server := func(*http.Request) *sdk.Server { return s.http }
	options := func(asJSON bool) *sdk.StreamableHTTPOptions {
		return &sdk.StreamableHTTPOptions{
			Stateless:                    true,
			JSONResponse:                 asJSON,
			Logger:                       s.sdkLogger(),
			DisableLocalhostProtection:   true, // limits.Hosts guards every route, behind proxies too
			MaxRequestBodyBytes:          -1,   // readBody holds the capped body already
			PropagateRequestCancellation: true,
		}
	}
	asJSON := sdk.NewStreamableHTTPHandler(server, options(true))
	asEvents := sdk.NewStreamableHTTPHandler(server, options(false))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := r.Context().Value(bodyKey{}).([]byte)
		switch {
		case bytes.Contains(body, []byte(`"progressToken"`)), strings.HasPrefix(r.Header.Get("Accept"), mediaEvent):
			unbuffered(w)
			asEvents.ServeHTTP(w, r)
		case bytes.Contains(body, []byte(`"subscriptions/listen"`)): // the SDK streams these by itself
			cfg.stream(w, r, asJSON)
		default:
			asJSON.ServeHTTP(w, r)
		}
	})
}

// stream serves a subscription: one of a bounded number, for a bounded time.
func (cfg *HTTPConfig) stream(w http.ResponseWriter, r *http.Request, next http.Handler) {
	release, err := cfg.Streams.Try(partyOf(r))
	if err != nil {
		limits.WriteBusy(w, err)
		return
	}
	defer release()
	unbuffered(w)
	ctx, cancel := context.WithTimeout(r.Context(), cfg.StreamLifetime)
	defer cancel()
	next.ServeHTTP(w, r.WithContext(ctx))
}

// unbuffered asks proxies to pass each event on at once.
func unbuffered(w http.ResponseWriter) { w.Header().Set("X-Accel-Buffering", "no") }

// rpcFailure is a JSON-RPC error answer; a message without a known ID gets null.
type rpcFailure struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc.Error   `json:"error"`
}

// encodeFailure renders a JSON-RPC error.
func encodeFailure(f flaw) []byte {
	if len(f.id) == 0 {
		f.id = json.RawMessage("null")
	}
	raw, err := json.Marshal(rpcFailure{Version: "2.0", ID: f.id, Error: jsonrpc.Error{Code: f.code, Message: f.message}})
	if err != nil { // a struct of strings, numbers and an ID that was read cannot fail
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`)
	}
	return raw
}

func writeFailure(w http.ResponseWriter, status int, f flaw) {
	w.Header().Set("Content-Type", mediaJSON)
	w.WriteHeader(status)
	_, _ = w.Write(encodeFailure(f)) //nolint:gosec // JSON, and says so; the client may be gone; there is nobody else to tell
}
