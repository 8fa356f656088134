package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/trustmodel"
)

// Every statement of a fold looks its rows up by the targets' keys. On tables that grow faster than their statistics
// the planner prefers to read an index whole and hash it; within this transaction it may not.
const planByKey = `select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`

const claimTargets = `
	update target_heads set queued = false
	where target_id in (select target_id from target_heads where target_id = any ($1) and queued
	                    order by target_id for no key update)
	returning target_id`

// ClaimTargets takes the wake-ups of targets, in a transaction of its own: evidence that is committed from now on
// flips `queued` again. It answers those that were queued; another worker has taken the others.
func (s *Store) ClaimTargets(ctx context.Context, targets []ID) (map[uuid.UUID]bool, error) {
	var claimed []uuid.UUID
	var p pipeline
	p.exec(planByKey)
	queue(&p, &claimed, pgx.RowTo[uuid.UUID], claimTargets, uuids(targets))
	if err := p.send(ctx, s.pool); err != nil {
		return nil, fmt.Errorf("claim targets: %w", classify(err))
	}
	out := make(map[uuid.UUID]bool, len(claimed))
	for _, id := range claimed {
		out[id] = true
	}
	return out, nil
}

// FoldState is how far one model version has folded a target, and the sealed epoch that the version reads.
type FoldState struct {
	Model   int16
	Applied int64
	// Wakes is what the head's counter was when the target was last computed.
	Wakes int64
	Epoch int32
	// Kept says that running sums are stored, whether they still hold or not.
	Kept bool
}

// Member is an actor with the root controller that answers for it now, and what is verified about that one.
type Member struct {
	Actor    uuid.UUID
	Root     uuid.UUID
	Identity trustmodel.Identity
}

// FoldRow is one evidence row to fold. For a retraction the record's fields, actor and time are those of the
// retracted row, whose contribution is to be taken away.
type FoldRow struct {
	Member

	Seq        int64
	Kind       EvidenceKind
	Retraction bool
	// RecordedAt is the time of the record, At that of the row: they differ for a retraction.
	RecordedAt, At time.Time
	// Value is the result of a usage or the verdict of a review, "" for other kinds.
	Value string
	// Family is the family of the first source that an ungrounded review rests on, "" without one.
	Family string
	// Dimension is that of a rating.
	Dimension string
	Record    trustmodel.Record
}

// StatRow is the statistics of one actor in one bin, and of one source family, under one model version.
type StatRow struct {
	Member
	trustmodel.Bin

	Model int16
}

// Fold is all that a worker needs to fold one target, read under the lock of its state rows.
type Fold struct {
	Target  ID
	LastSeq int64
	// Wakes counts what has changed beside the evidence; it was read before everything that it stands for.
	Wakes  int64
	States []FoldState
	Rows   []FoldRow
	Stats  []StatRow
	// Running is what the parties added up to before the new evidence, for versions under which that still holds. Stats
	// then has nothing of them; see StatsOf.
	Running map[int16]*Running
	// Author is the root controller that wrote the target, uuid.Nil for an entity.
	Author uuid.UUID
	// HasNext says that the target is a revision with a newer one.
	HasNext bool
	// Hashes are of the constants of the live versions. They were read after the counters: constants change together
	// with these.
	Hashes map[int16]string
	// Published is the stored snapshot of each version that has one, Previous that of the revision before.
	Published map[int16]Published
	Previous  map[int16]trustmodel.Snapshot
	// Superseding is the content that replaces the target's, by version; Refuted is a claim of it that is incorrect.
	// Only an item's current revision has them.
	Superseding, Refuted map[int16]ID
	Now                  time.Time
}

// Running is what the parties of a target add up to, and of how many rows of statistics.
type Running struct {
	Tally trustmodel.Tally `json:"tally"`
	Rows  int              `json:"rows"`
}

// StatsOf reads the statistics of a target's evidence by some root controllers, and by some actors whoever answers for
// them now, under one version.
func (t *Tx) StatsOf(ctx context.Context, target ID, model int16, roots, actors []uuid.UUID) ([]StatRow, error) {
	return t.stats(ctx, foldStatsOf, target.UUID, model, roots, actors)
}

// AllStatsOf reads the statistics of all evidence about a target, under one version.
func (t *Tx) AllStatsOf(ctx context.Context, target ID, model int16) ([]StatRow, error) {
	return t.stats(ctx, statsUnder, []uuid.UUID{target.UUID}, model)
}

func (t *Tx) stats(ctx context.Context, sql string, args ...any) ([]StatRow, error) {
	rows, err := t.tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read statistics: %w", err)
	}
	stats, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (StatRow, error) {
		_, stat, err := scanStatRow(row)
		return stat, err
	})
	if err != nil {
		return nil, fmt.Errorf("read statistics: %w", err)
	}
	return stats, nil
}

// State is how far a version has folded the target.
func (f *Fold) State(model int16) FoldState {
	for _, state := range f.States {
		if state.Model == model {
			return state
		}
	}
	return FoldState{Model: model}
}

// Published is a target's snapshot as readers see it now, under one model version.
type Published struct {
	Model       int16
	Standing    trustmodel.Standing
	Transitions int
	AsOfBin     int32
	Epoch       int32
	Snapshot    trustmodel.Snapshot
	// Counts are the active records by kind and value; see CountKey.
	Counts map[string]int64
}

// RetractedKey is the key under which retracted records are counted.
const RetractedKey = "retracted"

// CountKey names a sort of records in a snapshot's counts: usage.success, review.confirmed, rating.
func CountKey(kind EvidenceKind, value string) string {
	if value == "" {
		return string(kind)
	}
	return string(kind) + "." + value
}

const ensureStates = `
	insert into target_states (model_id, target_id, applied_seq, version)
	select m.id, h.target_id, 0, 0 from trust_models m, target_heads h
	where m.state in ('active', 'shadow') and h.target_id = any ($1)
	  and not exists (select from target_states s where s.model_id = m.id and s.target_id = h.target_id)
	order by h.target_id, m.id
	on conflict do nothing`

// What another worker holds is skipped: waiting for it would hold up all the others of the group.
const lockStates = `
	select s.target_id, s.model_id, s.applied_seq, s.wakes, m.epoch, s.running is not null as kept,
	       (select count(*) from trust_models where state in ('active', 'shadow')) as live
	from target_states s join trust_models m on m.id = s.model_id
	where s.target_id = any ($1) and m.state in ('active', 'shadow')
	order by s.target_id, s.model_id for no key update of s skip locked`

// Heads come before all that their counters stand for: what changes in between wakes the target again.
const foldHeads = `
	select h.target_id, h.kind, h.last_seq, h.wakes, clock_timestamp() as now, r.root_controller_id as author,
	       coalesce(v.no < c.revision_count, false) as has_next
	from target_heads h
	left join revisions v on v.id = h.revision_id
	left join contents c on c.id = v.content_id
	left join claims k on k.id = h.claim_id
	left join actors r on r.id = coalesce(v.author_id, k.first_stated_by)
	where h.target_id = any ($1)`

// A retraction takes the retracted row's contribution out of the bin in which it was counted, so its fields and
// its time come from there.
const (
	rowColumns = `
	select t.id, e.seq, e.kind, coalesce(o.kind, e.kind), coalesce(o.recorded_at, e.recorded_at), e.recorded_at,
	       coalesce(o.result, e.result, ''), coalesce(o.real_world, e.real_world, false),
	       coalesce(o.verdict, e.verdict, ''), coalesce(o.confidence, e.confidence),
	       coalesce(o.based_on, e.based_on) is not null, coalesce(o.dimension, e.dimension, ''),
	       case when coalesce(o.kind, e.kind) = 'review' and coalesce(o.based_on, e.based_on) is null then coalesce((
	           select f.family from evidence_sources es join sources f on f.id = es.source_id
	           where es.evidence_id = coalesce(o.id, e.id) order by es.position limit 1), '') else '' end,
	       a.id, p.id, p.verified_email, p.verified_domain, p.vouched`
	rowTables = `
	cross join lateral (
		select e.id, e.seq, e.kind, e.recorded_at, e.result, e.real_world, e.verdict, e.confidence, e.based_on, e.dimension,
		       e.actor_id, e.retracts
		from evidence e where e.target_id = t.id and e.seq > s.applied order by e.seq limit $2
	) e
	left join evidence o on o.id = e.retracts
	join actors a on a.id = coalesce(o.actor_id, e.actor_id)
	join actors p on p.id = a.root_controller_id
	order by t.id, e.seq`

	foldRows = rowColumns + `
	from unnest($1::uuid[]) as t (id)
	cross join lateral (
		select min(s.applied_seq) as applied from target_states s join trust_models m on m.id = s.model_id
		where s.target_id = t.id and m.state in ('active', 'shadow')
	) s` + rowTables

	replayRows = rowColumns + `
	from unnest($1::uuid[], $3::bigint[]) as t (id, after)
	cross join lateral (select t.after as applied) s` + rowTables
)

const (
	statColumns = `
	select t.target_id, t.model_id, t.bin, t.family, t.usage_pos, t.usage_neg, t.review_pos, t.review_neg,
	       t.ungrounded_pos, t.ungrounded_neg, t.asserted, t.real_world, t.records, t.outdated,
	       a.id, p.id, p.verified_email, p.verified_domain, p.vouched`
	statMembers = `
	join actors a on a.id = t.actor_id
	join actors p on p.id = a.root_controller_id`

	// What still holds of what was added up before: nothing but evidence has changed since, and it has not aged.
	runningHolds = `(s.running is not null and s.running_bin = $2 and s.running_epoch = m.epoch
		and s.wakes = (select h.wakes from target_heads h where h.target_id = s.target_id))`

	foldStats = statColumns + `
	from target_states s
	join trust_models m on m.id = s.model_id
	join trust_stats t on t.target_id = s.target_id and t.model_id = s.model_id` + statMembers + `
	where s.target_id = any ($1) and m.state in ('active', 'shadow') and not ` + runningHolds + `
	order by t.target_id`

	foldRunning = `
	select s.target_id, s.model_id, s.running
	from target_states s join trust_models m on m.id = s.model_id
	where s.target_id = any ($1) and m.state in ('active', 'shadow') and ` + runningHolds

	foldStatsOf = statColumns + `
	from trust_stats t` + statMembers + `
	where t.target_id = $1 and t.model_id = $2 and t.actor_id = any (array(
		select id from actors where root_controller_id = any ($3) union select unnest($4::uuid[])))`

	// statsUnder are the statistics of targets under one version.
	statsUnder = statColumns + `
	from trust_stats t` + statMembers + `
	where t.target_id = any ($1) and t.model_id = $2`
)

const foldPublished = `
	select p.target_id, p.model_id, p.status, p.pending_status, p.pending_since, p.pending_records, p.as_of_bin, p.epoch,
	       p.inputs, p.counts,
	       (select count(*)::int from status_history h where h.model_id = p.model_id and h.target_id = p.target_id)
	from trust_snapshots p where p.target_id = any ($1)`

const foldPrevious = `
	select v.id, p.model_id, p.inputs
	from revisions v
	join revisions o on o.content_id = v.content_id and o.no = v.no - 1
	join trust_snapshots p on p.target_id = o.id
	where v.id = any ($1) and v.no > 1`

// A relation is in effect while its revision is current and public to those who see the target, and if it is of the
// target's own party or of content with high confidence under the version in question. Content that had high confidence
// when it was replaced itself goes on replacing: else what it replaced would come back, and a ring of items that replace
// each other would never come to rest.
const foldSuperseding = `
	select v.id, m.id, min(s.id::text)::uuid
	from revisions v
	join contents c on c.id = v.content_id and c.current_revision_id = v.id
	join actors own on own.id = c.author_id
	join revision_relations rr on rr.target_content_id = c.id and rr.type = 'supersedes'
	join revisions sv on sv.id = rr.revision_id
	join contents s on s.id = sv.content_id and s.current_revision_id = sv.id and s.visibility = 'published'
		and (s.space_id is null or s.space_id = c.space_id)
	join actors a on a.id = s.author_id
	cross join trust_models m
	left join trust_snapshots p on p.target_id = rr.revision_id and p.model_id = m.id
		and ` + heldHighConfidence + `
	where v.id = any ($1) and m.state in ('active', 'shadow')
	  and (a.root_controller_id = own.root_controller_id or p.target_id is not null)
	group by v.id, m.id`

const foldRefuted = `
	select rc.revision_id, p.model_id, min(p.target_id::text)::uuid
	from revision_claims rc
	join revisions v on v.id = rc.revision_id
	join contents c on c.id = v.content_id and c.current_revision_id = v.id
	join trust_snapshots p on p.target_id = rc.claim_id and p.status = 'incorrect'
	where rc.revision_id = any ($1)
	group by rc.revision_id, p.model_id`

const foldHashes = `select id, params_hash from trust_models where state in ('active', 'shadow')`

// maxFoldRows bounds what one fold takes of one target; what is left keeps the target lagging, and the caller goes on.
const maxFoldRows = 2_000

// ReadFolds locks the states of targets and reads what there is to fold, in one round trip. It answers only the
// targets whose states it could lock, and reports those that exist and are held by another worker as busy. bin is the
// 30-day bin of now.
func (t *Tx) ReadFolds(ctx context.Context, targets []ID, bin int32) (folds []*Fold, busy map[uuid.UUID]bool, err error) {
	r := foldReader{folds: map[uuid.UUID]*Fold{}, live: map[uuid.UUID]int{}, hashes: map[int16]string{}}
	ids := uuids(targets)
	var p pipeline
	p.exec(planByKey)
	p.exec(ensureStates, ids)
	scan(&p, r.scanState, lockStates, ids)
	scan(&p, r.scanHead, foldHeads, ids)
	scan(&p, r.scanRow, foldRows, ids, maxFoldRows)
	// In this order: a wake-up in between then reads more than is needed, never less.
	scan(&p, r.scanRunning, foldRunning, ids, bin)
	scan(&p, r.scanStat, foldStats, ids, bin)
	scan(&p, r.scanPublished, foldPublished, ids)
	scan(&p, r.scanPrevious, foldPrevious, ids)
	scan(&p, r.scanSuperseding, foldSuperseding, ids)
	scan(&p, r.scanRefuted, foldRefuted, ids)
	scan(&p, r.scanHash, foldHashes)
	if err := p.send(ctx, t.tx); err != nil {
		return nil, nil, fmt.Errorf("read targets to fold: %w", err)
	}
	busy = map[uuid.UUID]bool{}
	for _, id := range ids {
		fold := r.folds[id]
		switch {
		case fold == nil || fold.Target.IsZero():
		case len(fold.States) == 0 || len(fold.States) < r.live[id]:
			busy[id] = true
		default:
			fold.Hashes = r.hashes
			folds = append(folds, fold)
		}
	}
	return folds, busy, nil
}
