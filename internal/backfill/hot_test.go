package backfill

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"interai/internal/pgtest"
	"interai/jobs"
	"interai/migrations"
	"interai/store"
)

// hot is a database with targets that very much is reported about.
type hot struct {
	db     *store.Store
	filler *pgx.Conn
	worker *jobs.RecomputeWorker
	next   int
}

const (
	hotEntity = `
		insert into entities (id, type, name, name_key, created_by)
		values ($1::uuid, 'tool', $2, $2, '01900000-0000-7000-8000-000000000000')`
	hotHead = `
		insert into target_heads (target_id, kind, last_seq, queued, need) values ($1, 'ent', $2, false, false)
		on conflict (target_id) do update set last_seq = excluded.last_seq`
	// Every fourth use fails; parties take turns.
	hotEvidence = `
		insert into evidence (target_id, seq, id, kind, actor_id, recorded_at, usage_type, result, real_world)
		select $1, s, gen_random_uuid(), 'usage', ('01900000-0000-7000-8001-' || lpad(to_hex(s % $4::int), 12, '0'))::uuid,
		       now() - make_interval(secs => (s::bigint * 7919) % 31536000), 'use', case when s % 4 = 0 then 'failure' else 'success' end, s % 2 = 0
		from generate_series($2::int, $3::int) s`
)

func openHot(ctx context.Context, conn string, parties int) (*hot, error) {
	if err := migrations.Up(ctx, conn, slog.New(slog.DiscardHandler)); err != nil {
		return nil, err
	}
	db, err := store.Open(store.Options{ConnString: conn, MaxConns: 8})
	if err != nil {
		return nil, err
	}
	h := &hot{db: db}
	if err := db.EnsureFirstModel(ctx); err != nil {
		return nil, err
	}
	queue, err := jobs.NewEnqueuer(db, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	h.worker = jobs.NewRecomputeWorker(db, queue, slog.New(slog.DiscardHandler), 1, nil)
	if h.filler, err = pgx.Connect(ctx, conn); err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	if _, err := h.filler.Exec(ctx, `set session_replication_role = replica`); err != nil {
		return nil, fmt.Errorf("fill the database: %w", err)
	}
	if _, err := h.filler.Exec(ctx, seedActors, parties); err != nil {
		return nil, fmt.Errorf("fill the database: %w", err)
	}
	return h, nil
}

// target makes an entity that nobody has reported about.
func (h *hot) target(ctx context.Context) (store.ID, error) {
	h.next++
	id := store.ID{Kind: store.KindEntity, UUID: uuid.MustParse(fmt.Sprintf("01900002-0000-7000-8000-%012x", h.next))}
	_, err := h.filler.Exec(ctx, hotEntity, id.UUID, id.String())
	return id, err
}

// reach brings a target to n records of so many parties, all of them folded.
func (h *hot) reach(ctx context.Context, target store.ID, from, n, parties int) (time.Duration, error) {
	if _, err := h.filler.Exec(ctx, hotHead, target.UUID, n); err != nil {
		return 0, fmt.Errorf("number the evidence: %w", err)
	}
	if _, err := h.filler.Exec(ctx, hotEvidence, target.UUID, from+1, n, parties); err != nil {
		return 0, fmt.Errorf("make evidence: %w", err)
	}
	if _, err := h.filler.Exec(ctx, `vacuum analyze`); err != nil {
		return 0, fmt.Errorf("analyze: %w", err)
	}
	began := time.Now()
	for {
		applied, err := h.db.AppliedSeq(ctx, target)
		if err != nil || applied >= int64(n) {
			return time.Since(began), err
		}
		// A long way takes several turns: each is bounded in time.
		if err := h.worker.Fold(ctx, target); err != nil && ctx.Err() != nil {
			return 0, err
		}
	}
}

// oneMore measures a fold of one more record, from its commit to that of the snapshot which includes it.
func (h *hot) oneMore(ctx context.Context, target store.ID, parties, times int) (time.Duration, error) {
	var took []time.Duration
	for i := range times {
		actor := uuid.MustParse(fmt.Sprintf("01900000-0000-7000-8001-%012x", (i*31)%parties))
		row := store.Append{Evidence: store.Evidence{
			ID: uuid.Must(uuid.NewV7()), Target: target, Kind: store.EvidenceUsage, Actor: store.ID{Kind: store.KindAgent, UUID: actor},
			UsageType: "use", Result: "success", RealWorld: true,
		}}
		if err := h.db.Write(ctx, func(tx *store.Tx) error {
			_, _, err := tx.AppendEvidence(ctx, []store.Append{row})
			return err
		}); err != nil {
			return 0, err
		}
		began := time.Now()
		if err := h.worker.Fold(ctx, target); err != nil {
			return 0, err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// hotRow is one line of the measurement.
type hotRow struct {
	parties, records int
	fold             time.Duration
	catchUp          float64 // records a second on the way there
}

// measureHot measures what one more record costs at so many parties and records.
func measureHot(ctx context.Context, h *hot, points [][2]int, times int) ([]hotRow, error) {
	var rows []hotRow
	var target store.ID
	for i, p := range points {
		parties, records := p[0], p[1]
		from := 0
		if i > 0 && points[i-1][0] == parties {
			from = points[i-1][1] + times
		} else {
			var err error
			if target, err = h.target(ctx); err != nil {
				return nil, err
			}
		}
		took, err := h.reach(ctx, target, from, records, parties)
		if err != nil {
			return nil, err
		}
		fold, err := h.oneMore(ctx, target, parties, times)
		if err != nil {
			return nil, err
		}
		rows = append(rows, hotRow{parties, records, fold, float64(records-from) / took.Seconds()})
	}
	return rows, nil
}

func hotTable(rows []hotRow) string {
	var b strings.Builder
	b.WriteString("| parties | records | one more record, fold and snapshot | catching up, records/s |\n|---:|---:|---:|---:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %d | %d | %.2f ms | %.0f |\n", r.parties, r.records, float64(r.fold.Microseconds())/1000, r.catchUp)
	}
	return b.String()
}

// BenchmarkHotTarget measures what one more record about one target costs, by the number of records and of parties that
// are there: it is O(1) in the former, and in the latter from where running sums are kept.
func BenchmarkHotTarget(b *testing.B) {
	if b.N > 1 {
		b.Skip("one run is one measurement: use -benchtime 1x")
	}
	h, err := openHot(b.Context(), startCluster(b).ConnString(), 100_000)
	if err != nil {
		b.Fatal("prepare: ", err)
	}
	defer h.db.Close()
	rows, err := measureHot(b.Context(), h, [][2]int{
		{1_000, 10_000}, {1_000, 1_000_000}, {100, 10_000}, {10_000, 20_000}, {100_000, 200_000},
	}, 200)
	if err != nil {
		b.Fatal("measure: ", err)
	}
	ratio := float64(rows[1].fold) / float64(rows[0].fold)
	fmt.Printf("\n%s\nThe record after a million costs %.2f times the one after ten thousand.\n\n", hotTable(rows), ratio)
	b.ReportMetric(ratio, "ratio")
}

// TestAHotMeasurementCountsEverything runs a small one.
func TestAHotMeasurementCountsEverything(t *testing.T) {
	t.Parallel()
	h, err := openHot(t.Context(), pgtest.New(t), 50)
	require.NoError(t, err)
	defer h.db.Close()
	rows, err := measureHot(t.Context(), h, [][2]int{{10, 100}, {10, 3_000}, {50, 200}}, 5)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	totals, err := h.db.TrustTotals(t.Context())
	require.NoError(t, err)
	require.Equal(t, store.TrustTotals{Evidence: 3_000 + 5 + 200 + 5, Numbered: 3_000 + 5 + 200 + 5}, totals)
	require.Contains(t, hotTable(rows), "| 10 | 3000 | ")
}
