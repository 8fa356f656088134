package jobs_test

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"interai/store"
	"interai/trustmodel"
)

// active is one evidence record that was not retracted, as the table has it, with its actor's party.
type active struct {
	Kind, Result, Verdict  string
	RealWorld, Grounded    bool
	Confidence             *float64
	RecordedAt             time.Time
	Root                   uuid.UUID
	Email, Domain, Vouched bool
	Seq                    int64
	RetractedSeq           int64 // 0: it was not
	RetractedAt            *time.Time
}

// counts tells whether a record is active once the first n rows are there.
func (a *active) counts(n int64) bool {
	return a.Seq <= n && (a.RetractedSeq == 0 || a.RetractedSeq > n)
}

const rawEvidence = `
	select e.kind, coalesce(e.result, '') as result, coalesce(e.verdict, '') as verdict,
	       coalesce(e.real_world, false) as real_world, e.based_on is not null as grounded, e.confidence, e.recorded_at,
	       r.id as root, r.verified_email as email, r.verified_domain as domain, r.vouched,
	       e.seq, coalesce(x.seq, 0) as retracted_seq, x.recorded_at as retracted_at
	from evidence e join actors a on a.id = e.actor_id join actors r on r.id = a.root_controller_id
	left join evidence x on x.retracts = e.id
	where e.target_id = $1 and e.kind <> 'retraction'`

const rawAuthor = `
	select r.root_controller_id from actors r
	where r.id in (select author_id from revisions where id = $1 union select first_stated_by from claims where id = $1)`

// record is what the trust model takes of an evidence record, false for what never enters trust.
func (a *active) record(t require.TestingT) (trustmodel.Record, bool) {
	record := trustmodel.Record{RealWorld: a.RealWorld, Grounded: a.Grounded, ConfidenceMilli: trustmodel.MissingConfidence}
	if a.Confidence != nil {
		record.ConfidenceMilli = int32(*a.Confidence*1000 + .5)
	}
	var err error
	switch a.Kind {
	case "usage":
		record.Kind = trustmodel.RecordUsage
		record.Result, err = trustmodel.ParseResult(a.Result)
	case "review":
		record.Kind = trustmodel.RecordReview
		record.Verdict, err = trustmodel.ParseVerdict(a.Verdict)
	case "assertion":
		record.Kind = trustmodel.RecordAssertion
	default:
		return record, false
	}
	require.NoError(t, err)
	return record, true
}

// raw is all that is known of a target beside what was computed.
type raw struct {
	model   *trustmodel.Model
	kind    trustmodel.TargetKind
	records []active
	authors map[uuid.UUID]bool
	refuted bool
}

const rawRefuted = `
	select exists (select from revision_claims rc join trust_snapshots s on s.target_id = rc.claim_id
	               where rc.revision_id = $1 and s.status = 'incorrect')`

func (b *bundle) raw(t require.TestingT, target store.ID) *raw {
	model, err := trustmodel.NewModel(trustmodel.V1())
	require.NoError(t, err)
	r := &raw{model: model, authors: b.roots(t, rawAuthor, target)}
	switch target.Kind {
	case store.KindClaim:
		r.kind = trustmodel.KindClaim
	case store.KindEntity:
		r.kind = trustmodel.KindEntity
	default:
		r.kind = trustmodel.KindContent
	}
	rows, err := b.Store.Pool().Query(b.t.Context(), rawEvidence, target.UUID)
	require.NoError(t, err)
	r.records, err = pgx.CollectRows(rows, pgx.RowToStructByName[active])
	require.NoError(t, err)
	require.NoError(t, b.Store.Pool().QueryRow(b.t.Context(), rawRefuted, target.UUID).Scan(&r.refuted))
	return r
}

// counted are the active records by kind and value.
func (r *raw) counted() map[string]int64 {
	counts := map[string]int64{}
	for _, a := range r.records {
		name := a.Kind
		if value := a.Result + a.Verdict; value != "" {
			name += "." + value
		}
		switch {
		case a.RetractedSeq == 0:
			counts[name]++
		case a.Kind != "assertion":
			counts["retracted"]++
		}
	}
	return counts
}

// after is the trust that the first n rows of evidence give, all at once, with carry inherited.
func (r *raw) after(t require.TestingT, n int64, asOf int32, carry trustmodel.Carry) trustmodel.Snapshot {
	parties := map[uuid.UUID]*trustmodel.Party{}
	for _, a := range r.records {
		record, counted := a.record(t)
		if !counted || !a.counts(n) {
			continue
		}
		party := parties[a.Root]
		if party == nil {
			party = &trustmodel.Party{
				Key: trustmodel.PartyKey(a.Root), Author: r.authors[a.Root],
				Weights: r.model.IdentityWeights(trustmodel.Identity{Email: a.Email, Domain: a.Domain, Vouched: a.Vouched}),
			}
			parties[a.Root] = party
		}
		party.Bins = append(party.Bins, trustmodel.Bin{Index: int32(a.RecordedAt.Unix() / (30 * 86_400)), Sums: r.model.Sums(record)})
	}
	input := trustmodel.Input{Kind: r.kind, AsOfBin: asOf, Carry: carry, IncorrectClaim: r.refuted}
	for _, party := range parties {
		input.Parties = append(input.Parties, *party)
	}
	return r.model.Compute(input)
}

// moment is when a row of evidence was written that can move the status.
func (r *raw) moments() map[int64]time.Time {
	out := map[int64]time.Time{}
	for _, a := range r.records {
		if a.Kind == "rating" {
			continue
		}
		out[a.Seq] = a.RecordedAt
		if a.RetractedSeq > 0 {
			out[a.RetractedSeq] = *a.RetractedAt
		}
	}
	return out
}

// standing replays the history of the status, one row of evidence after the other.
func (r *raw) standing(t require.TestingT, last int64, asOf int32, carry trustmodel.Carry) (trustmodel.Standing, []string) {
	var st trustmodel.Standing
	var history []string
	moments := r.moments()
	for n := int64(1); n <= last; n++ {
		at, ok := moments[n]
		if !ok {
			continue
		}
		snapshot := r.after(t, n, asOf, carry)
		var changes []trustmodel.Change
		st, changes = r.model.Step(st, &snapshot, at.UnixMicro(), true)
		for _, c := range changes {
			history = append(history, c.From.String()+" to "+c.To.String())
		}
	}
	return st, history
}

func (b *bundle) roots(t require.TestingT, sql string, target store.ID) map[uuid.UUID]bool {
	rows, err := b.Store.Pool().Query(b.t.Context(), sql, target.UUID)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	out := map[uuid.UUID]bool{}
	for _, root := range found {
		out[root] = true
	}
	return out
}

// stored is a snapshot as the tables have it.
type stored struct {
	Value, LowerBound, UpperBound, Alpha, Beta float64
	Confirmations, Contradictions, RealWorld   int
	Status, RawStatus                          string
	PendingStatus                              *string
	PendingRecords                             int
	Inputs, Counts                             json.RawMessage
	Applied, StateApplied, LastSeq             int64
	Bin                                        int32
	Failed                                     bool
}

const storedSnapshot = `
	select s.value, s.lower_bound, s.upper_bound, s.alpha, s.beta, s.independent_confirmations as confirmations,
	       s.contradictions, s.real_world_confirmations as real_world, s.status, s.raw_status, s.pending_status, s.pending_records, s.inputs, s.counts,
	       s.applied_seq as applied, t.applied_seq as state_applied, h.last_seq, s.as_of_bin as bin, t.failed_at is not null as failed
	from trust_snapshots s join target_states t using (model_id, target_id) join target_heads h using (target_id)
	where target_id = $1`

// equalsReference requires that the stored trust of a target is what its raw evidence says, bit for bit, and that its
// status has the history which the evidence has, row by row.
func (b *bundle) equalsReference(t require.TestingT, target store.ID) {
	b.equalsReferenceWith(t, target, trustmodel.Carry{})
}

func (b *bundle) equalsReferenceWith(t require.TestingT, target store.ID, carry trustmodel.Carry) {
	r, got, history := b.equalsTrust(t, target, carry)
	if r.refuted {
		return // the claim's history, not this evidence, says when
	}
	st, replayed := r.standing(t, got.LastSeq, got.Bin, carry)
	require.Equal(t, replayed, history, target)
	require.Equal(t, st.Waiting, got.PendingStatus != nil)
	if st.Waiting {
		require.Equal(t, st.Pending.String(), *got.PendingStatus)
		require.Equal(t, st.Records, got.PendingRecords)
	}
}

// equalsTrust requires the same of everything but the history of the status, which it answers.
func (b *bundle) equalsTrust(t require.TestingT, target store.ID, carry trustmodel.Carry) (*raw, stored, []string) {
	rows, err := b.Store.Pool().Query(b.t.Context(), storedSnapshot, target.UUID)
	require.NoError(t, err)
	got, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[stored])
	require.NoError(t, err, target)
	require.Equal(t, got.LastSeq, got.Applied, target)
	require.Equal(t, got.LastSeq, got.StateApplied, target)
	require.False(t, got.Failed)
	require.InDelta(t, time.Now().Unix()/(30*86_400), got.Bin, 1)
	r := b.raw(t, target)
	want := r.after(t, got.LastSeq, got.Bin, carry)
	var inputs trustmodel.Snapshot
	require.NoError(t, json.Unmarshal(got.Inputs, &inputs))
	require.True(t, want == inputs, "%s: from raw evidence %+v, stored %+v", target, want, inputs) //nolint:testifylint // == is the promise
	require.True(t, want.Value == got.Value && want.Lower == got.LowerBound && want.Upper == got.UpperBound &&
		want.Alpha == got.Alpha && want.Beta == got.Beta, "columns of %s", target)
	require.Equal(t, []int{want.Confirmations, want.Contradictions, want.RealWorldConfirmations},
		[]int{got.Confirmations, got.Contradictions, got.RealWorld})
	require.Equal(t, want.RawStatus.String(), got.RawStatus)
	counts := map[string]int64{}
	require.NoError(t, json.Unmarshal(got.Counts, &counts))
	require.Equal(t, r.counted(), counts)
	return r, got, b.historyLeadsTo(t, target, got.Status, got.Applied)
}

// historyLeadsTo requires that the transitions of a target are a chain from unverified to its status.
func (b *bundle) historyLeadsTo(t require.TestingT, target store.ID, status string, applied int64) (history []string) {
	rows, err := b.Store.Pool().Query(b.t.Context(),
		`select no, from_status, to_status, applied_seq from status_history where target_id = $1 order by no`, target.UUID)
	require.NoError(t, err)
	defer rows.Close()
	at, seq, no := "unverified", int64(0), 0
	for rows.Next() {
		var n int
		var from, to string
		var s int64
		require.NoError(t, rows.Scan(&n, &from, &to, &s))
		no++
		require.Equal(t, no, n)
		require.Equal(t, at, from)
		require.GreaterOrEqual(t, s, seq)
		require.LessOrEqual(t, s, applied)
		at, seq = to, s
		history = append(history, from+" to "+to)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, status, at)
	return history
}
