package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"interai/trustmodel"
)

// The states of a version. Workers compute the active one, which readers see, and shadow ones, which nobody sees.
const (
	ModelDraft   = "draft"
	ModelShadow  = "shadow"
	ModelActive  = "active"
	ModelRetired = "retired"
)

// TrustModel is one version of the trust model as a row.
type TrustModel struct {
	ID         int16
	Name       string
	Parameters json.RawMessage
	ParamsHash string
	State      string
	// Parent is the name of the version whose parameters were changed, "" for the first one.
	Parent string
	Note   string
	// Epoch is the sealed epoch of reputations that the version reads, 0 before the first.
	Epoch       int32
	CreatedAt   time.Time
	ActivatedAt *time.Time
}

// Params decodes the version's parameters. A parameter that is younger than the row has trust-v1's value.
func (m *TrustModel) Params() (trustmodel.Params, error) {
	params := trustmodel.V1()
	if err := json.Unmarshal(m.Parameters, &params); err != nil {
		return params, fmt.Errorf("decode the parameters of %s: %w", m.Name, err)
	}
	return params, nil
}

// Live reports whether workers compute the version.
func (m *TrustModel) Live() bool { return m.State == ModelActive || m.State == ModelShadow }

const insertFirstModel = `
	insert into trust_models (name, parameters, params_hash, state, activated_at)
	select $1, $2, $3, 'active', clock_timestamp()
	where not exists (select from trust_models)
	on conflict do nothing`

// Versions that operators make never change. trust-v1 is that of the program: until its first release a database may
// hold an earlier set of constants under this name. All targets are woken then.
const renewFirstModel = `
	with renewed as (
		update trust_models set parameters = $2, params_hash = $3 where name = $1 and params_hash <> $3 returning id
	)
	update target_heads set wakes = wakes + 1 where exists (select from renewed)`

// EnsureFirstModel makes trust-v1 the active version of a database that has none, and brings its constants up to date.
func (s *Store) EnsureFirstModel(ctx context.Context) error {
	params := trustmodel.V1()
	encoded, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode trust parameters: %w", err)
	}
	return s.Write(ctx, func(tx *Tx) error {
		if _, err := tx.tx.Exec(ctx, insertFirstModel, trustmodel.V1Name, encoded, params.Hash()); err != nil {
			return fmt.Errorf("store the first trust model: %w", err)
		}
		if _, err := tx.tx.Exec(ctx, `set local statement_timeout = '10min'`); err != nil {
			return fmt.Errorf("allow for time: %w", err)
		}
		if _, err := tx.tx.Exec(ctx, renewFirstModel, trustmodel.V1Name, encoded, params.Hash()); err != nil {
			return fmt.Errorf("bring the first trust model up to date: %w", err)
		}
		return nil
	})
}

const selectModels = `
	select id, name, parameters, params_hash, state, parent, note, epoch, created_at, activated_at from trust_models`

// LiveModels lists the versions that workers compute, the active one first.
func (s *Store) LiveModels(ctx context.Context) ([]TrustModel, error) {
	return s.models(ctx, ` where state in ('active', 'shadow') order by state, id`)
}

// Models lists all versions, oldest first.
func (s *Store) Models(ctx context.Context) ([]TrustModel, error) {
	return s.models(ctx, ` order by id`)
}

func (s *Store) models(ctx context.Context, which string) ([]TrustModel, error) {
	var models []TrustModel
	err := s.on(ctx, func(conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, selectModels+which)
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
