package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"interai/store"
	"interai/trustmodel"
)

// modelTTL bounds how long a worker misses a new version; one that meets an unknown version reloads at once.
const modelTTL = 10 * time.Second

// modelCache holds the live model versions, which change only by an operator's hand.
type modelCache struct {
	mu     sync.Mutex
	until  time.Time
	models map[int16]*trustmodel.Model
}

func (c *modelCache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.models = nil
}

func (c *modelCache) load(ctx context.Context, db *store.Store) (map[int16]*trustmodel.Model, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.models != nil && time.Now().Before(c.until) {
		return c.models, nil
	}
	rows, err := db.LiveModels(ctx)
	if err != nil {
		return nil, err
	}
	models := make(map[int16]*trustmodel.Model, len(rows))
	for _, row := range rows {
		params := trustmodel.V1()
		if err := json.Unmarshal(row.Parameters, &params); err != nil {
			return nil, fmt.Errorf("decode parameters of trust model %s: %w", row.Name, err)
		}
		if models[row.ID], err = trustmodel.NewModel(params); err != nil {
			return nil, fmt.Errorf("prepare trust model %s: %w", row.Name, err)
		}
	}
	c.models, c.until = models, time.Now().Add(modelTTL)
	return models, nil
}

// computeAll folds a target under every live version, and answers what is new and up to which number all versions
// have folded.
func computeAll(models map[int16]*trustmodel.Model, fold *store.Fold) (news []store.Computed, applied int64, err error) {
	for i, state := range fold.States {
		model, known := models[state.Model]
		if !known {
			return nil, 0, fmt.Errorf("trust model %d appeared while working", state.Model)
		}
		computed := compute(model, state, fold)
		if isNews(state, fold, &computed) {
			news = append(news, computed)
		}
		if i == 0 || computed.Applied < applied {
			applied = computed.Applied
		}
	}
	return news, applied, nil
}

// isNews reports whether there is anything to write: a wake-up that finds neither new evidence nor another result
// (of a later bin, or of parties that changed) writes nothing.
func isNews(state store.FoldState, fold *store.Fold, computed *store.Computed) bool {
	published, exists := fold.Published[state.Model]
	return !exists || computed.Applied != state.Applied || published.AsOfBin != computed.AsOfBin ||
		published.Snapshot != computed.Snapshot
}
