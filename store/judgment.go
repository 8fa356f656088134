package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// JudgmentQuery asks what a review or a rating depends on beside its target.
type JudgmentQuery struct {
	// Target is as the judge gave it; a cnt_ stands for its current revision.
	Target, Judge ID
	// BasedOn is the usage record that the judgment rests on, zero without one.
	BasedOn ID
	// Sources are those that were given by ID.
	Sources []ID
}

// JudgmentFacts answer a JudgmentQuery.
type JudgmentFacts struct {
	// Own says that the judge's root controller wrote the content, or states the claim.
	Own   bool
	Basis Basis
	// Sources are the families of the visible ones.
	Sources map[ID]Visible
}

// Basis is the record that a judgment rests on. The zero value is one that does not exist.
type Basis struct {
	Actor uuid.UUID
	Kind  EvidenceKind
	// Retracted says that its author took it back.
	Retracted bool
	// Seen says that the judge may see it.
	Seen bool
	// SameTarget says that it is about the judged target, or about an older revision of it.
	SameTarget bool
}

// EvidenceQuery asks everything that a group of requests for evidence depends on.
type EvidenceQuery struct {
	Targets   []TargetQuery
	Records   []TargetQuery // to retract
	Judgments []JudgmentQuery
}

// EvidenceFacts answer an EvidenceQuery, list by list in its order.
type EvidenceFacts struct {
	// Targets has the zero ID for what does not exist or is not visible.
	Targets []ID
	// Records has the zero value for what does not exist.
	Records   []RecordOwner
	Judgments []JudgmentFacts
	// Settled says that nobody changes controllers until the transaction ends. Without it no judgment can be decided on.
	Settled bool
}

// Who controls whom stays as it is until the transaction ends: changes of controllers take this lock exclusively, before
// they lock any row. A change either is seen by who judges, or comes after the judgment and wakes its target. The lock is
// not waited for: everybody else whose evidence is in the transaction would wait as well.
const holdControllers = `select pg_try_advisory_xact_lock_shared(7306915206331990001)`

// The authors of a claim are who stated it first and all who state it now, which their active assertions tell. They are
// looked up by the actors of the judge's party: a claim may have any number of others.
const findJudgments = `
	select q.ord::int,
	       coalesce(case
	           when q.kind in ('cnt', 'rev') then (
	               select a.root_controller_id = j.root_controller_id
	               from contents c join actors a on a.id = c.author_id
	               where c.id = case q.kind when 'cnt' then q.id else (select v.content_id from revisions v where v.id = q.id) end)
	           when q.kind = 'clm' then (
	               select a.root_controller_id = j.root_controller_id
	               from claims k join actors a on a.id = k.first_stated_by where k.id = q.id)
	               or exists (
	                   select from evidence s
	                   where s.target_id = q.id and s.kind = 'assertion'
	                     and s.actor_id = any (array(select m.id from actors m where m.root_controller_id = j.root_controller_id))
	                     and not exists (select from evidence r where r.retracts = s.id))
	       end, false) as own,
	       b.actor_id, coalesce(b.kind, '') as kind, coalesce(b.retracted, false), coalesce(b.seen, false), coalesce(b.same_target, false)
	from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[]) with ordinality as q (id, kind, judge, basis, ord)
	join actors j on j.id = q.judge
	left join lateral (
		select e.actor_id, e.kind, exists (select from evidence r where r.retracts = e.id) as retracted,
		       target_visible(e.target_id, q.judge) as seen,
		       case q.kind
		           when 'cnt' then exists (select from revisions u where u.id = e.target_id and u.content_id = q.id)
		           when 'rev' then exists (
		               select from revisions t join revisions u on u.content_id = t.content_id and u.no <= t.no
		               where t.id = q.id and u.id = e.target_id)
		           else e.target_id = q.id
		       end as same_target
		from evidence e where e.id = q.basis
		limit 1 -- found by its key, never by a join with all evidence
	) as b on true`

const findCited = `
	select viewer.ord::int, s.id, s.family, t.title
	from unnest($1::uuid[], $2::uuid[], $3::int[]) as viewer (source, id, ord)
	join sources s on s.id = viewer.source
	cross join lateral (` + sourceTitle + `) as t`

// LookUpEvidence reads all that a group of requests depends on in one round trip.
func (t *Tx) LookUpEvidence(ctx context.Context, q EvidenceQuery) (EvidenceFacts, error) {
	var p pipeline
	facts := EvidenceFacts{}
	if len(q.Judgments) > 0 {
		scan(&p, func(row pgx.CollectableRow) error { return row.Scan(&facts.Settled) }, holdControllers)
	}
	facts.Targets = queueTargets(&p, q.Targets)
	facts.Records = queueOwners(&p, q.Records)
	facts.Judgments = queueJudgments(&p, q.Judgments)
	if err := p.send(ctx, t.tx); err != nil {
		return EvidenceFacts{}, fmt.Errorf("look evidence up: %w", err)
	}
	return facts, nil
}

func queueJudgments(p *pipeline, queries []JudgmentQuery) []JudgmentFacts {
	if len(queries) == 0 {
		return nil
	}
	n := len(queries)
	targets, judges, kinds, bases := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]string, n), make([]*uuid.UUID, n)
	var sources, viewers []uuid.UUID
	var at []int
	for i, q := range queries {
		targets[i], judges[i], kinds[i], bases[i] = q.Target.UUID, q.Judge.UUID, string(q.Target.Kind), nullable(q.BasedOn)
		for _, source := range q.Sources {
			sources, viewers, at = append(sources, source.UUID), append(viewers, q.Judge.UUID), append(at, i)
		}
	}
	out := make([]JudgmentFacts, n)
	scan(p, func(row pgx.CollectableRow) error {
		var ord int
		var found JudgmentFacts
		var actor *uuid.UUID
		b := &found.Basis
		if err := row.Scan(&ord, &found.Own, &actor, &b.Kind, &b.Retracted, &b.Seen, &b.SameTarget); err != nil {
			return err
		}
		if actor != nil {
			b.Actor = *actor
		}
		out[ord-1] = found
		return nil
	}, findJudgments, targets, kinds, judges, bases)
	if len(sources) > 0 {
		scan(p, func(row pgx.CollectableRow) error {
			var i int
			found := Visible{ID: ID{Kind: KindSource}}
			if err := row.Scan(&i, &found.ID.UUID, &found.Type, &found.Name); err != nil {
				return err
			}
			if out[i].Sources == nil {
				out[i].Sources = map[ID]Visible{}
			}
			out[i].Sources[found.ID] = found
			return nil
		}, findCited, sources, viewers, at)
	}
	return out
}
