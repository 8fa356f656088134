package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.jetify.com/typeid/base32"
)

// CompletionQuery asks for objects whose ID, or whose title or name, begins in some way.
type CompletionQuery struct {
	// Kinds are the kinds of object to look among; others than those of completions are ignored.
	Kinds []Kind
	// IDs bounds the IDs; the zero range means all.
	IDs IDRange
	// Text is what a title, a name or a claim begins with, in any case; "" means anything.
	Text   string
	Viewer ID
	Limit  int
}

// IDRange is a range of UUIDs, both ends included.
type IDRange struct{ First, Last uuid.UUID }

// firstDigits and lastDigits fill the rest of an ID of which only the beginning is known.
const (
	firstDigits = "00000000000000000000000000"
	lastDigits  = "7zzzzzzzzzzzzzzzzzzzzzzzzz"
)

// RangeOf answers the IDs whose 26 characters begin with some of them; false when none can.
func RangeOf(beginning string) (IDRange, bool) {
	if len(beginning) > len(firstDigits) || beginning > lastDigits[:len(beginning)] {
		return IDRange{}, false
	}
	first, err := base32.Decode(beginning + firstDigits[len(beginning):])
	if err != nil {
		return IDRange{}, false
	}
	last, err := base32.Decode(beginning + lastDigits[len(beginning):])
	if err != nil {
		return IDRange{}, false
	}
	return IDRange{First: uuid.UUID(first), Last: uuid.UUID(last)}, true
}

// completionScan bounds how many rows of one kind a completion looks at, the newest ones: it is asked at every key.
const completionScan = 2000

// completions are the queries by kind. Each looks at the newest rows of a range of the primary key: $1 and $2 bound it,
// $3 is the viewer, $4 the beginning of the text, $5 the limit. What may be seen is decided after the bound.
func completions() map[Kind]string {
	look := func(newest, text, where string) string {
		return fmt.Sprintf(`
			select n.id from (%s and t.id between $1 and $2 order by t.id desc limit %d) as n
			where (%s) and ($4 = '' or starts_with(lower(%s), lower($4))) order by n.id desc limit $5`,
			newest, completionScan, where, text)
	}
	const seen = `(n.visibility = 'published' or n.author_id = $3) and space_visible(n.space_id, $3)`
	const here = `space_visible(n.space_id, $3)`
	actor := func(kind Kind) string {
		return look(fmt.Sprintf(`select t.id, t.display_name from actors t where t.kind = '%s'`, kind), `n.display_name`, `$3::uuid is not null`)
	}
	return map[Kind]string{
		KindContent: look(`select t.id, t.visibility, t.author_id, t.space_id, t.current_revision_id from contents t where true`,
			`(select v.title from revisions v where v.id = n.current_revision_id)`, seen),
		KindRevision: look(`select t.id, t.title, c.visibility, c.author_id, c.space_id from revisions t join contents c on c.id = t.content_id where true`,
			`n.title`, seen),
		KindClaim:  look(`select t.id, t.text, t.space_id from claims t where true`, `n.text`, here),
		KindEntity: look(`select t.id, t.name, t.space_id from entities t where true`, `n.name`, here),
		KindSpace:  look(`select t.id, t.name, t.id as space_id from spaces t where true`, `n.name`, here),
		KindUser:   actor(KindUser), KindOrg: actor(KindOrg), KindAgent: actor(KindAgent),
	}
}

// Complete lists visible objects for a beginning, of each kind the newest first.
func (v *Snapshot) Complete(ctx context.Context, q CompletionQuery) ([]ID, error) {
	ids := q.IDs
	if ids == (IDRange{}) {
		ids, _ = RangeOf("")
	}
	queries := completions()
	found := make([][]ID, len(q.Kinds))
	var p pipeline
	for i, kind := range q.Kinds {
		sql, known := queries[kind]
		if !known {
			continue
		}
		queue(&p, &found[i], func(row pgx.CollectableRow) (ID, error) {
			id := ID{Kind: kind}
			err := row.Scan(&id.UUID)
			return id, err
		}, sql, ids.First, ids.Last, q.Viewer.UUID, q.Text, q.Limit)
	}
	if err := p.send(ctx, v.tx); err != nil {
		return nil, fmt.Errorf("complete IDs: %w", err)
	}
	var out []ID
	for _, some := range found {
		out = append(out, some...)
	}
	return out[:min(len(out), q.Limit)], nil
}
