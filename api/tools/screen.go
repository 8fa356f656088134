package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"interai/antiabuse"
	"interai/api/ops"
	"interai/evidence"
	"interai/evidence/moderation"
	"interai/store"
)

// unavailableRetryAfter is told while a rejection cannot be written down.
const unavailableRetryAfter = time.Second

// Screen shows every string of a call to moderation before its handler runs.
func Screen(service *moderation.Service) ops.Screen {
	return func(ctx context.Context, call *ops.Call, effect ops.Effect, texts []ops.Text) (ops.Clearance, error) {
		actor, root, err := party(call.Caller)
		if err != nil {
			return ops.Clearance{}, err
		}
		a := attempt(effect, texts)
		a.Call, a.Tool, a.Actor, a.Root = call.CorrelationID, call.Operation, actor, root
		cleared, err := service.Screen(ctx, a)
		var rejection *moderation.Rejection
		switch {
		case errors.As(err, &rejection):
			return ops.Clearance{}, rejected(rejection)
		case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrOutcomeUnknown):
			return ops.Clearance{}, ops.Unavailable("database_unavailable", unavailableRetryAfter).WithCause(err)
		case err != nil:
			return ops.Clearance{}, fmt.Errorf("screen a call: %w", err)
		}
		out := ops.Clearance{Withhold: cleared.Withhold}
		if cleared.Done != nil {
			out.Done = func(ctx context.Context, output any) { cleared.Done(ctx, stored(output)) }
		}
		return out, nil
	}
}

func attempt(effect ops.Effect, texts []ops.Text) *moderation.Attempt {
	a := &moderation.Attempt{Write: effect == ops.Write, Fields: make([]antiabuse.Field, len(texts))}
	for i := range texts {
		t := &texts[i]
		a.Fields[i] = antiabuse.Field{Path: t.Path, Name: t.Name, Text: t.Value, Free: t.Free && !t.IsName, Format: t.Format}
		if t.Path == "/revision_of" {
			if id, err := store.ParseID(t.Value); err == nil && id.Kind == store.KindContent {
				a.Revises = id
			}
		}
	}
	return a
}

// stored is the object that a write's answer names; the zero ID when it stored nothing.
func stored(output any) store.ID {
	text := ""
	switch out := output.(type) {
	case *evidence.PublishOutput:
		text = out.RevisionID
	case *evidence.SubmitExperienceOutput:
		text = out.RevisionID
	case *evidence.RecordOutput:
		text = out.ID
	}
	id, err := store.ParseID(text)
	if err != nil || id.Kind == store.KindCase {
		return store.ID{}
	}
	return id
}

// rejected is a rejection as its caller reads it (ANTIABUSE section 1.4).
func rejected(r *moderation.Rejection) *ops.Error {
	e := ops.NewError(ops.ContentRejected, rejectionMessage(r.Reason)).WithReason(r.Reason)
	e = e.WithExtra("case", r.Case.String())
	if len(r.Findings) > 0 {
		e = e.WithExtra("findings", r.Findings)
	}
	if len(r.Suggested) > 0 {
		e = e.WithExtra("suggested", r.Suggested).WithHints(
			"details.suggested makes the text acceptable: replace the characters from start to before end, the last place first, and send the call again.")
	}
	switch r.Reason {
	case moderation.ReasonBudget:
		e = e.WithHints("Send less in one call: shorter text, fewer files.")
	case "secret":
		e = e.WithHints(
			"Replace each finding by a placeholder such as <GITHUB_TOKEN>, and send the call again.",
			"What was a real credential must be rotated: it was sent over the network.")
	case "personal_data":
		e = e.WithHints("Leave personal data out, or replace it by a placeholder such as [email], and send the call again.")
	default:
		e = e.WithHints("Remove what details.findings names, and send the call again.")
	}
	return e.WithHints("If this is a false alarm, a moderator can let the same call pass once: get of " + r.Case.String() + " shows what was decided.")
}

func rejectionMessage(reason string) string {
	const stored = " Nothing was stored."
	switch reason {
	case "secret":
		return "The content holds what looks like a credential." + stored
	case "personal_data":
		return "The content holds personal data." + stored
	case moderation.ReasonBudget:
		return "The content asks for more checks than one call may have." + stored
	default:
		return "The content holds characters or constructs that are not accepted." + stored
	}
}
