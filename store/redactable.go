package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// redactable is one text of an object: where it stands, how it is read and how it is replaced.
type redactable struct {
	path, read, write string
	// json says that the text is JSON: its strings are masked one by one.
	json bool
}

// plainColumn and jsonColumn are texts that are a column of the object's own row.
func plainColumn(table, column string) redactable {
	return redactable{
		path:  "/" + column,
		read:  fmt.Sprintf(`select coalesce(%s, '') from %s where id = $1`, column, table),
		write: fmt.Sprintf(`update %s set %s = $2 where id = $1`, table, column),
	}
}

func jsonColumn(table, column string) redactable {
	return redactable{
		path: "/" + column, json: true,
		read:  fmt.Sprintf(`select coalesce(%s::text, '') from %s where id = $1`, column, table),
		write: fmt.Sprintf(`update %s set %s = $2::jsonb where id = $1`, table, column),
	}
}

// jsonList is a text column of a revision's rows in another table, as one list.
func jsonList(path, table, column string) redactable {
	return redactable{
		path: path, json: true,
		read: fmt.Sprintf(`select coalesce(jsonb_agg(%s order by position), '[]')::text from %s where revision_id = $1`, column, table),
		write: fmt.Sprintf(`update %s c set %s = w.value
			from jsonb_array_elements_text($2::jsonb) with ordinality as w (value, ord)
			where c.revision_id = $1 and c.position = w.ord - 1`, table, column),
	}
}

// redactables are the texts of a kind of object.
func redactables(kind Kind) []redactable {
	switch kind {
	case KindRevision:
		return []redactable{
			plainColumn("revisions", "title"), plainColumn("revisions", "summary"), plainColumn("revisions", "body_markdown"),
			plainColumn("revisions", "change_note"), jsonColumn("revisions", "structured_data"), jsonColumn("revisions", "experience"),
			{
				path: "/tags", json: true, read: `select to_jsonb(tags)::text from revisions where id = $1`,
				write: `update revisions set tags = array(select jsonb_array_elements_text($2::jsonb)) where id = $1`,
			},
			jsonList("/claims", "revision_claims", "wording"), jsonList("/sources", "revision_sources", "title"),
		}
	case KindUsage, KindReview, KindRating:
		return []redactable{
			plainColumn("evidence", "note"), jsonColumn("evidence", "metrics"),
			{
				path: "/context", json: true, read: `select coalesce(context::text, '') from evidence where id = $1`,
				write: `update evidence set context = $2::jsonb, context_key = '' where id = $1`,
			},
		}
	case KindClaim:
		return []redactable{plainColumn("claims", "text")}
	case KindEntity:
		return []redactable{plainColumn("entities", "name"), plainColumn("entities", "url")}
	case KindAsset:
		return []redactable{
			plainColumn("assets", "filename"),
			{
				path: "/data", read: `select translate(encode(data, 'base64'), E'\n', '') from assets where id = $1`,
				write: `update assets set data = decode($2, 'base64'), sha256 = sha256(decode($2, 'base64')) where id = $1`,
			},
		}
	case KindUser, KindOrg, KindAgent, KindSpace, KindSource, KindThread, KindContent, KindCase:
	}
	return nil
}

const selectRevisionParts = `
	select 'clm', k.id from revision_claims rc join claims k on k.id = rc.claim_id join revisions v on v.id = rc.revision_id
	where rc.revision_id = $1 and k.first_stated_by = v.author_id
	union all
	select 'ent', e.id from revision_subjects rs join entities e on e.id = rs.entity_id join revisions v on v.id = rs.revision_id
	where rs.revision_id = $1 and e.created_by = v.author_id
	union all
	select 'ast', ra.asset_id from revision_assets ra where ra.revision_id = $1`

// RevisionParts lists what belongs to a revision and has texts of its own: claims that its author stated first,
// entities that the author made, and files.
func (v *Snapshot) RevisionParts(ctx context.Context, revision ID) ([]ID, error) {
	return revisionParts(ctx, v.tx, revision)
}

// RevisionParts lists the same inside a transaction.
func (t *Tx) RevisionParts(ctx context.Context, revision ID) ([]ID, error) {
	return revisionParts(ctx, t.tx, revision)
}

func revisionParts(ctx context.Context, on querier, revision ID) ([]ID, error) {
	rows, err := on.Query(ctx, selectRevisionParts, revision.UUID)
	if err != nil {
		return nil, fmt.Errorf("read the parts of %s: %w", revision, err)
	}
	parts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (ID, error) {
		var id ID
		err := row.Scan(&id.Kind, &id.UUID)
		return id, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the parts of %s: %w", revision, err)
	}
	return parts, nil
}

// RekeyClaim gives a claim the keys of its text, as keys makes them.
func (t *Tx) RekeyClaim(ctx context.Context, claim ID, keys func(text, language string) (string, ClaimKeys)) error {
	row := ClaimKey{ID: claim}
	if err := t.tx.QueryRow(ctx, `select text, language, key_version from claims where id = $1`, claim.UUID).
		Scan(&row.Text, &row.Language, &row.Version); err != nil {
		return fmt.Errorf("read %s: %w", claim, classify(err))
	}
	row.NormalForm, row.Keys = keys(row.Text, row.Language)
	return t.PutClaimKeys(ctx, []ClaimKey{row})
}

// RekeyEntity gives an entity the key of its name. A masked name may be that of another masked entity, and natural
// identities are unique: its ID is a part of it.
func (t *Tx) RekeyEntity(ctx context.Context, entity ID) error {
	var name string
	if err := t.tx.QueryRow(ctx, `select name from entities where id = $1`, entity.UUID).Scan(&name); err != nil {
		return fmt.Errorf("read %s: %w", entity, classify(err))
	}
	_, err := t.tx.Exec(ctx, `update entities set name_key = $2 where id = $1`, entity.UUID, NameKey(name+" "+entity.String()))
	if err != nil {
		return fmt.Errorf("key %s: %w", entity, err)
	}
	return nil
}
