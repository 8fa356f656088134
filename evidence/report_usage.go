package evidence

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"interai/store"
)

// ReportUsageInput is the input of report_usage.
type ReportUsageInput struct {
	Target         string          `json:"target" validate:"required_without=Retract,excluded_with=Retract,max=100" doc:"What was used: a cnt_ (its current revision), rev_, clm_ or ent_ ID." pii:"none"`
	UsageType      string          `json:"usage_type" validate:"excluded_with=Retract,max=60" doc:"Such as implementation, execution, configuration, research, decision or test." pii:"none"`
	Result         string          `json:"result" validate:"required_without=Retract,excluded_with=Retract,omitempty,oneof=success partial failure unknown" doc:"The outcome." pii:"none"`
	RealWorldUse   bool            `json:"real_world_use" validate:"excluded_with=Retract" doc:"True only for real use, not for tests." pii:"none"`
	Context        json.RawMessage `json:"context" validate:"excluded_with=Retract" schema:"object" doc:"Scalar facets of the situation, such as language or scale." pii:"none"`
	Metrics        json.RawMessage `json:"metrics" validate:"excluded_with=Retract" schema:"object" doc:"Measured figures." pii:"none"`
	Note           string          `json:"note" validate:"excluded_with=Retract,max=4000" doc:"What happened, in a few words." pii:"none"`
	Retract        string          `json:"retract" validate:"max=100" doc:"A use_ ID of yours to take back." pii:"none"`
	IdempotencyKey string          `json:"idempotency_key" validate:"max=200" doc:"Makes it safe to send again." pii:"none"`
}

// GetIdempotencyKey reads the key.
func (in *ReportUsageInput) GetIdempotencyKey() string { return in.IdempotencyKey }

// SetIdempotencyKey sets the key that came in an envelope.
func (in *ReportUsageInput) SetIdempotencyKey(key string) { in.IdempotencyKey = key }

// RecordOutput is the answer of the tools that record evidence.
type RecordOutput struct {
	ID             string `json:"id"`
	TargetRevision string `json:"target_revision,omitempty" doc:"The exact revision."`
	Status         string `json:"status,omitempty"`
}

// Text says the same in one line.
func (out *RecordOutput) Text() string {
	switch {
	case out.Status != "":
		return fmt.Sprintf("%s is %s.", out.ID, out.Status)
	case out.TargetRevision != "":
		return fmt.Sprintf("Recorded %s for %s.", out.ID, out.TargetRevision)
	default:
		return fmt.Sprintf("Recorded %s.", out.ID)
	}
}

// AuditSummary is what the audit row keeps.
func (out *RecordOutput) AuditSummary() string {
	return strings.Join(strings.Fields(out.ID+" "+out.TargetRevision+" "+out.Status), " ")
}

// defaultUsageType stands for a use whose sort was not said.
const defaultUsageType = "use"

// ReportUsage records the outcome of a use, or retracts such a record.
func (s *Service) ReportUsage(ctx context.Context, call *Call, in *ReportUsageInput) (*RecordOutput, error) {
	if in.Retract != "" {
		return s.retract(ctx, call, store.EvidenceUsage, in.Retract)
	}
	target, err := evidenceTarget(in.Target, usable()...)
	if err != nil {
		return nil, err
	}
	evidence, err := usageOf(in)
	if err != nil {
		return nil, err
	}
	return s.record(ctx, call, target, evidence, nil)
}

// usageOf normalises the input into a row without target and identity.
func usageOf(in *ReportUsageInput) (store.Evidence, error) {
	var p problems
	usageType := p.line("/usage_type", in.UsageType, maxUsageType)
	if usageType == "" {
		usageType = defaultUsageType
	}
	facets, key := p.facets(in.Context)
	evidence := store.Evidence{
		Kind: store.EvidenceUsage, UsageType: usageType, Result: in.Result, RealWorld: in.RealWorldUse,
		Context: facets, ContextKey: key, Metrics: p.canonical("/metrics", in.Metrics), Note: p.prose("/note", in.Note, maxUsageNote),
	}
	return evidence, p.err()
}

// evidenceTarget reads the ID of a target of one of the accepted kinds.
func evidenceTarget(text string, accepted ...store.Kind) (store.ID, error) {
	id, err := store.ParseID(text)
	if err == nil && slices.Contains(accepted, id.Kind) {
		return id, nil
	}
	return store.ID{}, invalidTarget("target", "one of these kinds: "+kindNames(accepted))
}

// usable are the kinds of objects whose use can be reported.
func usable() []store.Kind {
	return []store.Kind{store.KindContent, store.KindRevision, store.KindClaim, store.KindEntity}
}

func kindNames(kinds []store.Kind) string {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind) + "_"
	}
	return strings.Join(names, ", ")
}
