package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// TrustVerification is how far a comparison of all stored trust of one version with its raw evidence has come. It walks the
// heads in the order of their IDs.
type TrustVerification struct {
	Model      int16
	After      uuid.UUID
	Checked    int64 // equal, or not
	Stale      int64 // waiting to be computed: nothing to compare yet
	Wrong      int64
	Total      int64
	StartedAt  time.Time
	UpdatedAt  time.Time
	FinishedAt *time.Time
}

const selectVerification = `
	select model_id as model, after_id as after, checked, stale, wrong, total, started_at, updated_at, finished_at
	from trust_verifications where model_id = $1`

// Verification reads a version's last verification; ErrNotFound if it never had one.
func (s *Store) Verification(ctx context.Context, model int16) (TrustVerification, error) {
	rows, err := s.pool.Query(ctx, selectVerification, model)
	if err != nil {
		return TrustVerification{}, fmt.Errorf("read the verification: %w", classify(err))
	}
	out, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[TrustVerification])
	if errors.Is(err, pgx.ErrNoRows) {
		return TrustVerification{}, fmt.Errorf("verification of trust model %d: %w", model, ErrNotFound)
	}
	if err != nil {
		return TrustVerification{}, fmt.Errorf("read the verification: %w", classify(err))
	}
	return out, nil
}

const startVerification = `
	insert into trust_verifications as v (model_id, total) select $1, count(*) from target_heads
	on conflict (model_id) do update set after_id = '00000000-0000-0000-0000-000000000000', checked = 0, stale = 0, wrong = 0,
		total = excluded.total, started_at = clock_timestamp(), updated_at = clock_timestamp(), finished_at = null`

// StartVerification begins a version's verification at the first head.
func (s *Store) StartVerification(ctx context.Context, model int16) (TrustVerification, error) {
	if _, err := s.pool.Exec(ctx, startVerification, model); err != nil {
		return TrustVerification{}, fmt.Errorf("begin the verification: %w", classify(err))
	}
	return s.Verification(ctx, model)
}

const saveVerification = `
	update trust_verifications set after_id = $2, checked = $3, stale = $4, wrong = $5, updated_at = clock_timestamp(),
		finished_at = case when $6 then clock_timestamp() end
	where model_id = $1`

// SaveVerification keeps how far a verification has come, so that it can be taken up again.
func (s *Store) SaveVerification(ctx context.Context, v *TrustVerification, finished bool) error {
	if _, err := s.pool.Exec(ctx, saveVerification, v.Model, v.After, v.Checked, v.Stale, v.Wrong, finished); err != nil {
		return fmt.Errorf("save the verification: %w", classify(err))
	}
	return nil
}

// CurrentTarget answers the target of evidence that an ID means: the current revision of an item, else itself.
func (v *Snapshot) CurrentTarget(ctx context.Context, id ID) (ID, error) {
	if id.Kind != KindContent {
		return id, nil
	}
	out := ID{Kind: KindRevision}
	err := v.tx.QueryRow(ctx, `select current_revision_id from contents where id = $1`, id.UUID).Scan(&out.UUID)
	if errors.Is(err, pgx.ErrNoRows) {
		return ID{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	if err != nil {
		return ID{}, fmt.Errorf("read the current revision: %w", err)
	}
	return out, nil
}

// SampleHeads lists up to limit targets, others each time. It looks at the keys of all.
func (s *Store) SampleHeads(ctx context.Context, limit int) ([]ID, error) {
	return s.targets(ctx, "sample targets", `
		select target_id, kind from target_heads
		order by md5(target_id::text || clock_timestamp()::text) limit $1`,
		limit)
}
