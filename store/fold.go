package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"interai/trustmodel"
)

const claimTarget = `update target_heads set queued = false where target_id = $1 and queued`

// ClaimTarget takes the wake-up of a target, in a transaction of its own: evidence that is committed from now on
// flips `queued` again. False means that another worker took it.
func (s *Store) ClaimTarget(ctx context.Context, target ID) (bool, error) {
	tag, err := s.pool.Exec(ctx, claimTarget, target.UUID)
	if err != nil {
		return false, fmt.Errorf("claim target: %w", classify(err))
	}
	return tag.RowsAffected() == 1, nil
}

// FoldState is how far one model version has folded a target.
type FoldState struct {
	Model   int16
	Applied int64
	Version int64
}

// FoldRow is one evidence row to fold. For a retraction the record's fields, actor and time are those of the
// retracted row, whose contribution is to be taken away.
type FoldRow struct {
	Seq        int64
	Kind       EvidenceKind
	Retraction bool
	Actor      uuid.UUID
	RecordedAt time.Time
	// Value is the result of a usage or the verdict of a review, "" for other kinds.
	Value  string
	Record trustmodel.Record
}

// StatRow is the statistics of one actor in one bin under one model version.
type StatRow struct {
	Model int16
	Actor uuid.UUID
	trustmodel.Bin
}

// PartyRow says to which party an actor belongs now, and what is verified about that party.
type PartyRow struct {
	Actor    uuid.UUID
	Root     uuid.UUID
	Identity trustmodel.Identity
}

// Fold is all that a worker needs to fold one target, read under the lock of its state rows.
type Fold struct {
	Target  ID
	LastSeq int64
	States  []FoldState
	Rows    []FoldRow
	Stats   []StatRow
	Parties []PartyRow
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
	where m.state in ('active', 'shadow') and h.target_id = $1
	on conflict do nothing`

const lockStates = `
	select s.model_id, s.applied_seq, s.version
	from target_states s join trust_models m on m.id = s.model_id
	where s.target_id = $1 and m.state in ('active', 'shadow')
	order by s.model_id for no key update of s nowait`

const foldHead = `
	select h.last_seq, clock_timestamp() as now, r.root_controller_id as author
	from target_heads h
	left join revisions v on v.id = h.revision_id
	left join claims k on k.id = h.claim_id
	left join actors r on r.id = coalesce(v.author_id, k.first_stated_by)
	where h.target_id = $1`

// A retraction takes the retracted row's contribution out of the bin in which it was counted, so its fields and
// its time come from there.
const foldRows = `
	select e.seq, e.kind, o.kind as counted_kind, o.actor_id, o.recorded_at, coalesce(o.result, '') as result,
	       coalesce(o.real_world, false) as real_world, coalesce(o.verdict, '') as verdict, o.confidence,
	       o.based_on is not null as grounded
	from evidence e join evidence o on o.id = coalesce(e.retracts, e.id)
	where e.target_id = $1
	  and e.seq > (select min(s.applied_seq) from target_states s join trust_models m on m.id = s.model_id
	               where s.target_id = $1 and m.state in ('active', 'shadow'))
	order by e.seq
	limit $2`

const foldStats = `
	select model_id, actor_id, bin, usage_pos, usage_neg, review_pos, review_neg, ungrounded_pos, ungrounded_neg,
	       asserted, real_world, records, outdated
	from trust_stats where target_id = $1
	  and model_id in (select id from trust_models where state in ('active', 'shadow'))`

const foldParties = `
	select a.id, r.id as root, r.verified_email, r.verified_domain, r.vouched
	from actors a join actors r on r.id = a.root_controller_id
	where a.id in (select actor_id from trust_stats where target_id = $1
	               union select actor_id from evidence where target_id = $1
	                 and seq > (select min(applied_seq) from target_states where target_id = $1))`

const foldStaters = `
	select distinct a.root_controller_id
	from revision_claims rc
	join contents c on c.current_revision_id = rc.revision_id
	join actors a on a.id = c.author_id
	where rc.claim_id = $1`

const foldPublished = `
	select p.model_id, p.status, p.as_of_bin, p.inputs, p.counts,
	       (select count(*)::int from status_history h where h.model_id = p.model_id and h.target_id = p.target_id)
	from trust_snapshots p where p.target_id = $1`

// maxFoldRows bounds one fold; what is left keeps the target lagging, and the caller goes on.
const maxFoldRows = 20_000

// ReadFold locks the target's states and reads what there is to fold, in one round trip. ErrBusyTarget when
// another worker holds them.
func (t *Tx) ReadFold(ctx context.Context, target ID) (Fold, error) {
	fold := Fold{Target: target, Published: map[int16]Published{}}
	var heads []foldHeadRow
	var published []Published
	var p pipeline
	p.exec(ensureStates, target.UUID)
	queue(&p, &fold.States, pgx.RowToStructByPos[FoldState], lockStates, target.UUID)
	queue(&p, &heads, pgx.RowToStructByName[foldHeadRow], foldHead, target.UUID)
	queue(&p, &fold.Rows, scanFoldRow, foldRows, target.UUID, maxFoldRows)
	queue(&p, &fold.Stats, scanStatRow, foldStats, target.UUID)
	queue(&p, &fold.Parties, scanPartyRow, foldParties, target.UUID)
	if target.Kind == KindClaim {
		queue(&p, &fold.Staters, pgx.RowTo[uuid.UUID], foldStaters, target.UUID)
	}
	queue(&p, &published, scanPublished, foldPublished, target.UUID)
	if err := p.send(ctx, t.tx); err != nil {
		var pg *pgconn.PgError
		if errors.As(err, &pg) && pg.Code == codeLockNotAvailable {
			return Fold{}, fmt.Errorf("target %s: %w", target, ErrBusyTarget)
		}
		return Fold{}, fmt.Errorf("read target %s: %w", target, err)
	}
	if len(heads) == 0 {
		return Fold{}, fmt.Errorf("target %s: %w", target, ErrNotFound)
	}
	fold.LastSeq, fold.Now = heads[0].LastSeq, heads[0].Now
	if heads[0].Author != nil {
		fold.Author = *heads[0].Author
	}
	for _, snapshot := range published {
		fold.Published[snapshot.Model] = snapshot
	}
	return fold, nil
}

type foldHeadRow struct {
	LastSeq int64
	Now     time.Time
	Author  *uuid.UUID
}

func scanFoldRow(row pgx.CollectableRow) (FoldRow, error) {
	var out FoldRow
	var counted EvidenceKind
	var result, verdict string
	var confidence *float64
	err := row.Scan(&out.Seq, &out.Kind, &counted, &out.Actor, &out.RecordedAt, &result, &out.Record.RealWorld,
		&verdict, &confidence, &out.Record.Grounded)
	if err != nil {
		return FoldRow{}, err
	}
	out.Retraction = out.Kind == EvidenceRetraction
	out.Kind = counted
	out.Value = result + verdict
	out.Record.ConfidenceMilli = -1
	if confidence != nil {
		out.Record.ConfidenceMilli = int32(*confidence*1000 + 0.5)
	}
	switch counted {
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
	return out, err
}

func scanStatRow(row pgx.CollectableRow) (StatRow, error) {
	var out StatRow
	s := &out.Sums
	err := row.Scan(&out.Model, &out.Actor, &out.Index, &s.UsagePos, &s.UsageNeg, &s.ReviewPos, &s.ReviewNeg,
		&s.UngroundedPos, &s.UngroundedNeg, &s.Asserted, &s.RealWorld, &s.Records, &s.Outdated)
	return out, err
}

func scanPartyRow(row pgx.CollectableRow) (PartyRow, error) {
	var out PartyRow
	err := row.Scan(&out.Actor, &out.Root, &out.Identity.Email, &out.Identity.Domain, &out.Identity.Vouched)
	return out, err
}

func scanPublished(row pgx.CollectableRow) (Published, error) {
	var out Published
	err := row.Scan(&out.Model, &out.Status, &out.AsOfBin, &out.Snapshot, &out.Counts, &out.Transitions)
	return out, err
}
