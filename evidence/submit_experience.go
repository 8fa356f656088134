package evidence

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// SubmitExperienceInput is the input of submit_experience.
type SubmitExperienceInput struct {
	Title          string          `json:"title" validate:"required,max=300" doc:"One line." pii:"none"`
	Summary        string          `json:"summary" validate:"max=300" doc:"What you learned." pii:"none"`
	BodyMarkdown   string          `json:"body_markdown" validate:"maxbytes=204800" doc:"The full text." pii:"none"`
	Subjects       []string        `json:"subjects" validate:"max=50,dive,max=100" doc:"ent_ IDs of what it is about." pii:"none"`
	NewSubjects    []NewSubject    `json:"new_subjects" validate:"max=50,dive" doc:"As in publish." pii:"none"`
	Result         string          `json:"result" validate:"required,oneof=success partial failure unknown" doc:"The outcome." pii:"none"`
	RealWorldUse   bool            `json:"real_world_use" doc:"True only for real use, not for tests." pii:"none"`
	Context        json.RawMessage `json:"context" schema:"object" doc:"Scalar facets of the situation." pii:"none"`
	Configuration  json.RawMessage `json:"configuration" schema:"object" doc:"How it was set up." pii:"none"`
	Observations   json.RawMessage `json:"observations" schema:"object" doc:"What was seen." pii:"none"`
	Metrics        json.RawMessage `json:"metrics" schema:"object" doc:"What was measured." pii:"none"`
	Used           []UsedInput     `json:"used" validate:"max=50,dive" doc:"What was used, each with its result." pii:"none"`
	Tags           []string        `json:"tags" validate:"max=50,dive,min=1,max=60" doc:"Words to find it by." pii:"none"`
	Space          string          `json:"space" validate:"max=100" doc:"A spc_ ID; absent: public." pii:"none"`
	Language       string          `json:"language" validate:"omitempty,max=35,language_tag" doc:"Such as en." pii:"none"`
	IdempotencyKey string          `json:"idempotency_key" validate:"max=200" doc:"Makes it safe to send again." pii:"none"`
}

// GetIdempotencyKey reads the key.
func (in *SubmitExperienceInput) GetIdempotencyKey() string { return in.IdempotencyKey }

// SetIdempotencyKey sets the key that came in an envelope.
func (in *SubmitExperienceInput) SetIdempotencyKey(key string) { in.IdempotencyKey = key }

// UsedInput is one thing that was used: an ID, or an entity by its natural identity.
type UsedInput struct {
	ID     string `json:"id" validate:"max=100" doc:"A cnt_, rev_, clm_ or ent_ ID; else give type and name."`
	Type   string `json:"type" validate:"omitempty,max=60,snake_case" doc:"Sort of entity."`
	Name   string `json:"name" validate:"max=200" doc:"Its name."`
	URL    string `json:"url" validate:"max=2048" doc:"Its home page."`
	Result string `json:"result" validate:"required,oneof=success partial failure unknown" doc:"How it worked."`
	Note   string `json:"note" validate:"max=4000" doc:"In a few words."`
}

// SubmitExperienceOutput is the answer of submit_experience.
type SubmitExperienceOutput struct {
	ID         string           `json:"id"`
	RevisionID string           `json:"revision_id"`
	UsageIDs   []string         `json:"usage_ids" doc:"In the order of used."`
	Targets    []string         `json:"targets" doc:"What exactly was used, in that order."`
	Subjects   []SubjectOutcome `json:"subjects" schema:"open" doc:"As in publish."`
	Warnings   []string         `json:"warnings,omitempty"`
}

// Text says the same in a few lines.
func (out *SubmitExperienceOutput) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Published the experience %s (%s).\n", out.ID, out.RevisionID)
	for i, id := range out.UsageIDs {
		fmt.Fprintf(&b, "Usage %s of %s\n", id, out.Targets[i])
	}
	for _, subject := range out.Subjects {
		fmt.Fprintf(&b, "Subject %s (existed before: %t)\n", subject.ID, subject.Matched)
	}
	return b.String()
}

// AuditSummary is what the audit row keeps.
func (out *SubmitExperienceOutput) AuditSummary() string {
	return fmt.Sprintf("%s %s uses=%d subjects=%d", out.ID, out.RevisionID, len(out.UsageIDs), len(out.Subjects))
}

// scopeUsage is the right to report uses, which an experience does as well.
const scopeUsage = "usage"

// SubmitExperience publishes a content item of type experience, and records each use that it names, in one transaction.
// An entry's own result counts for its use; whether the use was real, and its context, are those of the call.
func (s *Service) SubmitExperience(ctx context.Context, call *Call, in *SubmitExperienceInput) (*SubmitExperienceOutput, error) {
	if len(in.Used) > 0 && !slices.Contains(call.Scopes, scopeUsage) {
		return nil, &Error{
			Code: CodeForbiddenScope, Message: "used makes usage records, which needs the scope usage",
			Hints: []string{"Use a key with the scope usage, or leave used out."},
		}
	}
	d, err := s.newExperience(in)
	if err != nil {
		return nil, err
	}
	var out *SubmitExperienceOutput
	replay, err := s.writeDraft(ctx, call, d, func(made *PublishOutput) audited {
		out = d.Experience.output(made)
		return out
	})
	if err == nil && replay != nil {
		out, err = decodeReplay[SubmitExperienceOutput](call, replay, d.digest)
	}
	if err != nil {
		return nil, err
	}
	s.awaitAll(ctx, call, out.UsageIDs)
	return out, nil
}
