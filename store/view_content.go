package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Author is who wrote something: the actor, and the party behind it.
type Author struct {
	ID, Root    ID
	DisplayName string
}

// ContentView is one revision of a content item as readers see it.
type ContentView struct {
	Content    ID
	Type       string
	Visibility string
	Language   string
	Space      ID
	Thread     ID
	CreatedAt  time.Time
	Revision   ID
	No         int
	Current    int
	RevisedAt  time.Time
	Author     Author

	Title, Summary, Body, ChangeNote string
	StructuredData                   json.RawMessage
	// Experience is what an experience tells beside its text, nil for other content.
	Experience json.RawMessage
	Tags       []string
}

const selectContent = `
	select c.id, c.type, c.visibility, c.language, c.space_id, c.thread_id, c.created_at,
	       v.id, v.no, c.revision_count, v.created_at, a.kind, a.id, r.kind, r.id, a.display_name,
	       v.title, v.summary, v.body_markdown, v.change_note, v.structured_data, v.experience, v.tags
	from contents c
	join revisions v on v.content_id = c.id
	join actors a on a.id = v.author_id
	join actors r on r.id = a.root_controller_id
	where (c.visibility = 'published' or c.author_id = $1) and space_visible(c.space_id, $1) and `

func scanContent(row pgx.CollectableRow) (ContentView, error) {
	out := ContentView{
		Content: ID{Kind: KindContent}, Thread: ID{Kind: KindThread}, Revision: ID{Kind: KindRevision},
	}
	var space *uuid.UUID
	err := row.Scan(&out.Content.UUID, &out.Type, &out.Visibility, &out.Language, &space, &out.Thread.UUID, &out.CreatedAt,
		&out.Revision.UUID, &out.No, &out.Current, &out.RevisedAt, &out.Author.ID.Kind, &out.Author.ID.UUID,
		&out.Author.Root.Kind, &out.Author.Root.UUID, &out.Author.DisplayName,
		&out.Title, &out.Summary, &out.Body, &out.ChangeNote, &out.StructuredData, &out.Experience, &out.Tags)
	out.Space = idOf(KindSpace, space)
	return out, err
}

// Content reads an item's revision by number; 0 means the current one.
func (v *Snapshot) Content(ctx context.Context, id, viewer ID, no int) (ContentView, error) {
	return v.content(ctx, id, `c.id = $2 and (v.id = c.current_revision_id and $3 = 0 or v.no = $3)`, viewer.UUID, id.UUID, no)
}

// Revision reads one revision by its own ID.
func (v *Snapshot) Revision(ctx context.Context, id, viewer ID) (ContentView, error) {
	return v.content(ctx, id, `v.id = $2`, viewer.UUID, id.UUID)
}

func (v *Snapshot) content(ctx context.Context, id ID, where string, args ...any) (ContentView, error) {
	rows, err := v.tx.Query(ctx, selectContent+where, args...)
	if err != nil {
		return ContentView{}, fmt.Errorf("read content: %w", err)
	}
	view, err := pgx.CollectExactlyOneRow(rows, scanContent)
	if err != nil {
		return ContentView{}, fmt.Errorf("read %s: %w", id, classify(err))
	}
	return view, nil
}

// ClaimLine is a claim that a revision states.
type ClaimLine struct {
	ID      ID
	Text    string
	Wording string
	Matched bool
}

// SubjectLine is an entity that a revision is about.
type SubjectLine struct {
	ID         ID
	Type, Name string
}

// SourceLine is a source that a revision cites.
type SourceLine struct {
	ID                 ID
	URL, Title, Family string
}

// AssetLine is a file of a revision, without its bytes.
type AssetLine struct {
	ID                  ID
	Filename, MediaType string
	SHA256              []byte
	Bytes               int
}

// Parts are what belongs to a revision beside its text.
type Parts struct {
	Claims   []ClaimLine
	Outgoing []RelationLine
	Incoming []RelationLine
	// MoreIncoming says that there are older ones than those.
	MoreIncoming bool
	Subjects     []SubjectLine
	Sources      []SourceLine
	Assets       []AssetLine
	Revisions    []RevisionLine
}

// RevisionLine is one entry of an item's history.
type RevisionLine struct {
	ID         ID
	No         int
	Title      string
	ChangeNote string
	CreatedAt  time.Time
	Author     ID
}

// PartsQuery says which parts to read.
type PartsQuery struct {
	Content, Revision, Viewer    ID
	Claims, Relations, Revisions bool
}

// maxLines bounds each list of a view.
const maxLines = 200

const (
	selectClaims = `
		select k.id, k.text, rc.wording, rc.matched_existing
		from revision_claims rc join claims k on k.id = rc.claim_id
		where rc.revision_id = $1 and space_visible(k.space_id, $2) order by rc.position`
	selectSubjects = `
		select e.id, e.type, e.name from revision_subjects s join entities e on e.id = s.entity_id
		where s.revision_id = $1 and space_visible(e.space_id, $2) order by s.position`
	selectSources = `
		select s.id, s.canonical_url, r.title, s.family from revision_sources r join sources s on s.id = r.source_id
		where r.revision_id = $1 order by r.position`
	selectAssets = `
		select a.id, a.filename, a.media_type, a.sha256, octet_length(a.data)
		from revision_assets r join assets a on a.id = r.asset_id
		where r.revision_id = $1 order by r.position`
	selectRevisions = `
		select v.id, v.no, v.title, v.change_note, v.created_at, a.kind, a.id
		from revisions v join actors a on a.id = v.author_id
		where v.content_id = $1 order by v.no desc limit $2`
)

// Parts reads what belongs to a revision in one round trip.
func (v *Snapshot) Parts(ctx context.Context, q PartsQuery) (Parts, error) {
	var parts Parts
	var p pipeline
	revision, viewer := q.Revision.UUID, q.Viewer.UUID
	queue(&p, &parts.Subjects, scanSubject, selectSubjects, revision, viewer)
	queue(&p, &parts.Sources, scanSource, selectSources, revision)
	queue(&p, &parts.Assets, scanAsset, selectAssets, revision)
	if q.Claims {
		queue(&p, &parts.Claims, scanClaimLine, selectClaims, revision, viewer)
	}
	if q.Relations {
		queue(&p, &parts.Outgoing, scanRelation, selectOutgoing, revision, viewer)
		queueIncoming(&p, &parts.Incoming, q.Content, q.Viewer)
	}
	if q.Revisions {
		queue(&p, &parts.Revisions, scanRevision, selectRevisions, q.Content.UUID, maxLines)
	}
	if err := p.send(ctx, v.tx); err != nil {
		return Parts{}, fmt.Errorf("read the parts of a revision: %w", err)
	}
	parts.Incoming, parts.MoreIncoming = cutRelations(parts.Incoming)
	return parts, nil
}

func scanClaimLine(row pgx.CollectableRow) (ClaimLine, error) {
	out := ClaimLine{ID: ID{Kind: KindClaim}}
	err := row.Scan(&out.ID.UUID, &out.Text, &out.Wording, &out.Matched)
	return out, err
}

func scanSubject(row pgx.CollectableRow) (SubjectLine, error) {
	out := SubjectLine{ID: ID{Kind: KindEntity}}
	err := row.Scan(&out.ID.UUID, &out.Type, &out.Name)
	return out, err
}

func scanSource(row pgx.CollectableRow) (SourceLine, error) {
	out := SourceLine{ID: ID{Kind: KindSource}}
	err := row.Scan(&out.ID.UUID, &out.URL, &out.Title, &out.Family)
	return out, err
}

func scanAsset(row pgx.CollectableRow) (AssetLine, error) {
	out := AssetLine{ID: ID{Kind: KindAsset}}
	err := row.Scan(&out.ID.UUID, &out.Filename, &out.MediaType, &out.SHA256, &out.Bytes)
	return out, err
}

func scanRevision(row pgx.CollectableRow) (RevisionLine, error) {
	out := RevisionLine{ID: ID{Kind: KindRevision}}
	err := row.Scan(&out.ID.UUID, &out.No, &out.Title, &out.ChangeNote, &out.CreatedAt, &out.Author.Kind, &out.Author.UUID)
	return out, err
}
