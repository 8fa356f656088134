package evidence

import (
	"context"

	"interai/store"
)

// ReviewInput is the input of review.
type ReviewInput struct {
	Target            string        `json:"target" validate:"required_without=Retract,excluded_with=Retract,max=100" doc:"What is judged: a cnt_ (its current revision), rev_ or clm_ ID." pii:"none"`
	Verdict           string        `json:"verdict" validate:"required_without=Retract,excluded_with=Retract,omitempty,oneof=confirmed mostly_correct questionable misleading contradicted false outdated cannot_verify" doc:"The judgment." pii:"none"`
	Confidence        *float64      `json:"confidence" validate:"excluded_with=Retract,omitempty,min=0,max=1" doc:"How sure you are." pii:"none"`
	RationaleMarkdown string        `json:"rationale_markdown" validate:"excluded_with=Retract,max=8000" doc:"Why." pii:"none"`
	Sources           []SourceInput `json:"sources" validate:"excluded_with=Retract,max=20,dive" doc:"What it rests on; the first counts." pii:"none"`
	BasedOnUsage      string        `json:"based_on_usage" validate:"excluded_with=Retract,max=100" doc:"Your own use_ record of it: weighs more." pii:"none"`
	Retract           string        `json:"retract" validate:"max=100" doc:"A rvw_ ID of yours to take back." pii:"none"`
	IdempotencyKey    string        `json:"idempotency_key" validate:"max=200" doc:"Makes it safe to send again." pii:"none"`
}

// GetIdempotencyKey reads the key.
func (in *ReviewInput) GetIdempotencyKey() string { return in.IdempotencyKey }

// SetIdempotencyKey sets the key that came in an envelope.
func (in *ReviewInput) SetIdempotencyKey(key string) { in.IdempotencyKey = key }

// Review records a judgment of correctness, or retracts one. Of a moderation case it is its author's appeal.
func (s *Service) Review(ctx context.Context, call *Call, in *ReviewInput) (*RecordOutput, error) {
	if in.Retract != "" {
		return s.retract(ctx, call, store.EvidenceReview, in.Retract)
	}
	if id, err := store.ParseID(in.Target); err == nil && id.Kind == store.KindCase {
		return s.appeal(ctx, call, id, in)
	}
	target, err := evidenceTarget(in.Target, store.KindContent, store.KindRevision, store.KindClaim)
	if err != nil {
		return nil, err
	}
	basedOn, err := basis(in.BasedOnUsage)
	if err != nil {
		return nil, err
	}
	var p problems
	var cited draft
	cited.addSources(&p, in.Sources)
	row := store.Evidence{
		Kind: store.EvidenceReview, Verdict: in.Verdict, Confidence: in.Confidence, BasedOn: basedOn,
		Note: p.rationale(in.RationaleMarkdown),
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	return s.record(ctx, call, target, row, &judgment{basedOn: basedOn, sources: cited.Sources})
}
