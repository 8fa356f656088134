package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// RevisionScan is what the worker has found in a revision.
type RevisionScan struct {
	Revision ID
	// Rules is the version of the rules.
	Rules  int
	Labels []string
	// DuplicateOf is the older revision that says the same, RelatedTo one that says much of it.
	DuplicateOf, RelatedTo ID
}

// RevisionScan reads what was found in a revision, nothing for one that was not scanned yet. What it is like is named only
// if that is public or by the viewer.
func (v *Snapshot) RevisionScan(ctx context.Context, revision, viewer ID) (RevisionScan, error) {
	out := RevisionScan{Revision: revision}
	var duplicate *uuid.UUID
	err := v.tx.QueryRow(ctx, `
		select s.rules, case when s.cleared then '{}' else `+allLabels+` end,
		       (select d.id from revisions d join contents c on c.id = d.content_id
		        where d.id = s.duplicate_of and c.visibility = 'published' and space_visible(c.space_id, $2))
		from revision_scans s where s.revision_id = $1`, revision.UUID, viewer.UUID).Scan(&out.Rules, &out.Labels, &duplicate)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return RevisionScan{}, fmt.Errorf("read what was found in %s: %w", revision, err)
	}
	out.DuplicateOf = idOf(KindRevision, duplicate)
	return out, nil
}

const allLabels = `array(select distinct l from unnest(s.edits || s.labels) as u (l) order by l)`

// Whatever is found by the revision carries its labels.
const labelDocs = `
	update search_docs d set labels = case when s.cleared then '{}' else ` + allLabels + ` end
	from revision_scans s where s.revision_id = $1
	  and d.object_id = (select content_id from revisions where id = $1) and d.target_id = $1`

const putRevisionScan = `
	insert into revision_scans (revision_id, rules, labels, duplicate_of, related_to) values ($1, $2, $3, $4, $5)
	on conflict (revision_id) do update set
		rules = excluded.rules, labels = excluded.labels, duplicate_of = excluded.duplicate_of, related_to = excluded.related_to,
		scanned_at = clock_timestamp()`

// PutRevisionScan stores what was found in a revision.
func (t *Tx) PutRevisionScan(ctx context.Context, s *RevisionScan) error {
	var p pipeline
	p.exec(putRevisionScan, s.Revision.UUID, s.Rules, notNil(s.Labels), nullable(s.DuplicateOf), nullable(s.RelatedTo))
	p.exec(labelDocs, s.Revision.UUID)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("store what was found in %s: %w", s.Revision, err)
	}
	return nil
}

// ClearLabels takes the labels of a revision away for good: a moderator has looked at it.
func (t *Tx) ClearLabels(ctx context.Context, revision ID) error {
	var p pipeline
	p.exec(`insert into revision_scans (revision_id, cleared) values ($1, true) on conflict (revision_id) do update set cleared = true`, revision.UUID)
	p.exec(labelDocs, revision.UUID)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("clear the labels of %s: %w", revision, err)
	}
	return nil
}

// ItemOf answers the item of a revision.
func (v *Snapshot) ItemOf(ctx context.Context, revision ID) (ID, error) {
	item := ID{Kind: KindContent}
	if err := v.tx.QueryRow(ctx, `select content_id from revisions where id = $1`, revision.UUID).Scan(&item.UUID); err != nil {
		return ID{}, fmt.Errorf("read the item of %s: %w", revision, classify(err))
	}
	return item, nil
}
