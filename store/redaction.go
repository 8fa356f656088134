package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Redacting announces the one change that immutable rows allow, to this transaction alone.
const (
	redacting = `set local interai.redacting = 'on'`
	redacted  = `set local interai.redacting = 'off'`
)

// ErrNothingToRedact says that a redaction found nothing to replace.
var ErrNothingToRedact = errors.New("nothing to redact")

// StoredText is one text of an object as it is stored.
type StoredText struct {
	Path, Text string
	// JSON says that the text is JSON whose strings count.
	JSON bool
}

// StoredTexts reads every text of an object that a scan looks at and a redaction may replace. An asset's bytes are in
// base64, at /data.
func (v *Snapshot) StoredTexts(ctx context.Context, object ID) ([]StoredText, error) {
	return storedTexts(ctx, v.tx, object)
}

func storedTexts(ctx context.Context, on sender, object ID) ([]StoredText, error) {
	var p pipeline
	var out []StoredText
	for _, field := range redactables(object.Kind) {
		scan(&p, func(row pgx.CollectableRow) error {
			text := StoredText{Path: field.path, JSON: field.json}
			err := row.Scan(&text.Text)
			if text.Text != "" && text.Text != "[]" && text.Text != "{}" {
				out = append(out, text)
			}
			return err
		}, field.read, object.UUID)
	}
	if err := p.send(ctx, on); err != nil {
		return nil, fmt.Errorf("read the texts of %s: %w", object, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("texts of %s: %w", object, ErrNotFound)
	}
	return out, nil
}

// Redact replaces texts of an object for ever, keeps the digest of what was there as a tombstone, and empties the audit
// rows that had the same texts. Mask answers the text to store instead. Errors: ErrNothingToRedact.
func (t *Tx) Redact(ctx context.Context, object, caseID ID, rules []string, mask func(StoredText) string) error {
	texts, err := storedTexts(ctx, t.tx, object)
	if err != nil {
		return err
	}
	writes := map[string]string{}
	for _, field := range redactables(object.Kind) {
		writes[field.path] = field.write
	}
	var p pipeline
	p.exec(redacting)
	original, changed := sha256.New(), 0
	for _, text := range texts {
		original.Write([]byte(text.Path + "\x00" + text.Text + "\x00"))
		if masked := mask(text); masked != text.Text {
			p.exec(writes[text.Path], object.UUID, masked)
			changed++
		}
	}
	if changed == 0 {
		return fmt.Errorf("redact %s: %w", object, ErrNothingToRedact)
	}
	p.exec(redacted)
	p.exec(`insert into redactions (object_id, object_kind, case_id, sha256, rules) values ($1, $2, $3, $4, $5)`,
		object.UUID, object.Kind, nullable(caseID), original.Sum(nil), notNil(rules))
	p.exec(emptyAudit, madeAt(object).Add(-auditMargin), madeAt(object).Add(auditMargin), "%"+object.String()+"%")
	p.exec(`delete from search_docs where object_id = $1 or target_id = $1`, object.UUID)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("redact %s: %w", object, err)
	}
	return nil
}

// auditMargin is far more than a write may take between its audit row's ID and its object's.
const auditMargin = 5 * time.Minute

// The audit row of a write has its request, and names what it stored in its result.
const emptyAudit = `
	update mcp_calls set request = '{"_redacted": true}'
	where id between uuid_v7_floor($1) and uuid_v7_floor($2) and result like $3`

// madeAt is the time in an ID's UUIDv7.
func madeAt(id ID) time.Time {
	seconds, nanos := id.UUID.Time().UnixTime()
	return time.Unix(seconds, nanos)
}

// Redaction is the tombstone of a redaction.
type Redaction struct {
	Case   ID
	SHA256 [32]byte
	Rules  []string
	At     time.Time
}

// Redactions lists the tombstones of an object, oldest first.
func (v *Snapshot) Redactions(ctx context.Context, object ID) ([]Redaction, error) {
	rows, err := v.tx.Query(ctx, `
		select coalesce(case_id, '00000000-0000-0000-0000-000000000000'), sha256, rules, at from redactions
		where object_id = $1 order by at`, object.UUID)
	if err != nil {
		return nil, fmt.Errorf("read redactions: %w", err)
	}
	out, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Redaction, error) {
		r := Redaction{Case: ID{Kind: KindCase}}
		var digest []byte
		err := row.Scan(&r.Case.UUID, &digest, &r.Rules, &r.At)
		if err == nil {
			r.SHA256 = [32]byte(digest)
		}
		return r, err
	})
	if err != nil {
		return nil, fmt.Errorf("read redactions: %w", err)
	}
	return out, nil
}
