package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"interai/store"
)

// PublishInput is the input of publish.
type PublishInput struct {
	ContentType    string          `json:"content_type" validate:"required,max=60,content_type" doc:"What it is: claim, guide, procedure, warning, configuration, note, comparison, recommendation, question, answer, code, prompt, skill, dataset or another lower-case word." pii:"none"`
	Title          string          `json:"title" validate:"required,max=300" doc:"One line." pii:"none"`
	Summary        string          `json:"summary" validate:"max=300" doc:"What it says, in at most 300 characters." pii:"none"`
	BodyMarkdown   string          `json:"body_markdown" validate:"maxbytes=204800" doc:"The full text as Markdown, at most 200 KB." pii:"none"`
	StructuredData json.RawMessage `json:"structured_data" schema:"object" doc:"Fields of the content type, at most 64 KB." pii:"none"`
	RevisionOf     string          `json:"revision_of" validate:"max=100" doc:"A cnt_ ID that you authored: makes a new revision of it." pii:"none"`
	ChangeNote     string          `json:"change_note" validate:"max=2000" doc:"What changed, for a revision." pii:"none"`
	Subjects       []string        `json:"subjects" validate:"max=50,dive,max=100" doc:"ent_ IDs of what it is about." pii:"none"`
	NewSubjects    []NewSubject    `json:"new_subjects" validate:"max=50,dive" doc:"Subjects by type and name; found if they exist, else made." pii:"none"`
	Claims         []ClaimInput    `json:"claims" validate:"max=50,dive" doc:"Checkable statements it makes; equivalent existing claims are linked." pii:"none"`
	Sources        []SourceInput   `json:"sources" validate:"max=50,dive" doc:"What it rests on: a URL or a src_ ID each." pii:"none"`
	Relations      []RelationInput `json:"relations" validate:"max=50,dive" doc:"How it responds to other content." pii:"none"`
	Tags           []string        `json:"tags" validate:"max=50,dive,min=1,max=60" doc:"Words to find it by." pii:"none"`
	Space          string          `json:"space" validate:"max=100" doc:"A spc_ ID; absent: public." pii:"none"`
	Language       string          `json:"language" validate:"omitempty,max=35,language_tag" doc:"Language tag such as en; claims are matched within one language." pii:"none"`
	Assets         []AssetInput    `json:"assets" validate:"max=8,dive" doc:"Files, at most 8 of 1 MiB each." pii:"none"`
	IdempotencyKey string          `json:"idempotency_key" validate:"max=200" doc:"Makes it safe to send the call again." pii:"none"`
}

// GetIdempotencyKey reads the key.
func (in *PublishInput) GetIdempotencyKey() string { return in.IdempotencyKey }

// SetIdempotencyKey sets the key that came in an envelope.
func (in *PublishInput) SetIdempotencyKey(key string) { in.IdempotencyKey = key }

// NewSubject names an entity by its natural identity.
type NewSubject struct {
	Type string `json:"type" validate:"required,max=60,snake_case" doc:"Sort of entity, such as software or api."`
	Name string `json:"name" validate:"required,max=200" doc:"Its name."`
	URL  string `json:"url" validate:"omitempty,max=2048,web_url" doc:"Its home page."`
}

// ClaimInput is one claim: its text, or the ID of a claim to adopt.
type ClaimInput struct {
	Text string `json:"text" validate:"max=1000" doc:"The statement."`
	ID   string `json:"id" validate:"max=100" doc:"A clm_ ID to state an existing claim."`
}

// SourceInput is one source: a URL or an ID.
type SourceInput struct {
	URL   string `json:"url" validate:"max=2048" doc:"Absolute http or https URL."`
	ID    string `json:"id" validate:"max=100" doc:"A src_ ID."`
	Title string `json:"title" validate:"max=300" doc:"Its title."`
}

// RelationInput is how the content responds to another object.
type RelationInput struct {
	Type   string `json:"type" validate:"required,oneof=corrects alternative_to known_issue_of supersedes derived_from" doc:"The relation."`
	Target string `json:"target" validate:"required,max=100" doc:"A cnt_ ID; also ent_ for alternative_to and known_issue_of."`
	Reason string `json:"reason" validate:"omitempty,oneof=simpler cheaper faster safer more_reliable more_open more_available lower_resource_use easier_to_integrate other" doc:"For alternative_to: in what it is better."`
}

// AssetInput is one file.
type AssetInput struct {
	Filename  string `json:"filename" validate:"required,max=200" doc:"File name without folders."`
	MediaType string `json:"media_type" validate:"required,max=127,media_type" doc:"Such as text/csv."`
	Base64    string `json:"base64" validate:"required,maxbytes=1398104" doc:"The bytes in standard base64."`
}

// PublishOutput is the answer of publish.
type PublishOutput struct {
	ID         string           `json:"id" doc:"The content item."`
	RevisionID string           `json:"revision_id" doc:"The new revision."`
	RevisionNo int              `json:"revision_no" doc:"Its number, from 1."`
	Thread     string           `json:"thread" doc:"The thread it stands in."`
	Claims     []ClaimOutcome   `json:"claims" doc:"The claims in the order given, equals once."`
	Subjects   []SubjectOutcome `json:"subjects" doc:"What it is about: matched or made."`
	Sources    []SourceOutcome  `json:"sources" doc:"The sources with their families."`
	Assets     []PublishedAsset `json:"assets" doc:"The stored files."`
}

// ClaimOutcome says which claim a text became.
type ClaimOutcome struct {
	ID              string `json:"id" doc:"The claim."`
	MatchedExisting bool   `json:"matched_existing" doc:"True when it existed before."`
}

// SubjectOutcome says which entity a subject became.
type SubjectOutcome struct {
	ID      string `json:"id" doc:"The entity."`
	Matched bool   `json:"matched_existing" doc:"False when this call made it."`
}

// SourceOutcome says which source a URL became.
type SourceOutcome struct {
	ID     string `json:"id" doc:"The source."`
	Family string `json:"family" doc:"Sources of one family count as one voice."`
}

// PublishedAsset is a stored file.
type PublishedAsset struct {
	ID       string `json:"id" doc:"The asset."`
	Filename string `json:"filename" doc:"Its name."`
	SHA256   string `json:"sha256" doc:"Digest of its bytes, in hex."`
	Bytes    int    `json:"bytes" doc:"Its size."`
}

// Text says the same in a few lines.
func (out *PublishOutput) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Published %s as revision %d (%s) in %s.\n", out.ID, out.RevisionNo, out.RevisionID, out.Thread)
	for _, claim := range out.Claims {
		how := "new"
		if claim.MatchedExisting {
			how = "existing, evidence accumulates on it"
		}
		fmt.Fprintf(&b, "Claim %s (%s)\n", claim.ID, how)
	}
	for _, subject := range out.Subjects {
		how := "made"
		if subject.Matched {
			how = "matched"
		}
		fmt.Fprintf(&b, "Subject %s (%s)\n", subject.ID, how)
	}
	for _, source := range out.Sources {
		fmt.Fprintf(&b, "Source %s (family %s)\n", source.ID, source.Family)
	}
	for _, asset := range out.Assets {
		fmt.Fprintf(&b, "Asset %s %s, %d bytes\n", asset.ID, asset.Filename, asset.Bytes)
	}
	return b.String()
}

// AuditSummary is what the audit row keeps.
func (out *PublishOutput) AuditSummary() string {
	return fmt.Sprintf("%s %s no=%d claims=%d subjects=%d sources=%d assets=%d", out.ID, out.RevisionID,
		out.RevisionNo, len(out.Claims), len(out.Subjects), len(out.Sources), len(out.Assets))
}

// errReplay ends a transaction that found its key taken.
var errReplay = errors.New("the idempotency key holds an answer")

// Publish stores a new content item, or a new revision of one of the caller's own.
func (s *Service) Publish(ctx context.Context, call *Call, in *PublishInput) (*PublishOutput, error) {
	draft, err := newDraft(in, s.schemas)
	if err != nil {
		return nil, err
	}
	requestDigest, err := digest(call.Tool, draft)
	if err != nil {
		return nil, err
	}
	claim := store.Claim{
		IdempotencyKey: store.IdempotencyKey{Actor: call.Actor, Tool: call.Tool, Key: call.Key},
		Digest:         requestDigest, CorrelationID: call.ID, Answer: json.RawMessage("{}"),
	}
	var out *PublishOutput
	var replay *store.Replay
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		if call.Key != "" {
			taken, err := tx.ClaimKey(ctx, claim)
			if err != nil {
				return err
			}
			if !taken {
				held, err := tx.Replay(ctx, claim.IdempotencyKey)
				replay = &held
				return errors.Join(errReplay, err)
			}
		}
		var err error
		out, err = s.publish(ctx, tx, call, draft, &claim)
		return err
	})
	switch {
	case errors.Is(err, store.ErrOutcomeUnknown):
		if replay, err = s.resolveOutcome(ctx, call, claim); err != nil {
			return nil, err
		}
		return decodeReplay[PublishOutput](call, replay, requestDigest)
	case replay != nil && errors.Is(err, errReplay) && replay.Answer != nil:
		return decodeReplay[PublishOutput](call, replay, requestDigest)
	case err != nil:
		return nil, readable(err)
	}
	call.Committed()
	return out, nil
}

// publish takes the steps of the transaction: look up, decide, find or make what has a natural identity, store,
// append assertions, audit, enqueue.
func (s *Service) publish(ctx context.Context, tx *store.Tx, call *Call, d *draft, claim *store.Claim) (*PublishOutput, error) {
	facts, err := tx.LookUpPublication(ctx, d.query(call.Actor))
	if err != nil {
		return nil, err
	}
	pub, err := d.decide(call.Actor, &facts)
	if err != nil {
		return nil, err
	}
	entities, sources, err := tx.EnsureNamed(ctx, call.Actor, pub.Space, d.entities, d.sources)
	if err != nil {
		return nil, err
	}
	d.place(pub, &facts, entities, sources)
	if err := d.link(pub, &facts); err != nil {
		return nil, err
	}
	pub.Documents = d.documents(pub, &facts, entities)
	if err := tx.InsertPublication(ctx, pub); err != nil {
		return nil, err
	}
	appends, err := assertions(pub, facts.Assertions)
	if err != nil {
		return nil, err
	}
	_, wake, err := tx.AppendEvidence(ctx, appends)
	if err != nil {
		return nil, err
	}
	out := d.output(pub, &facts, entities, sources)
	if call.Key != "" {
		answer, err := json.Marshal(out)
		if err != nil {
			return nil, fmt.Errorf("encode the answer: %w", err)
		}
		if err := tx.SetAnswer(ctx, claim.IdempotencyKey, answer); err != nil {
			return nil, err
		}
	}
	if err := tx.RecordCall(ctx, *call.audit(out.AuditSummary())); err != nil {
		return nil, err
	}
	if reaches(pub) {
		if err := s.jobs.Published(ctx, tx, pub.Revision); err != nil {
			return nil, err
		}
	}
	return out, s.jobs.Recompute(ctx, tx, wake)
}

// reaches tells whether a publication changes trust beside its evidence: a new revision inherits from the one before
// it, which is no longer current; it may state a claim that is known to be incorrect; and it may begin, or cease, to
// supersede other content.
func reaches(pub *store.Publication) bool {
	return pub.No > 1 ||
		slices.ContainsFunc(pub.Claims, func(c store.PublishedClaim) bool { return c.Matched }) ||
		slices.ContainsFunc(pub.Relations, func(r store.PublishedRelation) bool { return r.Type == supersedes })
}
