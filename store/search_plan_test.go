package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/evidence/retrieval"
	"interai/store"
)

// TestSearchComparesNothingWithEverything holds the plans of searches against documents and trust of some size: no join may
// look at rows that it then throws away.
func TestSearchComparesNothingWithEverything(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	for _, sql := range []string{
		`insert into search_docs (kind, object_id, target_id, type, language, title_key, terms, length, analyzer)
		 select 'claim', id, id, '', 'en', 'a', to_tsvector('simple', 'common word' || i), 2, 1
		 from (select i, gen_random_uuid() as id from generate_series(1, 4000) i) t`,
		`set session_replication_role = replica;
		 insert into trust_snapshots (model_id, target_id, value, lower_bound, upper_bound, alpha, beta, independent_confirmations,
		     contradictions, real_world_confirmations, status, raw_status, inputs, counts, applied_seq, version, as_of_bin)
		 select 1, target_id, .5, doc_id / 10000.0, .9, 1, 1, 0, 0, 0, 'unverified', 'unverified', '{}', '{}', 1, 1, 1 from search_docs;
		 set session_replication_role = origin`,
		`analyze`,
	} {
		exec(t, db, sql)
	}
	scored := []retrieval.ScoredLexeme{{Lexeme: "common", Weight: 1}}
	for name, q := range map[string]store.SearchQuery{
		"by relevance":              {Candidates: "'common'", Scored: scored, Limit: 400},
		"by relevance and status":   {Candidates: "'common'", Scored: scored, Limit: 400, Statuses: []string{"unverified"}},
		"by trust":                  {Order: store.MostTrusted, Limit: 300},
		"by trust, of a word":       {Order: store.MostTrusted, Candidates: "'common'", Scored: scored, Limit: 300},
		"by trust, of few":          {Order: store.MostTrusted, Few: true, Limit: 300},
		"by trust and status":       {Order: store.MostTrusted, Statuses: []string{"unverified", "supported"}, Limit: 300},
		"the newest":                {Order: store.Newest, Limit: 100},
		"the newest, with a status": {Order: store.Newest, Statuses: []string{"unverified"}, Limit: 100},
	} {
		t.Run(name, func(t *testing.T) {
			sql, args := store.SearchStatement(&q)
			conn, err := db.Pool().Acquire(t.Context())
			require.NoError(t, err)
			defer conn.Release()
			_, err = conn.Exec(t.Context(), store.BeginRead)
			require.NoError(t, err)
			defer func() { _, _ = conn.Exec(t.Context(), `rollback`) }()
			rows, err := conn.Query(t.Context(), `explain (analyze, timing off) `+sql, args...)
			require.NoError(t, err)
			var plan strings.Builder
			for rows.Next() {
				var line string
				require.NoError(t, rows.Scan(&line))
				plan.WriteString(line + "\n")
			}
			require.NoError(t, rows.Err())
			require.NotContains(t, plan.String(), "Rows Removed by Join Filter", plan.String())
			if !q.Few { // who has few of them may read all
				require.NotContains(t, plan.String(), "Seq Scan on search_docs", plan.String())
			}
			require.NotContains(t, plan.String(), "Seq Scan on trust_snapshots", plan.String())
		})
	}
}
