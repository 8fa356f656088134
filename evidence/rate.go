package evidence

import (
	"context"
	"encoding/json"

	"interai/store"
)

// RateInput is the input of rate.
type RateInput struct {
	Target            string          `json:"target" validate:"required_without=Retract,excluded_with=Retract,max=100" doc:"What is rated: an ent_, cnt_ (its current revision) or rev_ ID." pii:"none"`
	Context           json.RawMessage `json:"context" validate:"excluded_with=Retract" schema:"object" doc:"Scalar facets of the situation; without them it weighs less." pii:"none"`
	Dimension         string          `json:"dimension" validate:"required_without=Retract,excluded_with=Retract,omitempty,max=60,snake_case" doc:"Such as accuracy, usefulness, reliability, cost or maintainability." pii:"none"`
	Score             *float64        `json:"score" validate:"required_without=Retract,excluded_with=Retract,omitempty,min=0,max=100" doc:"100 is best." pii:"none"`
	Confidence        *float64        `json:"confidence" validate:"excluded_with=Retract,omitempty,min=0,max=1" doc:"How sure you are." pii:"none"`
	BasedOnUsage      string          `json:"based_on_usage" validate:"excluded_with=Retract,max=100" doc:"Your own use_ record of it: weighs more." pii:"none"`
	RationaleMarkdown string          `json:"rationale_markdown" validate:"excluded_with=Retract,max=8000" doc:"Why." pii:"none"`
	Retract           string          `json:"retract" validate:"max=100" doc:"A rat_ ID of yours to take back." pii:"none"`
	IdempotencyKey    string          `json:"idempotency_key" validate:"max=200" doc:"Makes it safe to send again." pii:"none"`
}

// GetIdempotencyKey reads the key.
func (in *RateInput) GetIdempotencyKey() string { return in.IdempotencyKey }

// SetIdempotencyKey sets the key that came in an envelope.
func (in *RateInput) SetIdempotencyKey(key string) { in.IdempotencyKey = key }

// Rate records a score in one dimension and context, or retracts one. The latest active score of an actor counts. Who
// names an entity has not written it: everybody may rate entities, but nobody the content of its own party.
func (s *Service) Rate(ctx context.Context, call *Call, in *RateInput) (*RecordOutput, error) {
	if in.Retract != "" {
		return s.retract(ctx, call, store.EvidenceRating, in.Retract)
	}
	target, err := evidenceTarget(in.Target, store.KindEntity, store.KindContent, store.KindRevision)
	if err != nil {
		return nil, err
	}
	basedOn, err := basis(in.BasedOnUsage)
	if err != nil {
		return nil, err
	}
	var p problems
	facets, key := p.facets(in.Context)
	row := store.Evidence{
		Kind: store.EvidenceRating, Dimension: in.Dimension, Score: *in.Score, Context: facets, ContextKey: key,
		Confidence: in.Confidence, BasedOn: basedOn, Note: p.rationale(in.RationaleMarkdown),
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	return s.record(ctx, call, target, row, &judgment{basedOn: basedOn})
}
