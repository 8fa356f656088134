package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Case is one case as moderators, and its author, see it.
type Case struct {
	NewCase

	ActorName, RootName string
	// RootNow is the party of the actor now.
	RootNow    ID
	Times      int
	OpenedAt   time.Time
	LastAt     time.Time
	Decision   string
	DecidedBy  ID
	DecidedAt  *time.Time
	AppealedAt *time.Time
	Open       bool
	// Rules are the rules of the findings, in a list of cases.
	Rules []string
}

const selectCase = `
	select c.id, c.origin, c.reason, c.tool, coalesce(c.correlation_id, '00000000-0000-0000-0000-000000000000'),
	       a.kind, c.actor_id, coalesce(a.display_name, ''), r.kind, c.root_id, r.display_name, n.kind, n.id,
	       c.object_kind, c.object_id, c.revises, c.masked, c.facts, c.fingerprint, c.times, c.opened_at, c.last_at,
	       coalesce(c.decision, ''), m.kind, c.decided_by, c.decided_at, c.appealed_at, c.open,
	       array(select distinct f.rule from moderation_findings f where f.case_id = c.id order by f.rule)
	from moderation_cases c
	join actors r on r.id = c.root_id
	left join actors a on a.id = c.actor_id
	left join actors n on n.id = coalesce(a.root_controller_id, r.root_controller_id)
	left join actors m on m.id = c.decided_by`

func scanCase(row pgx.CollectableRow) (Case, error) {
	var c Case
	var actorKind, nowKind, objectKind, byKind *Kind
	var actor, now, object, revises, by *uuid.UUID
	var masked, fingerprint []byte
	c.ID.Kind = KindCase
	err := row.Scan(&c.ID.UUID, &c.Origin, &c.Reason, &c.Tool, &c.Correlation, &actorKind, &actor, &c.ActorName, &c.Root.Kind,
		&c.Root.UUID, &c.RootName, &nowKind, &now, &objectKind, &object, &revises, &masked, &c.Facts, &fingerprint, &c.Times,
		&c.OpenedAt, &c.LastAt, &c.Decision, &byKind, &by, &c.DecidedAt, &c.AppealedAt, &c.Open, &c.Rules)
	if err != nil {
		return Case{}, err
	}
	c.Actor, c.RootNow, c.Object, c.DecidedBy = kindID(actorKind, actor), kindID(nowKind, now), kindID(objectKind, object), kindID(byKind, by)
	c.Revises = idOf(KindContent, revises)
	c.Fingerprint = [32]byte(fingerprint)
	if err := json.Unmarshal(masked, &c.Masked); err != nil {
		return Case{}, fmt.Errorf("decode a case: %w", err)
	}
	return c, nil
}

func kindID(kind *Kind, id *uuid.UUID) ID {
	if kind == nil || id == nil {
		return ID{}
	}
	return ID{Kind: *kind, UUID: *id}
}

// How often a value was met is counted over at most a thousand cases.
const selectFindings = `
	select f.rule, f.kind, f.action, f.path, f.line, f.col, f.length, f.mark, s.seen, s.parties
	from moderation_findings f
	cross join lateral (
		select coalesce(sum(c.times), 0)::int as seen, count(distinct c.root_id)::int as parties
		from (select distinct case_id from moderation_findings o where o.mark = f.mark limit 1000) o
		join moderation_cases c on c.id = o.case_id
	) s
	where f.case_id = $1 order by f.no`

// Case reads one case with its findings; ErrNotFound while it is pending.
func (v *Snapshot) Case(ctx context.Context, id ID) (Case, error) {
	rows, err := v.tx.Query(ctx, selectCase+` where c.id = $1 and not c.pending`, id.UUID)
	if err != nil {
		return Case{}, fmt.Errorf("read a case: %w", err)
	}
	c, err := pgx.CollectExactlyOneRow(rows, scanCase)
	if errors.Is(err, pgx.ErrNoRows) {
		return Case{}, fmt.Errorf("case %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return Case{}, fmt.Errorf("read a case: %w", err)
	}
	if rows, err = v.tx.Query(ctx, selectFindings, id.UUID); err != nil {
		return Case{}, fmt.Errorf("read a case's findings: %w", err)
	}
	c.Findings, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (CaseFinding, error) {
		var f CaseFinding
		var mark []byte
		err := row.Scan(&f.Rule, &f.Kind, &f.Action, &f.Path, &f.Line, &f.Column, &f.Length, &mark, &f.Seen, &f.SeenBy)
		if err == nil {
			f.Mark = [32]byte(mark)
		}
		return f, err
	})
	if err != nil {
		return Case{}, fmt.Errorf("read a case's findings: %w", err)
	}
	return c, nil
}

// CaseEvent is one thing that happened to a case.
type CaseEvent struct {
	At        time.Time
	Actor     ID
	ActorName string
	What      string
	Reason    string
}

// CaseEvents lists what happened to a case, in order.
func (v *Snapshot) CaseEvents(ctx context.Context, id ID) ([]CaseEvent, error) {
	rows, err := v.tx.Query(ctx, `
		select e.at, a.kind, e.actor_id, coalesce(a.display_name, ''), e.what, e.reason
		from moderation_events e left join actors a on a.id = e.actor_id where e.case_id = $1 order by e.no`, id.UUID)
	if err != nil {
		return nil, fmt.Errorf("read a case's history: %w", err)
	}
	events, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (CaseEvent, error) {
		var e CaseEvent
		var kind *Kind
		var actor *uuid.UUID
		err := row.Scan(&e.At, &kind, &actor, &e.ActorName, &e.What, &e.Reason)
		e.Actor = kindID(kind, actor)
		return e, err
	})
	if err != nil {
		return nil, fmt.Errorf("read a case's history: %w", err)
	}
	return events, nil
}

// CaseTexts reads what is stored of a case's object, and of the revision before it; of a refused revision, the current
// one of the item that it was for. Held says that the object is held back.
func (v *Snapshot) CaseTexts(ctx context.Context, c *Case) (present, before []MaskedText, held bool, err error) {
	now, earlier := c.Object, ID{Kind: KindRevision}
	switch {
	case !c.Revises.IsZero():
		if now, err = v.CurrentTarget(ctx, c.Revises); err != nil {
			return nil, nil, false, err
		}
	case c.Object.Kind == KindRevision:
		err = v.tx.QueryRow(ctx, `
			select coalesce((select b.id from revisions a join revisions b on b.content_id = a.content_id and b.no = a.no - 1
			                 where a.id = $1), '00000000-0000-0000-0000-000000000000')`, c.Object.UUID).Scan(&earlier.UUID)
		if err != nil {
			return nil, nil, false, fmt.Errorf("read the revision before: %w", err)
		}
	}
	if present, err = v.maskedTexts(ctx, now); err != nil {
		return nil, nil, false, err
	}
	if before, err = v.maskedTexts(ctx, earlier); err != nil {
		return nil, nil, false, err
	}
	err = v.tx.QueryRow(ctx, `
		select exists (select from moderation_holds where object_id = $1
		               or object_id = (select content_id from revisions where id = $1))`, c.Object.UUID).Scan(&held)
	if err != nil {
		return nil, nil, false, fmt.Errorf("read a hold: %w", err)
	}
	return present, before, held, nil
}

// maskedTexts are the stored texts of an object, none for no object; masking them is the caller's business.
func (v *Snapshot) maskedTexts(ctx context.Context, object ID) ([]MaskedText, error) {
	if object.UUID == uuid.Nil {
		return nil, nil
	}
	texts, err := v.StoredTexts(ctx, object)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	out := make([]MaskedText, 0, len(texts))
	for _, text := range texts {
		out = append(out, MaskedText{Path: text.Path, Text: text.Text})
	}
	return out, nil
}
