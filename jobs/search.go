package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"interai/evidence/claimkey"
	"interai/evidence/retrieval"
	"interai/store"
)

const (
	// searchLook is how often statistics are looked at; they are taken only when enough has changed.
	searchLook = 15 * time.Second
	// indexBatch is how many objects one transaction of the index job analyses again.
	indexBatch   = 200
	indexTimeout = 10 * time.Minute
)

// SearchArgs keeps what search depends on up to date: how common words are, expired lists, and documents that an older
// analyzer has read.
type SearchArgs struct {
	// Index also looks for documents of older analyzers; only starts do, since new ones are written with their object.
	Index bool `json:"index,omitempty"`
}

// Kind names the job.
func (SearchArgs) Kind() string { return "search" }

// InsertOpts puts the job on the maintenance queue; the next period replaces a failed one.
func (SearchArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueMaintenance, MaxAttempts: 1}
}

// SearchWorker works these jobs.
type SearchWorker struct {
	river.WorkerDefaults[SearchArgs]

	db     *store.Store
	logger *slog.Logger
}

// NewSearchWorker makes the worker.
func NewSearchWorker(db *store.Store, logger *slog.Logger) *SearchWorker {
	return &SearchWorker{db: db, logger: logger}
}

// Timeout bounds one job.
func (w *SearchWorker) Timeout(*river.Job[SearchArgs]) time.Duration { return indexTimeout }

// Work indexes what has to be, then takes the statistics if they are old.
func (w *SearchWorker) Work(ctx context.Context, job *river.Job[SearchArgs]) error {
	if job.Args.Index {
		if err := w.rekey(ctx); err != nil {
			return err
		}
		indexed, err := Reindex(ctx, w.db)
		if err != nil {
			return err
		}
		if indexed > 0 {
			w.logger.InfoContext(ctx, "documents were indexed anew", "documents", indexed)
		}
	}
	if _, err := w.db.RefreshSearchStatistics(ctx, false); err != nil {
		return err
	}
	return w.db.ExpireSearch(ctx)
}

// Reindex analyses all objects that the present analyzer has not read. It may be stopped and begun again at any time.
func Reindex(ctx context.Context, db *store.Store) (int, error) {
	indexed := 0
	for _, kind := range []string{store.FoundEntity, store.FoundClaim, store.FoundContent} {
		for after := uuid.Nil; ; {
			found, err := db.Unindexed(ctx, kind, retrieval.AnalyzerVersion, after, indexBatch)
			if err != nil {
				return indexed, err
			}
			if len(found) == 0 {
				break
			}
			docs := make([]store.SearchDoc, len(found))
			for i := range found {
				docs[i] = Document(&found[i])
			}
			if err := db.Write(ctx, func(tx *store.Tx) error { return tx.PutSearchDocs(ctx, docs) }); err != nil {
				return indexed, fmt.Errorf("index %d objects: %w", len(docs), err)
			}
			indexed += len(docs)
			after = found[len(found)-1].Object.UUID
		}
	}
	return indexed, nil
}

// ClaimKeys are the normal form of a claim, and its keys as the database has them.
func ClaimKeys(text, language string) (normal string, keys store.ClaimKeys) {
	made := claimkey.Of(text, language)
	keys.Strict = made.Strict[:]
	if made.HasSequence {
		keys.Sequence = made.Sequence[:]
	}
	if made.HasRotation {
		keys.Rotation = made.Rotation[:]
	}
	return made.Normal, keys
}

// rekey gives claims of older rules the keys of the present ones. Claims that are one by now stay two: nothing that
// somebody has stated is merged behind their back.
func (w *SearchWorker) rekey(ctx context.Context) error {
	for after := uuid.Nil; ; {
		found, err := w.db.OutdatedClaims(ctx, claimkey.Version, after, indexBatch)
		if err != nil || len(found) == 0 {
			return err
		}
		for i := range found {
			found[i].NormalForm, found[i].Keys = ClaimKeys(found[i].Text, found[i].Language)
			found[i].Version = claimkey.Version
		}
		if err := w.db.Write(ctx, func(tx *store.Tx) error { return tx.PutClaimKeys(ctx, found) }); err != nil {
			return fmt.Errorf("give %d claims other keys: %w", len(found), err)
		}
		after = found[len(found)-1].ID.UUID
	}
}

// Reindex enqueues a look for objects that are not indexed, in the transaction that has taken them out of the index.
func (e *Enqueuer) Reindex(ctx context.Context, tx *store.Tx) error {
	if _, err := e.client.InsertTx(ctx, tx.Pgx(), SearchArgs{Index: true}, nil); err != nil {
		return fmt.Errorf("enqueue a look at the search index: %w", err)
	}
	return nil
}
