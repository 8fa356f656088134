package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"interai/trustmodel"
)

// TrustModel is one version of the trust model as a row.
type TrustModel struct {
	ID          int16
	Name        string
	Parameters  json.RawMessage
	ParamsHash  string
	State       string
	CreatedAt   time.Time
	ActivatedAt *time.Time
}

const insertFirstModel = `
	insert into trust_models (name, parameters, params_hash, state, activated_at)
	select $1, $2, $3, 'active', clock_timestamp()
	where not exists (select from trust_models)
	on conflict do nothing`

// EnsureFirstModel makes trust-v1 the active version of a database that has none.
func (s *Store) EnsureFirstModel(ctx context.Context) error {
	params := trustmodel.V1()
	encoded, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode trust parameters: %w", err)
	}
	if _, err := s.pool.Exec(ctx, insertFirstModel, trustmodel.V1Name, encoded, params.Hash()); err != nil {
		return fmt.Errorf("store the first trust model: %w", classify(err))
	}
	return nil
}

const selectModels = `select id, name, parameters, params_hash, state, created_at, activated_at from trust_models`

// LiveModels lists the versions that workers compute, the active one first.
func (s *Store) LiveModels(ctx context.Context) ([]TrustModel, error) {
	var models []TrustModel
	err := s.retry(ctx, func() error {
		rows, err := s.pool.Query(ctx, selectModels+` where state in ('active', 'shadow') order by state, id`)
		if err != nil {
			return err
		}
		models, err = pgx.CollectRows(rows, pgx.RowToStructByName[TrustModel])
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read trust models: %w", err)
	}
	return models, nil
}
