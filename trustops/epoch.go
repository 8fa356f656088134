package trustops

import (
	"context"
	"errors"
	"log/slog"

	"interai/jobs"
	"interai/store"
)

// Epoch is one sealed epoch of a version.
type Epoch struct {
	Name     string `json:"name"`
	Epoch    int32  `json:"epoch"`
	Targets  int64  `json:"targets"`
	Opinions int64  `json:"opinions"`
	Parties  int64  `json:"parties"`
	// Merged parties act in lockstep with another one and count as one with it; Changed have another track than before.
	Merged  int64 `json:"merged"`
	Changed int   `json:"changed"`
}

// Epoch computes and seals the next epoch of a live version, or of all of them if no name is given. Where another process
// was faster it goes on with the others, and answers what it has sealed together with an error.
func (v *Versions) Epoch(ctx context.Context, name string, logger *slog.Logger) ([]Epoch, error) {
	rows, err := v.db.LiveModels(ctx)
	if err != nil {
		return nil, err
	}
	if name != "" {
		row, _, err := v.live(ctx, name)
		if err != nil {
			return nil, err
		}
		rows = append(rows[:0:0], *row)
	}
	epochs := jobs.NewEpochs(v.db, v.enqueue, logger)
	out := make([]Epoch, 0, len(rows))
	var taken error
	for i := range rows {
		sealed, err := epochs.Seal(ctx, &rows[i])
		if errors.Is(err, store.ErrEpochTaken) {
			taken = errors.Join(taken, err)
			continue
		}
		if err != nil {
			return out, err
		}
		out = append(out, Epoch{
			Name: rows[i].Name, Epoch: sealed.No, Targets: sealed.Targets, Opinions: sealed.Opinions,
			Parties: sealed.Parties, Merged: sealed.Merged, Changed: len(sealed.Changed),
		})
	}
	return out, taken
}
