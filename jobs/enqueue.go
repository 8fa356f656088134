package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"interai/migrations"
	"interai/store"
)

// Enqueuer inserts jobs inside its callers' transactions. It never works a job.
type Enqueuer struct{ client *river.Client[pgx.Tx] }

// NewEnqueuer makes an insert-only client on the store's pool.
func NewEnqueuer(db *store.Store, logger *slog.Logger) (*Enqueuer, error) {
	client, err := river.NewClient(riverpgxv5.New(db.Pool()), &river.Config{Schema: migrations.RiverSchema, Logger: logger})
	if err != nil {
		return nil, fmt.Errorf("make the job client: %w", err)
	}
	return &Enqueuer{client: client}, nil
}

// Client is the client itself, for pages about jobs.
func (e *Enqueuer) Client() *river.Client[pgx.Tx] { return e.client }

// maxTargets is how many targets one job takes.
const maxTargets = 128

// Recompute enqueues the targets that a transaction has flipped, as one plain job for each maxTargets of them, by COPY:
// the cheapest way for jobs that are never unique.
func (e *Enqueuer) Recompute(ctx context.Context, tx *store.Tx, targets []store.ID) error {
	return insertRecompute(ctx, e.client, tx, targets)
}

func insertRecompute(ctx context.Context, client *river.Client[pgx.Tx], tx *store.Tx, targets []store.ID) error {
	if len(targets) == 0 {
		return nil
	}
	var params []river.InsertManyParams
	for chunk := range slices.Chunk(targets, maxTargets) {
		args := RecomputeArgs{Targets: make([]string, len(chunk))}
		for i, target := range chunk {
			args.Targets[i] = target.String()
		}
		params = append(params, river.InsertManyParams{Args: args})
	}
	if _, err := client.InsertManyFastTx(ctx, tx.Pgx(), params); err != nil {
		return fmt.Errorf("enqueue recompute jobs: %w", err)
	}
	return nil
}
