package store

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Bounds of what signals are computed from: the newest records, and the longest beginning of a note that is compared.
const (
	MaxSignalRecords = 100_000
	MaxSignalNotes   = 500
	maxNoteRunes     = 4000
	maxSignalLinks   = 20_000
)

// SignalRecord is one verdict as signals count it. Those that say neither yes nor no are not among them, and neither are
// retracted ones, verdicts of a party on what it wrote itself, and those of the demonstration.
type SignalRecord struct {
	ID     uuid.UUID
	Target ID
	// Root is the party that answers for it now, Since when the party came, and Author the party that wrote the target:
	// the zero ID where nobody did.
	Root   ID
	Since  time.Time
	Author ID
	At     time.Time
	// Good says that it is favourable.
	Good bool
	// NoteBytes is how long its note or rationale is.
	NoteBytes int
}

// Of the newest rows some are dropped later: the bound is on what is read. IDs rise with time.
const selectSignalRecords = `
	select e.id, h.kind, h.target_id, r.kind, r.id, r.created_at, w.kind, w.id, e.recorded_at,
	       coalesce(e.result in ('success', 'partial'), e.verdict in ('confirmed', 'mostly_correct'), e.score >= 50),
	       coalesce(octet_length(e.note), 0)
	from (select * from evidence where id >= $1 order by id desc limit $2) e
	join actors a on a.id = e.actor_id join actors r on r.id = a.root_controller_id
	join target_heads h on h.target_id = e.target_id
	left join revisions v on v.id = h.revision_id
	left join contents c on c.id = h.content_id
	left join claims m on m.id = h.claim_id
	left join actors wa on wa.id = coalesce(v.author_id, c.author_id, m.first_stated_by)
	left join actors w on w.id = wa.root_controller_id
	where e.kind in ('usage', 'review', 'rating') and coalesce(e.result, '') <> 'unknown'
	  and coalesce(e.verdict, '') <> 'cannot_verify' and not r.demo and w.id is distinct from r.id
	  and not exists (select from evidence x where x.retracts = e.id)
	order by e.id desc`

// SignalRecords reads the verdicts since a moment, the newest first. Full says that there were more than it reads.
func (v *Snapshot) SignalRecords(ctx context.Context, since time.Time) (records []SignalRecord, full bool, err error) {
	from := firstUUID(since)
	var n int
	if err := v.tx.QueryRow(ctx, `select count(*) from (select from evidence where id >= $1 order by id desc limit $2) e`,
		from, MaxSignalRecords).Scan(&n); err != nil {
		return nil, false, fmt.Errorf("count verdicts: %w", err)
	}
	rows, err := v.tx.Query(ctx, selectSignalRecords, from, MaxSignalRecords)
	if err != nil {
		return nil, false, fmt.Errorf("read verdicts: %w", err)
	}
	records, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (SignalRecord, error) {
		var r SignalRecord
		var kind *Kind
		var author *uuid.UUID
		err := row.Scan(&r.ID, &r.Target.Kind, &r.Target.UUID, &r.Root.Kind, &r.Root.UUID, &r.Since, &kind, &author, &r.At, &r.Good,
			&r.NoteBytes)
		r.Author = kindID(kind, author)
		return r, err
	})
	if err != nil {
		return nil, false, fmt.Errorf("read verdicts: %w", err)
	}
	return records, n == MaxSignalRecords, nil
}

// firstUUID is the least UUIDv7 of a moment.
func firstUUID(at time.Time) uuid.UUID {
	var id uuid.UUID
	ms := max(0, at.UnixMilli())
	for i := range 6 {
		id[i] = byte(ms >> (8 * (5 - i)))
	}
	return id
}

// SignalNotes reads the beginnings of the notes of up to MaxSignalNotes records, by the record.
func (v *Snapshot) SignalNotes(ctx context.Context, records []uuid.UUID) (map[uuid.UUID]string, error) {
	records = records[:min(len(records), MaxSignalNotes)]
	rows, err := v.tx.Query(ctx, `select id, left(note, $2) from evidence where id = any ($1) and note is not null`, records, maxNoteRunes)
	if err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	notes := make(map[uuid.UUID]string, len(records))
	var id uuid.UUID
	var note string
	if _, err = pgx.ForEachRow(rows, []any{&id, &note}, func() error {
		notes[id] = note
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read notes: %w", err)
	}
	return notes, nil
}

// PartyLink is something that a party may share with another one: the domain of an address that it has proved to be its
// own, or the network out of which a key of it was used.
type PartyLink struct {
	Root    ID
	Domain  string
	Network netip.Prefix
	// At is when the address was proved, or the first of the keys made.
	At time.Time
}

const selectMailLinks = `
	select r.kind, r.id, lower(split_part(p.subject, '@', 2)), min(p.proved_at)
	from unnest($1::uuid[]) as u (root) join actors r on r.id = u.root
	join actors a on a.root_controller_id = u.root
	join proofs p on p.actor_id = a.id and p.kind = 'email' and p.proved_at is not null
	group by 1, 2, 3 order by 2, 3 limit $2`

const selectKeyLinks = `
	select r.kind, r.id, k.last_used_from, min(k.created_at)
	from unnest($1::uuid[]) as u (root) join actors r on r.id = u.root
	join actors a on a.root_controller_id = u.root
	join api_keys k on k.actor_id = a.id and k.last_used_from is not null and k.last_used_at >= $3
	group by 1, 2, 3 order by 2, 3 limit $2`

// PartyLinks reads the domains and networks of parties: of keys those that were used since a moment.
func (v *Snapshot) PartyLinks(ctx context.Context, roots []ID, since time.Time) (domains, networks []PartyLink, err error) {
	var p pipeline
	queue(&p, &domains, func(row pgx.CollectableRow) (PartyLink, error) {
		var l PartyLink
		err := row.Scan(&l.Root.Kind, &l.Root.UUID, &l.Domain, &l.At)
		return l, err
	}, selectMailLinks, uuids(roots), maxSignalLinks)
	queue(&p, &networks, func(row pgx.CollectableRow) (PartyLink, error) {
		var l PartyLink
		err := row.Scan(&l.Root.Kind, &l.Root.UUID, &l.Network, &l.At)
		return l, err
	}, selectKeyLinks, uuids(roots), maxSignalLinks, since)
	if err := p.send(ctx, v.tx); err != nil {
		return nil, nil, fmt.Errorf("read what parties share: %w", err)
	}
	return domains, networks, nil
}

// Signal is a pattern for a moderator to look at.
type Signal struct {
	Reason string
	// Root is the party that it is about, Parties are all who take part, it among them.
	Root    ID
	Parties []ID
	// Size is the number that has to grow by half for a decided signal to come back.
	Size        float64
	Facts       json.RawMessage
	Fingerprint [32]byte
}

// SignalOutcome is what became of a signal.
type SignalOutcome string

// Outcomes of signals.
const (
	SignalOpened  SignalOutcome = "opened"
	SignalCounted SignalOutcome = "counted"
	SignalDecided SignalOutcome = "decided"
)

// growth is how much larger than what was decided a signal must be to come back before decidedFor has passed.
const growth = 1.5

// The party that a case is about may be another of those who take part than last time.
const selectKnownSignal = `
	select c.id, r.kind, r.id, c.open, coalesce((c.facts ->> 'size')::float8, 0)
	from moderation_cases c join actors r on r.id = c.root_id
	where c.root_id = any ($1) and c.fingerprint = $2 and c.origin = 'signal'
	  and (c.open or c.decided_at > clock_timestamp() - interval '30 days')
	order by c.open desc, c.decided_at desc limit 1`

// RaiseSignal opens a case for a signal, counts it on the open case with the numbers of today, or leaves it alone where a
// moderator has decided about it in the last 30 days and it has not grown by half since.
func (s *Store) RaiseSignal(ctx context.Context, signal *Signal) (outcome SignalOutcome, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		outcome, err = tx.raiseSignal(ctx, signal)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("raise a signal: %w", err)
	}
	return outcome, nil
}

func (t *Tx) raiseSignal(ctx context.Context, signal *Signal) (SignalOutcome, error) {
	var known struct {
		id   uuid.UUID
		root ID
		open bool
		size float64
	}
	rows, err := t.tx.Query(ctx, selectKnownSignal, uuids(signal.Parties), signal.Fingerprint[:])
	if err != nil {
		return "", err
	}
	tag, err := pgx.ForEachRow(rows, []any{&known.id, &known.root.Kind, &known.root.UUID, &known.open, &known.size}, func() error { return nil })
	if err != nil {
		return "", err
	}
	root := signal.Root
	if tag.RowsAffected() > 0 {
		if !known.open && signal.Size < growth*known.size {
			return SignalDecided, nil
		}
		if known.open {
			root = known.root
		}
	}
	id, err := NewID(KindCase)
	if err != nil {
		return "", err
	}
	id, opened, err := t.OpenCase(ctx, &NewCase{
		ID: id, Origin: OriginSignal, Reason: signal.Reason, Root: root, Facts: signal.Facts, Fingerprint: signal.Fingerprint,
	})
	if err != nil || opened {
		return SignalOpened, err
	}
	_, err = t.tx.Exec(ctx, `update moderation_cases set facts = $2 where id = $1 and open and origin = 'signal'`, id.UUID, signal.Facts)
	return SignalCounted, err
}
