package backfill

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"interai/migrations"
	"interai/store"
)

// parties is how many parties report, each through one agent; every third is verified by its domain, every third by
// e-mail.
const parties = 2_000

// run is a database that is ready to be measured.
type run struct {
	db               *store.Store
	postmaster       int
	targets, records int64
}

// The world is made by SQL, without triggers: through the tools it would take hours. Of 100 targets 50 have 2 records,
// 30 have 8, 15 have 20 and 5 have 72: 10 on average. Uses, every fifth a review, are spread over a year.
const (
	seedActors = `
		insert into actors (id, kind, display_name, name_key, controller_id, root_controller_id, controller_depth, verified_email, verified_domain)
		select ('01900000-0000-7000-80' || lpad(to_hex(k), 2, '0') || '-' || lpad(to_hex(i), 12, '0'))::uuid,
		       case k when 0 then 'usr' else 'ai' end, 'bench ' || k || ' ' || i, 'bench ' || k || ' ' || i,
		       case k when 1 then ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid end,
		       ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, k, k = 0 and i % 3 = 1, k = 0 and i % 3 = 2
		from generate_series(0, 1) k, generate_series(0, $1::int - 1) i`
	seedEntities = `
		insert into entities (id, type, name, name_key, created_by)
		select ('01900001-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'tool', 'tool ' || i, 'tool ' || i,
		       '01900000-0000-7000-8000-000000000000'
		from generate_series(0, $1::int - 1) i`
	seedHeads = `
		insert into target_heads (target_id, kind, last_seq, queued, need)
		select ('01900001-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'ent',
		       case when i % 100 < 50 then 2 when i % 100 < 80 then 8 when i % 100 < 95 then 20 else 72 end, false, false
		from generate_series(0, $1::int - 1) i`
	seedEvidence = `
		insert into evidence (target_id, seq, id, kind, actor_id, recorded_at, usage_type, result, real_world, verdict)
		select target_id, seq, gen_random_uuid(), case when review then 'review' else 'usage' end,
		       ('01900000-0000-7000-8001-' || lpad(to_hex(r % $1::int), 12, '0'))::uuid,
		       now() - make_interval(secs => 3600 * (r / 7 % 8760)),
		       case when not review then 'use' end,
		       case when review then null when r / 11 % 4 = 0 then 'failure' else 'success' end,
		       case when not review then r / 13 % 2 = 0 end,
		       case when not review then null when r / 17 % 5 = 0 then 'false' else 'confirmed' end
		from (select h.target_id, s.seq, abs(hashtextextended(h.target_id::text, s.seq)) as r, s.seq % 5 = 0 as review
		      from target_heads h, generate_series(1, h.last_seq) as s (seq)) w`
)

// prepare migrates a database and fills it.
func prepare(ctx context.Context, conn string, postmaster, targets int) (*run, error) {
	if err := migrations.Up(ctx, conn, slog.New(slog.DiscardHandler)); err != nil {
		return nil, err
	}
	db, err := store.Open(store.Options{ConnString: conn, MaxConns: parallel + 8})
	if err != nil {
		return nil, err
	}
	r := &run{db: db, postmaster: postmaster, targets: int64(targets)}
	if err := r.seed(ctx, conn); err != nil {
		db.Close()
		return nil, err
	}
	return r, nil
}

func (r *run) seed(ctx context.Context, conn string) error {
	if err := r.db.EnsureFirstModel(ctx); err != nil {
		return err
	}
	filler, err := pgx.Connect(ctx, conn)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = filler.Close(context.WithoutCancel(ctx)) }()
	for _, step := range []struct {
		sql  string
		args []any
	}{
		{`set session_replication_role = replica`, nil},
		{seedActors, []any{parties}},
		{seedEntities, []any{r.targets}},
		{seedHeads, []any{r.targets}},
		{seedEvidence, []any{parties}},
		{`vacuum analyze`, nil},
	} {
		if _, err := filler.Exec(ctx, step.sql, step.args...); err != nil {
			return fmt.Errorf("fill the database: %w", err)
		}
	}
	if err := filler.QueryRow(ctx, `select count(*) from evidence`).Scan(&r.records); err != nil {
		return fmt.Errorf("count the records: %w", err)
	}
	return nil
}
