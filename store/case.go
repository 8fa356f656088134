package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// CaseOrigin says how a case came up.
type CaseOrigin string

// Origins of cases.
const (
	OriginRejection CaseOrigin = "rejection" // refused; nothing was stored
	OriginFinding   CaseOrigin = "finding"   // stored, with something weak in it
	OriginScan      CaseOrigin = "scan"      // found later, by a worker
	OriginSignal    CaseOrigin = "signal"    // a pattern in who confirms whom
)

// CaseOrigins lists them.
func CaseOrigins() []CaseOrigin {
	return []CaseOrigin{OriginRejection, OriginFinding, OriginScan, OriginSignal}
}

// MaskedText is one text of a case with every finding replaced.
type MaskedText struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// CaseFinding is one place that a case is about. It has no value, only the value's mark.
type CaseFinding struct {
	Rule, Kind, Action   string
	Path                 string
	Line, Column, Length int
	Mark                 [32]byte
	// Seen is how often the value was met in all cases, and SeenBy by how many parties.
	Seen, SeenBy int
}

// NewCase is what a case is opened with.
type NewCase struct {
	ID          ID
	Origin      CaseOrigin
	Reason      string
	Tool        string
	Correlation uuid.UUID
	// Actor is the zero ID for a signal about a whole party.
	Actor, Root ID
	// Object is what was stored; Revises is the item that a refused revision was for.
	Object, Revises ID
	Masked          []MaskedText
	Facts           json.RawMessage
	Fingerprint     [32]byte
	// Pending cases wait for the write that they are about.
	Pending  bool
	Findings []CaseFinding
}

// The same thing of the same party while a case is open is counted there. An item that is gone is not named.
const insertCase = `
	insert into moderation_cases as c (id, origin, reason, tool, correlation_id, actor_id, root_id, object_kind, object_id, revises,
	                                   masked, facts, fingerprint, pending)
	values ($1, $2, $3, $4, $5, $6, $7, $8, $9, (select id from contents where id = $10), $11, $12, $13, $14)
	on conflict (root_id, fingerprint) where open do update set
		times = c.times + case when excluded.pending then 0 else 1 end, last_at = clock_timestamp()
	returning c.id, c.id = $1`

const insertFindings = `
	insert into moderation_findings (case_id, no, rule, kind, action, path, line, col, length, mark)
	select $1, ord, rule, kind, action, path, line, col, length, mark
	from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::int[], $8::int[], $9::bytea[])
		with ordinality as f (rule, kind, action, path, line, col, length, mark, ord)`

const insertEvent = `
	insert into moderation_events (case_id, no, actor_id, what, reason)
	select $1, coalesce(max(no), 0) + 1, $2, $3, $4 from moderation_events where case_id = $1`

// OpenCase opens a case, or counts it on the open case about the same thing, whose ID it answers. A pending case leaves
// an open one as it is: whether there is something to count is known later.
func (s *Store) OpenCase(ctx context.Context, c *NewCase) (id ID, opened bool, err error) {
	err = s.Write(ctx, func(tx *Tx) (err error) {
		id, opened, err = tx.OpenCase(ctx, c)
		return err
	})
	return id, opened, err
}

// OpenCase opens a case inside a transaction.
func (t *Tx) OpenCase(ctx context.Context, c *NewCase) (id ID, opened bool, err error) {
	masked, err := json.Marshal(notNil(c.Masked))
	if err != nil {
		return ID{}, false, fmt.Errorf("encode a case: %w", err)
	}
	facts := c.Facts
	if len(facts) == 0 {
		facts = json.RawMessage("{}")
	}
	id = ID{Kind: KindCase}
	err = t.tx.QueryRow(ctx, insertCase, c.ID.UUID, c.Origin, c.Reason, c.Tool, c.Correlation, nullable(c.Actor), c.Root.UUID,
		text(string(c.Object.Kind)), nullable(c.Object), nullable(c.Revises), masked, facts, c.Fingerprint[:], c.Pending).
		Scan(&id.UUID, &opened)
	if err != nil {
		return ID{}, false, fmt.Errorf("open a case: %w", err)
	}
	if !opened {
		return id, false, nil
	}
	var p pipeline
	p.exec(insertFindings, append([]any{id.UUID}, findingColumns(c.Findings)...)...)
	p.exec(insertEvent, id.UUID, nil, "opened", "")
	if err := p.send(ctx, t.tx); err != nil {
		return ID{}, false, fmt.Errorf("open a case: %w", err)
	}
	return id, true, nil
}

func findingColumns(findings []CaseFinding) []any {
	n := len(findings)
	rules, kinds, actions, paths := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	lines, columns, lengths, marks := make([]int, n), make([]int, n), make([]int, n), make([][]byte, n)
	for i := range findings {
		f := &findings[i]
		rules[i], kinds[i], actions[i], paths[i] = f.Rule, f.Kind, f.Action, f.Path
		lines[i], columns[i], lengths[i], marks[i] = f.Line, f.Column, f.Length, f.Mark[:]
	}
	return []any{rules, kinds, actions, paths, lines, columns, lengths, marks}
}

// SettleCase ends the waiting of a pending case: with the object that was stored, or, without one, by forgetting it.
func (s *Store) SettleCase(ctx context.Context, id, object ID) error {
	var err error
	if object.IsZero() {
		_, err = s.exec(ctx, `delete from moderation_cases where id = $1 and pending`, id.UUID)
	} else {
		_, err = s.exec(ctx, `
			update moderation_cases set pending = false, object_kind = $2, object_id = $3 where id = $1 and pending`,
			id.UUID, object.Kind, object.UUID)
	}
	if err != nil {
		return fmt.Errorf("settle a case: %w", classify(err))
	}
	return nil
}

// The audit row of a write begins with the ID of what it stored. A write without one, a moment later, was not made.
const orphanedCases = `
	select c.id, coalesce((select split_part(k.result, ' ', 1) from mcp_calls k where k.id = c.correlation_id and k.code = ''), ''),
	       coalesce((select split_part(k.result, ' ', 2) from mcp_calls k where k.id = c.correlation_id and k.code = ''), '')
	from moderation_cases c where c.pending and c.last_at < clock_timestamp() - $1::interval order by c.last_at limit 500`

// SettleOrphans settles pending cases older than age, whose node ended before it could: by the audit row of the call. In
// the same way it gives back the exemptions that were spent for calls which wrote nothing.
func (s *Store) SettleOrphans(ctx context.Context, age time.Duration) (int, error) {
	if _, err := s.pool.Exec(ctx, returnExemptions, age); err != nil {
		return 0, fmt.Errorf("give exemptions back: %w", classify(err))
	}
	rows, err := s.pool.Query(ctx, orphanedCases, age)
	if err != nil {
		return 0, fmt.Errorf("find orphaned cases: %w", classify(err))
	}
	type orphan struct{ id, object ID }
	var found []orphan
	for rows.Next() {
		o := orphan{id: ID{Kind: KindCase}}
		var first, second string
		if err := rows.Scan(&o.id.UUID, &first, &second); err != nil {
			return 0, fmt.Errorf("find orphaned cases: %w", err)
		}
		// A publication names its item first, then the revision that the case is about.
		if o.object, err = ParseID(first); err == nil && o.object.Kind == KindContent {
			o.object, err = ParseID(second)
		}
		if err != nil {
			o.object = ID{}
		}
		found = append(found, o)
	}
	if err := rows.Err(); err != nil {
		return 0, fmt.Errorf("find orphaned cases: %w", classify(err))
	}
	for _, o := range found {
		if err := s.SettleCase(ctx, o.id, o.object); err != nil {
			return 0, err
		}
	}
	return len(found), nil
}
