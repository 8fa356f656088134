package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A wake-up says that something a target's trust depends on has changed beside its evidence. It moves the head's
// counter, so that one that gets lost can be told from one that was worked, and makes heads that do not exist yet:
// what a revision inherits, or the claims it states, count before anybody has tried it. Keys are taken in the order
// in which writers take them.
const (
	bumpHeads = `
	insert into target_heads as d (target_id, kind, last_seq, queued, need, wakes)
	select id, kind, 0, true as queued, true as need, 1 from (`
	bumpConflict = `) as t (id, kind) order by id
	on conflict (target_id) do update set wakes = d.wakes + 1, queued = true, need = not d.queued
	returning target_id, kind, need`

	bumpTargets = bumpHeads + `select id, kind from unnest($1::uuid[], $2::text[]) as r (id, kind)` + bumpConflict

	bumpPublished = bumpHeads + `
		select v.id, 'rev' from revisions v where v.id = $1
		union
		select o.id, 'rev' from revisions v join revisions o on o.content_id = v.content_id and o.no = v.no - 1 where v.id = $1
		union
		select c.current_revision_id, 'rev'
		from revisions v
		join revisions o on o.content_id = v.content_id and o.no between v.no - 1 and v.no
		join revision_relations rr on rr.revision_id = o.id and rr.type = 'supersedes'
		join contents c on c.id = rr.target_content_id
		where v.id = $1` + bumpConflict

	bumpDependent = bumpHeads + `
		select n.id, 'rev' from revisions v join revisions n on n.content_id = v.content_id and n.no = v.no + 1
		where v.id = any ($1)
		union
		select c.current_revision_id, 'rev' from revision_relations rr join contents c on c.id = rr.target_content_id
		where rr.revision_id = any ($2) and rr.type = 'supersedes'` + bumpConflict
)

// Rewake moves the counters of targets, and answers those that need a job now. The caller enqueues them in the same
// transaction, which takes no other heads.
func (t *Tx) Rewake(ctx context.Context, targets []ID) ([]ID, error) {
	if len(targets) == 0 {
		return nil, nil
	}
	kinds := make([]string, len(targets))
	for i, target := range targets {
		kinds[i] = string(target.Kind)
	}
	return t.bump(ctx, bumpTargets, uuids(targets), kinds)
}

// RewakePublished does the same for what a new revision reaches: itself, since it inherits; the one before it, which is
// no longer current; and what either of them supersedes.
func (t *Tx) RewakePublished(ctx context.Context, revision ID) ([]ID, error) {
	return t.bump(ctx, bumpPublished, revision.UUID)
}

// RewakeDependent does the same for the revisions that follow the inherited ones, and for what the superseding ones
// say they supersede.
func (t *Tx) RewakeDependent(ctx context.Context, inherited, superseding []ID) ([]ID, error) {
	if len(inherited)+len(superseding) == 0 {
		return nil, nil
	}
	return t.bump(ctx, bumpDependent, uuids(inherited), uuids(superseding))
}

func (t *Tx) bump(ctx context.Context, sql string, args ...any) ([]ID, error) {
	rows, err := t.tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("wake targets: %w", err)
	}
	var needed []ID
	var id ID
	var need bool
	if _, err := pgx.ForEachRow(rows, []any{&id.UUID, &id.Kind, &need}, func() error {
		if need {
			needed = append(needed, id)
		}
		return nil
	}); err != nil {
		return nil, fmt.Errorf("wake targets: %w", err)
	}
	return needed, nil
}

// What an actor, or an actor below it, has touched: targets with its evidence, what it wrote, and claims it stated first.
const touchedByActor = `
	with recursive below as (
		select id from actors where id = $1
		union
		select a.id from actors a join below b on a.controller_id = b.id
	)
	select distinct t.id, t.kind from (
		select s.target_id as id, h.kind from below b
			join trust_stats s on s.actor_id = b.id and s.target_id > $2
			join target_heads h on h.target_id = s.target_id
		union all
		select h.target_id, h.kind from below b
			join contents c on c.author_id = b.id
			join revisions v on v.content_id = c.id and v.id > $2
			join target_heads h on h.target_id = v.id
		union all
		select h.target_id, h.kind from below b
			join claims k on k.first_stated_by = b.id and k.id > $2
			join target_heads h on h.target_id = k.id
	) t order by t.id limit $3`

// TouchedBy lists up to limit targets after the given one whose trust depends on who answers for an actor.
func (s *Store) TouchedBy(ctx context.Context, actor ID, after uuid.UUID, limit int) ([]ID, error) {
	return s.targets(ctx, "find what an actor touched", touchedByActor, actor.UUID, after, limit)
}

const touchedByEpoch = `
	select distinct s.target_id, h.kind
	from party_tracks t
	join actors a on a.root_controller_id = t.root_id
	join trust_stats s on s.actor_id = a.id and s.model_id = t.model_id and s.target_id > $3
	join target_heads h on h.target_id = s.target_id
	where t.model_id = $1 and t.epoch = $2
	order by s.target_id limit $4`

// TouchedByEpoch lists up to limit targets after the given one with evidence of parties whose track an epoch changed.
func (s *Store) TouchedByEpoch(ctx context.Context, model int16, epoch int32, after uuid.UUID, limit int) ([]ID, error) {
	return s.targets(ctx, "find what an epoch changes", touchedByEpoch, model, epoch, after, limit)
}

const statingClaim = `
	select rc.revision_id, 'rev' from revision_claims rc
	join revisions v on v.id = rc.revision_id
	join contents c on c.id = v.content_id and c.current_revision_id = v.id
	where rc.claim_id = $1 and rc.revision_id > $2 order by rc.revision_id limit $3`

// Stating lists up to limit current revisions after the given one that state a claim.
func (s *Store) Stating(ctx context.Context, claim ID, after uuid.UUID, limit int) ([]ID, error) {
	return s.targets(ctx, "find what states a claim", statingClaim, claim.UUID, after, limit)
}

const overdueTargets = `
	select p.target_id, h.kind from trust_snapshots p join target_heads h on h.target_id = p.target_id
	join trust_models m on m.id = p.model_id
	where p.pending_since is not null and m.state in ('active', 'shadow')
	  and p.pending_since <= clock_timestamp() - make_interval(secs =>
	      coalesce((m.parameters #>> '{hysteresis,hold_minutes}')::float8, $1) * 60)
	order by p.pending_since limit $2`

// Overdue lists up to limit targets whose waiting status has waited long enough; defaultHold is in minutes.
func (s *Store) Overdue(ctx context.Context, defaultHold float64, limit int) ([]ID, error) {
	return s.targets(ctx, "find overdue statuses", overdueTargets, defaultHold, limit)
}

func (s *Store) targets(ctx context.Context, what, sql string, args ...any) ([]ID, error) {
	rows, err := s.pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, classify(err))
	}
	found, err := pgx.CollectRows(rows, scanTarget)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, classify(err))
	}
	return found, nil
}

// barrierPoll is the pause between looks at the transactions that are still running.
const barrierPoll = 10 * time.Millisecond

// Barrier waits until every transaction has ended that was writing when it was called. Whoever computes with what was
// true before a change may still be about to commit; only then is its work there to be found and woken.
func (s *Store) Barrier(ctx context.Context) error {
	var running string
	if err := s.pool.QueryRow(ctx, `select pg_snapshot_xmax(pg_current_snapshot())::text`).Scan(&running); err != nil {
		return fmt.Errorf("look at running transactions: %w", classify(err))
	}
	for {
		var over bool
		if err := s.pool.QueryRow(ctx, `select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8`, running).Scan(&over); err != nil {
			return fmt.Errorf("look at running transactions: %w", classify(err))
		}
		if over {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for running transactions: %w", ctx.Err())
		case <-time.After(barrierPoll):
		}
	}
}
