package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"interai/trustmodel"
)

// Computed is the outcome of folding one target under one model version.
type Computed struct {
	Model   int16
	Target  ID
	Applied int64
	Wakes   int64
	AsOfBin int32
	Epoch   int32
	// Quiet says that nothing changed but how far the target was computed: only the state is written.
	Quiet bool
	// Stats are the rows that changed, with their new sums.
	Stats    []StatRow
	Snapshot trustmodel.Snapshot
	Standing trustmodel.Standing
	// Counts are the active records by kind and value; see CountKey.
	Counts map[string]int64
	// Running is what all parties add up to, for a target with so much that it is worth keeping; else nil. Forget says
	// that something is kept which no longer holds.
	Running *Running
	Forget  bool
	// Transitions are the changes of the published status, in order.
	Transitions []Transition
}

// Transition is one change of a published status.
type Transition struct {
	No       int
	From, To string
	Reason   string
	At       time.Time
}

const writeStats = `
	insert into trust_stats as t (model_id, target_id, actor_id, bin, family, usage_pos, usage_neg, review_pos, review_neg,
	                              ungrounded_pos, ungrounded_neg, asserted, real_world, records, outdated)
	select r.model_id, r.target_id, r.actor_id, r.bin, r.family, r.usage_pos, r.usage_neg, r.review_pos, r.review_neg,
	       r.ungrounded_pos, r.ungrounded_neg, r.asserted, r.real_world, r.records, r.outdated
	from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[],
	            $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[])
	         as r (model_id, target_id, actor_id, bin, family, usage_pos, usage_neg, review_pos, review_neg,
	               ungrounded_pos, ungrounded_neg, asserted, real_world, records, outdated)
	on conflict (target_id, model_id, actor_id, bin, family) do update set
		usage_pos = excluded.usage_pos, usage_neg = excluded.usage_neg,
		review_pos = excluded.review_pos, review_neg = excluded.review_neg,
		ungrounded_pos = excluded.ungrounded_pos, ungrounded_neg = excluded.ungrounded_neg,
		asserted = excluded.asserted, real_world = excluded.real_world,
		records = excluded.records, outdated = excluded.outdated`

const advanceStates = `
	update target_states s set applied_seq = r.applied, wakes = r.wakes, version = s.version + 1, failed_at = null, failure = null
	from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[]) as r (model_id, target_id, applied, wakes)
	where s.model_id = r.model_id and s.target_id = r.target_id`

const writeSnapshots = `
	insert into trust_snapshots (model_id, target_id, value, lower_bound, upper_bound, alpha, beta,
	                             independent_confirmations, contradictions, real_world_confirmations,
	                             status, raw_status, pending_status, pending_since, pending_records,
	                             inputs, counts, applied_seq, version, as_of_bin, epoch)
	select r.model_id, r.target_id, r.value, r.lower, r.upper, r.alpha, r.beta, r.confirmations, r.contradictions,
	       r.real_world, r.status, r.raw_status, r.pending, r.since, r.pending_records, r.inputs, r.counts, r.applied, 1,
	       r.bin, r.epoch
	from unnest($1::smallint[], $2::uuid[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
	            $8::int[], $9::int[], $10::int[], $11::text[], $12::text[], $13::text[], $14::timestamptz[], $15::int[],
	            $16::jsonb[], $17::jsonb[], $18::bigint[], $19::int[], $20::int[])
	         as r (model_id, target_id, value, lower, upper, alpha, beta, confirmations, contradictions, real_world, status,
	               raw_status, pending, since, pending_records, inputs, counts, applied, bin, epoch)
	on conflict (target_id, model_id) do update set
		value = excluded.value, lower_bound = excluded.lower_bound, upper_bound = excluded.upper_bound,
		alpha = excluded.alpha, beta = excluded.beta,
		independent_confirmations = excluded.independent_confirmations, contradictions = excluded.contradictions,
		real_world_confirmations = excluded.real_world_confirmations,
		status = excluded.status, raw_status = excluded.raw_status, pending_status = excluded.pending_status,
		pending_since = excluded.pending_since, pending_records = excluded.pending_records,
		inputs = excluded.inputs, counts = excluded.counts,
		applied_seq = excluded.applied_seq, version = trust_snapshots.version + 1, as_of_bin = excluded.as_of_bin,
		epoch = excluded.epoch, computed_at = clock_timestamp()`

const writeTransitions = `
	insert into status_history (model_id, target_id, no, from_status, to_status, reason, applied_seq, changed_at)
	select r.model_id, r.target_id, r.no, r.from_status, r.to_status, r.reason, r.applied_seq, r.changed_at
	from unnest($1::smallint[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[])
	         as r (model_id, target_id, no, from_status, to_status, reason, applied_seq, changed_at)`

// WriteFolds stores statistics, states, snapshots and transitions of many targets in one round trip.
func (t *Tx) WriteFolds(ctx context.Context, computed []Computed) error {
	if len(computed) == 0 {
		return nil
	}
	var p pipeline
	queueStats(&p, computed)
	queueStates(&p, computed)
	if err := queueSnapshots(&p, computed); err != nil {
		return err
	}
	if err := queueRunning(&p, computed); err != nil {
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
	var families []string
	var sums [10][]int64
	for i := range computed {
		for j := range computed[i].Stats {
			row := &computed[i].Stats[j]
			models, targets = append(models, row.Model), append(targets, computed[i].Target.UUID)
			actors, bins, families = append(actors, row.Actor), append(bins, row.Index), append(families, row.Family)
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
		p.exec(writeStats, models, targets, actors, bins, families, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6],
			sums[7], sums[8], sums[9])
	}
}

func queueStates(p *pipeline, computed []Computed) {
	n := len(computed)
	models, targets, applied, wakes := make([]int16, n), make([]uuid.UUID, n), make([]int64, n), make([]int64, n)
	for i := range computed {
		c := &computed[i]
		models[i], targets[i], applied[i], wakes[i] = c.Model, c.Target.UUID, c.Applied, c.Wakes
	}
	p.exec(advanceStates, models, targets, applied, wakes)
}

const writeRunning = `
	update target_states s set running = r.running, running_bin = r.bin, running_epoch = r.epoch
	from unnest($1::smallint[], $2::uuid[], $3::jsonb[], $4::int[], $5::int[]) as r (model_id, target_id, running, bin, epoch)
	where s.model_id = r.model_id and s.target_id = r.target_id`

// queueRunning stores what very many parties add up to. Nearly no target has so many.
func queueRunning(p *pipeline, computed []Computed) error {
	var models []int16
	var targets []uuid.UUID
	var running []json.RawMessage
	var bins, epochs []*int32
	for i := range computed {
		c := &computed[i]
		if c.Running == nil && !c.Forget {
			continue
		}
		var raw json.RawMessage
		var bin, epoch *int32
		if c.Running != nil {
			var err error
			if raw, err = json.Marshal(c.Running); err != nil {
				return fmt.Errorf("encode the running sums: %w", err)
			}
			bin, epoch = &c.AsOfBin, &c.Epoch
		}
		models, targets, running = append(models, c.Model), append(targets, c.Target.UUID), append(running, raw)
		bins, epochs = append(bins, bin), append(epochs, epoch)
	}
	if len(models) > 0 {
		p.exec(writeRunning, models, targets, running, bins, epochs)
	}
	return nil
}

// snapshotColumns are the parallel arrays of writeSnapshots.
type snapshotColumns struct {
	models         []int16
	targets        []uuid.UUID
	figures        [5][]float64
	counters       [3][]int
	statuses, raw  []string
	pending        []*string
	since          []*time.Time
	pendingRecords []int
	inputs, counts []json.RawMessage
	applied        []int64
	bins           []int32
	epochs         []int32
}

func (a *snapshotColumns) add(c *Computed) error {
	s, st := &c.Snapshot, &c.Standing
	inputs, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode the snapshot's inputs: %w", err)
	}
	counts, err := json.Marshal(c.Counts)
	if err != nil {
		return fmt.Errorf("encode the snapshot's counts: %w", err)
	}
	var pending *string
	var since *time.Time
	if st.Waiting {
		name, at := st.Pending.String(), time.UnixMicro(st.Since)
		pending, since = &name, &at
	}
	a.models, a.targets, a.applied = append(a.models, c.Model), append(a.targets, c.Target.UUID), append(a.applied, c.Applied)
	a.statuses, a.raw = append(a.statuses, st.Status.String()), append(a.raw, s.RawStatus.String())
	a.pending, a.since, a.pendingRecords = append(a.pending, pending), append(a.since, since), append(a.pendingRecords, st.Records)
	a.inputs, a.counts = append(a.inputs, inputs), append(a.counts, counts)
	a.bins, a.epochs = append(a.bins, c.AsOfBin), append(a.epochs, c.Epoch)
	for k, value := range [...]float64{s.Value, s.Lower, s.Upper, s.Alpha, s.Beta} {
		a.figures[k] = append(a.figures[k], value)
	}
	for k, value := range [...]int{s.Confirmations, s.Contradictions, s.RealWorldConfirmations} {
		a.counters[k] = append(a.counters[k], value)
	}
	return nil
}

func queueSnapshots(p *pipeline, computed []Computed) error {
	var a snapshotColumns
	for i := range computed {
		if computed[i].Quiet {
			continue
		}
		if err := a.add(&computed[i]); err != nil {
			return err
		}
	}
	if len(a.models) > 0 {
		p.exec(writeSnapshots, a.models, a.targets, a.figures[0], a.figures[1], a.figures[2], a.figures[3], a.figures[4],
			a.counters[0], a.counters[1], a.counters[2], a.statuses, a.raw, a.pending, a.since, a.pendingRecords,
			a.inputs, a.counts, a.applied, a.bins, a.epochs)
	}
	return nil
}

func queueTransitions(p *pipeline, computed []Computed) {
	var models []int16
	var targets []uuid.UUID
	var numbers []int
	var applied []int64
	var from, to, reasons []string
	var at []time.Time
	for i := range computed {
		c := &computed[i]
		for _, t := range c.Transitions {
			models, targets, numbers = append(models, c.Model), append(targets, c.Target.UUID), append(numbers, t.No)
			from, to, at = append(from, t.From), append(to, t.To), append(at, t.At)
			reasons, applied = append(reasons, t.Reason), append(applied, c.Applied)
		}
	}
	if len(models) > 0 {
		p.exec(writeTransitions, models, targets, numbers, from, to, reasons, applied, at)
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
