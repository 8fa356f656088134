package auth

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"interai/antiabuse/gcra"
	"interai/api/ops"
	"interai/api/refusal"
)

// Errors that a verifying function answers with (wrapped or not). Any other error
// counts as ErrUnavailable and is logged.
var (
	// ErrUnauthenticated: the key is unknown, expired or revoked, or its actor is
	// disabled. Callers are not told which.
	ErrUnauthenticated = errors.New("unauthenticated")
	// ErrUnavailable: the key cannot be looked up at this moment.
	ErrUnavailable = errors.New("authentication unavailable")
)

// Verify returns the caller who holds a well-formed key.
type Verify func(ctx context.Context, key Key) (*ops.Caller, error)

// unavailableRetryAfter is told to clients while keys cannot be looked up: a
// database restart takes about that long.
const unavailableRetryAfter = 2 * time.Second

// Bearer is the HTTP layer that turns the Authorization header into a caller.
type Bearer struct {
	verify           Verify
	log              *slog.Logger
	resourceMetadata string
	scopes           string
	tokens           func(context.Context, string) (*ops.Caller, error)
	outage           Outage
	clients          Clients
	failures         *gcra.Meters
	now              func() time.Time
}

// Outage answers a request whose credential cannot be checked just now, in its
// adapter's own form.
type Outage func(w http.ResponseWriter, r *http.Request, e *ops.Error)

// WithOutage returns the layer with another answer to outages than a plain 503.
func (b *Bearer) WithOutage(outage Outage) *Bearer {
	other := *b
	other.outage = outage
	return &other
}

// Option configures a Bearer.
type Option func(*Bearer)

// WithLogger sets the logger for failed look-ups; slog.Default() otherwise. No
// credential is ever logged.
func WithLogger(l *slog.Logger) Option { return func(b *Bearer) { b.log = l } }

// WithResourceMetadata names the RFC 9728 document and the scopes to ask for in WWW-Authenticate. Set it only
// when an authorization server is configured: it sends clients into OAuth.
func WithResourceMetadata(url string, scopes ...string) Option {
	return func(b *Bearer) { b.resourceMetadata, b.scopes = url, strings.Join(scopes, " ") }
}

// WithTokens sets who checks bearer tokens that are no API keys; without it these are invalid.
func WithTokens(verify func(ctx context.Context, token string) (*ops.Caller, error)) Option {
	return func(b *Bearer) { b.tokens = verify }
}

// WithClients sets how the address of a client is found; that of the connection otherwise.
func WithClients(c Clients) Option { return func(b *Bearer) { b.clients = c } }

// WithFailures sets the meters of failed authentications by network. A network without room is refused unheard: its
// credentials are not looked up.
func WithFailures(m *gcra.Meters) Option { return func(b *Bearer) { b.failures = m } }

// NewBearer returns the layer around verify.
func NewBearer(verify Verify, options ...Option) *Bearer {
	b := &Bearer{verify: verify, log: slog.Default(), now: time.Now}
	for _, option := range options {
		option(b)
	}
	return b
}

type callerKey struct{}

// CallerFrom returns the caller that the layer has put into a request's context,
// nil when there is none.
func CallerFrom(ctx context.Context) *ops.Caller {
	c, _ := ctx.Value(callerKey{}).(*ops.Caller)
	return c
}

// Middleware lets only authenticated requests pass; CallerFrom gives their caller.
func (b *Bearer) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		addr := b.clients.Addr(r)
		if wait := b.patience(r, addr); wait > 0 {
			tooManyFailures(w, wait)
			return
		}
		token, sent := tokenOf(r)
		if token == "" {
			b.refuse(w, addr, sent)
			return
		}
		caller, err := b.check(withAddr(r.Context(), addr), token)
		switch {
		case errors.Is(err, ErrUnauthenticated):
			b.refuse(w, addr, true)
		case err != nil:
			b.unavailable(w, r, err)
		case caller == nil:
			b.unavailable(w, r, errors.New("no caller and no error"))
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller)))
		}
	})
}

// patience is how long the network of a request that carries a credential has to wait before that is looked at.
func (b *Bearer) patience(r *http.Request, addr netip.Addr) time.Duration {
	if b.failures == nil || !addr.IsValid() || len(r.Header.Values("Authorization")) == 0 {
		return 0
	}
	return b.failures.Wait(Network(addr).String(), b.now())
}

// refuse answers 401, and counts a credential that was sent and is none.
func (b *Bearer) refuse(w http.ResponseWriter, addr netip.Addr, sent bool) {
	if sent && b.failures != nil && addr.IsValid() {
		b.failures.Take(Network(addr).String(), b.now())
	}
	b.unauthenticated(w, sent)
}

func tooManyFailures(w http.ResponseWriter, wait time.Duration) {
	refusal.Write(w, http.StatusTooManyRequests,
		ops.LimitReached("Too many credentials from your network were invalid. Yours was not looked at.", wait).
			WithReason("too_many_failures").WithHints("Wait for retry_after seconds, then send the same call again."))
}

// check answers who holds an API key, or whom another token speaks for.
func (b *Bearer) check(ctx context.Context, token string) (*ops.Caller, error) {
	key, err := Parse(token)
	switch {
	case err == nil:
		return b.verify(ctx, key)
	case b.tokens != nil && !strings.HasPrefix(token, keyPrefix):
		return b.tokens(ctx, token)
	}
	return nil, ErrUnauthenticated
}

// tokenOf reads the one bearer token of a request, from the one Authorization header and from
// nowhere else: a query string ends up in logs. Sent reports whether a bearer token
// came at all.
func tokenOf(r *http.Request) (token string, sent bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", len(values) > 1
	}
	scheme, token, ok := strings.Cut(strings.TrimSpace(values[0]), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.TrimSpace(token), true
}

// unauthenticated answers 401. TypeScript clients show the body as the error, so it
// says which header to set and how to get a key.
func (b *Bearer) unauthenticated(w http.ResponseWriter, sent bool) {
	challenge := `Bearer realm="inter-ai"`
	if sent {
		challenge += `, error="invalid_token"`
	}
	if b.resourceMetadata != "" {
		challenge += `, resource_metadata=` + strconv.Quote(b.resourceMetadata)
	}
	if b.scopes != "" {
		challenge += `, scope=` + strconv.Quote(b.scopes)
	}
	w.Header().Set("WWW-Authenticate", challenge)
	message := "No API key was sent."
	if sent {
		message = "The API key is invalid, expired or revoked."
		if b.tokens != nil {
			message = "The API key or access token is invalid, expired or revoked, or speaks for nobody here."
		}
	}
	refusal.Write(w, http.StatusUnauthorized, ops.NewError(ops.Unauthenticated, message).WithHints(
		"Send the header: Authorization: Bearer iai_…",
		"An operator makes a key with: interai key create --actor ID",
	))
}

func (b *Bearer) unavailable(w http.ResponseWriter, r *http.Request, err error) {
	b.log.ErrorContext(r.Context(), "credential look-up failed", "error", err.Error())
	e := ops.Unavailable("database_unavailable", unavailableRetryAfter)
	e.Message = "The API key cannot be checked at this moment. Nothing was changed."
	e = e.WithHints("Wait for retry_after seconds, then send the same call again.")
	if b.outage != nil {
		b.outage(w, r, e)
		return
	}
	Unavailable(w, e)
}

// Unavailable answers 503 in the error shape that tools use.
func Unavailable(w http.ResponseWriter, e *ops.Error) {
	refusal.Write(w, http.StatusServiceUnavailable, e)
}
