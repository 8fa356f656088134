package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"interai/api/ops"
	"interai/store"
)

const (
	// skew is how far the issuer's clock may be from ours (RFC 7519, section 4.1.4: no more than a few minutes).
	skew = time.Minute
	// discoveryPause is how long a failed look at the issuer is not repeated.
	discoveryPause = 5 * time.Second
	// maxTokenBytes bounds a token before it is looked at.
	maxTokenBytes = 16 << 10
	// maxSubjectBytes is that of OpenID Connect Core, section 2.
	maxSubjectBytes = 255
)

// OIDCConfig says whose tokens are accepted.
type OIDCConfig struct {
	// Issuer is the URL of the authorization server, exactly as it stands in its tokens.
	Issuer string
	// Audience is the canonical URL of this resource, which a token must be meant for (RFC 8707).
	Audience string
	// Hosts may be asked for the issuer's documents and keys beside the issuer's own host.
	Hosts []string
}

// OIDC checks access tokens of one authorization server (OAuth 2.1 resource server, RFC 9068). It never makes an actor:
// who a subject is here stands in a table.
type OIDC struct {
	cfg   OIDCConfig
	db    *store.Store
	log   *slog.Logger
	now   func() time.Time
	fetch *fetcher

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	failed   time.Time // when the issuer could not be asked
}

// NewOIDC makes the check. The issuer is asked when the first token comes, so that it may be down at the start.
func NewOIDC(cfg OIDCConfig, db *store.Store, log *slog.Logger) (*OIDC, error) {
	fetch, err := newFetcher(cfg.Issuer, cfg.Hosts)
	if err != nil {
		return nil, err
	}
	return &OIDC{cfg: cfg, db: db, log: log, now: time.Now, fetch: fetch}, nil
}

// accessClaims are the claims that are looked at beside those of the library.
type accessClaims struct {
	Expires   *float64        `json:"exp"`
	NotBefore *float64        `json:"nbf"`
	Scope     json.RawMessage `json:"scope"`
	SCP       json.RawMessage `json:"scp"`
}

// Verify answers the caller whom a token speaks for.
func (o *OIDC) Verify(ctx context.Context, raw string) (*ops.Caller, error) {
	if len(raw) > maxTokenBytes || !acceptableType(raw) {
		return nil, ErrUnauthenticated
	}
	verifier, err := o.provider(ctx)
	if err != nil {
		return nil, err
	}
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		if o.fetch.failing() {
			return nil, fmt.Errorf("%w: the issuer's keys cannot be read: %w", ErrUnavailable, err)
		}
		return nil, fmt.Errorf("%w: %w", ErrUnauthenticated, err)
	}
	var claims accessClaims
	if err := token.Claims(&claims); err != nil || !claims.current(o.now()) {
		return nil, ErrUnauthenticated
	}
	if token.Subject == "" || len(token.Subject) > maxSubjectBytes {
		return nil, ErrUnauthenticated
	}
	return o.caller(ctx, token.Subject, claims.scopes())
}

// current tells whether a token is valid now; one that never expires is not.
func (c *accessClaims) current(now time.Time) bool {
	if c.Expires == nil {
		return false
	}
	moment, leeway := float64(now.UnixMilli())/1000, skew.Seconds()
	return moment < *c.Expires+leeway && (c.NotBefore == nil || moment >= *c.NotBefore-leeway)
}

// scopes reads the scope claim: a string with blanks (RFC 9068, section 2.2.3), or a list, as some servers write it.
func (c *accessClaims) scopes() []string {
	var out []string
	for _, raw := range []json.RawMessage{c.Scope, c.SCP} {
		var text string
		var list []string
		switch {
		case len(raw) == 0:
		case json.Unmarshal(raw, &text) == nil:
			out = append(out, strings.Fields(text)...)
		case json.Unmarshal(raw, &list) == nil:
			out = append(out, list...)
		}
	}
	return out
}

// caller is the actor that a subject is, with the scopes that both the token and the link give.
func (o *OIDC) caller(ctx context.Context, subject string, granted []string) (*ops.Caller, error) {
	actor, most, err := o.db.OIDCActor(ctx, o.cfg.Issuer, subject)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, ErrUnauthenticated
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	case actor.DisabledAt != nil:
		return nil, ErrUnauthenticated
	}
	scopes := []string{}
	for _, scope := range most {
		if slices.Contains(granted, scope) {
			scopes = append(scopes, scope)
		}
	}
	return CallerOf(actor, scopes, ""), nil
}

// provider asks the issuer for its documents once.
func (o *OIDC) provider(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.verifier != nil {
		return o.verifier, nil
	}
	if now := o.now(); now.Sub(o.failed) < discoveryPause {
		return nil, fmt.Errorf("%w: the issuer could not be asked", ErrUnavailable)
	}
	// The library keeps the context for later fetches of keys, so it must not end with this request.
	provider, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), o.fetch.client), o.cfg.Issuer)
	if err != nil {
		o.failed = o.now()
		o.log.WarnContext(ctx, "the OpenID issuer cannot be asked", "error", err)
		return nil, fmt.Errorf("%w: ask the issuer: %w", ErrUnavailable, err)
	}
	o.verifier = provider.VerifierContext(oidc.ClientContext(context.WithoutCancel(ctx), o.fetch.client), &oidc.Config{
		ClientID:             o.cfg.Audience,
		SupportedSigningAlgs: []string{oidc.RS256, oidc.PS256, oidc.ES256, oidc.EdDSA},
		SkipExpiryCheck:      true, // the library allows no skew of exp and five minutes of nbf; current does
	})
	return o.verifier, nil
}

// acceptableType looks at the header's typ: a token that says what it is must say that it is an access token (RFC 9068,
// section 4), so that an ID token is not taken for one.
func acceptableType(raw string) bool {
	header, err := headerOf(raw)
	if err != nil {
		return false
	}
	switch strings.TrimPrefix(strings.ToLower(header.Type), "application/") {
	case "", "at+jwt":
		return len(header.Critical) == 0
	}
	return false
}
