package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// scanAll lets one transaction read whole tables, and take its time for it: operators' commands look at every target.
// Readers and workers keep to keys and to the short limit.
const scanAll = `
	select set_config('enable_seqscan', 'on', true), set_config('enable_hashjoin', 'on', true),
	       set_config('enable_mergejoin', 'on', true), set_config('statement_timeout', '600000', true)`

// NewModel is a version to be stored as a draft.
type NewModel struct {
	Name       string
	Parameters json.RawMessage
	ParamsHash string
	Parent     string
	Note       string
}

// LockModels lists all versions, oldest first, and lets no other command of an operator change their states until this
// transaction ends. Workers and readers are not held up.
func (t *Tx) LockModels(ctx context.Context) ([]TrustModel, error) {
	// The sealing of a large epoch holds its version's row for seconds: an operator waits for it.
	if err := t.bePatient(ctx); err != nil {
		return nil, err
	}
	// Whoever waited for the lock has a statement older than what the other one inserted: the list is read anew.
	if _, err := t.tx.Exec(ctx, `select from trust_models order by id for no key update`); err != nil {
		return nil, fmt.Errorf("lock trust models: %w", err)
	}
	rows, err := t.tx.Query(ctx, selectModels+` order by id`)
	if err != nil {
		return nil, fmt.Errorf("read trust models: %w", err)
	}
	models, err := pgx.CollectRows(rows, pgx.RowToStructByName[TrustModel])
	if err != nil {
		return nil, fmt.Errorf("read trust models: %w", err)
	}
	return models, nil
}

// bePatient lets this transaction wait longer for the rows of versions than a call of an agent may.
func (t *Tx) bePatient(ctx context.Context) error {
	_, err := t.tx.Exec(ctx, `select set_config('lock_timeout', '60000', true), set_config('statement_timeout', '60000', true)`)
	if err != nil {
		return fmt.Errorf("allow for time: %w", err)
	}
	return nil
}

// InsertModel stores a draft. The caller has checked, under LockModels, that its name is free.
func (t *Tx) InsertModel(ctx context.Context, model NewModel) error {
	_, err := t.tx.Exec(ctx, `
		insert into trust_models (name, parameters, params_hash, parent, note, state) values ($1, $2, $3, $4, $5, 'draft')`,
		model.Name, model.Parameters, model.ParamsHash, model.Parent, model.Note)
	if err != nil {
		return fmt.Errorf("store the trust model: %w", err)
	}
	return nil
}

// SetModelState puts a version into another state. Only one is active: the former one leaves that state first.
func (t *Tx) SetModelState(ctx context.Context, model int16, state string) error {
	_, err := t.tx.Exec(ctx, `
		update trust_models set state = $2,
		       activated_at = case when $2 = 'active' then clock_timestamp() else activated_at end
		where id = $1`, model, state)
	if err != nil {
		return fmt.Errorf("set the state of a trust model: %w", err)
	}
	return nil
}

// Gaps are the targets of which one version knows less than another.
type Gaps struct {
	// Missing have a snapshot of the other version only; Behind have evidence that only the other one includes.
	Missing, Behind int64
}

// None reports whether there is no gap.
func (g Gaps) None() bool { return g == Gaps{} }

const countGaps = `
	select count(*) filter (where p.target_id is null) as missing,
	       count(*) filter (where p.target_id is not null and s.applied_seq < o.applied_seq) as behind
	from trust_snapshots q
	join target_states o on o.target_id = q.target_id and o.model_id = q.model_id
	left join target_states s on s.target_id = q.target_id and s.model_id = $1
	left join trust_snapshots p on p.target_id = q.target_id and p.model_id = $1
	where q.model_id = $2`

// Gaps counts what a version lacks beside another one. A target that neither has computed yet is no gap: it shows the
// prior, and its evidence as pending, under both.
func (t *Tx) Gaps(ctx context.Context, model, other int16) (Gaps, error) {
	var gaps Gaps
	var p pipeline
	p.exec(scanAll)
	scan(&p, func(row pgx.CollectableRow) error { return row.Scan(&gaps.Missing, &gaps.Behind) }, countGaps, model, other)
	if err := p.send(ctx, t.tx); err != nil {
		return gaps, fmt.Errorf("compare the progress of two trust models: %w", err)
	}
	return gaps, nil
}

// ModelProgress is how far a version has come over all targets.
type ModelProgress struct {
	// Computed is the number of targets with a snapshot, Failed of those whose computation was given up.
	Computed, Failed int64
	// Lagging is the number of targets that wait to be computed: with evidence that the version does not include (Behind
	// in number of records), or of which something else has changed that their trust depends on.
	Lagging, Behind int64
}

const countProgress = `
	select s.model_id, count(p.target_id), count(*) filter (where s.failed_at is not null),
	       count(*) filter (where h.last_seq > s.applied_seq or h.wakes > s.wakes), coalesce(sum(h.last_seq - s.applied_seq), 0)::bigint
	from target_states s
	join target_heads h on h.target_id = s.target_id
	left join trust_snapshots p on p.target_id = s.target_id and p.model_id = s.model_id
	group by s.model_id`

// ModelsProgress is a look at all versions on one snapshot of the database. It reads all states of all targets.
type ModelsProgress struct {
	// Targets is the number of targets of evidence.
	Targets   int64
	Models    []TrustModel
	Progress  map[int16]ModelProgress
	Backfills map[int16]Backfill
}

// ModelsProgress reads all versions with their progress, oldest first.
func (s *Store) ModelsProgress(ctx context.Context) (ModelsProgress, error) {
	var out ModelsProgress
	err := s.Read(ctx, func(v *Snapshot) error {
		out = ModelsProgress{Progress: map[int16]ModelProgress{}, Backfills: map[int16]Backfill{}}
		var p pipeline
		p.exec(scanAll)
		queue(&p, &out.Models, pgx.RowToStructByName[TrustModel], selectModels+` order by id`)
		scan(&p, func(row pgx.CollectableRow) error { return row.Scan(&out.Targets) }, `select count(*) from target_heads`)
		scan(&p, out.scanProgress, countProgress)
		scan(&p, out.scanBackfill, selectBackfills)
		return p.send(ctx, v.tx)
	})
	if err != nil {
		return ModelsProgress{}, fmt.Errorf("read the progress of trust models: %w", err)
	}
	return out, nil
}

func (m *ModelsProgress) scanProgress(row pgx.CollectableRow) error {
	var id int16
	var p ModelProgress
	err := row.Scan(&id, &p.Computed, &p.Failed, &p.Lagging, &p.Behind)
	m.Progress[id] = p
	return err
}

func (m *ModelsProgress) scanBackfill(row pgx.CollectableRow) error {
	backfill, err := pgx.RowToStructByName[Backfill](row)
	m.Backfills[backfill.Model] = backfill
	return err
}
