package store_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interai/store"
)

// plan is a node of what EXPLAIN answers.
type plan struct {
	Type     string `json:"Node Type"`     //nolint:tagliatelle // PostgreSQL's own name
	Relation string `json:"Relation Name"` //nolint:tagliatelle // PostgreSQL's own name
	Index    string `json:"Index Name"`    //nolint:tagliatelle // PostgreSQL's own name
	Cond     string `json:"Index Cond"`    //nolint:tagliatelle // PostgreSQL's own name
	Plans    []plan
}

// oneRow is an index that holds a single row however large its table is.
const oneRow = "trust_models_one_active"

// whole lists the tables and indexes that a plan reads from end to end.
func (p plan) whole() (found []string) {
	scan := p.Type == "Seq Scan" || p.Type == "Index Scan" || p.Type == "Index Only Scan" || p.Type == "Bitmap Index Scan"
	if scan && p.Cond == "" && p.Index != oneRow {
		found = append(found, p.Relation+p.Index)
	}
	for _, below := range p.Plans {
		found = append(found, below.whole()...)
	}
	return found
}

func TestReadersReachTheirRowsByKey(t *testing.T) {
	t.Parallel()
	db, _ := setup(t)
	conn, err := db.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	for sql, types := range store.ReadingStatements() {
		t.Run(strings.Join(strings.Fields(sql), " "), func(t *testing.T) {
			_, err := conn.Exec(t.Context(), store.BeginRead)
			require.NoError(t, err)
			defer func() {
				_, err := conn.Exec(t.Context(), `rollback; deallocate reading`)
				require.NoError(t, err)
			}()
			_, err = conn.Exec(t.Context(), `set local plan_cache_mode = force_generic_plan; prepare reading (`+types+`) as `+sql)
			require.NoError(t, err)
			nothing := strings.TrimSuffix(strings.Repeat("null, ", strings.Count(types, ",")+1), ", ")
			var raw string
			require.NoError(t, conn.QueryRow(t.Context(), `explain (format json) execute reading (`+nothing+`)`).Scan(&raw))
			var answer []struct{ Plan plan }
			require.NoError(t, json.Unmarshal([]byte(raw), &answer))
			require.Empty(t, answer[0].Plan.whole(), raw)
		})
	}
}
