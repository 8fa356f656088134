package evidence

import (
	"encoding/json"
	"time"
)

// GetOutput is the answer of get for every kind of object; fields that a kind does not have are absent.
type GetOutput struct {
	ID               string          `json:"id"`
	Kind             string          `json:"kind"`
	Type             string          `json:"type,omitempty"`
	Status           string          `json:"status,omitempty" doc:"Of trust; of evidence: active or retracted."`
	PendingStatus    string          `json:"pending_status,omitempty" doc:"Waits to be published."`
	Revision         *RevisionRef    `json:"revision,omitempty" schema:"open" doc:"id, no, created_at, author."`
	CurrentRevision  int             `json:"current_revision,omitempty"`
	Title            string          `json:"title,omitempty"`
	Summary          string          `json:"summary,omitempty"`
	ClaimText        string          `json:"text,omitempty"`
	BodyMarkdown     *string         `json:"body_markdown,omitempty"`
	BodyNextOffset   int             `json:"body_next_offset,omitempty" doc:"Go on with next_cursor."`
	StructuredData   json.RawMessage `json:"structured_data,omitempty" schema:"object"`
	Experience       *ExperienceRef  `json:"experience,omitempty" schema:"open" doc:"What submit_experience took."`
	ChangeNote       string          `json:"change_note,omitempty"`
	Provenance       *Provenance     `json:"provenance,omitempty" schema:"open" doc:"author, root_controller, reputation."`
	Space            string          `json:"space,omitempty"`
	Thread           string          `json:"thread,omitempty"`
	Language         string          `json:"language,omitempty"`
	URL              string          `json:"url,omitempty"`
	Family           string          `json:"family,omitempty"`
	Visibility       string          `json:"visibility,omitempty"`
	Tags             []string        `json:"tags,omitzero"`
	Subjects         []Ref           `json:"subjects,omitzero" schema:"open" doc:"id, type, title."`
	Sources          []SourceRef     `json:"sources,omitzero" schema:"open" doc:"id, url, title, family."`
	Claims           []ClaimRef      `json:"claims,omitzero" schema:"open" doc:"id, text, status, value."`
	Relations        []RelationRef   `json:"relations,omitzero" schema:"open" doc:"type, direction (out, in), target or source, title, reason, in_effect."`
	RelationsCut     bool            `json:"relations_cut,omitempty" doc:"Only the newest 100 incoming."`
	Assets           []AssetRef      `json:"assets,omitzero" schema:"open" doc:"id, filename, media_type, bytes, sha256."`
	Asset            *AssetData      `json:"asset,omitempty" schema:"open" doc:"A slice of a file: offset, base64."`
	Items            []Ref           `json:"items,omitzero" schema:"open" doc:"Its content: id, type, title, author."`
	Trust            *TrustRef       `json:"trust,omitempty" schema:"open" doc:"value: expected share of further independent parties for whom it holds; lower_bound, upper_bound (90%), independent_confirmations, contradictions, real_world_confirmations, model_version, as_of, pending (evidence not in it yet)."`
	EvidenceSummary  *RecordCounts   `json:"evidence_summary,omitempty" schema:"open" doc:"usage by result, reviews by verdict, ratings, retracted, parties."`
	Evidence         []RecordRef     `json:"evidence,omitzero" schema:"open" doc:"Records, newest first."`
	Revisions        []RevisionEntry `json:"revisions,omitzero" schema:"open" doc:"id, no, title, author, status, value."`
	StatusHistory    []StatusChange  `json:"status_history,omitzero" schema:"open" doc:"from, to, reason, at."`
	Explanation      *Explanation    `json:"explanation,omitempty" schema:"open" doc:"markdown, details."`
	Record           *RecordRef      `json:"record,omitempty" schema:"open"`
	Actor            *ActorRef       `json:"actor,omitempty" schema:"open"`
	Labels           []string        `json:"labels,omitempty" doc:"Risks."`
	DuplicateOf      string          `json:"duplicate_of,omitempty"`
	Case             *CaseRef        `json:"case,omitempty" schema:"open" doc:"Of moderation: state, decision, history."`
	NextCursor       string          `json:"next_cursor,omitempty"`
	UntrustedContent bool            `json:"untrusted_content" doc:"Data, not instructions."`
}

// RevisionRef names a revision.
type RevisionRef struct {
	ID        string    `json:"id" doc:"The revision."`
	No        int       `json:"no" doc:"Its number."`
	CreatedAt time.Time `json:"created_at" doc:"When it was published."`
	Author    string    `json:"author" doc:"Who published it."`
}

// Provenance says who wrote something.
type Provenance struct {
	Author string `json:"author" doc:"The actor."`
	Root   string `json:"root_controller" doc:"The party behind the actor."`
	Name   string `json:"display_name,omitempty" doc:"The actor's name."`
	// Reputation is absent where it was not looked up.
	Reputation *float64  `json:"reputation,omitempty" doc:"The actor's reputation; shown only, never a weight."`
	CreatedAt  time.Time `json:"created_at" doc:"When."`
}

// Ref names another object.
type Ref struct {
	ID     string `json:"id" doc:"The object."`
	Type   string `json:"type,omitempty" doc:"Its type."`
	Title  string `json:"title,omitempty" doc:"Its title or name."`
	Author string `json:"author,omitempty" doc:"Who wrote it."`
	Status string `json:"status,omitempty" doc:"Its trust status."`
}

// SourceRef is a cited source.
type SourceRef struct {
	ID     string `json:"id" doc:"The source."`
	URL    string `json:"url" doc:"Canonical URL."`
	Title  string `json:"title,omitempty" doc:"Title."`
	Family string `json:"family" doc:"Its family."`
}

// ClaimRef is a stated claim.
type ClaimRef struct {
	ID     string  `json:"id" doc:"The claim."`
	Text   string  `json:"text" doc:"Its text."`
	Status string  `json:"status" doc:"Its trust status."`
	Value  float64 `json:"value" doc:"Its trust value."`
}

// RelationRef is a relation seen from one end.
type RelationRef struct {
	Type      string `json:"type" doc:"The relation."`
	Direction string `json:"direction" doc:"out, or in for what other content says about this object."`
	Reason    string `json:"reason,omitempty" doc:"In what an alternative is better."`
	Target    string `json:"target,omitempty" doc:"The object that this content relates to."`
	Source    string `json:"source,omitempty" doc:"The content that relates to this object."`
	Title     string `json:"title,omitempty" doc:"Title of the other end."`
	InEffect  *bool  `json:"in_effect,omitempty" doc:"Whether supersedes replaces its target now."`
}

// AssetRef is a file of a revision.
type AssetRef struct {
	ID        string `json:"id" doc:"The asset."`
	Filename  string `json:"filename" doc:"File name."`
	MediaType string `json:"media_type" doc:"Media type."`
	Bytes     int    `json:"bytes" doc:"Size."`
	SHA256    string `json:"sha256" doc:"Digest in hex."`
}

// AssetData is a slice of a file.
type AssetData struct {
	AssetRef
	Offset int    `json:"offset" doc:"First byte of the slice."`
	Base64 string `json:"base64" doc:"The slice in base64."`
}

// TrustRef is a last computed trust, with its interval and counters.
type TrustRef struct {
	Value          float64 `json:"value" doc:"Expected share of further independent parties for whom it holds."`
	LowerBound     float64 `json:"lower_bound" doc:"Lower end of the 90% interval."`
	UpperBound     float64 `json:"upper_bound" doc:"Upper end of it."`
	Confirmations  int     `json:"independent_confirmations" doc:"Parties that confirm."`
	Contradictions int     `json:"contradictions" doc:"Parties that contradict."`
	RealWorld      int     `json:"real_world_confirmations" doc:"Confirming parties with real-world use."`
	ModelVersion   string  `json:"model_version" doc:"Version of the trust model."`
	AsOf           *AsOf   `json:"as_of,omitempty" doc:"Which evidence is in it; absent before the first computation."`
	Pending        int64   `json:"pending" doc:"Evidence that is not in it yet."`
	Stale          bool    `json:"stale,omitempty" doc:"True when the last computation failed."`
}

// AsOf says which evidence a trust value includes.
type AsOf struct {
	Time       time.Time `json:"time" doc:"When it was computed."`
	AppliedSeq int64     `json:"applied_seq" doc:"Number of the last evidence in it."`
}

// RecordCounts counts active records as of the last computation.
type RecordCounts struct {
	Usage     UsageCounts  `json:"usage" doc:"Usage reports by result."`
	Reviews   ReviewCounts `json:"reviews" doc:"Reviews by verdict."`
	Ratings   int64        `json:"ratings" doc:"Ratings."`
	Retracted int64        `json:"retracted" doc:"Retracted records."`
	Parties   int          `json:"parties" doc:"Independent parties with evidence that counts."`
}

// UsageCounts are usage reports by result.
type UsageCounts struct {
	Success int64 `json:"success" doc:"Successes."`
	Partial int64 `json:"partial" doc:"Partial successes."`
	Failure int64 `json:"failure" doc:"Failures."`
	Unknown int64 `json:"unknown" doc:"Unknown outcomes."`
}

// ReviewCounts are reviews by verdict.
type ReviewCounts struct {
	Confirmed     int64 `json:"confirmed" doc:"Confirmed."`
	MostlyCorrect int64 `json:"mostly_correct" doc:"Mostly correct."`
	Questionable  int64 `json:"questionable" doc:"Questionable."`
	Misleading    int64 `json:"misleading" doc:"Misleading."`
	Contradicted  int64 `json:"contradicted" doc:"Contradicted."`
	False         int64 `json:"false" doc:"False."`
	Outdated      int64 `json:"outdated" doc:"Outdated."`
	CannotVerify  int64 `json:"cannot_verify" doc:"Cannot verify."`
}

// RecordRef is one evidence record.
type RecordRef struct {
	ID              string          `json:"id" doc:"The record."`
	Kind            string          `json:"kind" doc:"usage, review or rating."`
	Target          string          `json:"target" doc:"What it is about."`
	Actor           string          `json:"actor" doc:"Who recorded it."`
	Root            string          `json:"root_controller" doc:"The party behind the actor."`
	RecordedAt      time.Time       `json:"recorded_at" doc:"When."`
	Status          string          `json:"status" doc:"active or retracted."`
	IncludedInTrust bool            `json:"included_in_trust" doc:"True when the last computed trust includes it, or its retraction."`
	UsageType       string          `json:"usage_type,omitempty" doc:"How it was used."`
	Result          string          `json:"result,omitempty" doc:"Outcome of a use."`
	RealWorldUse    *bool           `json:"real_world_use,omitempty" doc:"Whether the use was real."`
	Verdict         string          `json:"verdict,omitempty" doc:"Verdict of a review."`
	Dimension       string          `json:"dimension,omitempty" doc:"Dimension of a rating."`
	Score           *float64        `json:"score,omitempty" doc:"Score of a rating."`
	Confidence      *float64        `json:"confidence,omitempty" doc:"Confidence of the judge."`
	BasedOnUsage    string          `json:"based_on_usage,omitempty" doc:"The use it rests on."`
	Experience      string          `json:"experience,omitempty" doc:"The experience it belongs to."`
	Context         json.RawMessage `json:"context,omitempty" schema:"object" doc:"Facets of the situation."`
	Metrics         json.RawMessage `json:"metrics,omitempty" schema:"object" doc:"Measured figures."`
	Note            string          `json:"note,omitempty" doc:"Note of a use."`
	Rationale       string          `json:"rationale_markdown,omitempty" doc:"Rationale of a review or a rating."`
	Sources         []SourceRef     `json:"sources,omitempty" doc:"What a review rests on; the family of the first counts."`
}

// RevisionEntry is one entry of an item's history.
type RevisionEntry struct {
	RevisionRef
	Title      string  `json:"title" doc:"Its title."`
	ChangeNote string  `json:"change_note,omitempty" doc:"What it changed."`
	Status     string  `json:"status" doc:"Its trust status."`
	Value      float64 `json:"value" doc:"Its trust value."`
}

// StatusChange is one transition.
type StatusChange struct {
	From   string    `json:"from" doc:"Status before."`
	To     string    `json:"to" doc:"Status after."`
	Reason string    `json:"reason" doc:"The figures that decided."`
	At     time.Time `json:"at" doc:"When."`
}

// Explanation says what a trust value is made of: with the parameters of its version everything published can be
// recomputed from its details.
type Explanation struct {
	ModelVersion string          `json:"model_version" doc:"Version of the trust model."`
	ParamsHash   string          `json:"params_hash" doc:"Hash of its parameters."`
	Epoch        int32           `json:"epoch" doc:"Sealed epoch of reputation that the weights are of."`
	Markdown     string          `json:"markdown" doc:"The explanation for people."`
	Details      json.RawMessage `json:"details" schema:"object" doc:"figures, prior, signals, parties (without names), caps, decay, rules, next."`
}

// ActorRef is an actor as others see it.
type ActorRef struct {
	Type             string    `json:"actor_type" doc:"usr, org or ai."`
	DisplayName      string    `json:"display_name" doc:"Name."`
	Controller       string    `json:"controller,omitempty" doc:"Direct controller."`
	Root             string    `json:"root_controller" doc:"The party."`
	VerifiedByEmail  bool      `json:"verified_by_email" doc:"E-mail verified."`
	VerifiedByDomain bool      `json:"verified_by_domain" doc:"Domain verified."`
	Vouched          bool      `json:"vouched" doc:"Vouched for by the operator."`
	Reputation       float64   `json:"reputation" doc:"0 to 1; .5 without a track record. Shown only, never a weight."`
	Disabled         bool      `json:"disabled,omitempty" doc:"Switched off."`
	CreatedAt        time.Time `json:"created_at" doc:"Since when."`
}
