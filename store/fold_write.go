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
	// Counts are the active records by kind and value; see CountKey.
	Counts map[string]int64
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
	select r.model_id, r.target_id, r.actor_id, r.bin, r.usage_pos, r.usage_neg, r.review_pos, r.review_neg,
	       r.ungrounded_pos, r.ungrounded_neg, r.asserted, r.real_world, r.records, r.outdated
	from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[],
	            $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[])
	         as r (model_id, target_id, actor_id, bin, usage_pos, usage_neg, review_pos, review_neg,
	               ungrounded_pos, ungrounded_neg, asserted, real_world, records, outdated)
	on conflict (target_id, model_id, actor_id, bin, family) do update set
		usage_pos = excluded.usage_pos, usage_neg = excluded.usage_neg,
		review_pos = excluded.review_pos, review_neg = excluded.review_neg,
		ungrounded_pos = excluded.ungrounded_pos, ungrounded_neg = excluded.ungrounded_neg,
		asserted = excluded.asserted, real_world = excluded.real_world,
		records = excluded.records, outdated = excluded.outdated`

const advanceStates = `
	update target_states s set applied_seq = r.applied, version = s.version + 1, failed_at = null, failure = null
	from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as r (model_id, target_id, applied)
	where s.model_id = r.model_id and s.target_id = r.target_id`

const writeSnapshots = `
	insert into trust_snapshots (model_id, target_id, value, lower_bound, upper_bound, alpha, beta,
	                             independent_confirmations, contradictions, real_world_confirmations,
	                             status, raw_status, inputs, counts, applied_seq, version, as_of_bin)
	select r.model_id, r.target_id, r.value, r.lower, r.upper, r.alpha, r.beta, r.confirmations, r.contradictions,
	       r.real_world, r.status, r.status as raw_status, r.inputs, r.counts, r.applied, 1, r.bin
	from unnest($1::smallint[], $2::uuid[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
	            $8::int[], $9::int[], $10::int[], $11::text[], $12::jsonb[], $13::jsonb[], $14::bigint[], $15::int[])
	         as r (model_id, target_id, value, lower, upper, alpha, beta, confirmations, contradictions, real_world, status,
	               inputs, counts, applied, bin)
	on conflict (target_id, model_id) do update set
		value = excluded.value, lower_bound = excluded.lower_bound, upper_bound = excluded.upper_bound,
		alpha = excluded.alpha, beta = excluded.beta,
		independent_confirmations = excluded.independent_confirmations, contradictions = excluded.contradictions,
		real_world_confirmations = excluded.real_world_confirmations,
		status = excluded.status, raw_status = excluded.raw_status, inputs = excluded.inputs, counts = excluded.counts,
		applied_seq = excluded.applied_seq, version = trust_snapshots.version + 1, as_of_bin = excluded.as_of_bin,
		computed_at = clock_timestamp()`

const writeTransitions = `
	insert into status_history (model_id, target_id, no, from_status, to_status, reason, applied_seq)
	select r.model_id, r.target_id, r.no, r.from_status, r.to_status, r.reason, r.applied_seq
	from unnest($1::smallint[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[])
	         as r (model_id, target_id, no, from_status, to_status, reason, applied_seq)`

// WriteFolds stores statistics, states, snapshots and transitions of many targets in one round trip.
func (t *Tx) WriteFolds(ctx context.Context, computed []Computed) error {
	if len(computed) == 0 {
		return nil
	}
	var p pipeline
	queueStats(&p, computed)
	if err := queueSnapshots(&p, computed); err != nil {
		return err
	}
	queueTransitions(&p, computed)
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("write snapshots: %w", err)
	}
	return nil
}

func queueStats(p *pipeline, computed []Computed) {
	var models []int16
	var targets, actors []uuid.UUID
	var bins []int32
	var sums [10][]int64
	for i := range computed {
		for j := range computed[i].Stats {
			row := &computed[i].Stats[j]
			models, targets = append(models, row.Model), append(targets, computed[i].Target.UUID)
			actors, bins = append(actors, row.Actor), append(bins, row.Index)
			s := &row.Sums
			for k, value := range [...]int64{
				s.UsagePos, s.UsageNeg, s.ReviewPos, s.ReviewNeg, s.UngroundedPos, s.UngroundedNeg,
				s.Asserted, s.RealWorld, s.Records, s.Outdated,
			} {
				sums[k] = append(sums[k], value)
			}
		}
	}
	if len(models) > 0 {
		p.exec(writeStats, models, targets, actors, bins, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6],
			sums[7], sums[8], sums[9])
	}
}

func queueSnapshots(p *pipeline, computed []Computed) error {
	n := len(computed)
	models, targets, applied, bins := make([]int16, n), make([]uuid.UUID, n), make([]int64, n), make([]int32, n)
	statuses, inputs, counts := make([]string, n), make([]json.RawMessage, n), make([]json.RawMessage, n)
	var figures [5][]float64
	var counters [3][]int
	for i := range computed {
		c := &computed[i]
		s := &c.Snapshot
		var err error
		if inputs[i], err = json.Marshal(s); err != nil {
			return fmt.Errorf("encode the snapshot's inputs: %w", err)
		}
		if counts[i], err = json.Marshal(c.Counts); err != nil {
			return fmt.Errorf("encode the snapshot's counts: %w", err)
		}
		models[i], targets[i], applied[i], bins[i] = c.Model, c.Target.UUID, c.Applied, c.AsOfBin
		statuses[i] = s.RawStatus.String()
		for k, value := range [...]float64{s.Value, s.Lower, s.Upper, s.Alpha, s.Beta} {
			figures[k] = append(figures[k], value)
		}
		for k, value := range [...]int{s.Confirmations, s.Contradictions, s.RealWorldConfirmations} {
			counters[k] = append(counters[k], value)
		}
	}
	p.exec(advanceStates, models, targets, applied)
	p.exec(writeSnapshots, models, targets, figures[0], figures[1], figures[2], figures[3], figures[4],
		counters[0], counters[1], counters[2], statuses, inputs, counts, applied, bins)
	return nil
}

func queueTransitions(p *pipeline, computed []Computed) {
	var models []int16
	var targets []uuid.UUID
	var numbers []int
	var applied []int64
	var from, to, reasons []string
	for i := range computed {
		c := &computed[i]
		if c.Transition == nil {
			continue
		}
		models, targets, numbers = append(models, c.Model), append(targets, c.Target.UUID), append(numbers, c.Transition.No)
		from, to = append(from, c.Transition.From), append(to, c.Transition.To)
		reasons, applied = append(reasons, c.Transition.Reason), append(applied, c.Applied)
	}
	if len(models) > 0 {
		p.exec(writeTransitions, models, targets, numbers, from, to, reasons, applied)
	}
}

// MarkFailed records that a target's computation was given up, so that readers and operators see it as stale.
func (s *Store) MarkFailed(ctx context.Context, target ID, failure string) error {
	err := s.Write(ctx, func(tx *Tx) error {
		if _, err := tx.tx.Exec(ctx, ensureStates, []uuid.UUID{target.UUID}); err != nil {
			return err
		}
		_, err := tx.tx.Exec(ctx, `
			update target_states set failed_at = clock_timestamp(), failure = left($2, 500) where target_id = $1`,
			target.UUID, failure)
		return err
	})
	if err != nil {
		return fmt.Errorf("mark the target stale: %w", err)
	}
	return nil
}
