package store

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/trustmodel"
)

// Trust is a target's last computed trust under the active model version, as readers see it.
type Trust struct {
	trustmodel.Snapshot

	// Counts are the active records by kind and value; see CountKey.
	Counts  map[string]int64
	Status  string
	Pending string // the status that waits to be published, "" for none
	Model   string
	// Applied is the last evidence that the snapshot includes, LastSeq the last there is: their difference waits.
	Applied, LastSeq int64
	// ComputedAt is nil for a target without a snapshot, which shows the prior.
	ComputedAt *time.Time
	// Stale says that the last computations of this target failed.
	Stale bool
}

const selectTrust = `
	select t.id, m.name, m.params_hash, coalesce(h.last_seq, 0), coalesce(st.applied_seq, 0),
	       st.failed_at is not null as stale,
	       coalesce(s.status, ''), coalesce(s.pending_status, ''), s.inputs, s.computed_at, s.counts
	from trust_models m
	cross join unnest($1::uuid[]) as t (id)
	left join target_heads h on h.target_id = t.id
	left join target_states st on st.target_id = t.id and st.model_id = m.id
	left join trust_snapshots s on s.target_id = t.id and s.model_id = m.id
	where m.state = 'active'`

type trustRow struct {
	Target     uuid.UUID
	ParamsHash string
	Inputs     []byte
	Trust      Trust
}

func scanTrust(row pgx.CollectableRow) (trustRow, error) {
	var out trustRow
	t := &out.Trust
	err := row.Scan(&out.Target, &t.Model, &out.ParamsHash, &t.LastSeq, &t.Applied, &t.Stale, &t.Status, &t.Pending,
		&out.Inputs, &t.ComputedAt, &t.Counts)
	if err == nil && out.Inputs != nil {
		err = json.Unmarshal(out.Inputs, &t.Snapshot)
	}
	return out, err
}

// Trust reads the trust of targets on this snapshot of the database. A target without a computed snapshot shows
// the prior of the active version.
func (v *Snapshot) Trust(ctx context.Context, targets []ID) (map[uuid.UUID]Trust, error) {
	out := make(map[uuid.UUID]Trust, len(targets))
	if len(targets) == 0 {
		return out, nil
	}
	rows, err := v.tx.Query(ctx, selectTrust, uuids(targets))
	if err != nil {
		return nil, fmt.Errorf("read trust: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanTrust)
	if err != nil {
		return nil, fmt.Errorf("read trust: %w", err)
	}
	for _, row := range found {
		if row.Inputs == nil {
			if row.Trust.Snapshot, err = v.prior(ctx, row.ParamsHash); err != nil {
				return nil, err
			}
			row.Trust.Status = row.Trust.RawStatus.String()
		}
		out[row.Target] = row.Trust
	}
	return out, nil
}

// priors keeps the prior of each parameter set: it never changes, and costs two quantiles.
type priors struct {
	mu     sync.Mutex
	byHash map[string]trustmodel.Snapshot
}

func (v *Snapshot) prior(ctx context.Context, hash string) (trustmodel.Snapshot, error) {
	v.priors.mu.Lock()
	defer v.priors.mu.Unlock()
	if prior, ok := v.priors.byHash[hash]; ok {
		return prior, nil
	}
	var raw json.RawMessage
	if err := v.tx.QueryRow(ctx, `select parameters from trust_models where params_hash = $1 limit 1`, hash).Scan(&raw); err != nil {
		return trustmodel.Snapshot{}, fmt.Errorf("read trust parameters: %w", err)
	}
	params := trustmodel.V1()
	if err := json.Unmarshal(raw, &params); err != nil {
		return trustmodel.Snapshot{}, fmt.Errorf("decode trust parameters: %w", err)
	}
	model, err := trustmodel.NewModel(params)
	if err != nil {
		return trustmodel.Snapshot{}, fmt.Errorf("prepare the trust model: %w", err)
	}
	v.priors.byHash[hash] = model.Prior()
	return model.Prior(), nil
}

// Change is one transition of a published status.
type Change struct {
	From, To, Reason string
	Model            string
	Seq              int64
	At               time.Time
}

// maxChanges bounds the history that one read shows.
const maxChanges = 100

// StatusHistory reads a target's transitions under the active version, newest first.
func (v *Snapshot) StatusHistory(ctx context.Context, target ID) ([]Change, error) {
	rows, err := v.tx.Query(ctx, `
		select h.from_status, h.to_status, h.reason, m.name, h.applied_seq, h.changed_at
		from status_history h join trust_models m on m.id = h.model_id
		where h.target_id = $1 and m.state = 'active' order by h.no desc limit $2`, target.UUID, maxChanges)
	if err != nil {
		return nil, fmt.Errorf("read status history: %w", err)
	}
	changes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Change])
	if err != nil {
		return nil, fmt.Errorf("read status history: %w", err)
	}
	return changes, nil
}

// StatusAt reads the published status that a target had under a version at a moment.
func (v *Snapshot) StatusAt(ctx context.Context, model int16, target ID, at time.Time) (string, error) {
	status := trustmodel.Unverified.String()
	rows, err := v.tx.Query(ctx, `
		select to_status from status_history where target_id = $1 and model_id = $2 and changed_at <= $3 order by no desc limit 1`,
		target.UUID, model, at)
	if err != nil {
		return "", fmt.Errorf("read the status of a moment: %w", err)
	}
	if _, err := pgx.ForEachRow(rows, []any{&status}, func() error { return nil }); err != nil {
		return "", fmt.Errorf("read the status of a moment: %w", err)
	}
	return status, nil
}
