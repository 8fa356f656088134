package store_test

import (
	"encoding/base64"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"interai/evidence"
	"interai/internal/stack"
	"interai/store"
)

// immutable are the tables whose rows never change and never go, each with a column that somebody might want to change.
var immutable = map[string]string{
	"revisions": "title = 'x'", "revision_claims": "wording = 'x'", "revision_subjects": "position = 99", "revision_sources": "title = 'x'",
	"revision_relations": "position = 49", "revision_assets": "position = 7", "assets": "filename = 'x'", "claims": "text = 'x'",
	"claim_subjects": "entity_id = entity_id", "evidence": "note = 'x'", "evidence_sources": "position = 49", "status_history": "reason = 'x'",
}

func TestImmutableRowsRefuseEveryChange(t *testing.T) {
	t.Parallel()
	s := stack.Start(t)
	author := s.Client(s.Key)
	var other, item evidence.PublishOutput
	s.Must(author, "publish", map[string]any{"content_type": "note", "title": "other"}, &other)
	s.Must(author, "publish", map[string]any{
		"content_type": "note", "title": "all", "claims": []map[string]any{{"text": "Rows of the past stay as they are."}},
		"new_subjects": []map[string]any{{"type": "thing", "name": "all"}}, "sources": []map[string]any{{"url": "https://all.example/"}},
		"relations": []map[string]any{{"type": "corrects", "target": other.ID}},
		"assets":    []map[string]any{{"filename": "a", "media_type": "text/plain", "base64": base64.StdEncoding.EncodeToString([]byte("a"))}},
	}, &item)
	for range 6 { // enough real use by different parties to be supported, and to stay so for two further records
		_, _, key := s.Party(store.Verification{Vouched: true})
		s.Must(s.Client(key), "report_usage", map[string]any{"target": item.ID, "result": "success", "real_world_use": true}, nil)
	}
	s.Settled()
	exec(t, s.Store, `insert into evidence_sources (evidence_id, position, source_id)
		select e.id, 0, s.id from evidence e, sources s limit 1`)
	rows, err := s.Store.Pool().Query(t.Context(), `
		select distinct c.relname::text from pg_trigger g join pg_proc f on f.oid = g.tgfoid join pg_class c on c.oid = g.tgrelid
		where f.proname = 'refuse_change'`)
	require.NoError(t, err)
	guarded, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	// Of a case that came to nothing the history goes with it; it never changes.
	require.Contains(t, guarded, "moderation_events")
	require.Len(t, guarded, len(immutable)+1)
	for table, change := range immutable {
		require.Contains(t, guarded, table)
		require.NotZero(t, number(t, s.Store, `select count(*) from `+table), table)
		for _, sql := range []string{`update ` + table + ` set ` + change, `delete from ` + table} {
			t.Run(sql, func(t *testing.T) {
				_, err := s.Store.Pool().Exec(t.Context(), sql)
				var pg *pgconn.PgError
				require.ErrorAs(t, err, &pg)
				require.Equal(t, "23001", pg.Code, pg.Message)
				require.Contains(t, pg.Message, table)
			})
		}
	}
}
