package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Visibilities of content.
const (
	VisiblePublished   = "published"
	VisibleQuarantined = "quarantined"
	VisibleRemoved     = "removed"
)

// HeldItem is an item of content whose visibility is about to change.
type HeldItem struct {
	Content, Current, Author, Space ID
	Visibility                      string
	// Stated are the assertions that its revisions make now.
	Stated []Assertion
	// States are the claims of the current revision that another actor stated first, and which are of its space.
	States []ID
}

const lockHeldItem = `
	select c.id, c.current_revision_id, a.kind, a.id, c.visibility, coalesce(c.space_id, '00000000-0000-0000-0000-000000000000')
	from contents c join actors a on a.id = c.author_id
	where c.id = case when $2 = 'rev' then (select content_id from revisions where id = $1) else $1 end
	for update of c`

const selectSeconds = `
	select k.id from revision_claims rc join claims k on k.id = rc.claim_id
	where rc.revision_id = $1 and k.first_stated_by <> $2
	  and coalesce(k.space_id, '00000000-0000-0000-0000-000000000000') = $3 order by k.id`

// LockItem takes an item, named by itself or by one of its revisions, for a change of its visibility.
func (t *Tx) LockItem(ctx context.Context, id ID) (HeldItem, error) {
	item := HeldItem{Content: ID{Kind: KindContent}, Current: ID{Kind: KindRevision}}
	row := t.tx.QueryRow(ctx, lockHeldItem, id.UUID, string(id.Kind))
	if err := row.Scan(&item.Content.UUID, &item.Current.UUID, &item.Author.Kind, &item.Author.UUID, &item.Visibility, &item.Space.UUID); err != nil {
		return HeldItem{}, fmt.Errorf("take %s: %w", id, classify(err))
	}
	var p pipeline
	queue(&p, &item.Stated, scanAssertion, findAssertions, item.Content.UUID)
	queue(&p, &item.States, func(row pgx.CollectableRow) (ID, error) {
		out := ID{Kind: KindClaim}
		err := row.Scan(&out.UUID)
		return out, err
	}, selectSeconds, item.Current.UUID, item.Author.UUID, item.Space.UUID)
	if err := p.send(ctx, t.tx); err != nil {
		return HeldItem{}, fmt.Errorf("read what %s states: %w", id, err)
	}
	return item, nil
}

// Claims that nothing visible states any more are not found either, and are found again with it.
const followClaims = `
	update search_docs d set hidden = (not $2 and not exists (
		select from revision_claims o join contents c on c.current_revision_id = o.revision_id
		where o.claim_id = d.object_id and c.visibility = 'published' and c.id <> $3))
		or exists (select from moderation_holds h where h.object_id = d.object_id)
	where d.object_id in (select claim_id from revision_claims where revision_id = $1)`

// SetVisibility changes whether an item is seen; search follows in the same transaction.
func (t *Tx) SetVisibility(ctx context.Context, item *HeldItem, visibility string) error {
	var p pipeline
	p.exec(`update contents set visibility = $2 where id = $1`, item.Content.UUID, visibility)
	p.exec(followClaims, item.Current.UUID, visibility == VisiblePublished, item.Content.UUID)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("set the visibility of %s: %w", item.Content, err)
	}
	return nil
}

// Hold notes why an object is held back. What is no item of content is still listed, with its texts withheld.
func (t *Tx) Hold(ctx context.Context, object, caseID ID) error {
	var p pipeline
	p.exec(`
		insert into moderation_holds (object_id, object_kind, case_id) values ($1, $2, $3)
		on conflict (object_id) do update set case_id = excluded.case_id`, object.UUID, object.Kind, caseID.UUID)
	if object.Kind == KindClaim || object.Kind == KindEntity {
		p.exec(`update search_docs set hidden = true where object_id = $1`, object.UUID)
	}
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("hold %s: %w", object, err)
	}
	return nil
}

// Release ends a hold.
func (t *Tx) Release(ctx context.Context, object ID) error {
	var p pipeline
	p.exec(`delete from moderation_holds where object_id = $1`, object.UUID)
	if object.Kind == KindClaim || object.Kind == KindEntity {
		p.exec(`update search_docs set hidden = false where object_id = $1`, object.UUID)
	}
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("release %s: %w", object, err)
	}
	return nil
}

// HeldBy answers the case for which an object is held; ErrNotFound when it is not.
func (v *Snapshot) HeldBy(ctx context.Context, object ID) (ID, error) {
	id := ID{Kind: KindCase}
	err := v.tx.QueryRow(ctx, `select case_id from moderation_holds where object_id = $1`, object.UUID).Scan(&id.UUID)
	if errors.Is(err, pgx.ErrNoRows) {
		return ID{}, fmt.Errorf("hold of %s: %w", object, ErrNotFound)
	}
	if err != nil {
		return ID{}, fmt.Errorf("read a hold: %w", err)
	}
	return id, nil
}

const selectRecordToRemove = `
	select h.kind, h.target_id, exists (select from evidence r where r.retracts = e.id)
	from evidence e join target_heads h on h.target_id = e.target_id where e.id = $1`

// RecordToRemove reads an evidence record that a moderator takes out: its target, and whether it is out already.
func (t *Tx) RecordToRemove(ctx context.Context, id ID) (target ID, retracted bool, err error) {
	if err = t.tx.QueryRow(ctx, selectRecordToRemove, id.UUID).Scan(&target.Kind, &target.UUID, &retracted); err != nil {
		return ID{}, false, fmt.Errorf("read %s: %w", id, classify(err))
	}
	return target, retracted, nil
}

func ownerQuery(kind Kind) string {
	switch kind {
	case KindContent:
		return `select author_id from contents where id = $1`
	case KindRevision:
		return `select author_id from revisions where id = $1`
	case KindClaim:
		return `select first_stated_by from claims where id = $1`
	case KindEntity:
		return `select created_by from entities where id = $1`
	case KindAsset:
		return `select created_by from assets where id = $1`
	case KindUsage, KindReview, KindRating:
		return `select actor_id from evidence where id = $1`
	case KindUser, KindOrg, KindAgent, KindSpace, KindSource, KindThread, KindCase:
	}
	return ""
}

// OwnerOf answers who wrote an object, and the party now.
func (v *Snapshot) OwnerOf(ctx context.Context, object ID) (actor, root ID, err error) {
	sql := ownerQuery(object.Kind)
	if sql == "" {
		return ID{}, ID{}, fmt.Errorf("author of %s: %w", object, ErrNotFound)
	}
	err = v.tx.QueryRow(ctx, `
		select a.kind, a.id, r.kind, r.id from actors a join actors r on r.id = a.root_controller_id where a.id = (`+sql+`)`,
		object.UUID).Scan(&actor.Kind, &actor.UUID, &root.Kind, &root.UUID)
	if err != nil {
		return ID{}, ID{}, fmt.Errorf("read who wrote %s: %w", object, classify(err))
	}
	return actor, root, nil
}

// MarksOf lists the marks of all findings that cases about an object have, and those of its author's cases that wait to
// be told which object they are about.
func (v *Snapshot) MarksOf(ctx context.Context, object, author ID) (map[[32]byte]bool, error) {
	rows, err := v.tx.Query(ctx, `
		select distinct f.mark from moderation_cases c join moderation_findings f on f.case_id = c.id 
		where c.object_id = $1 or c.actor_id = $2 and c.pending`, object.UUID, author.UUID)
	if err != nil {
		return nil, fmt.Errorf("read the findings about %s: %w", object, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil {
		return nil, fmt.Errorf("read the findings about %s: %w", object, err)
	}
	out := make(map[[32]byte]bool, len(list))
	for _, mark := range list {
		out[[32]byte(mark)] = true
	}
	return out, nil
}
