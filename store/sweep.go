package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A target lags when evidence is not folded yet. One that is not queued lost its wake-up to a dead worker. One
// that is queued has a job, unless that was lost too: it is woken when the queue is idle. Targets whose
// computation was given up are left alone for an hour.
const findLagging = `
	select h.target_id, h.kind
	from target_heads h
	left join target_states s on s.target_id = h.target_id
		and s.model_id = (select id from trust_models where state = 'active')
	where (h.last_seq > coalesce(s.applied_seq, 0) or h.wakes > coalesce(s.wakes, 0))
	  and (not h.queued or $1)
	  and (s.failed_at is null or s.failed_at < clock_timestamp() - interval '1 hour')
	  and h.target_id > $2
	order by h.target_id
	limit $3`

// Lagging lists up to limit targets after the given one that have evidence, or a change of what they depend on,
// without a job; with queued set also those that are marked queued.
func (s *Store) Lagging(ctx context.Context, queued bool, after uuid.UUID, limit int) ([]ID, error) {
	rows, err := s.pool.Query(ctx, findLagging, queued, after, limit)
	if err != nil {
		return nil, fmt.Errorf("find lagging targets: %w", classify(err))
	}
	targets, err := pgx.CollectRows(rows, scanTarget)
	if err != nil {
		return nil, fmt.Errorf("find lagging targets: %w", classify(err))
	}
	return targets, nil
}

func scanTarget(row pgx.CollectableRow) (ID, error) {
	var id ID
	err := row.Scan(&id.UUID, &id.Kind)
	return id, err
}

// Wake marks targets as queued; the caller enqueues a job for each in the same transaction.
func (t *Tx) Wake(ctx context.Context, targets []ID) error {
	_, err := t.tx.Exec(ctx, `
		update target_heads set queued = true where target_id in (
			select target_id from target_heads where target_id = any ($1) order by target_id for no key update)`, uuids(targets))
	if err != nil {
		return fmt.Errorf("wake targets: %w", err)
	}
	return nil
}

// Decayed lists up to limit targets whose active snapshot was computed for an earlier 30-day bin: recency has
// changed since. Those whose computation was given up are left alone for an hour.
func (s *Store) Decayed(ctx context.Context, bin int32, limit int) ([]ID, error) {
	rows, err := s.pool.Query(ctx, `
		select p.target_id, h.kind
		from trust_snapshots p
		join target_heads h on h.target_id = p.target_id
		join target_states s on s.target_id = p.target_id and s.model_id = p.model_id
		where p.model_id = (select id from trust_models where state = 'active') and p.as_of_bin < $1
		  and (s.failed_at is null or s.failed_at < clock_timestamp() - interval '1 hour')
		limit $2`, bin, limit)
	if err != nil {
		return nil, fmt.Errorf("find decayed targets: %w", classify(err))
	}
	targets, err := pgx.CollectRows(rows, scanTarget)
	if err != nil {
		return nil, fmt.Errorf("find decayed targets: %w", classify(err))
	}
	return targets, nil
}

// TrustTotals are the sums by which an operator, a test or a benchmark proves that nothing was lost.
type TrustTotals struct {
	// Evidence is the number of evidence rows; Numbered the sum of all heads' last numbers: equal without gaps.
	Evidence, Numbered int64
	// Gaps is the number of targets whose evidence is not numbered 1 to last_seq.
	Gaps int64
	// Lagging is the number of targets with evidence that is not folded yet, or whose trust does not follow yet from a
	// change of what it depends on.
	Lagging int64
	// Lost is the number of targets whose statistics do not hold all folded active records.
	Lost int64
}

const countTotals = `
	with counted as (
		select target_id, count(*) as n, max(seq) as top,
		       count(*) filter (where kind in ('usage', 'review', 'assertion')) as made
		from evidence group by target_id
	), retracted as (
		select r.target_id, count(*) as n
		from evidence r join evidence o on o.id = r.retracts
		where o.kind in ('usage', 'review', 'assertion') group by r.target_id
	), folded as (
		select target_id, sum(records) as n from trust_stats
		where model_id = (select id from trust_models where state = 'active') group by target_id
	)
	select coalesce(sum(c.n), 0)::bigint as evidence, coalesce(sum(h.last_seq), 0)::bigint as numbered,
	       count(*) filter (where coalesce(c.n, 0) <> h.last_seq or coalesce(c.top, 0) <> h.last_seq) as gaps,
	       count(*) filter (where h.last_seq > coalesce(s.applied_seq, 0) or h.wakes > coalesce(s.wakes, 0)) as lagging,
	       count(*) filter (where h.last_seq = s.applied_seq
	                          and coalesce(c.made, 0) - coalesce(r.n, 0) <> coalesce(f.n, 0)) as lost
	from target_heads h
	left join counted c using (target_id)
	left join retracted r using (target_id)
	left join folded f using (target_id)
	left join target_states s on s.target_id = h.target_id
		and s.model_id = (select id from trust_models where state = 'active')`

// TrustTotals reads the totals on one snapshot. It scans all evidence.
func (s *Store) TrustTotals(ctx context.Context) (TrustTotals, error) {
	var totals TrustTotals
	err := s.Read(ctx, func(v *Snapshot) error {
		// This one reads everything.
		if _, err := v.tx.Exec(ctx, `select set_config(name, 'on', true)
			from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`); err != nil {
			return err
		}
		rows, err := v.tx.Query(ctx, countTotals)
		if err != nil {
			return err
		}
		totals, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[TrustTotals])
		return err
	})
	if err != nil {
		return TrustTotals{}, fmt.Errorf("count trust totals: %w", err)
	}
	return totals, nil
}

// TrustQueueIdle reports whether no job is due on the trust queue, and none was begun within the time that one may
// take: whatever is marked queued then has lost its job. Jobs that pause after a failure do not count, for they have
// taken the marks of their targets: one that fails for long would hide what others have lost.
func (s *Store) TrustQueueIdle(ctx context.Context, jobTimeout time.Duration) (bool, error) {
	var idle bool
	err := s.pool.QueryRow(ctx, `
		select not exists (
			select from river.river_job
			where queue = 'trust' and (state = 'available'
			   or state in ('retryable', 'scheduled') and scheduled_at <= clock_timestamp()
			   or state = 'running' and attempted_at > clock_timestamp() - $1::interval))`, jobTimeout).Scan(&idle)
	if err != nil {
		return false, fmt.Errorf("look at the trust queue: %w", classify(err))
	}
	return idle, nil
}
