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
	Retracted              bool
}

const rawEvidence = `
	select e.kind, coalesce(e.result, '') as result, coalesce(e.verdict, '') as verdict,
	       coalesce(e.real_world, false) as real_world, e.based_on is not null as grounded, e.confidence, e.recorded_at,
	       r.id as root, r.verified_email as email, r.verified_domain as domain, r.vouched,
	       exists (select from evidence x where x.retracts = e.id) as retracted
	from evidence e join actors a on a.id = e.actor_id join actors r on r.id = a.root_controller_id
	where e.target_id = $1 and e.kind <> 'retraction'`

const rawAuthor = `
	select r.root_controller_id from actors r
	where r.id in (select author_id from revisions where id = $1 union select first_stated_by from claims where id = $1)`

const rawStaters = `
	select a.root_controller_id from revision_claims rc join revisions v on v.id = rc.revision_id
	join contents c on c.id = v.content_id and c.current_revision_id = v.id
	join actors a on a.id = c.author_id where rc.claim_id = $1`

// record is what the trust model takes of an evidence record, false for what never enters trust.
func (a active) record(t require.TestingT) (trustmodel.Record, bool) {
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

// reference is the trust of a target computed from all its raw evidence at once, with the counts of its records.
func (b *bundle) reference(t require.TestingT, target store.ID, asOf int32) (trustmodel.Snapshot, map[string]int64) {
	model, err := trustmodel.NewModel(trustmodel.V1())
	require.NoError(t, err)
	authors, staters := b.roots(t, rawAuthor, target), b.roots(t, rawStaters, target)
	rows, err := b.Store.Pool().Query(b.t.Context(), rawEvidence, target.UUID)
	require.NoError(t, err)
	records, err := pgx.CollectRows(rows, pgx.RowToStructByName[active])
	require.NoError(t, err)
	counts := map[string]int64{}
	parties := map[uuid.UUID]*trustmodel.Party{}
	for _, a := range records {
		if a.Retracted {
			if a.Kind != "assertion" {
				counts["retracted"]++
			}
			continue
		}
		name := a.Kind
		if value := a.Result + a.Verdict; value != "" {
			name += "." + value
		}
		counts[name]++
		record, counted := a.record(t)
		if !counted {
			continue
		}
		party := parties[a.Root]
		if party == nil {
			party = &trustmodel.Party{
				Key: trustmodel.PartyKey(a.Root), Author: authors[a.Root], Stater: staters[a.Root],
				Weights: model.IdentityWeights(trustmodel.Identity{Email: a.Email, Domain: a.Domain, Vouched: a.Vouched}),
			}
			parties[a.Root] = party
		}
		party.Bins = append(party.Bins, trustmodel.Bin{Index: int32(a.RecordedAt.Unix() / (30 * 86_400)), Sums: model.Sums(record)})
	}
	input := trustmodel.Input{AsOfBin: asOf}
	switch target.Kind {
	case store.KindClaim:
		input.Kind = trustmodel.KindClaim
	case store.KindEntity:
		input.Kind = trustmodel.KindEntity
	default:
		input.Kind = trustmodel.KindContent
	}
	for _, party := range parties {
		input.Parties = append(input.Parties, *party)
	}
	return model.Compute(input), counts
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
	Inputs, Counts                             json.RawMessage
	Applied, StateApplied, LastSeq             int64
	Bin                                        int32
	Failed                                     bool
}

const storedSnapshot = `
	select s.value, s.lower_bound, s.upper_bound, s.alpha, s.beta, s.independent_confirmations as confirmations,
	       s.contradictions, s.real_world_confirmations as real_world, s.status, s.raw_status, s.inputs, s.counts,
	       s.applied_seq as applied, t.applied_seq as state_applied, h.last_seq, s.as_of_bin as bin, t.failed_at is not null as failed
	from trust_snapshots s join target_states t using (model_id, target_id) join target_heads h using (target_id)
	where target_id = $1`

// equalsReference requires that the stored trust of a target is what its raw evidence says, bit for bit.
func (b *bundle) equalsReference(t require.TestingT, target store.ID) {
	rows, err := b.Store.Pool().Query(b.t.Context(), storedSnapshot, target.UUID)
	require.NoError(t, err)
	got, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[stored])
	require.NoError(t, err, target)
	require.Equal(t, got.LastSeq, got.Applied, target)
	require.Equal(t, got.LastSeq, got.StateApplied, target)
	require.False(t, got.Failed)
	require.InDelta(t, time.Now().Unix()/(30*86_400), got.Bin, 1)
	want, counts := b.reference(t, target, got.Bin)
	var inputs trustmodel.Snapshot
	require.NoError(t, json.Unmarshal(got.Inputs, &inputs))
	require.True(t, want == inputs, "%s: from raw evidence %+v, stored %+v", target, want, inputs) //nolint:testifylint // == is the promise
	require.True(t, want.Value == got.Value && want.Lower == got.LowerBound && want.Upper == got.UpperBound &&
		want.Alpha == got.Alpha && want.Beta == got.Beta, "columns of %s", target)
	require.Equal(t, []int{want.Confirmations, want.Contradictions, want.RealWorldConfirmations},
		[]int{got.Confirmations, got.Contradictions, got.RealWorld})
	require.Equal(t, want.RawStatus.String(), got.RawStatus)
	stored := map[string]int64{}
	require.NoError(t, json.Unmarshal(got.Counts, &stored))
	require.Equal(t, counts, stored)
	b.historyLeadsTo(t, target, got.Status, got.Applied)
}

// historyLeadsTo requires that the transitions of a target are a chain from unverified to its status.
func (b *bundle) historyLeadsTo(t require.TestingT, target store.ID, status string, applied int64) {
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
	}
	require.NoError(t, rows.Err())
	require.Equal(t, status, at)
}
