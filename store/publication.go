package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// Publication is one new revision with everything that belongs to it, ready to be stored.
type Publication struct {
	Content   ID
	Revision  ID
	No        int
	NewItem   bool
	NewThread bool
	Author    ID
	Type      string
	Space     ID
	Thread    ID
	Language  string

	Title, Summary, Body, ChangeNote string
	StructuredData                   json.RawMessage
	Experience                       json.RawMessage
	Tags                             []string

	Subjects  []ID
	Sources   []PublishedSource
	Claims    []PublishedClaim
	Relations []PublishedRelation
	Assets    []PublishedAsset

	// Edits name what the normal form has left out of its texts.
	Edits []string
	// Documents are what can be found by it.
	Documents []SearchDoc
}

// PublishedSource is a cited source with the title that the author gave it.
type PublishedSource struct {
	ID    ID
	Title string
}

// PublishedClaim is a claim that a revision states; a new one carries its key.
type PublishedClaim struct {
	ID      ID
	Wording string
	Matched bool
	// Seconds says that stating the claim is evidence for it.
	Seconds    bool
	NormalForm string
	Keys       ClaimKeys
	KeyVersion int
	Subjects   []ID
}

// PublishedRelation is how a revision responds to other content or to an entity.
type PublishedRelation struct {
	Type, Reason string
	Target       ID
}

// PublishedAsset is a file of a revision.
type PublishedAsset struct {
	ID                  ID
	Filename, MediaType string
	SHA256              [32]byte
	Data                []byte
}

const (
	insertThread  = `insert into threads (id, space_id) values ($1, $2)`
	insertContent = `
		insert into contents (id, author_id, type, space_id, thread_id, language, current_revision_id, revision_count)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`
	advanceContent = `
		update contents set current_revision_id = $2, revision_count = $3, updated_at = clock_timestamp() where id = $1`
	insertRevision = `
		insert into revisions (id, content_id, no, author_id, title, summary, body_markdown, structured_data, tags,
		                       change_note, experience)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	insertRevisionSubjects = `
		insert into revision_subjects (revision_id, position, entity_id)
		select $1, ord - 1, id from unnest($2::uuid[]) with ordinality as r (id, ord)`
	insertRevisionSources = `
		insert into revision_sources (revision_id, position, source_id, title)
		select $1, ord - 1, id, title from unnest($2::uuid[], $3::text[]) with ordinality as r (id, title, ord)`
	insertClaim = `
		insert into claims (id, text, normal_form, key_version, claim_key, language, space_id, first_stated_by, sequence_key, rotation_key)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	insertClaimSubjects = `
		insert into claim_subjects (claim_id, entity_id) select distinct $1::uuid, id from unnest($2::uuid[]) as r (id)`
	insertRevisionClaims = `
		insert into revision_claims (revision_id, position, claim_id, wording, matched_existing)
		select $1, ord - 1, id, wording, matched
		from unnest($2::uuid[], $3::text[], $4::bool[]) with ordinality as r (id, wording, matched, ord)`
	insertRelation = `
		insert into revision_relations (revision_id, position, type, reason, target_content_id, target_entity_id)
		values ($1, $2, $3, $4, $5, $6)`
	insertAsset = `
		insert into assets (id, filename, media_type, sha256, data, created_by) values ($1, $2, $3, $4, $5, $6)`
	insertRevisionAsset = `insert into revision_assets (revision_id, position, asset_id) values ($1, $2, $3)`
)

// InsertPublication stores a publication in one round trip.
func (t *Tx) InsertPublication(ctx context.Context, pub *Publication) error {
	var p pipeline
	queueRevision(&p, pub)
	queueClaims(&p, pub)
	if len(pub.Subjects) > 0 {
		p.exec(insertRevisionSubjects, pub.Revision.UUID, uuids(pub.Subjects))
	}
	if len(pub.Sources) > 0 {
		ids, titles := make([]uuid.UUID, len(pub.Sources)), make([]string, len(pub.Sources))
		for i, source := range pub.Sources {
			ids[i], titles[i] = source.ID.UUID, source.Title
		}
		p.exec(insertRevisionSources, pub.Revision.UUID, ids, titles)
	}
	for i, relation := range pub.Relations {
		var content, entity *uuid.UUID
		if relation.Target.Kind == KindEntity {
			entity = &relation.Target.UUID
		} else {
			content = &relation.Target.UUID
		}
		p.exec(insertRelation, pub.Revision.UUID, i, relation.Type, text(relation.Reason), content, entity)
	}
	for i := range pub.Assets {
		asset := &pub.Assets[i]
		p.exec(insertAsset, asset.ID.UUID, asset.Filename, asset.MediaType, asset.SHA256[:], asset.Data, pub.Author.UUID)
		p.exec(insertRevisionAsset, pub.Revision.UUID, i, asset.ID.UUID)
	}
	if len(pub.Edits) > 0 {
		p.exec(`insert into revision_scans (revision_id, edits) values ($1, $2)`, pub.Revision.UUID, pub.Edits)
	}
	putDocs(&p, pub.Documents)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("store a publication: %w", err)
	}
	return nil
}

func queueRevision(p *pipeline, pub *Publication) {
	if pub.NewThread {
		p.exec(insertThread, pub.Thread.UUID, nullable(pub.Space))
	}
	if pub.NewItem {
		p.exec(insertContent, pub.Content.UUID, pub.Author.UUID, pub.Type, nullable(pub.Space), pub.Thread.UUID,
			pub.Language, pub.Revision.UUID, pub.No)
	} else {
		p.exec(advanceContent, pub.Content.UUID, pub.Revision.UUID, pub.No)
	}
	p.exec(insertRevision, pub.Revision.UUID, pub.Content.UUID, pub.No, pub.Author.UUID, pub.Title, pub.Summary,
		pub.Body, pub.StructuredData, pub.Tags, pub.ChangeNote, pub.Experience)
}

func queueClaims(p *pipeline, pub *Publication) {
	if len(pub.Claims) == 0 {
		return
	}
	ids := make([]uuid.UUID, len(pub.Claims))
	wordings := make([]string, len(pub.Claims))
	matched := make([]bool, len(pub.Claims))
	for i := range pub.Claims {
		claim := &pub.Claims[i]
		ids[i], wordings[i], matched[i] = claim.ID.UUID, claim.Wording, claim.Matched
		if claim.Matched {
			continue
		}
		p.exec(insertClaim, claim.ID.UUID, claim.Wording, claim.NormalForm, claim.KeyVersion, claim.Keys.Strict,
			pub.Language, nullable(pub.Space), pub.Author.UUID, claim.Keys.Sequence, claim.Keys.Rotation)
		if len(claim.Subjects) > 0 {
			p.exec(insertClaimSubjects, claim.ID.UUID, uuids(claim.Subjects))
		}
	}
	p.exec(insertRevisionClaims, pub.Revision.UUID, ids, wordings, matched)
	if slices.Contains(matched, true) {
		p.exec(findAgain, ids)
	}
}

// A claim that only hidden items stated is found again once something visible states it.
const findAgain = `
	update search_docs d set hidden = false
	where d.object_id = any ($1) and d.hidden
	  and not exists (select from moderation_holds h where h.object_id = d.object_id)`
