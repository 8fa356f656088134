package jobs

import (
	"context"
	"time"

	"interai/store"
)

// SmallBackfill is a backfill worker of small steps, which folds with the groups of a worker of live evidence.
func SmallBackfill(db *store.Store, live *RecomputeWorker, chunk int, slice time.Duration,
	onDone func(ctx context.Context, tx *store.Tx, model int16) error,
) *BackfillWorker {
	return &BackfillWorker{db: db, logger: live.folder.logger, folder: live.folder, chunk: chunk, slice: slice, onDone: onDone}
}
