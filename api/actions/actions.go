// Package actions owns the interface for hosts that call operations over plain HTTP, such as GPT Actions: one bearer
// token, read from a file at each request, that speaks for one actor; POST with JSON for each operation; answers within
// what such hosts take.
//
// It holds no list of operations and no rule about them: each call goes to the same executor as those of MCP. Start
// reading at [Handler.ServeHTTP].
package actions

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"interai/antiabuse/gcra"
	"interai/api/limits"
	"interai/api/openapi"
	"interai/api/ops"
	"interai/api/refusal"
)

// Adapter is what audit rows call this interface.
const Adapter = "actions"

// Bounds of one request. A host of GPT Actions gives up after 45 s (OpenAI, production notes), so everything but the
// network has to be over before.
const (
	// callPatience bounds a request from its arrival to its answer.
	callPatience = 40 * time.Second
	// bodyPatience bounds how long a body may take to come, gatePatience the wait for a place.
	bodyPatience, gatePatience = 10 * time.Second, 3 * time.Second
	// maxWaiting is how many calls may wait for a place.
	maxWaiting = 64
	// maxUserAgentBytes bounds what is recorded of the client's name.
	maxUserAgentBytes = 256
)

// Config is what the interface is made of. All fields but MaxAnswerChars are required.
type Config struct {
	// Executor runs the operations of its registry.
	Executor *ops.Executor
	// Token is the credential.
	Token *TokenFile
	// Actor answers who calls; its errors are auth.ErrUnauthenticated, or any other for an outage.
	Actor func(ctx context.Context) (*ops.Caller, error)
	// CallsPerMinute bounds authenticated requests, Concurrency how many of them run at once.
	CallsPerMinute, Concurrency int
	// Bodies holds request bodies, of all interfaces together.
	Bodies *limits.Bodies
	// BodyLimit bounds request bodies in bytes; those of operations with larger arguments are bounded by Bodies.
	BodyLimit int64
	// MaxAnswerChars bounds answers in characters; 0 = MaxAnswerChars.
	MaxAnswerChars int
	// Logger hears of what keeps callers out, once for each change.
	Logger *slog.Logger
}

// Handler serves everything below /actions.
type Handler struct {
	cfg    Config
	gate   *limits.Gate
	meters *gcra.Meters
	now    func() time.Time
	// body is how long a body may take to come, place how long a call waits for one.
	body, place time.Duration

	mu     sync.Mutex
	absent bool // the actor was nobody at the last request
}

// NewHandler makes the interface.
func NewHandler(cfg Config) (*Handler, error) {
	if cfg.Executor == nil || cfg.Token == nil || cfg.Actor == nil || cfg.Logger == nil || cfg.Bodies == nil || cfg.BodyLimit <= 0 {
		return nil, errors.New("build the Actions interface: every field of its configuration is required")
	}
	if cfg.MaxAnswerChars <= 0 {
		cfg.MaxAnswerChars = MaxAnswerChars
	}
	gate, err := limits.NewGate(limits.GateConfig{Active: cfg.Concurrency, ActivePerKey: cfg.Concurrency, Queue: maxWaiting})
	if err != nil {
		return nil, fmt.Errorf("build the Actions interface: %w", err)
	}
	rate, err := gcra.New(cfg.CallsPerMinute, time.Minute)
	if err != nil {
		return nil, fmt.Errorf("build the Actions interface: %w", err)
	}
	return &Handler{cfg: cfg, gate: gate, meters: gcra.NewMeters(rate, 1), now: time.Now, body: bodyPatience, place: gatePatience}, nil
}

// ServeHTTP authenticates before it looks at anything else, so that nobody learns without a token which paths exist.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrival := h.now()
	ctx, cancel := context.WithTimeout(r.Context(), callPatience)
	defer cancel()
	r = r.WithContext(ctx)
	caller := h.authenticate(w, r)
	if caller == nil {
		return
	}
	op, ok := h.accept(w, r)
	if !ok {
		return
	}
	// The place is held while the body comes in, so that bodies in memory are bounded as well.
	h.gate.Middleware(func(*http.Request) string { return Adapter }, h.place)(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.call(w, r, op, caller, arrival) }),
	).ServeHTTP(w, r)
}

// accept looks at everything of an authenticated request but its body, and answers what cannot be a call. That counts as
// well: each request has asked the database who calls.
func (h *Handler) accept(w http.ResponseWriter, r *http.Request) (ops.Operation, bool) {
	if wait := h.meters.Take(Adapter, h.now()); wait > 0 {
		refusal.Write(w, http.StatusTooManyRequests, ops.LimitReached("Too many calls came within a minute.", wait).
			WithReason("calls_limit").WithHints("Wait details.retry_after seconds, then send the same call again."))
		return ops.Operation{}, false
	}
	name, below := strings.CutPrefix(r.URL.Path, openapi.PathPrefix)
	op, known := h.cfg.Executor.Registry().Lookup(name)
	if !below || !known {
		refusal.Write(w, http.StatusNotFound, ops.NewError(ops.NotFound, "There is no operation of that name.").
			WithHints("Operations are at "+openapi.PathPrefix+"{operation}; /openapi.json lists them."))
		return op, false
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refusal.Write(w, http.StatusMethodNotAllowed,
			ops.NewError(ops.ValidationFailed, "Operations are called with POST.").WithReason("method_not_allowed"))
		return op, false
	}
	if !isJSON(r) {
		refusal.Write(w, http.StatusUnsupportedMediaType,
			ops.NewError(ops.ValidationFailed, "The request body must be application/json, in UTF-8 and not compressed.").WithReason("content_type"))
		return op, false
	}
	return op, true
}

// isJSON tells whether a request says that its body is JSON. One without a body need not say anything.
func isJSON(r *http.Request) bool {
	if r.Header.Get("Content-Encoding") != "" {
		return false
	}
	given := r.Header.Values("Content-Type")
	if len(given) == 0 {
		return r.ContentLength == 0
	}
	media, parameters, err := mime.ParseMediaType(given[0])
	if err != nil || len(given) > 1 || media != "application/json" {
		return false
	}
	charset, named := parameters["charset"]
	return !named || strings.EqualFold(charset, "utf-8")
}

// call reads the arguments, runs the operation and answers.
func (h *Handler) call(w http.ResponseWriter, r *http.Request, op ops.Operation, caller *ops.Caller, arrival time.Time) {
	control := http.NewResponseController(w)
	// Not every connection has deadlines, those of tests for one; then the listener's own hold.
	_ = control.SetReadDeadline(arrival.Add(h.body))
	limits.BodyCap(func(*http.Request) int64 { return h.bodyLimit(op) })(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			arguments, release, err := h.cfg.Bodies.Read(r, caller.Root)
			if err != nil {
				limits.RefuseBody(w, err)
				return
			}
			defer release()
			// A deadline that passes while the operation runs would count as a client that has gone.
			_ = control.SetReadDeadline(time.Time{})
			h.run(w, r, op, ops.Call{
				Operation: op.Spec().Name, Arguments: arguments, Caller: caller,
				Meta: ops.Meta{Adapter: Adapter, UserAgent: bounded(r.UserAgent(), maxUserAgentBytes)},
			})
		})).ServeHTTP(w, r)
}

// bodyLimit is the bound of an operation's request body in bytes.
func (h *Handler) bodyLimit(op ops.Operation) int64 {
	if int64(op.Spec().MaxInputBytes) > h.cfg.BodyLimit {
		return h.cfg.Bodies.Limit()
	}
	return h.cfg.BodyLimit
}

// bounded is what may be recorded of a client's text.
func bounded(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
