package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"interai/evidence/moderation"
	"interai/store"
)

// statusAppealed is the status of a case that its author does not accept.
const statusAppealed = "appealed"

// appeal opens a case of the caller's own again: what a review says of a moderator's decision.
func (s *Service) appeal(ctx context.Context, call *Call, id store.ID, in *ReviewInput) (*RecordOutput, error) {
	if err := checkAppeal(in); err != nil {
		return nil, err
	}
	requestDigest, err := digest(call.Tool, struct{ Appeal, Reason string }{id.String(), in.RationaleMarkdown})
	if err != nil {
		return nil, err
	}
	out := &RecordOutput{ID: id.String(), Status: statusAppealed}
	answer, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	claim := store.Claim{
		IdempotencyKey: store.IdempotencyKey{Actor: call.Actor, Tool: call.Tool, Key: call.Key},
		Digest:         requestDigest, CorrelationID: call.ID, Answer: answer,
	}
	if call.ReplayOnly {
		replay, err := s.stored(ctx, call)
		if err != nil {
			return nil, err
		}
		return decodeReplay[RecordOutput](call, replay, requestDigest)
	}
	replay, err := s.claimed(ctx, call, &claim, func(tx *store.Tx) error {
		if err := s.moderation.Appeal(ctx, tx, call.Actor, id, in.RationaleMarkdown); err != nil {
			return err
		}
		return tx.RecordCall(ctx, *call.audit(out.AuditSummary()))
	})
	switch {
	case err != nil:
		return nil, refusedAppeal(err)
	case replay != nil:
		return decodeReplay[RecordOutput](call, replay, requestDigest)
	}
	return out, nil
}

// checkAppeal holds what a review of a case must say.
func checkAppeal(in *ReviewInput) error {
	var p problems
	if in.Verdict != "contradicted" {
		p.addf("/verdict", "appeal", "must be contradicted, for an appeal")
	}
	if prose(in.RationaleMarkdown) == "" {
		p.addf("/rationale_markdown", "required", "must say why, for an appeal")
	}
	if in.Confidence != nil || len(in.Sources) > 0 || in.BasedOnUsage != "" {
		p.addf("/target", "appeal", "takes only verdict and rationale_markdown beside it when it is a case")
	}
	return p.err()
}

func refusedAppeal(err error) error {
	refuse := func(reason, message string) error {
		return &Error{Code: CodeInvalidTarget, Message: message, Reason: reason}
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return notFound("target")
	case errors.Is(err, moderation.ErrNoAppeal):
		return refuse("not_decided", moderation.ErrNoAppeal.Error())
	case errors.Is(err, moderation.ErrAppealed):
		return refuse("appealed", moderation.ErrAppealed.Error())
	case errors.Is(err, moderation.ErrReason), errors.Is(err, moderation.ErrReasonHolds):
		return &Error{Code: CodeValidationFailed, Message: "the reason of the appeal is not accepted", Problems: []Problem{
			{Path: "/rationale_markdown", Rule: "appeal", Message: "must have 1 to 2000 characters, without secrets or personal data"},
		}}
	}
	return readable(err)
}
