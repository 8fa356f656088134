package store_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"interai/store"
)

func TestEvidenceIsNumberedWithoutGapsByManyProcesses(t *testing.T) {
	t.Parallel()
	const processes, writers, batches, rows = 4, 32, 12, 8
	db, conn := setup(t)
	human := actor(t, db, store.KindUser, store.ID{})
	targets := entities(t, db, human, 6)
	stores := make([]*store.Store, processes)
	for i := range stores {
		stores[i] = open(t, conn)
	}
	var mu sync.Mutex
	claimed := map[uuid.UUID]int64{} // what AppendEvidence said about each row
	wakes := map[store.ID]int{}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(w)))
			for range batches {
				batch := make([]store.Append, rows)
				for i := range batch {
					batch[i].Evidence = usage(targets[random.IntN(len(targets))], human)
				}
				err := stores[w%processes].Write(t.Context(), func(tx *store.Tx) error {
					appended, wake, err := tx.AppendEvidence(t.Context(), batch)
					if err != nil {
						return err
					}
					mu.Lock()
					defer mu.Unlock()
					for i, a := range appended {
						claimed[batch[i].Evidence.ID] = a.Seq
					}
					for _, target := range wake {
						wakes[target]++
					}
					return nil
				})
				if err != nil {
					t.Error("append: ", err)
				}
			}
		})
	}
	all.Wait()
	require.Len(t, claimed, writers*batches*rows)
	for _, target := range targets {
		require.Equal(t, 1, wakes[target], "only the writer that flips the head wakes")
	}
	require.Zero(t, number(t, db, `
		select count(*) from (
			select h.target_id from target_heads h join evidence e using (target_id) group by h.target_id, h.last_seq
			having count(*) <> h.last_seq or min(e.seq) <> 1 or max(e.seq) <> h.last_seq) as gaps`))
	found, err := db.Pool().Query(t.Context(), `select id, seq from evidence`)
	require.NoError(t, err)
	var id uuid.UUID
	var seq int64
	_, err = pgx.ForEachRow(found, []any{&id, &seq}, func() error {
		require.Equal(t, seq, claimed[id])
		return nil
	})
	require.NoError(t, err)
}

func TestRowsOfOneBatchKeepTheirOrder(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	human := actor(t, db, store.KindUser, store.ID{})
	targets := entities(t, db, human, 2)
	for round := range int64(3) {
		var batch []store.Append
		for i := range 6 {
			batch = append(batch, store.Append{Evidence: usage(targets[i%2], human)})
		}
		require.NoError(t, db.Write(t.Context(), func(tx *store.Tx) error {
			appended, wake, err := tx.AppendEvidence(t.Context(), batch)
			for i, a := range appended {
				require.Equal(t, store.Appended{Accepted: true, Seq: 3*round + int64(i/2) + 1}, a)
			}
			require.Len(t, wake, map[bool]int{true: 2, false: 0}[round == 0])
			return err
		}))
	}
}

// evidenceRow are the columns of a valid row of each kind, beside those that every row has.
var evidenceRow = map[string]map[string]string{
	"usage":      {"usage_type": "'use'", "result": "'success'", "real_world": "false"},
	"review":     {"verdict": "'confirmed'"},
	"rating":     {"dimension": "'cost'", "score": "50"},
	"assertion":  {"stated_in": "$4"},
	"retraction": {"retracts": "$5"},
}

func TestEvidenceHasTheFieldsOfItsKindOnly(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	human := actor(t, db, store.KindUser, store.ID{})
	target := entities(t, db, human, 1)[0]
	first := usage(target, human)
	require.NoError(t, db.Write(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.AppendEvidence(t.Context(), []store.Append{{Evidence: first}})
		return err
	}))
	revision, err := store.NewID(store.KindRevision)
	require.NoError(t, err)
	// insert tries a row and takes it back; it answers the constraint that refused it.
	insert := func(kind string, changes map[string]string) string {
		columns, values := "target_id, seq, id, kind, actor_id", "$1, 2, $2, '"+kind+"', $3"
		row := map[string]string{}
		for _, set := range []map[string]string{evidenceRow[kind], changes} {
			maps.Copy(row, set)
		}
		for column, value := range row {
			if value != "" {
				columns, values = columns+", "+column, values+", "+value
			}
		}
		constraint := ""
		err := db.Discard(t.Context(), func(tx *store.Tx) error {
			// $4 and $5 are used by some kinds only, so they are given a use here.
			_, err := tx.Pgx().Exec(t.Context(), "with unused as (select $4::uuid, $5::uuid) insert into evidence ("+columns+") values ("+values+")",
				target.UUID, uuid.Must(uuid.NewV7()), human.UUID, revision.UUID, first.ID)
			return err
		})
		if err != nil {
			var pg *pgconn.PgError
			require.ErrorAs(t, err, &pg)
			constraint = pg.ConstraintName
		}
		return constraint
	}
	for kind := range evidenceRow {
		want := ""
		if kind == "assertion" {
			want = "evidence_stated_in_fkey" // the row itself is fine, its revision does not exist
		}
		require.Equal(t, want, insert(kind, nil), kind)
	}
	for rule, c := range map[string]struct {
		kind    string
		changes map[string]string
		want    []string
	}{
		"a usage without a result":        {"usage", map[string]string{"result": ""}, []string{"evidence_usage"}},
		"a usage without a sort":          {"usage", map[string]string{"usage_type": ""}, []string{"evidence_usage_complete"}},
		"a usage without its realness":    {"usage", map[string]string{"real_world": ""}, []string{"evidence_usage_complete"}},
		"a usage with a verdict":          {"usage", map[string]string{"verdict": "'false'"}, []string{"evidence_review"}},
		"a usage with a confidence":       {"usage", map[string]string{"confidence": "1"}, []string{"evidence_judgment_fields"}},
		"a usage based on a usage":        {"usage", map[string]string{"based_on": "$5"}, []string{"evidence_judgment_fields"}},
		"a usage of an unknown result":    {"usage", map[string]string{"result": "'great'"}, []string{"evidence_result_check"}},
		"a usage with a list as metrics":  {"usage", map[string]string{"metrics": "'[]'"}, []string{"evidence_metrics_check"}},
		"a context without a key":         {"usage", map[string]string{"context": "'{}'"}, []string{"evidence_context"}},
		"a review without a verdict":      {"review", map[string]string{"verdict": ""}, []string{"evidence_review"}},
		"a review with a result":          {"review", map[string]string{"result": "'success'"}, []string{"evidence_usage"}},
		"a review with metrics":           {"review", map[string]string{"metrics": "'{}'"}, []string{"evidence_usage_fields"}},
		"a review of an unknown verdict":  {"review", map[string]string{"verdict": "'good'"}, []string{"evidence_verdict_check"}},
		"a review that is more than sure": {"review", map[string]string{"confidence": "1.1"}, []string{"evidence_confidence_check"}},
		"a rating without a score":        {"rating", map[string]string{"score": ""}, []string{"evidence_rating"}},
		"a rating without a dimension":    {"rating", map[string]string{"dimension": ""}, []string{"evidence_rating"}},
		"a rating above 100":              {"rating", map[string]string{"score": "100.5"}, []string{"evidence_score_check"}},
		"a rating that is no number":      {"rating", map[string]string{"score": "'NaN'"}, []string{"evidence_score_check"}},
		"a rating of a free dimension":    {"rating", map[string]string{"dimension": "'Ease of use'"}, []string{"evidence_dimension_check"}},
		"a rating with a verdict":         {"rating", map[string]string{"verdict": "'false'"}, []string{"evidence_review"}},
		"a review with a score":           {"review", map[string]string{"score": "1", "dimension": "'cost'"}, []string{"evidence_rating"}},
		"a review with a score alone":     {"review", map[string]string{"score": "1"}, []string{"evidence_rating"}},
		"a usage with a dimension alone":  {"usage", map[string]string{"dimension": "'cost'"}, []string{"evidence_rating"}},
		"an assertion with a note":        {"assertion", map[string]string{"note": "'n'"}, []string{"evidence_said"}},
		"a retraction with a context":     {"retraction", map[string]string{"context": "'{}'", "context_key": "''"}, []string{"evidence_said"}},
		"an assertion of nothing":         {"assertion", map[string]string{"stated_in": ""}, []string{"evidence_assertion"}},
		"an assertion with a note of use": {"assertion", map[string]string{"usage_type": "'use'"}, []string{"evidence_usage_fields"}},
		"a retraction of nothing":         {"retraction", map[string]string{"retracts": ""}, []string{"evidence_retraction"}},
		"a usage that retracts":           {"usage", map[string]string{"retracts": "$5"}, []string{"evidence_retraction"}},
		"an unknown kind":                 {"praise", nil, []string{"evidence_kind_check"}},
	} {
		t.Run(rule, func(t *testing.T) {
			got := insert(c.kind, c.changes)
			require.True(t, slices.Contains(c.want, got), "refused by %q", got)
		})
	}
}

func TestARecordIsRetractedOnce(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	human := actor(t, db, store.KindUser, store.ID{})
	target := entities(t, db, human, 1)[0]
	first := usage(target, human)
	add := func(e store.Evidence) error {
		return db.Write(t.Context(), func(tx *store.Tx) error {
			_, _, err := tx.AppendEvidence(t.Context(), []store.Append{{Evidence: e}})
			return err
		})
	}
	retraction := func() store.Evidence {
		return store.Evidence{
			ID: uuid.Must(uuid.NewV7()), Target: target, Kind: store.EvidenceRetraction, Actor: human, Retracts: first.ID,
		}
	}
	require.NoError(t, add(first))
	require.NoError(t, add(retraction()))
	err := add(retraction())
	require.True(t, store.IsConstraint(err), "%v", err)
	require.Equal(t, 2, number(t, db, `select last_seq from target_heads`), "a refused row takes no number")
}
