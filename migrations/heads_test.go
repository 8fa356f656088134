package migrations_test

import (
	"context"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
)

// upTo brings a database to an earlier version.
func upTo(t *testing.T, conn string, version int64) {
	t.Helper()
	config, err := pgx.ParseConfig(conn)
	require.NoError(t, err)
	db := stdlib.OpenDB(*config)
	defer func() { require.NoError(t, db.Close()) }()
	provider, err := goose.NewProvider(database.DialectPostgres, db, os.DirFS("sql"), goose.WithLogger(goose.NopLogger()))
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), version)
	require.NoError(t, err)
}

// Items 1 to 4: the first has two revisions, the second one that supersedes the third, the fourth states an incorrect
// claim. No revision has evidence but the old one of the first item.
const beforeTrustVersions = `
	set session_replication_role = replica;
	create function pg_temp.id(no int) returns uuid language sql as $$ select lpad(no::text, 32, '0')::uuid $$;
	insert into contents (id, author_id, type, thread_id, language, current_revision_id, revision_count)
		select pg_temp.id(n), pg_temp.id(90), 'note', pg_temp.id(91), 'en', pg_temp.id(10 * n + case n when 1 then 2 else 1 end),
			case n when 1 then 2 else 1 end from generate_series(1, 4) n;
	insert into revisions (id, content_id, no, author_id, title, summary, body_markdown)
		select pg_temp.id(10 * n + no), pg_temp.id(n), no, pg_temp.id(90), 'Title', '', ''
		from (values (1, 1), (1, 2), (2, 1), (3, 1), (4, 1)) r (n, no);
	insert into revision_relations (revision_id, position, type, target_content_id)
		values (pg_temp.id(21), 0, 'supersedes', pg_temp.id(3)), (pg_temp.id(11), 0, 'supersedes', pg_temp.id(2)),
			(pg_temp.id(41), 0, 'corrects', pg_temp.id(2));
	insert into revision_claims (revision_id, position, claim_id, wording, matched_existing)
		values (pg_temp.id(41), 0, pg_temp.id(50), 'It holds.', false);
	insert into target_heads (target_id, kind, last_seq, queued, need)
		values (pg_temp.id(11), 'rev', 3, false, false), (pg_temp.id(50), 'clm', 5, false, false);
	insert into trust_snapshots (model_id, target_id, value, lower_bound, upper_bound, alpha, beta, independent_confirmations,
			contradictions, real_world_confirmations, status, raw_status, inputs, counts, applied_seq, version, as_of_bin)
		values (1, pg_temp.id(50), .1, .01, .3, 1, 5, 0, 4, 0, 'incorrect', 'incorrect', '{}', '{}', 5, 1, 690);`

// Trust of what has no evidence of its own came with the trust versions: older databases have no heads for it, and only
// what has a head is computed.
func TestWhatDependsOnOtherTargetsIsWokenByTheMigration(t *testing.T) {
	t.Parallel()
	conn := pgtest.New(t)
	upTo(t, conn, 7)
	run(t, conn, beforeTrustVersions)
	up(t, conn)
	db, err := pgx.Connect(t.Context(), conn)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close(context.WithoutCancel(t.Context()))) }()
	rows, err := db.Query(t.Context(), `select right(target_id::text, 2) from target_heads where wakes > 0 order by target_id`)
	require.NoError(t, err)
	woken, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"12", "31", "41"}, woken, "a successor, the superseded, what states an incorrect claim; no others")
}
