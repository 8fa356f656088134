package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// The states of a backfill.
const (
	BackfillRunning = "running"
	BackfillPaused  = "paused"
	BackfillDone    = "done"
)

// Backfill is how far the computation of one version for all targets has come. It walks the heads in the order of their
// IDs: those up to After are computed, Done in number.
type Backfill struct {
	Model       int16 `db:"model_id"`
	State       string
	After       uuid.UUID `db:"after_id"`
	Done, Total int64
	StartedAt   time.Time
	UpdatedAt   time.Time
	FinishedAt  *time.Time
}

const selectBackfills = `
	select model_id, state, after_id, done, total, started_at, updated_at, finished_at from trust_backfills`

// Backfill reads the backfill of a version; ErrNotFound if it never had one.
func (s *Store) Backfill(ctx context.Context, model int16) (Backfill, error) {
	return readBackfill(ctx, s.pool, model)
}

// Backfill reads the backfill of a version; ErrNotFound if it never had one.
func (t *Tx) Backfill(ctx context.Context, model int16) (Backfill, error) {
	return readBackfill(ctx, t.tx, model)
}

func readBackfill(ctx context.Context, on querier, model int16) (Backfill, error) {
	rows, err := on.Query(ctx, selectBackfills+` where model_id = $1`, model)
	if err != nil {
		return Backfill{}, fmt.Errorf("read the backfill: %w", classify(err))
	}
	backfill, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Backfill])
	if err != nil {
		return Backfill{}, fmt.Errorf("read the backfill: %w", classify(err))
	}
	return backfill, nil
}

const startBackfill = `
	insert into trust_backfills as b (model_id, state, total)
	select $1, 'running', count(*) from target_heads
	on conflict (model_id) do update set
		state = excluded.state, after_id = default, done = 0, total = excluded.total,
		started_at = clock_timestamp(), updated_at = clock_timestamp(), finished_at = null`

// StartBackfill begins a version's backfill at the first head, whether it had one before or not. The caller enqueues
// its job in the same transaction.
func (t *Tx) StartBackfill(ctx context.Context, model int16) error {
	var p pipeline
	p.exec(scanAll)
	p.exec(startBackfill, model)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("start the backfill: %w", err)
	}
	return nil
}

// SetBackfillState takes a backfill from one state to another, and reports whether it was in the former one.
func (t *Tx) SetBackfillState(ctx context.Context, model int16, from, to string) (bool, error) {
	tag, err := t.tx.Exec(ctx, `
		update trust_backfills set state = $3, updated_at = clock_timestamp() where model_id = $1 and state = $2`, model, from, to)
	if err != nil {
		return false, fmt.Errorf("set the state of the backfill: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// HeadsAfter lists up to limit targets behind the given one, in the order of their IDs.
func (s *Store) HeadsAfter(ctx context.Context, after uuid.UUID, limit int) ([]ID, error) {
	rows, err := s.pool.Query(ctx, `
		select target_id, kind from target_heads where target_id > $1 order by target_id limit $2`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list targets: %w", classify(err))
	}
	targets, err := pgx.CollectRows(rows, scanTarget)
	if err != nil {
		return nil, fmt.Errorf("list targets: %w", classify(err))
	}
	return targets, nil
}

// BackfillStep is one stretch of heads that has been computed.
type BackfillStep struct {
	Model int16
	// From is where the backfill stood, To the last head of the stretch, Heads their number.
	From, To uuid.UUID
	Heads    int64
	// Last says that no head lies behind.
	Last bool
}

// Only who found the backfill where it stands may move it: of two jobs that computed the same stretch one is counted.
// A backfill that was paused meanwhile keeps what was done.
const advanceBackfill = `
	update trust_backfills set
		after_id = $3, done = done + $4,
		total = case when $5 then done + $4 else greatest(total, done + $4) end,
		state = case when $5 then 'done' else state end,
		finished_at = case when $5 then clock_timestamp() end,
		updated_at = clock_timestamp()
	where model_id = $1 and after_id = $2 and state in ('running', 'paused')
	returning state`

// AdvanceBackfill counts a stretch and answers the state of the backfill then; "" when another job has moved it.
func (t *Tx) AdvanceBackfill(ctx context.Context, step BackfillStep) (string, error) {
	rows, err := t.tx.Query(ctx, advanceBackfill, step.Model, step.From, step.To, step.Heads, step.Last)
	if err != nil {
		return "", fmt.Errorf("advance the backfill: %w", err)
	}
	states, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", fmt.Errorf("advance the backfill: %w", err)
	}
	if len(states) == 0 {
		return "", nil
	}
	return states[0], nil
}

const lostBackfills = `
	select b.model_id
	from trust_backfills b join trust_models m on m.id = b.model_id
	where b.state = 'running' and m.state = 'shadow' and not exists (
		select from river.river_job j
		where j.kind = 'backfill_model' and (j.args ->> 'model')::smallint = b.model_id
		  and (j.state in ('available', 'retryable', 'scheduled')
		    or not $1 and j.state = 'running' and j.attempted_at > clock_timestamp() - $2::interval))
	order by b.model_id for update of b skip locked`

// LostBackfills lists the versions whose backfill should go on and has no job. A job that was begun within the time
// one may take is taken for alive, unless all says that it may be in the hands of a process that is gone. The caller
// enqueues jobs for them in the same transaction.
func (t *Tx) LostBackfills(ctx context.Context, all bool, jobTimeout time.Duration) ([]int16, error) {
	rows, err := t.tx.Query(ctx, lostBackfills, all, jobTimeout)
	if err != nil {
		return nil, fmt.Errorf("find lost backfills: %w", err)
	}
	models, err := pgx.CollectRows(rows, pgx.RowTo[int16])
	if err != nil {
		return nil, fmt.Errorf("find lost backfills: %w", err)
	}
	return models, nil
}

// WorkersRunning reports whether some node works jobs: nodes with workers elect one of them, every few seconds.
func (s *Store) WorkersRunning(ctx context.Context) (bool, error) {
	var running bool
	err := s.pool.QueryRow(ctx, `select exists (select from river.river_leader where expires_at > clock_timestamp())`).Scan(&running)
	if err != nil {
		return false, fmt.Errorf("look for workers: %w", classify(err))
	}
	return running, nil
}
