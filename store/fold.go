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

// FoldState is how far one model version has folded a target.
type FoldState struct {
	Model   int16
	Applied int64
}

// Member is an actor with the party it belongs to now, and what is verified about that party.
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
	RecordedAt time.Time
	// Value is the result of a usage or the verdict of a review, "" for other kinds.
	Value  string
	Record trustmodel.Record
}

// StatRow is the statistics of one actor in one bin under one model version.
type StatRow struct {
	Member
	trustmodel.Bin

	Model int16
}

// Fold is all that a worker needs to fold one target, read under the lock of its state rows.
type Fold struct {
	Target  ID
	LastSeq int64
	States  []FoldState
	Rows    []FoldRow
	Stats   []StatRow
	// Author is the party that wrote the target, uuid.Nil for an entity. Staters are all parties that state a claim.
	Author  uuid.UUID
	Staters []uuid.UUID
	// Published is the stored snapshot of each version that has one.
	Published map[int16]Published
	Now       time.Time
}

// Published is a target's snapshot as readers see it now, under one model version.
type Published struct {
	Model       int16
	Status      string
	Transitions int
	AsOfBin     int32
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
	select s.target_id, s.model_id, s.applied_seq,
	       (select count(*) from trust_models where state in ('active', 'shadow')) as live
	from target_states s join trust_models m on m.id = s.model_id
	where s.target_id = any ($1) and m.state in ('active', 'shadow')
	order by s.target_id, s.model_id for no key update of s skip locked`

const foldHeads = `
	select h.target_id, h.kind, h.last_seq, clock_timestamp() as now, r.root_controller_id as author
	from target_heads h
	left join revisions v on v.id = h.revision_id
	left join claims k on k.id = h.claim_id
	left join actors r on r.id = coalesce(v.author_id, k.first_stated_by)
	where h.target_id = any ($1)`

// A retraction takes the retracted row's contribution out of the bin in which it was counted, so its fields and
// its time come from there.
const foldRows = `
	select t.id, e.seq, e.kind, coalesce(o.kind, e.kind), coalesce(o.recorded_at, e.recorded_at),
	       coalesce(o.result, e.result, ''), coalesce(o.real_world, e.real_world, false),
	       coalesce(o.verdict, e.verdict, ''), coalesce(o.confidence, e.confidence),
	       coalesce(o.based_on, e.based_on) is not null,
	       a.id, p.id, p.verified_email, p.verified_domain, p.vouched
	from unnest($1::uuid[]) as t (id)
	cross join lateral (
		select min(s.applied_seq) as applied from target_states s join trust_models m on m.id = s.model_id
		where s.target_id = t.id and m.state in ('active', 'shadow')
	) s
	cross join lateral (
		select e.seq, e.kind, e.recorded_at, e.result, e.real_world, e.verdict, e.confidence, e.based_on, e.actor_id, e.retracts
		from evidence e where e.target_id = t.id and e.seq > s.applied order by e.seq limit $2
	) e
	left join evidence o on o.id = e.retracts
	join actors a on a.id = coalesce(o.actor_id, e.actor_id)
	join actors p on p.id = a.root_controller_id
	order by t.id, e.seq`

const foldStats = `
	select t.target_id, t.model_id, t.bin, t.usage_pos, t.usage_neg, t.review_pos, t.review_neg, t.ungrounded_pos,
	       t.ungrounded_neg, t.asserted, t.real_world, t.records, t.outdated,
	       a.id, p.id, p.verified_email, p.verified_domain, p.vouched
	from trust_stats t
	join actors a on a.id = t.actor_id
	join actors p on p.id = a.root_controller_id
	where t.target_id = any ($1) and t.model_id = any (select id from trust_models where state in ('active', 'shadow'))`

const foldStaters = `
	select distinct rc.claim_id, a.root_controller_id
	from claims k
	join revision_claims rc on rc.claim_id = k.id
	join contents c on c.current_revision_id = rc.revision_id and c.space_id is not distinct from k.space_id
	join actors a on a.id = c.author_id
	where k.id = any ($1)`

const foldPublished = `
	select p.target_id, p.model_id, p.status, p.as_of_bin, p.inputs, p.counts,
	       (select count(*)::int from status_history h where h.model_id = p.model_id and h.target_id = p.target_id)
	from trust_snapshots p where p.target_id = any ($1)`

// maxFoldRows bounds what one fold takes of one target; what is left keeps the target lagging, and the caller goes on.
const maxFoldRows = 2_000

// ReadFolds locks the states of targets and reads what there is to fold, in one round trip. It answers only the
// targets whose states it could lock, and reports those that exist and are held by another worker as busy.
func (t *Tx) ReadFolds(ctx context.Context, targets []ID) (folds []*Fold, busy map[uuid.UUID]bool, err error) {
	r := foldReader{folds: map[uuid.UUID]*Fold{}, live: map[uuid.UUID]int{}}
	ids := uuids(targets)
	var p pipeline
	p.exec(planByKey)
	p.exec(ensureStates, ids)
	scan(&p, r.scanState, lockStates, ids)
	scan(&p, r.scanHead, foldHeads, ids)
	scan(&p, r.scanRow, foldRows, ids, maxFoldRows)
	scan(&p, r.scanStat, foldStats, ids)
	scan(&p, r.scanStater, foldStaters, ids)
	scan(&p, r.scanPublished, foldPublished, ids)
	if err := p.send(ctx, t.tx); err != nil {
		return nil, nil, fmt.Errorf("read targets to fold: %w", err)
	}
	busy = map[uuid.UUID]bool{}
	for _, id := range ids {
		fold := r.folds[id]
		switch {
		case fold == nil || fold.LastSeq == 0 && fold.Target.IsZero():
		case len(fold.States) == 0 || len(fold.States) < r.live[id]:
			busy[id] = true
		default:
			folds = append(folds, fold)
		}
	}
	return folds, busy, nil
}

// foldReader collects the rows of several queries by target.
type foldReader struct {
	folds map[uuid.UUID]*Fold
	live  map[uuid.UUID]int
}

func (r *foldReader) at(target uuid.UUID) *Fold {
	fold := r.folds[target]
	if fold == nil {
		fold = &Fold{Published: map[int16]Published{}}
		r.folds[target] = fold
	}
	return fold
}

func (r *foldReader) scanState(row pgx.CollectableRow) error {
	var target uuid.UUID
	var state FoldState
	var live int
	if err := row.Scan(&target, &state.Model, &state.Applied, &live); err != nil {
		return err
	}
	fold := r.at(target)
	fold.States = append(fold.States, state)
	r.live[target] = live
	return nil
}

func (r *foldReader) scanHead(row pgx.CollectableRow) error {
	var id ID
	var last int64
	var now time.Time
	var author *uuid.UUID
	if err := row.Scan(&id.UUID, &id.Kind, &last, &now, &author); err != nil {
		return err
	}
	fold := r.at(id.UUID)
	fold.Target, fold.LastSeq, fold.Now = id, last, now
	if author != nil {
		fold.Author = *author
	}
	return nil
}

func (r *foldReader) scanRow(row pgx.CollectableRow) error {
	var target uuid.UUID
	var out FoldRow
	var kind EvidenceKind
	var result, verdict string
	var confidence *float64
	m := &out.Member
	err := row.Scan(&target, &out.Seq, &kind, &out.Kind, &out.RecordedAt, &result, &out.Record.RealWorld, &verdict,
		&confidence, &out.Record.Grounded, &m.Actor, &m.Root, &m.Identity.Email, &m.Identity.Domain, &m.Identity.Vouched)
	if err != nil {
		return err
	}
	out.Retraction = kind == EvidenceRetraction
	out.Value = result + verdict
	out.Record.ConfidenceMilli = trustmodel.MissingConfidence
	if confidence != nil {
		out.Record.ConfidenceMilli = int32(*confidence*1000 + 0.5)
	}
	switch out.Kind {
	case EvidenceUsage:
		out.Record.Kind = trustmodel.RecordUsage
		out.Record.Result, err = trustmodel.ParseResult(result)
	case EvidenceReview:
		out.Record.Kind = trustmodel.RecordReview
		out.Record.Verdict, err = trustmodel.ParseVerdict(verdict)
	case EvidenceAssertion:
		out.Record.Kind = trustmodel.RecordAssertion
	case EvidenceRating, EvidenceRetraction:
		// Ratings have a home of their own and never enter trust.
	}
	fold := r.at(target)
	fold.Rows = append(fold.Rows, out)
	return err
}

func (r *foldReader) scanStat(row pgx.CollectableRow) error {
	var target uuid.UUID
	var out StatRow
	s, m := &out.Sums, &out.Member
	err := row.Scan(&target, &out.Model, &out.Index, &s.UsagePos, &s.UsageNeg, &s.ReviewPos, &s.ReviewNeg,
		&s.UngroundedPos, &s.UngroundedNeg, &s.Asserted, &s.RealWorld, &s.Records, &s.Outdated,
		&m.Actor, &m.Root, &m.Identity.Email, &m.Identity.Domain, &m.Identity.Vouched)
	fold := r.at(target)
	fold.Stats = append(fold.Stats, out)
	return err
}

func (r *foldReader) scanStater(row pgx.CollectableRow) error {
	var target, root uuid.UUID
	err := row.Scan(&target, &root)
	fold := r.at(target)
	fold.Staters = append(fold.Staters, root)
	return err
}

func (r *foldReader) scanPublished(row pgx.CollectableRow) error {
	var target uuid.UUID
	var out Published
	err := row.Scan(&target, &out.Model, &out.Status, &out.AsOfBin, &out.Snapshot, &out.Counts, &out.Transitions)
	r.at(target).Published[out.Model] = out
	return err
}
