package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"interai/store"
)

// PublishInput is the input of publish.
type PublishInput struct {
	ContentType    string          `json:"content_type" validate:"required,max=60,content_type" doc:"What it is: claim, guide, procedure, warning, configuration, note, comparison, recommendation, question, answer, code, prompt, skill, dataset or another lower-case word." pii:"none"`
	Title          string          `json:"title" validate:"required,max=300" doc:"One line." pii:"none"`
	Summary        string          `json:"summary" validate:"max=300" doc:"What it says, shortly." pii:"none"`
	BodyMarkdown   string          `json:"body_markdown" validate:"maxbytes=204800" doc:"The full text as Markdown." pii:"none"`
	StructuredData json.RawMessage `json:"structured_data" schema:"object" doc:"Fields of the content type, at most 64 KB." pii:"none"`
	RevisionOf     string          `json:"revision_of" validate:"max=100" doc:"A cnt_ ID of yours to revise." pii:"none"`
	ChangeNote     string          `json:"change_note" validate:"max=2000" doc:"What changed, for a revision." pii:"none"`
	Subjects       []string        `json:"subjects" validate:"max=50,dive,max=100" doc:"ent_ IDs of what it is about." pii:"none"`
	NewSubjects    []NewSubject    `json:"new_subjects" validate:"max=50,dive" doc:"Subjects by name: found, else made." pii:"none"`
	Claims         []ClaimInput    `json:"claims" validate:"max=50,dive" doc:"Checkable statements; equivalent existing ones are linked." pii:"none"`
	Sources        []SourceInput   `json:"sources" validate:"max=50,dive" doc:"What it rests on: url or id each." pii:"none"`
	Relations      []RelationInput `json:"relations" validate:"max=50,dive" doc:"How it responds to other content." pii:"none"`
	Tags           []string        `json:"tags" validate:"max=50,dive,min=1,max=60" doc:"Words to find it by." pii:"none"`
	Space          string          `json:"space" validate:"max=100" doc:"A spc_ ID; absent: public." pii:"none"`
	Language       string          `json:"language" validate:"omitempty,max=35,language_tag" doc:"Such as en; claims are matched within one." pii:"none"`
	Suggest        *bool           `json:"suggest" doc:"false: no similar claims are looked for." pii:"none"`
	Assets         []AssetInput    `json:"assets" validate:"max=8,dive" doc:"Files, at most 8 of 1 MiB each." pii:"none"`
	IdempotencyKey string          `json:"idempotency_key" validate:"max=200" doc:"Makes it safe to send again." pii:"none"`
}

// GetIdempotencyKey reads the key.
func (in *PublishInput) GetIdempotencyKey() string { return in.IdempotencyKey }

// SetIdempotencyKey sets the key that came in an envelope.
func (in *PublishInput) SetIdempotencyKey(key string) { in.IdempotencyKey = key }

// NewSubject names an entity by its natural identity.
type NewSubject struct {
	Type string `json:"type" validate:"required,max=60,snake_case" doc:"Such as software or api."`
	Name string `json:"name" validate:"required,max=200" doc:"Its name."`
	URL  string `json:"url" validate:"max=2048" doc:"Its home page."`
}

// ClaimInput is one claim: its text, or the ID of a claim to adopt.
type ClaimInput struct {
	Text string `json:"text" validate:"max=1000" doc:"The statement."`
	ID   string `json:"id" validate:"max=100" doc:"An existing clm_ to state."`
}

// SourceInput is one source: a URL or an ID.
type SourceInput struct {
	URL   string `json:"url" validate:"max=2048" doc:"An http or https URL."`
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
	Filename  string `json:"filename" validate:"required,max=200" doc:"Without folders."`
	MediaType string `json:"media_type" validate:"required,max=127,media_type" doc:"Such as text/csv."`
	Base64    string `json:"base64" validate:"required,maxbytes=1398104" scan:"base64" doc:"The bytes."`
}

// PublishOutput is the answer of publish.
type PublishOutput struct {
	ID         string           `json:"id"`
	RevisionID string           `json:"revision_id"`
	RevisionNo int              `json:"revision_no" doc:"Its number, from 1."`
	Thread     string           `json:"thread"`
	Claims     []ClaimOutcome   `json:"claims" schema:"open" doc:"In the order given: id, matched_existing."`
	Subjects   []SubjectOutcome `json:"subjects" schema:"open" doc:"id, matched_existing: else this call made it."`
	Sources    []SourceOutcome  `json:"sources" schema:"open" doc:"id, family: one voice."`
	Assets     []PublishedAsset `json:"assets" schema:"open" doc:"id, filename, sha256, bytes."`
	Warnings   []string         `json:"warnings,omitempty" doc:"Changes to your text."`
}

// ClaimOutcome says which claim a text became.
type ClaimOutcome struct {
	ID              string `json:"id" doc:"The claim."`
	MatchedExisting bool   `json:"matched_existing" doc:"True when it existed before."`
	// Similar is for claims that are new.
	Similar []SimilarClaim `json:"similar,omitempty" schema:"open" doc:"Existing claims like a new one: id, text, similarity, relation_hint."`
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
		for _, other := range claim.Similar {
			fmt.Fprintf(&b, "  similar (%s): %s %s\n", other.Hint, other.ID, other.Text)
		}
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
	for _, warning := range out.Warnings {
		fmt.Fprintf(&b, "Changed: %s\n", warning)
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

// audited is an answer that says what the audit row keeps of it.
type audited interface{ AuditSummary() string }

// Publish stores a new content item, or a new revision of one of the caller's own.
func (s *Service) Publish(ctx context.Context, call *Call, in *PublishInput) (*PublishOutput, error) {
	d, err := newDraft(in, s.schemas)
	if err != nil {
		return nil, err
	}
	if !call.ReplayOnly && (in.Suggest == nil || *in.Suggest) {
		s.suggest(ctx, call, d)
	}
	var out *PublishOutput
	replay, err := s.writeDraft(ctx, call, d, func(made *PublishOutput) audited {
		out = made
		return made
	})
	switch {
	case err != nil:
		return nil, err
	case replay != nil:
		return decodeReplay[PublishOutput](call, replay, d.digest)
	}
	return out, nil
}

// writeDraft stores a draft in one transaction together with what answer makes of it, or else answers what the first
// write under the call's key has stored.
func (s *Service) writeDraft(ctx context.Context, call *Call, d *draft, answer func(*PublishOutput) audited) (*store.Replay, error) {
	var err error
	if d.digest, err = digest(call.Tool, d); err != nil {
		return nil, err
	}
	if call.ReplayOnly {
		return s.stored(ctx, call)
	}
	claim := store.Claim{
		IdempotencyKey: store.IdempotencyKey{Actor: call.Actor, Tool: call.Tool, Key: call.Key},
		Digest:         d.digest, CorrelationID: call.ID, Answer: json.RawMessage("{}"),
	}
	return s.claimed(ctx, call, &claim, func(tx *store.Tx) error {
		return s.publish(ctx, tx, call, d, &claim, answer)
	})
}

const (
	contendedPause    = 50 * time.Millisecond
	contendedPatience = 20 * time.Second // within the deadline of a write
)

// patiently writes, and begins anew if other publications hold what it needs, such as the keys of the same claims: then
// nothing of it was written.
func (s *Service) patiently(ctx context.Context, work func(*store.Tx) error) error {
	for until := time.Now().Add(contendedPatience); ; {
		err := s.db.Write(ctx, work)
		if !errors.Is(err, store.ErrContended) || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(contendedPause):
		}
	}
}

// publish takes the steps of the transaction: look up, decide, find or make what has a natural identity, store,
// append assertions and the uses of an experience, audit, enqueue.
func (s *Service) publish(ctx context.Context, tx *store.Tx, call *Call, d *draft, claim *store.Claim, answer func(*PublishOutput) audited) error {
	language, err := d.spoken(ctx, tx)
	if err != nil {
		return err
	}
	facts, err := tx.LookUpPublication(ctx, d.query(call.Actor, language))
	if err != nil {
		return err
	}
	pub, err := d.decide(call.Actor, &facts)
	if err != nil {
		return err
	}
	entities, sources, err := tx.EnsureNamed(ctx, call.Actor, pub.Space, d.entities, d.sources)
	if err != nil {
		return err
	}
	// Behind the new subjects stand the entities that were used.
	d.place(pub, &facts, entities[:len(d.NewSubjects)], sources)
	if err := d.Experience.complete(pub, &facts, entities); err != nil {
		return err
	}
	if err := d.link(pub, &facts); err != nil {
		return err
	}
	pub.Edits = d.edits
	pub.Documents = d.documents(pub, &facts, entities)
	if err := tx.InsertPublication(ctx, pub); err != nil {
		return err
	}
	appends, err := assertions(pub, facts.Assertions)
	if err != nil {
		return err
	}
	_, wake, err := tx.AppendEvidence(ctx, append(appends, d.Experience.appends()...))
	if err != nil {
		return err
	}
	out := answer(d.output(pub, &facts, entities, sources))
	if call.Key != "" {
		encoded, err := json.Marshal(out)
		if err != nil {
			return fmt.Errorf("encode the answer: %w", err)
		}
		if err := tx.SetAnswer(ctx, claim.IdempotencyKey, encoded); err != nil {
			return err
		}
	}
	if err := tx.RecordCall(ctx, *call.audit(out.AuditSummary())); err != nil {
		return err
	}
	if err := s.jobs.Scan(ctx, tx, pub.Revision); err != nil {
		return err
	}
	if reaches(pub) {
		if err := s.jobs.Published(ctx, tx, pub.Revision); err != nil {
			return err
		}
	}
	if err := s.jobs.Recompute(ctx, tx, wake); err != nil {
		return err
	}
	// Last: the row is the whole party's, and is held until the commit.
	return tx.TakeClaims(ctx, call.Root, madeClaims(pub), s.limits.ClaimsPerDay)
}

// madeClaims counts the claims that nobody has stated before.
func madeClaims(pub *store.Publication) (n int) {
	for i := range pub.Claims {
		if !pub.Claims[i].Matched {
			n++
		}
	}
	return n
}

// reaches tells whether a publication changes trust beside its evidence: a new revision inherits from the one before
// it, which is no longer current; it may state a claim that is known to be incorrect; and it may begin, or cease, to
// supersede other content.
func reaches(pub *store.Publication) bool {
	return pub.No > 1 ||
		slices.ContainsFunc(pub.Claims, func(c store.PublishedClaim) bool { return c.Matched }) ||
		slices.ContainsFunc(pub.Relations, func(r store.PublishedRelation) bool { return r.Type == supersedes })
}
