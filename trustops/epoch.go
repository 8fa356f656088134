package trustops

import (
	"context"
	"log/slog"

	"interai/jobs"
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

// Epoch computes and seals the next epoch of a live version, or of all of them if no name is given.
func (v *Versions) Epoch(ctx context.Context, name string, logger *slog.Logger) ([]Epoch, error) {
	rows, err := v.db.LiveModels(ctx)
	if err != nil {
		return nil, err
	}
	if name != "" {
		row, err := versions(rows).find(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows[:0:0], *row)
	}
	epochs := jobs.NewEpochs(v.db, v.enqueue, logger)
	out := make([]Epoch, 0, len(rows))
	for i := range rows {
		sealed, err := epochs.Seal(ctx, &rows[i])
		if err != nil {
			return out, err
		}
		out = append(out, Epoch{
			Name: rows[i].Name, Epoch: sealed.No, Targets: sealed.Targets, Opinions: sealed.Opinions,
			Parties: sealed.Parties, Merged: sealed.Merged, Changed: len(sealed.Changed),
		})
	}
	return out, nil
}
