package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"interai/store"
	"interai/trustmodel"
)

// modelTTL bounds how long a worker misses a new version; one that meets an unknown version or epoch reloads at once.
const modelTTL = 10 * time.Second

// errModelsChanged says that a version, its constants, or the epoch that it reads, are not what was loaded.
var errModelsChanged = errors.New("the live trust models have changed")

// liveModel is a version that workers compute, with the tracks of the epoch that it reads.
type liveModel struct {
	model  *trustmodel.Model
	hash   string
	tracks *trackSet
}

// modelCache holds the live model versions, which change by an operator's hand, and their epochs.
type modelCache struct {
	mu     sync.Mutex
	until  time.Time
	models map[int16]*liveModel
}

// forget makes the next load look again; what has not changed is kept.
func (c *modelCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Time{}
}

func (c *modelCache) load(ctx context.Context, db *store.Store) (map[int16]*liveModel, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.until) {
		return c.models, nil
	}
	rows, err := db.LiveModels(ctx)
	if err != nil {
		return nil, err
	}
	models := make(map[int16]*liveModel, len(rows))
	for i := range rows {
		if models[rows[i].ID], err = load(ctx, db, &rows[i], c.models[rows[i].ID]); err != nil {
			return nil, err
		}
	}
	c.models, c.until = models, time.Now().Add(modelTTL)
	return models, nil
}

// load prepares one version, using what is known of it already.
func load(ctx context.Context, db *store.Store, row *store.TrustModel, known *liveModel) (*liveModel, error) {
	live := &liveModel{hash: row.ParamsHash}
	if known != nil && known.hash == row.ParamsHash {
		if live.model = known.model; known.tracks.epoch == row.Epoch {
			return known, nil
		}
	} else {
		var err error
		if live.model, err = ModelOf(row); err != nil {
			return nil, err
		}
	}
	var err error
	live.tracks, err = loadTracks(ctx, db, live.model, row.ID, row.Epoch)
	return live, err
}

// ModelOf prepares a stored version for computing.
func ModelOf(row *store.TrustModel) (*trustmodel.Model, error) {
	params, err := row.Params()
	if err != nil {
		return nil, err
	}
	model, err := trustmodel.NewModel(params)
	if err != nil {
		return nil, fmt.Errorf("prepare trust model %s: %w", row.Name, err)
	}
	return model, nil
}

// computeAll folds a target under every live version, and answers the outcomes and up to which number all versions
// have folded.
func computeAll(models map[int16]*liveModel, fold *store.Fold, runningFrom int) (out []store.Computed, applied int64, err error) {
	for i, state := range fold.States {
		live, known := models[state.Model]
		if !known || live.tracks.epoch != state.Epoch || live.hash != fold.Hashes[state.Model] {
			return nil, 0, errModelsChanged
		}
		computed := compute(live.model, state, fold, live.tracks, runningFrom)
		if isNews(state, &computed) {
			out = append(out, computed)
		}
		if i == 0 || computed.Applied < applied {
			applied = computed.Applied
		}
	}
	return out, applied, nil
}

// isNews reports whether there is anything to write at all.
func isNews(state store.FoldState, computed *store.Computed) bool {
	return !computed.Quiet || computed.Applied != state.Applied || computed.Wakes != state.Wakes || computed.Forget
}
