package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// EvidenceKind says what an evidence row records.
type EvidenceKind string

// The kinds of evidence rows. Assertions are made by publish, retractions by the tool of the retracted record.
const (
	EvidenceUsage      EvidenceKind = "usage"
	EvidenceReview     EvidenceKind = "review"
	EvidenceRating     EvidenceKind = "rating"
	EvidenceAssertion  EvidenceKind = "assertion"
	EvidenceRetraction EvidenceKind = "retraction"
)

// IDKind is the prefix of the public IDs of such records; "" for assertions and retractions, which have none.
func (k EvidenceKind) IDKind() Kind {
	switch k {
	case EvidenceUsage:
		return KindUsage
	case EvidenceReview:
		return KindReview
	case EvidenceRating:
		return KindRating
	case EvidenceAssertion, EvidenceRetraction:
	}
	return ""
}

// Evidence is one row of a target's evidence. Only the fields of its kind are set.
type Evidence struct {
	ID     uuid.UUID
	Target ID
	Kind   EvidenceKind
	Actor  ID

	// usage
	UsageType  string
	Result     string
	RealWorld  bool
	Metrics    json.RawMessage
	Experience ID
	// usage and rating
	Context    json.RawMessage
	ContextKey string
	// review
	Verdict string
	// rating
	Dimension string
	Score     float64
	// review and rating
	Confidence *float64
	BasedOn    ID
	// note of a usage, rationale of a review or rating
	Note string
	// assertion
	StatedIn ID
	// retraction
	Retracts uuid.UUID
}

// Append is one request to append evidence, with what is committed beside it.
type Append struct {
	Evidence Evidence
	// Claim is the idempotency key, nil when the caller gave none.
	Claim *Claim
	// Call is the audit row, nil when the transaction records it elsewhere.
	Call *Call
	// Sources are what a review rests on; the family of the first one counts.
	Sources []PublishedSource
}

// Appended is what became of an Append.
type Appended struct {
	// Accepted is false when another write holds the idempotency key; nothing was then written.
	Accepted bool
	// Seq is the row's number among the target's evidence, from 1, without gaps.
	Seq int64
}

// One statement appends any number of rows: keys first, since a replay must not take a sequence number, then the
// heads in order of their IDs, then evidence and audit rows. `need` reads the locked row, not the statement's
// snapshot, so exactly one writer of a target sees the flip of `queued`.
const appendEvidence = `
	with req as materialized (
		select * from unnest(
			$1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[],
			$6::text[], $7::text[], $8::bool[], $9::jsonb[], $10::uuid[], $11::jsonb[], $12::text[],
			$13::text[], $14::text[], $15::float8[], $16::float8[], $17::uuid[], $18::text[], $19::uuid[], $20::uuid[],
			$21::text[], $22::text[], $23::bytea[], $24::json[],
			$25::uuid[], $26::text[], $27::text[], $28::jsonb[], $29::text[], $30::jsonb[], $31::text[],
			$32::bigint[], $33::timestamptz[]
		) with ordinality as r (
			target_id, target_kind, id, kind, actor_id,
			usage_type, result, real_world, metrics, experience_id, context, context_key,
			verdict, dimension, score, confidence, based_on, note, stated_in, retracts,
			tool, key, digest, answer,
			call_id, adapter, client, run, trace_parent, request, summary, duration_us, started_at, ord)
	), claimed as (
		insert into idempotency_keys (actor_id, tool, key, request_digest, correlation_id, answer)
		select actor_id, tool, key, digest, call_id, answer from req where key is not null
		order by actor_id, tool, key
		on conflict do nothing
		returning actor_id, tool, key
	), accepted as materialized (
		select req.*,
		       count(*) over (partition by req.target_id) - row_number() over (partition by req.target_id order by req.ord)
		           as from_last
		from req left join claimed c on (c.actor_id, c.tool, c.key) = (req.actor_id, req.tool, req.key)
		where req.key is null or c.key is not null
	), heads as (
		insert into target_heads as d (target_id, kind, last_seq, queued, need)
		select target_id, min(target_kind), count(*), true, true from accepted group by target_id order by target_id
		on conflict (target_id) do update
			set last_seq = d.last_seq + excluded.last_seq, queued = true, need = not d.queued
		returning target_id, last_seq, need
	), written as (
		insert into evidence (target_id, seq, id, kind, actor_id, usage_type, result, real_world, metrics, experience_id,
		                      context, context_key, verdict, dimension, score, confidence, based_on, note, stated_in, retracts)
		select a.target_id, h.last_seq - a.from_last, a.id, a.kind, a.actor_id, a.usage_type, a.result, a.real_world,
		       a.metrics, a.experience_id, a.context, a.context_key, a.verdict, a.dimension, a.score, a.confidence,
		       a.based_on, a.note, a.stated_in, a.retracts
		from accepted a join heads h using (target_id)
	), sourced as (
		insert into evidence_sources (evidence_id, position, source_id, title)
		select s.evidence_id, s.position, s.source_id, s.title
		from unnest($34::uuid[], $35::smallint[], $36::uuid[], $37::text[]) as s (evidence_id, position, source_id, title)
		join accepted a on a.id = s.evidence_id
	), audited as (
		insert into mcp_calls (id, actor_id, tool, adapter, client, run, trace_parent, request, result, duration_us, started_at)
		select call_id, actor_id, tool, adapter, client, run, trace_parent, request, summary, duration_us, started_at
		from accepted where call_id is not null and adapter is not null
	)
	select a.ord::int, h.last_seq - a.from_last as seq, h.need from accepted a join heads h using (target_id)`

// AppendEvidence appends rows to their targets, in order, and answers what became of each and which targets need a
// job now. The caller enqueues those jobs in the same transaction.
func (t *Tx) AppendEvidence(ctx context.Context, appends []Append) ([]Appended, []ID, error) {
	if len(appends) == 0 {
		return nil, nil, nil
	}
	rows, err := t.tx.Query(ctx, appendEvidence, columnsOf(appends)...)
	if err != nil {
		return nil, nil, fmt.Errorf("append evidence: %w", err)
	}
	out := make([]Appended, len(appends))
	wake := map[uuid.UUID]ID{}
	var ord int
	var seq int64
	var need bool
	_, err = pgx.ForEachRow(rows, []any{&ord, &seq, &need}, func() error {
		out[ord-1] = Appended{Accepted: true, Seq: seq}
		if need {
			target := appends[ord-1].Evidence.Target
			wake[target.UUID] = target
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("append evidence: %w", err)
	}
	targets := make([]ID, 0, len(wake))
	for _, target := range wake {
		targets = append(targets, target)
	}
	return out, targets, nil
}

// Replays reads what the committed writes under keys answered, in order.
func (t *Tx) Replays(ctx context.Context, keys []IdempotencyKey) ([]Replay, error) {
	return replays(ctx, t.tx, keys)
}

// Record is an evidence row as readers see it.
type Record struct {
	Evidence
	PublicID   ID
	Seq        int64
	RecordedAt time.Time
	// Root is the party of the actor now.
	Root ID
	// RetractedAt is set when the record was retracted; RetractedSeq is that row's number.
	RetractedAt  *time.Time
	RetractedSeq int64
	// Grounded reports whether a review or rating rests on the actor's own use of the target.
	Grounded bool
	// Sources are what a review rests on.
	Sources []SourceLine
}
