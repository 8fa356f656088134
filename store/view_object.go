package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// ClaimView is a claim as readers see it.
type ClaimView struct {
	ID        ID
	Text      string
	Language  string
	Space     ID
	FirstBy   Author
	CreatedAt time.Time
	Subjects  []SubjectLine
	StatedIn  []ContentLine
}

// ContentLine is an item in a list.
type ContentLine struct {
	ID        ID
	Type      string
	Title     string
	Author    ID
	UpdatedAt time.Time
}

const (
	selectClaim = `
		select k.id, case when w.object_id is null or k.first_stated_by = $2 then k.text else ` + withheld + ` end, k.language, k.space_id, a.kind, a.id, r.kind, r.id, a.display_name, k.created_at
		from claims k join actors a on a.id = k.first_stated_by join actors r on r.id = a.root_controller_id
		left join moderation_holds w on w.object_id = k.id
		where k.id = $1 and space_visible(k.space_id, $2)`
	selectEntity = `
		select e.id, e.type, case when w.object_id is null or e.created_by = $2 then e.name else ` + withheld + ` end,
		       case when w.object_id is null or e.created_by = $2 then coalesce(e.url, '') else '' end, e.space_id, a.kind, a.id, r.kind, r.id, a.display_name, e.created_at
		from entities e join actors a on a.id = e.created_by join actors r on r.id = a.root_controller_id
		left join moderation_holds w on w.object_id = e.id
		where e.id = $1 and space_visible(e.space_id, $2)`
	selectClaimSubjects = `
		select e.id, e.type, e.name from claim_subjects s join entities e on e.id = s.entity_id
		where s.claim_id = $1 and space_visible(e.space_id, $2) order by e.id`
	// What is shown of an item in a list, and whether the viewer ($2) may see it.
	contentLine    = `select c.id, c.type, v.title, a.kind, a.id, c.updated_at`
	contentVisible = `(c.visibility = 'published' or c.author_id = $2) and space_visible(c.space_id, $2)`
	// Items by what a revision of theirs mentions: found through the mention, since an entity has few of them and the
	// server many items. Only what the current revision says counts.
	ofCurrent = `
		join revisions v on v.id = m.revision_id
		join contents c on c.id = v.content_id and c.current_revision_id = v.id
		join actors a on a.id = c.author_id
		where ` + contentVisible
	selectStating = contentLine + ` from revision_claims m` + ofCurrent + ` and m.claim_id = $1 order by c.id limit $3`
	selectAbout   = contentLine + ` from revision_subjects m` + ofCurrent + ` and m.entity_id = $1 order by c.updated_at desc, c.id limit $3`
	selectCiting  = contentLine + ` from revision_sources m` + ofCurrent + ` and m.source_id = $1 order by c.updated_at desc, c.id limit $3`
	// Items by a key of their own.
	fromContents = contentLine + `
		from contents c
		join revisions v on v.id = c.current_revision_id
		join actors a on a.id = c.author_id
		where ` + contentVisible
	selectInThread = fromContents + ` and c.thread_id = $1 order by c.id limit $3`
	selectBy       = fromContents + ` and c.author_id = $1 order by c.id desc limit $3`
)

// Claim reads a claim with the content that states it now.
func (v *Snapshot) Claim(ctx context.Context, id, viewer ID) (ClaimView, error) {
	var found []ClaimView
	var subjects []SubjectLine
	var stated []ContentLine
	var p pipeline
	queue(&p, &found, func(row pgx.CollectableRow) (ClaimView, error) {
		out := ClaimView{ID: ID{Kind: KindClaim}}
		var space *uuid.UUID
		a := &out.FirstBy
		err := row.Scan(&out.ID.UUID, &out.Text, &out.Language, &space, &a.ID.Kind, &a.ID.UUID, &a.Root.Kind, &a.Root.UUID,
			&a.DisplayName, &out.CreatedAt)
		out.Space = idOf(KindSpace, space)
		return out, err
	}, selectClaim, id.UUID, viewer.UUID)
	queue(&p, &subjects, scanSubject, selectClaimSubjects, id.UUID, viewer.UUID)
	queue(&p, &stated, scanContentLine, selectStating, id.UUID, viewer.UUID, maxLines)
	if err := p.send(ctx, v.tx); err != nil {
		return ClaimView{}, fmt.Errorf("read claim: %w", err)
	}
	if len(found) == 0 {
		return ClaimView{}, fmt.Errorf("read %s: %w", id, ErrNotFound)
	}
	found[0].Subjects, found[0].StatedIn = subjects, stated
	return found[0], nil
}

// EntityView is an entity as readers see it.
type EntityView struct {
	ID              ID
	Type, Name, URL string
	Space           ID
	CreatedBy       Author
	CreatedAt       time.Time
	Content         []ContentLine
}

// Entity reads an entity with the content about it.
func (v *Snapshot) Entity(ctx context.Context, id, viewer ID) (EntityView, error) {
	var found []EntityView
	var content []ContentLine
	var p pipeline
	queue(&p, &found, func(row pgx.CollectableRow) (EntityView, error) {
		out := EntityView{ID: ID{Kind: KindEntity}}
		var space *uuid.UUID
		by := &out.CreatedBy
		err := row.Scan(&out.ID.UUID, &out.Type, &out.Name, &out.URL, &space, &by.ID.Kind, &by.ID.UUID, &by.Root.Kind,
			&by.Root.UUID, &by.DisplayName, &out.CreatedAt)
		out.Space = idOf(KindSpace, space)
		return out, err
	}, selectEntity, id.UUID, viewer.UUID)
	queue(&p, &content, scanContentLine, selectAbout, id.UUID, viewer.UUID, maxLines)
	if err := p.send(ctx, v.tx); err != nil {
		return EntityView{}, fmt.Errorf("read entity: %w", err)
	}
	if len(found) == 0 {
		return EntityView{}, fmt.Errorf("read %s: %w", id, ErrNotFound)
	}
	found[0].Content = content
	return found[0], nil
}

// SourceView is a source as readers see it.
type SourceView struct {
	SourceLine

	CreatedAt time.Time
	Content   []ContentLine
}

// sourceTitle is the title that revisions which viewer.id may see give the source s, of the first of them that gives one;
// empty if only evidence cites it, and no row when nothing visible does. The author of what is unseen may have said more
// than its readers may know.
const sourceTitle = `
	select cited.title from (
		(select rs.title, 0
		from revision_sources rs
		join revisions v on v.id = rs.revision_id
		join contents c on c.id = v.content_id
		where rs.source_id = s.id and (c.visibility = 'published' or c.author_id = viewer.id) and space_visible(c.space_id, viewer.id)
		order by rs.title = '', v.id
		limit 1)
		union all
		(select '', 1
		from evidence_sources es
		join evidence e on e.id = es.evidence_id
		where es.source_id = s.id and target_visible(e.target_id, viewer.id)
		limit 1)
	) as cited (title, place)
	order by cited.place
	limit 1`

// Source reads a source with the content that cites it now. A source that only unseen content, or evidence about it, cites
// is not visible.
func (v *Snapshot) Source(ctx context.Context, id, viewer ID) (SourceView, error) {
	var found []SourceView
	var content []ContentLine
	var p pipeline
	queue(&p, &found, func(row pgx.CollectableRow) (SourceView, error) {
		out := SourceView{SourceLine: SourceLine{ID: ID{Kind: KindSource}}}
		err := row.Scan(&out.ID.UUID, &out.URL, &out.Title, &out.Family, &out.CreatedAt)
		return out, err
	}, `select s.id, s.canonical_url, t.title, s.family, s.created_at
	    from sources s cross join (values ($2::uuid)) as viewer (id) cross join lateral (`+sourceTitle+`) as t where s.id = $1`, id.UUID, viewer.UUID)
	queue(&p, &content, scanContentLine, selectCiting, id.UUID, viewer.UUID, maxLines)
	if err := p.send(ctx, v.tx); err != nil {
		return SourceView{}, fmt.Errorf("read source: %w", err)
	}
	if len(found) == 0 {
		return SourceView{}, fmt.Errorf("read %s: %w", id, ErrNotFound)
	}
	found[0].Content = content
	return found[0], nil
}

// Thread reads the visible items of a thread in the order in which they were opened.
func (v *Snapshot) Thread(ctx context.Context, id, viewer ID) ([]ContentLine, error) {
	return v.contentLines(ctx, id, selectInThread, id.UUID, viewer.UUID, maxLines)
}

// ContentBy lists what an actor has published and the viewer may see, newest first.
func (v *Snapshot) ContentBy(ctx context.Context, id, viewer ID) ([]ContentLine, error) {
	return v.contentLines(ctx, id, selectBy, id.UUID, viewer.UUID, maxLines)
}

func (v *Snapshot) contentLines(ctx context.Context, id ID, sql string, args ...any) ([]ContentLine, error) {
	rows, err := v.tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read content of %s: %w", id, err)
	}
	lines, err := pgx.CollectRows(rows, scanContentLine)
	if err != nil {
		return nil, fmt.Errorf("read content of %s: %w", id, err)
	}
	return lines, nil
}

func scanContentLine(row pgx.CollectableRow) (ContentLine, error) {
	out := ContentLine{ID: ID{Kind: KindContent}}
	err := row.Scan(&out.ID.UUID, &out.Type, &out.Title, &out.Author.Kind, &out.Author.UUID, &out.UpdatedAt)
	return out, err
}

// AssetView is a slice of a file's bytes.
type AssetView struct {
	AssetLine

	CreatedAt time.Time
	Slice     []byte
	Content   ID
}

const selectAssetSlice = `
	select a.id, a.filename, a.media_type, a.sha256, octet_length(a.data), a.created_at,
	       substring(a.data from $3::int + 1 for $4::int), c.id
	from assets a
	join revision_assets ra on ra.asset_id = a.id
	join revisions v on v.id = ra.revision_id
	join contents c on c.id = v.content_id
	where a.id = $1 and (c.visibility = 'published' or c.author_id = $2) and space_visible(c.space_id, $2)
	limit 1`

// Asset reads up to length bytes of a file from offset.
func (v *Snapshot) Asset(ctx context.Context, id, viewer ID, offset, length int) (AssetView, error) {
	out := AssetView{AssetLine: AssetLine{ID: ID{Kind: KindAsset}}, Content: ID{Kind: KindContent}}
	err := v.tx.QueryRow(ctx, selectAssetSlice, id.UUID, viewer.UUID, offset, length).Scan(&out.ID.UUID, &out.Filename,
		&out.MediaType, &out.SHA256, &out.Bytes, &out.CreatedAt, &out.Slice, &out.Content.UUID)
	if err != nil {
		return AssetView{}, fmt.Errorf("read %s: %w", id, classify(err))
	}
	return out, nil
}
