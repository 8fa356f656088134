package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"interai/trustmodel"
)

// Computed is the outcome of folding one target under one model version.
type Computed struct {
	Model   int16
	Target  ID
	Applied int64
	AsOfBin int32
	// Stats are the rows that changed, with their new sums.
	Stats    []StatRow
	Snapshot trustmodel.Snapshot
	Counts   map[string]int64
	// Transition is nil when the published status stays as it is.
	Transition *Transition
}

// Transition is one change of a published status.
type Transition struct {
	No       int
	From, To string
	Reason   string
}

const writeStats = `
	insert into trust_stats as t (model_id, target_id, actor_id, bin, usage_pos, usage_neg, review_pos, review_neg,
	                              ungrounded_pos, ungrounded_neg, asserted, real_world, records, outdated)
	select $1, $2, r.*
	from unnest($3::uuid[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
	            $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[])
	         as r (actor_id, bin, usage_pos, usage_neg, review_pos, review_neg, ungrounded_pos, ungrounded_neg,
	               asserted, real_world, records, outdated)
	on conflict (model_id, target_id, actor_id, bin) do update set
		usage_pos = excluded.usage_pos, usage_neg = excluded.usage_neg,
		review_pos = excluded.review_pos, review_neg = excluded.review_neg,
		ungrounded_pos = excluded.ungrounded_pos, ungrounded_neg = excluded.ungrounded_neg,
		asserted = excluded.asserted, real_world = excluded.real_world,
		records = excluded.records, outdated = excluded.outdated`

const advanceState = `
	update target_states set applied_seq = $3, version = version + 1, failed_at = null, failure = null
	where model_id = $1 and target_id = $2`

const writeSnapshot = `
	insert into trust_snapshots (model_id, target_id, value, lower_bound, upper_bound, alpha, beta,
	                             independent_confirmations, contradictions, real_world_confirmations,
	                             status, raw_status, inputs, applied_seq, version, as_of_bin, counts)
	values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, 1, $14, $15)
	on conflict (model_id, target_id) do update set
		value = excluded.value, lower_bound = excluded.lower_bound, upper_bound = excluded.upper_bound,
		alpha = excluded.alpha, beta = excluded.beta,
		independent_confirmations = excluded.independent_confirmations, contradictions = excluded.contradictions,
		real_world_confirmations = excluded.real_world_confirmations,
		status = excluded.status, raw_status = excluded.raw_status, inputs = excluded.inputs, counts = excluded.counts,
		applied_seq = excluded.applied_seq, version = trust_snapshots.version + 1, as_of_bin = excluded.as_of_bin,
		computed_at = clock_timestamp()`

const writeTransition = `
	insert into status_history (model_id, target_id, no, from_status, to_status, reason, applied_seq)
	values ($1, $2, $3, $4, $5, $6, $7)`

// WriteFold stores statistics, state, snapshot and history of a target in one round trip.
func (t *Tx) WriteFold(ctx context.Context, computed []Computed) error {
	var p pipeline
	for i := range computed {
		c := &computed[i]
		inputs, err := json.Marshal(c.Snapshot)
		if err != nil {
			return fmt.Errorf("encode the snapshot's inputs: %w", err)
		}
		if len(c.Stats) > 0 {
			p.exec(writeStats, statColumns(c)...)
		}
		p.exec(advanceState, c.Model, c.Target.UUID, c.Applied)
		s := c.Snapshot
		p.exec(writeSnapshot, c.Model, c.Target.UUID, s.Value, s.Lower, s.Upper, s.Alpha, s.Beta,
			s.Confirmations, s.Contradictions, s.RealWorldConfirmations, s.RawStatus.String(), inputs, c.Applied, c.AsOfBin,
			c.Counts)
		if tr := c.Transition; tr != nil {
			p.exec(writeTransition, c.Model, c.Target.UUID, tr.No, tr.From, tr.To, tr.Reason, c.Applied)
		}
	}
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("write the snapshot: %w", err)
	}
	return nil
}

func statColumns(c *Computed) []any {
	actors := make([]uuid.UUID, len(c.Stats))
	bins := make([]int32, len(c.Stats))
	sums := make([][]int64, 10)
	for i, row := range c.Stats {
		actors[i], bins[i] = row.Actor, row.Index
		for j, v := range []int64{
			row.Sums.UsagePos, row.Sums.UsageNeg, row.Sums.ReviewPos, row.Sums.ReviewNeg, row.Sums.UngroundedPos, row.Sums.UngroundedNeg,
			row.Sums.Asserted, row.Sums.RealWorld, row.Sums.Records, row.Sums.Outdated,
		} {
			sums[j] = append(sums[j], v)
		}
	}
	args := []any{c.Model, c.Target.UUID, actors, bins}
	for _, column := range sums {
		args = append(args, column)
	}
	return args
}

// MarkFailed records that a target's computation was given up, so that readers and operators see it as stale.
func (s *Store) MarkFailed(ctx context.Context, target ID, failure string) error {
	_, err := s.pool.Exec(ctx, `
		update target_states set failed_at = clock_timestamp(), failure = left($2, 500) where target_id = $1`,
		target.UUID, failure)
	if err != nil {
		return fmt.Errorf("mark the target stale: %w", classify(err))
	}
	return nil
}
