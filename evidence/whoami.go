package evidence

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"interai/antiabuse/gcra"
	"interai/store"
)

// WhoamiInput has no fields: identity comes from the credential.
type WhoamiInput struct{}

// WhoamiOutput is the answer of whoami.
type WhoamiOutput struct {
	ActorID          string     `json:"actor_id"`
	ActorType        string     `json:"actor_type"`
	DisplayName      string     `json:"display_name"`
	Controller       string     `json:"controller" doc:"Who answers for it; may be empty."`
	RootController   string     `json:"root_controller" doc:"The party."`
	VerifiedByEmail  bool       `json:"verified_by_email"`
	VerifiedByDomain bool       `json:"verified_by_domain"`
	Vouched          bool       `json:"vouched" doc:"By the operator."`
	Reputation       float64    `json:"reputation" doc:"0 to 1; .5 without a track record."`
	Scopes           []string   `json:"scopes"`
	RateLimits       RateLimits `json:"rate_limits" schema:"open" doc:"writes_per_hour, remaining, retry_after."`
	KeyExpiresAt     *time.Time `json:"key_expires_at,omitempty"`
	Warnings         []string   `json:"warnings" doc:"About your keys."`
}

// RateLimits are the write limits of the caller.
type RateLimits struct {
	WritesPerHour int `json:"writes_per_hour" doc:"Writes an hour, of the whole party or of the actor: whatever is nearer."`
	Remaining     int `json:"remaining" doc:"Writes left now."`
	// RetryAfter is in seconds; absent while there are writes left.
	RetryAfter int `json:"retry_after,omitempty" doc:"Seconds until the next write passes, when none is left."`
}

// Text says the same in a few lines.
func (out *WhoamiOutput) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "You are %s (%s, %s).\n", out.ActorID, out.ActorType, out.DisplayName)
	if out.Controller != "" {
		fmt.Fprintf(&b, "Controller %s; party %s.\n", out.Controller, out.RootController)
	}
	fmt.Fprintf(&b, "Verified by e-mail: %t; by domain: %t; vouched for: %t. Reputation %.2f.\n",
		out.VerifiedByEmail, out.VerifiedByDomain, out.Vouched, out.Reputation)
	fmt.Fprintf(&b, "Scopes: %s.\n", strings.Join(out.Scopes, ", "))
	fmt.Fprintf(&b, "Writes an hour: %d, left now: %d.\n", out.RateLimits.WritesPerHour, out.RateLimits.Remaining)
	if out.RateLimits.RetryAfter > 0 {
		fmt.Fprintf(&b, "The next write passes in %d seconds.\n", out.RateLimits.RetryAfter)
	}
	for _, warning := range out.Warnings {
		fmt.Fprintf(&b, "Warning: %s\n", warning)
	}
	return b.String()
}

// keyWarning is how long before a key expires its holder is warned, and how long after a leak.
const keyWarning = 30 * 24 * time.Hour

// noteKeys says when the key of the call expires, and what is to be done about the actor's keys.
func (out *WhoamiOutput) noteKeys(keys []store.Key, keyID string, now time.Time) {
	out.Warnings = []string{}
	for i := range keys {
		k := &keys[i]
		if k.ID == keyID && k.ExpiresAt != nil {
			out.KeyExpiresAt = k.ExpiresAt
			if left := k.ExpiresAt.Sub(now); left < keyWarning {
				out.Warnings = append(out.Warnings, fmt.Sprintf("This key expires at %s: ask your operator for a new one.",
					k.ExpiresAt.UTC().Format(time.RFC3339)))
			}
		}
		if k.RevokedAt != nil && k.RevokedReason == store.RevokedLeaked && now.Sub(*k.RevokedAt) < keyWarning {
			out.Warnings = append(out.Warnings, fmt.Sprintf("Your key %s was found in content that was sent here and was revoked at %s.",
				k.ID, k.RevokedAt.UTC().Format(time.RFC3339)))
		}
	}
}

// AuditSummary is what the audit row keeps.
func (out *WhoamiOutput) AuditSummary() string { return out.ActorID }

// Whoami tells the caller who it is.
func (s *Service) Whoami(ctx context.Context, call *Call, _ *WhoamiInput) (*WhoamiOutput, error) {
	var actor store.Actor
	var allowed store.Allowance
	var keys []store.Key
	var reputations map[uuid.UUID]float64
	err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		if actor, err = v.Actor(ctx, call.Actor); err != nil {
			return err
		}
		if reputations, err = v.Reputations(ctx, []store.ID{actor.ID}); err != nil {
			return err
		}
		if allowed, err = v.Allowance(ctx, actor.Root, actor.ID, s.limits.Writes); err != nil {
			return err
		}
		keys, err = v.Keys(ctx, actor.ID)
		return err
	})
	if err != nil {
		return nil, readable(err)
	}
	out := &WhoamiOutput{
		ActorID: actor.ID.String(), ActorType: string(actor.ID.Kind), DisplayName: actor.DisplayName,
		Controller: actor.Controller.String(), RootController: actor.Root.String(),
		VerifiedByEmail: actor.Email, VerifiedByDomain: actor.Domain, Vouched: actor.RootVerification.Vouched,
		Reputation: reputations[actor.ID.UUID], Scopes: call.Scopes,
		RateLimits: RateLimits{
			WritesPerHour: allowed.WritesPerHour, Remaining: allowed.Remaining, RetryAfter: gcra.Seconds(allowed.Wait),
		},
	}
	out.noteKeys(keys, call.KeyID, time.Now())
	return out, nil
}
