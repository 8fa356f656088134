package evidence

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

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
	RateLimits       RateLimits `json:"rate_limits" schema:"open" doc:"writes_per_hour, remaining, enforced."`
}

// RateLimits are the write limits of the caller.
type RateLimits struct {
	WritesPerHour int `json:"writes_per_hour" doc:"Writes an hour of the whole party."`
	Remaining     int `json:"remaining" doc:"Writes left now."`
	// Enforced says whether the limits bind: no limiter runs in this version, so nothing is ever used up.
	Enforced bool `json:"enforced" doc:"Whether the limits bind in this version."`
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
	if out.RateLimits.Enforced {
		fmt.Fprintf(&b, "Writes an hour: %d, left now: %d.\n", out.RateLimits.WritesPerHour, out.RateLimits.Remaining)
	} else {
		b.WriteString("Write limits are not enforced by this version.\n")
	}
	return b.String()
}

// AuditSummary is what the audit row keeps.
func (out *WhoamiOutput) AuditSummary() string { return out.ActorID }

// Whoami tells the caller who it is.
func (s *Service) Whoami(ctx context.Context, call *Call, _ *WhoamiInput) (*WhoamiOutput, error) {
	var actor store.Actor
	var reputations map[uuid.UUID]float64
	err := s.db.Read(ctx, func(v *store.Snapshot) (err error) {
		if actor, err = v.Actor(ctx, call.Actor); err != nil {
			return err
		}
		reputations, err = v.Reputations(ctx, []store.ID{actor.ID})
		return err
	})
	if err != nil {
		return nil, readable(err)
	}
	return &WhoamiOutput{
		ActorID: actor.ID.String(), ActorType: string(actor.ID.Kind), DisplayName: actor.DisplayName,
		Controller: actor.Controller.String(), RootController: actor.Root.String(),
		VerifiedByEmail: actor.Email, VerifiedByDomain: actor.Domain, Vouched: actor.RootVerification.Vouched,
		Reputation: reputations[actor.ID.UUID], Scopes: call.Scopes,
		RateLimits: RateLimits{WritesPerHour: s.limits.WritesPerHour, Remaining: s.limits.WritesPerHour},
	}, nil
}
