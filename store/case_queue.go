package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// States by which cases are listed.
const (
	CasesOpen     = "open"
	CasesAppealed = "appealed"
	CasesDecided  = "decided"
	CasesAll      = "all"
)

// CaseQuery says which cases to list: open ones from the longest waiting on, others from the newest on.
type CaseQuery struct {
	State  string
	Origin CaseOrigin
	Reason string
	Rule   string
	// Party is a root controller, Actor the one who sent it.
	Party, Actor ID
	// After is the last case of the page before.
	After ID
	Limit int
}

// newestFirst reports the order of the list.
func (q CaseQuery) newestFirst() bool { return q.State == CasesDecided || q.State == CasesAll }

// MaxCases is the longest page of cases.
const MaxCases = 200

// Cases lists cases without their texts and findings. ErrNotFound says that there is no case to go on after: nothing
// follows it, which must not look like the end of the list.
func (v *Snapshot) Cases(ctx context.Context, q CaseQuery) ([]Case, error) {
	if !q.After.IsZero() {
		var known uuid.UUID
		if err := v.tx.QueryRow(ctx, `select id from moderation_cases where id = $1`, q.After.UUID).Scan(&known); err != nil {
			return nil, fmt.Errorf("list cases after %s: %w", q.After, classify(err))
		}
	}
	b := caseConditions(q)
	order := ` order by c.opened_at, c.id limit `
	if q.newestFirst() {
		order = ` order by c.opened_at desc, c.id desc limit `
	}
	sql := strings.Replace(selectCase, "c.masked, c.facts", "'[]'::jsonb, c.facts", 1) + b.where() + order +
		b.arg(min(max(q.Limit, 1), MaxCases))
	rows, err := v.tx.Query(ctx, sql, b.args...)
	if err != nil {
		return nil, fmt.Errorf("list cases: %w", err)
	}
	cases, err := pgx.CollectRows(rows, scanCase)
	if err != nil {
		return nil, fmt.Errorf("list cases: %w", err)
	}
	return cases, nil
}

// conditions builds a where clause with its arguments.
type conditions struct {
	parts []string
	args  []any
}

func (b *conditions) arg(value any) string {
	b.args = append(b.args, value)
	return fmt.Sprintf("$%d", len(b.args))
}

func (b *conditions) add(condition string, value any) {
	b.parts = append(b.parts, strings.ReplaceAll(condition, "?", b.arg(value)))
}

func (b *conditions) where() string { return " where " + strings.Join(b.parts, " and ") }

func caseConditions(q CaseQuery) *conditions {
	b := &conditions{parts: []string{"not c.pending"}}
	switch q.State {
	case CasesAppealed:
		b.parts = append(b.parts, "c.open and c.appealed_at is not null")
	case CasesDecided:
		b.parts = append(b.parts, "not c.open")
	case CasesAll:
	default:
		b.parts = append(b.parts, "c.open")
	}
	if q.Origin != "" {
		b.add("c.origin = ?", q.Origin)
	}
	if q.Reason != "" {
		b.add("c.reason = ?", q.Reason)
	}
	if q.Rule != "" {
		b.add("exists (select from moderation_findings f where f.case_id = c.id and f.rule = ?)", q.Rule)
	}
	if !q.Party.IsZero() {
		b.add("c.root_id = ?", q.Party.UUID)
	}
	if !q.Actor.IsZero() {
		b.add("c.actor_id = ?", q.Actor.UUID)
	}
	if !q.After.IsZero() {
		than := ">"
		if q.newestFirst() {
			than = "<"
		}
		b.add("(c.opened_at, c.id) "+than+" (select opened_at, id from moderation_cases where id = ?)", q.After.UUID)
	}
	return b
}
