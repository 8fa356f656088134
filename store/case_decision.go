package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

// LockCase takes a case for a decision: it is decided about by one at a time.
func (t *Tx) LockCase(ctx context.Context, id ID) (Case, error) {
	var locked uuid.UUID
	if err := t.tx.QueryRow(ctx, `select id from moderation_cases where id = $1 and not pending for update`, id.UUID).Scan(&locked); err != nil {
		return Case{}, fmt.Errorf("case %s: %w", id, classify(err))
	}
	return (&Snapshot{tx: t.tx}).Case(ctx, id)
}

const decideCase = `
	update moderation_cases set decision = $2, decided_by = $3, decided_at = clock_timestamp(), open = false where id = $1`

// DecideCase records a decision with its reason and closes the case.
func (t *Tx) DecideCase(ctx context.Context, id ID, decision string, by ID, reason string) error {
	var p pipeline
	p.exec(decideCase, id.UUID, decision, by.UUID)
	p.exec(insertEvent, id.UUID, by.UUID, decision, reason)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("decide a case: %w", err)
	}
	return nil
}

// NoteCase adds to a case's history; the zero ID is the server itself.
func (t *Tx) NoteCase(ctx context.Context, id, actor ID, what, reason string) error {
	if _, err := t.tx.Exec(ctx, insertEvent, id.UUID, nullable(actor), what, reason); err != nil {
		return fmt.Errorf("note on a case: %w", err)
	}
	return nil
}

// AppealCase opens a case again. ErrExists says that the same thing waits in another open case.
func (t *Tx) AppealCase(ctx context.Context, id, author ID, reason string) error {
	var p pipeline
	p.exec(`update moderation_cases set open = true, appealed_at = clock_timestamp() where id = $1`, id.UUID)
	p.exec(insertEvent, id.UUID, author.UUID, "appeal", reason)
	if err := p.send(ctx, t.tx); err != nil {
		if violates(err, "moderation_cases_once") {
			return fmt.Errorf("an open case about the same thing: %w", ErrExists)
		}
		return fmt.Errorf("appeal: %w", err)
	}
	return nil
}

// marksOf are the rules and the marks of findings, for statements that look for them.
func marksOf(findings []CaseFinding) (rules []string, marks [][]byte) {
	rules, marks = make([]string, len(findings)), make([][]byte, len(findings))
	for i := range findings {
		rules[i], marks[i] = findings[i].Rule, findings[i].Mark[:]
	}
	return rules, marks
}

const exempt = `
	insert into scan_exemptions (case_id, actor_id, rule, mark, expires_at)
	select distinct $1::uuid, $2::uuid, rule, mark, clock_timestamp() + $5::interval
	from unnest($3::text[], $4::bytea[]) as w (rule, mark)
	on conflict (actor_id, rule, mark, case_id) do update set expires_at = excluded.expires_at, used_by = null, used_at = null`

// Exempt lets an actor send the values of a case's findings once.
func (t *Tx) Exempt(ctx context.Context, caseID, actor ID, findings []CaseFinding, lives time.Duration) error {
	rules, marks := marksOf(findings)
	if _, err := t.tx.Exec(ctx, exempt, caseID.UUID, actor.UUID, rules, marks, lives); err != nil {
		return fmt.Errorf("grant exemptions: %w", err)
	}
	return nil
}

// WithdrawExemptions takes back what a case's decision allowed and nobody has used.
func (t *Tx) WithdrawExemptions(ctx context.Context, caseID ID) error {
	if _, err := t.tx.Exec(ctx, `delete from scan_exemptions where case_id = $1 and used_by is null`, caseID.UUID); err != nil {
		return fmt.Errorf("withdraw exemptions: %w", err)
	}
	return nil
}

// Of two calls that want the same exemption one waits for the other's row, and then finds it spent.
const useExemptions = `
	with wanted as (select distinct rule, mark from unnest($2::text[], $3::bytea[]) as w (rule, mark)),
	live as (
		select distinct on (e.rule, e.mark) e.case_id, e.rule, e.mark
		from scan_exemptions e join wanted using (rule, mark)
		where e.actor_id = $1 and e.used_by is null and e.expires_at > clock_timestamp()
		order by e.rule, e.mark, e.expires_at
	), held as (
		select e.case_id, e.rule, e.mark from scan_exemptions e join live using (case_id, rule, mark)
		where e.actor_id = $1 and e.used_by is null for update of e
	)
	update scan_exemptions e set used_by = $4, used_at = clock_timestamp()
	from held
	where e.actor_id = $1 and (e.case_id, e.rule, e.mark) = (held.case_id, held.rule, held.mark)
	  and (select count(*) from held) = (select count(*) from wanted)
	returning e.case_id`

// UseExemptions spends the exemptions of an actor for all the given values, for one call, or none of them. It answers
// the cases out of which they were granted.
func (s *Store) UseExemptions(ctx context.Context, actor ID, findings []CaseFinding, call uuid.UUID) ([]ID, error) {
	rules, marks := marksOf(findings)
	var cases []ID
	err := s.Write(ctx, func(tx *Tx) error {
		used, err := collectUUIDs(ctx, tx.tx, useExemptions, actor.UUID, rules, marks, call)
		seen := map[uuid.UUID]bool{}
		for _, id := range used {
			if !seen[id] {
				cases = append(cases, ID{Kind: KindCase, UUID: id})
			}
			seen[id] = true
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("use exemptions: %w", err)
	}
	return cases, nil
}

// SettleExemptions gives back what a call that wrote nothing had spent; otherwise it notes the retry in the cases.
func (s *Store) SettleExemptions(ctx context.Context, call uuid.UUID, cases []ID, spent bool) error {
	err := s.Write(ctx, func(tx *Tx) error {
		var p pipeline
		if !spent {
			p.exec(`update scan_exemptions set used_by = null, used_at = null where used_by = $1 and case_id = any ($2)`, call, uuids(cases))
			return p.send(ctx, tx.tx)
		}
		// A line of a history has the number after the last one: whoever writes one holds the case.
		p.exec(`select from moderation_cases where id = any ($1) order by id for update`, uuids(cases))
		for _, id := range cases {
			p.exec(insertEvent, id.UUID, nil, "retried", "")
		}
		return p.send(ctx, tx.tx)
	})
	if err != nil {
		return fmt.Errorf("settle exemptions: %w", err)
	}
	return nil
}

// The audit row of a write that was made is there as soon as what it wrote. Of one whose outcome is unknown nobody can say
// that it may be sent again.
const returnExemptions = `
	update scan_exemptions e set used_by = null, used_at = null
	where e.used_by is not null and e.used_at < clock_timestamp() - $1::interval and e.expires_at > clock_timestamp()
	  and not exists (select from mcp_calls k where k.id = e.used_by and (k.code = '' or k.outcome = 'unknown'))`

const selectExempted = `
	select array(
		select exists (select from scan_exemptions e where e.actor_id = $1 and e.rule = w.rule and e.mark = w.mark and e.used_by is not null)
		from unnest($2::text[], $3::bytea[]) with ordinality as w (rule, mark, ord) order by ord)`

// Exempted reports which of the values an actor was once allowed to send.
func (s *Store) Exempted(ctx context.Context, actor ID, findings []CaseFinding) ([]bool, error) {
	rules, marks := marksOf(findings)
	var out []bool
	if err := s.on(ctx, func(conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, selectExempted, actor.UUID, rules, marks).Scan(&out)
	}); err != nil {
		return nil, fmt.Errorf("look exemptions up: %w", classify(err))
	}
	return out, nil
}
