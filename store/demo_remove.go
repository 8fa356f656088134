package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// The steps of a removal, in the order in which foreign keys allow them. Each runs one bounded transaction; the
// caller hands over IDs in batches. Any step may be repeated, so an interrupted removal is simply run again.

// remove runs one step in a transaction that may delete immutable rows, and answers how many objects are gone.
func (s *Store) remove(ctx context.Context, what string, work func(*Tx) (int64, error)) (int64, error) {
	var gone int64
	err := s.Write(ctx, func(tx *Tx) (err error) {
		if _, err := tx.tx.Exec(ctx, removing); err != nil {
			return err
		}
		gone, err = work(tx)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("remove demo %s: %w", what, err)
	}
	return gone, nil
}

// each runs statements that all take the same arguments, and answers how many rows the last one changed.
func (t *Tx) each(ctx context.Context, args []any, statements ...string) (int64, error) {
	var changed int64
	for _, statement := range statements {
		tag, err := t.tx.Exec(ctx, statement, args...)
		if err != nil {
			return 0, err
		}
		changed = tag.RowsAffected()
	}
	return changed, nil
}

// RemoveDemoKeys deletes up to limit API keys of demo actors, so that nothing new comes while a removal runs.
func (s *Store) RemoveDemoKeys(ctx context.Context, limit int) (int64, error) {
	return s.remove(ctx, "keys", func(tx *Tx) (int64, error) {
		return tx.each(ctx, []any{limit}, `
			delete from api_keys where id in (
				select k.id from api_keys k join actors d on d.id = k.actor_id where d.demo limit $1)`)
	})
}

// RemoveDemoAnswers deletes up to limit idempotency keys of demo actors with their stored answers. They go before
// the objects that they name: a later run must not be told of what is gone.
func (s *Store) RemoveDemoAnswers(ctx context.Context, limit int) (int64, error) {
	return s.remove(ctx, "idempotency keys", func(tx *Tx) (int64, error) {
		return tx.each(ctx, []any{limit}, `
			delete from idempotency_keys where (actor_id, tool, key) in (
				select i.actor_id, i.tool, i.key
				from idempotency_keys i join actors d on d.id = i.actor_id where d.demo limit $1)`)
	})
}

// lockDoomedTargets takes the heads that belong to objects, in the order in which writers take them.
const lockDoomedTargets = `
	select target_id from target_heads
	where target_id = any (array(
		select id from unnest($1::uuid[]) as r (id)
		union all select id from revisions where content_id = any ($1)))
	order by target_id for update`

// RemoveDemoTargets deletes all evidence about objects (contents with all their revisions, claims, entities), whoever
// gave it, with everything computed from it. It answers how many evidence rows are gone.
func (s *Store) RemoveDemoTargets(ctx context.Context, objects []uuid.UUID) (int64, error) {
	return s.remove(ctx, "targets", func(tx *Tx) (int64, error) {
		targets, err := collectUUIDs(ctx, tx.tx, lockDoomedTargets, objects)
		if err != nil {
			return 0, err
		}
		return tx.dropTargets(ctx, targets)
	})
}

// dropTargets deletes targets as such: evidence, statistics, snapshots, states and heads.
func (t *Tx) dropTargets(ctx context.Context, targets []uuid.UUID) (int64, error) {
	args := []any{targets}
	evidence, err := t.each(ctx, args,
		`delete from evidence_sources where evidence_id in (select id from evidence where target_id = any ($1))`,
		`delete from text_signatures where object_id in (select id from evidence where target_id = any ($1))`,
		`delete from moderation_holds where object_id in (select id from evidence where target_id = any ($1))`,
		`delete from redactions where object_id in (select id from evidence where target_id = any ($1))`,
		`delete from evidence where target_id = any ($1)`)
	if err != nil {
		return 0, err
	}
	_, err = t.each(ctx, args,
		`delete from trust_snapshots where target_id = any ($1)`,
		`delete from rating_snapshots where target_id = any ($1)`,
		`delete from status_history where target_id = any ($1)`,
		`delete from trust_stats where target_id = any ($1)`,
		`delete from target_states where target_id = any ($1)`,
		`delete from target_heads where target_id = any ($1)`)
	return evidence, err
}

// DemoTouched lists up to limit targets that have evidence of demo actors.
func (s *Store) DemoTouched(ctx context.Context, limit int) ([]ID, error) {
	rows, err := s.pool.Query(ctx, `
		select h.target_id, h.kind from target_heads h
		where h.target_id in (select e.target_id from evidence e join actors d on d.id = e.actor_id where d.demo limit $1)
		order by h.target_id`, limit)
	if err != nil {
		return nil, fmt.Errorf("find what demo actors touched: %w", classify(err))
	}
	targets, err := pgx.CollectRows(rows, scanTarget)
	if err != nil {
		return nil, fmt.Errorf("find what demo actors touched: %w", classify(err))
	}
	return targets, nil
}

// evidenceColumns reads the columns to carry over from the catalogue: a column that a later migration adds must
// not be lost here.
const evidenceColumns = `
	select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
	where attrelid = 'evidence'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'seq'`

// Rows of real actors are put back as they were, numbered without gaps. Within one statement the references among
// them hold: a foreign key looks only when the statement is over.
const renumberEvidence = `
	with gone as (
		delete from evidence where target_id = $1 returning %[1]s, seq
	), stay as (
		select %[1]s, row_number() over (order by seq) as place
		from gone where actor_id in (select a.id from actors a where not a.demo)
	)
	insert into evidence (%[1]s, seq) select %[1]s, place from stay`

// RemoveDemoEvidence deletes the evidence of demo actors about a target that stays, and resets what was computed:
// the caller wakes the target in the same transaction when left is not zero.
func (t *Tx) RemoveDemoEvidence(ctx context.Context, target ID) (removed, left int64, err error) {
	if removed, left, err = t.removeDemoEvidence(ctx, target.UUID); err != nil {
		return 0, 0, fmt.Errorf("remove demo evidence about %s: %w", target, err)
	}
	return removed, left, nil
}

func (t *Tx) removeDemoEvidence(ctx context.Context, target uuid.UUID) (removed, left int64, err error) {
	var columns string
	if _, err := t.tx.Exec(ctx, removing); err != nil {
		return 0, 0, err
	}
	if err := t.tx.QueryRow(ctx, `select last_seq from target_heads where target_id = $1 for update`, target).Scan(&removed); err != nil {
		return 0, 0, err
	}
	if err := t.tx.QueryRow(ctx, evidenceColumns).Scan(&columns); err != nil {
		return 0, 0, err
	}
	args := []any{target}
	left, err = t.each(ctx, args,
		// A worker that folds this target now is waited for, and the next one waits for us.
		`select from target_states where target_id = $1 for update`,
		`delete from evidence_sources where evidence_id in (
			select e.id from evidence e join actors d on d.id = e.actor_id where e.target_id = $1 and d.demo)`,
		fmt.Sprintf(renumberEvidence, columns))
	if err != nil {
		return 0, 0, err
	}
	removed -= left
	if left == 0 {
		_, err = t.dropTargets(ctx, []uuid.UUID{target})
		return removed, 0, err
	}
	// The published status stays until the next fold, so that the target's history goes on from it.
	_, err = t.each(ctx, args,
		`update target_heads set last_seq = (select count(*) from evidence where target_id = $1) where target_id = $1`,
		`delete from trust_stats where target_id = $1`,
		`delete from rating_snapshots where target_id = $1`,
		`update target_states set applied_seq = 0, failed_at = null, failure = null where target_id = $1`,
		`update trust_snapshots set applied_seq = 0, counts = '{}' where target_id = $1`)
	return removed, left, err
}

// RemoveDemoRelations deletes what the revisions of items say about other objects. All relations go before the
// first item does: items of one batch may relate to those of another.
func (s *Store) RemoveDemoRelations(ctx context.Context, contents []uuid.UUID) (int64, error) {
	return s.remove(ctx, "relations", func(tx *Tx) (int64, error) {
		return tx.each(ctx, []any{contents},
			`delete from revision_relations where revision_id in (select id from revisions where content_id = any ($1))`)
	})
}

// RemoveDemoContents deletes items with their revisions, their files, and the threads that are empty then.
func (s *Store) RemoveDemoContents(ctx context.Context, contents []uuid.UUID) (int64, error) {
	return s.remove(ctx, "contents", func(tx *Tx) (int64, error) {
		args := []any{contents}
		threads, err := collectUUIDs(ctx, tx.tx, `select distinct thread_id from contents where id = any ($1)`, contents)
		if err != nil {
			return 0, err
		}
		assets, err := collectUUIDs(ctx, tx.tx, `
			select distinct ra.asset_id from revision_assets ra join revisions v on v.id = ra.revision_id
			where v.content_id = any ($1)`, contents)
		if err != nil {
			return 0, err
		}
		const ofThese = ` where revision_id in (select id from revisions where content_id = any ($1))`
		gone, err := tx.each(ctx, args,
			`delete from revision_claims`+ofThese,
			`delete from revision_subjects`+ofThese,
			`delete from revision_sources`+ofThese,
			`delete from revision_assets`+ofThese,
			// A scan that is about to say what it has found waits, and then finds nothing to say it of.
			`select from revisions where content_id = any ($1) order by id for update`,
			`update revision_scans set duplicate_of = null where duplicate_of in (select id from revisions where content_id = any ($1))`,
			`update revision_scans set related_to = null where related_to in (select id from revisions where content_id = any ($1))`,
			`delete from revision_scans`+ofThese,
			`delete from text_signatures where object_id in (select id from revisions where content_id = any ($1))`,
			`delete from redactions where object_id in (select id from revisions where content_id = any ($1))`,
			`delete from moderation_holds where object_id = any ($1)`,
			`update moderation_cases set revises = null where revises = any ($1)`,
			`delete from revisions where content_id = any ($1)`,
			`delete from search_docs where object_id = any ($1)`,
			`delete from contents where id = any ($1)`)
		if err != nil {
			return 0, err
		}
		if _, err := tx.each(ctx, []any{assets}, `
			delete from assets a where a.id = any ($1) and `+demoAuthors("a.created_by")+`
			  and not exists (select from revision_assets ra where ra.asset_id = a.id)`); err != nil {
			return 0, err
		}
		_, err = tx.each(ctx, []any{threads}, `
			delete from threads t where t.id = any ($1) and not exists (select from contents c where c.thread_id = t.id)`)
		return gone, err
	})
}

// RemoveDemoClaims deletes claims.
func (s *Store) RemoveDemoClaims(ctx context.Context, claims []uuid.UUID) (int64, error) {
	return s.remove(ctx, "claims", func(tx *Tx) (int64, error) {
		return tx.each(ctx, []any{claims},
			`delete from search_docs where object_id = any ($1)`,
			`delete from claim_subjects where claim_id = any ($1)`, `delete from claims where id = any ($1)`)
	})
}

// RemoveDemoEntities deletes entities.
func (s *Store) RemoveDemoEntities(ctx context.Context, entities []uuid.UUID) (int64, error) {
	return s.remove(ctx, "entities", func(tx *Tx) (int64, error) {
		return tx.each(ctx, []any{entities}, `delete from search_docs where object_id = any ($1)`, `delete from entities where id = any ($1)`)
	})
}

// RemoveDemoSources deletes sources.
func (s *Store) RemoveDemoSources(ctx context.Context, sources []uuid.UUID) (int64, error) {
	return s.remove(ctx, "sources", func(tx *Tx) (int64, error) {
		return tx.each(ctx, []any{sources}, `delete from sources where id = any ($1)`)
	})
}

// Actors that something kept still names stay, and so do their controllers: agents go first, then who is left
// without any.
const findUnusedDemoActors = `
	select d.id from actors d
	where d.demo
	  and not exists (select from actors c where c.id <> d.id and (c.controller_id = d.id or c.root_controller_id = d.id))
	  and not exists (select from controller_history h
	                  where h.actor_id <> d.id and (h.controller_id = d.id or h.root_controller_id = d.id))
	  and not exists (select from api_keys k where k.actor_id = d.id or k.created_by = d.id)
	  and not exists (select from idempotency_keys i where i.actor_id = d.id)
	  and not exists (select from evidence e where e.actor_id = d.id)
	  and not exists (select from trust_stats t where t.actor_id = d.id)
	  and not exists (select from contents c where c.author_id = d.id)
	  and not exists (select from revisions v where v.author_id = d.id)
	  and not exists (select from claims k where k.first_stated_by = d.id)
	  and not exists (select from entities e where e.created_by = d.id)
	  and not exists (select from sources s where s.first_cited_by = d.id)
	  and not exists (select from assets a where a.created_by = d.id)
	  and not exists (select from spaces s where s.owner_id = d.id)
	limit $1`

// RemoveDemoActors deletes up to limit demo actors that nothing names any more. Call it until it answers 0.
func (s *Store) RemoveDemoActors(ctx context.Context, limit int) (int64, error) {
	return s.remove(ctx, "actors", func(tx *Tx) (int64, error) {
		actors, err := collectUUIDs(ctx, tx.tx, findUnusedDemoActors, limit)
		if err != nil {
			return 0, err
		}
		return tx.each(ctx, []any{actors},
			`delete from space_members where actor_id = any ($1)`,
			`delete from actor_reputations where actor_id = any ($1)`,
			`delete from party_tracks where root_id = any ($1) or party_id = any ($1)`,
			`delete from controller_history where actor_id = any ($1)`,
			`delete from moderation_holds where case_id in (select id from moderation_cases where actor_id = any ($1) or root_id = any ($1))`,
			`update redactions set case_id = null where case_id in (select id from moderation_cases where actor_id = any ($1) or root_id = any ($1))`,
			`delete from moderation_cases where actor_id = any ($1) or root_id = any ($1)`,
			`delete from actors where id = any ($1)`)
	})
}
