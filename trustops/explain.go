package trustops

import (
	"context"
	"fmt"
	"time"

	"interai/jobs"
	"interai/store"
	"interai/trustmodel"
)

// Explained is the trust of one target, computed from its raw evidence.
type Explained struct {
	Target  string `json:"target"`
	Version string `json:"version"`
	Hash    string `json:"params_hash"`
	// At is set for the trust of an earlier moment.
	At *time.Time `json:"at,omitempty"`
	// Applied is the last evidence that is in it.
	Applied int64 `json:"applied_seq"`
	// Status is what was published, which history decides as well; PendingStatus waits, now.
	Status        string `json:"status"`
	PendingStatus string `json:"pending_status,omitempty"`
	// Equal says that what is stored is the same, bit for bit; Stale that it waits to be computed. Both concern now.
	Equal       bool                   `json:"equals_stored"`
	Stale       bool                   `json:"stale"`
	Differences []string               `json:"differences"`
	Made        trustmodel.Explanation `json:"explanation"`
	Markdown    string                 `json:"markdown"`
}

// ExplainOptions say what to explain.
type ExplainOptions struct {
	// Version is the live version to compute, "" for the active one.
	Version string
	// At asks for the trust of an earlier moment; the zero time for that of now.
	At time.Time
	// Parties is how many to list.
	Parties int
}

// Explain replays a target from its raw evidence and says what its trust is made of. For now, it also compares the
// result with what is stored.
func (v *Versions) Explain(ctx context.Context, target store.ID, options ExplainOptions) (*Explained, error) {
	row, model, err := v.live(ctx, options.Version)
	if err != nil {
		return nil, err
	}
	out := &Explained{Version: row.Name, Hash: row.ParamsHash, Differences: []string{}}
	err = v.db.Read(ctx, func(s *store.Snapshot) error {
		target, err := s.CurrentTarget(ctx, target)
		if err != nil {
			return err
		}
		out.Target = target.String()
		folds, err := s.Stored(ctx, row.ID, []store.ID{target})
		if err != nil {
			return err
		}
		if len(folds) == 0 {
			return fmt.Errorf("%s has no computed trust under %s: nothing was reported about it yet: %w", target, row.Name, store.ErrNotFound)
		}
		return explainFold(ctx, s, model, row, folds[0], options, out)
	})
	if err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	return out, nil
}

func explainFold(ctx context.Context, s *store.Snapshot, model *trustmodel.Model, row *store.TrustModel, fold *store.Fold,
	options ExplainOptions, out *Explained,
) error {
	var replayed *jobs.Replayed
	published := fold.Published[row.ID]
	if options.At.IsZero() {
		all, err := jobs.Replay(ctx, s, model, row, []*store.Fold{fold})
		if err != nil {
			return err
		}
		replayed = all[0]
		out.Differences = append(out.Differences, replayed.Differences(fold, row.ID)...)
		out.Equal = len(out.Differences) == 0
		out.Status = published.Standing.Status.String()
		if published.Standing.Waiting {
			out.PendingStatus = published.Standing.Pending.String()
		}
		out.Stale = fold.States[0].Applied < fold.LastSeq || fold.States[0].Wakes < fold.Wakes
	} else {
		var err error
		if replayed, err = jobs.ReplayAt(ctx, s, model, row, fold, options.At); err != nil {
			return err
		}
		if out.Status, err = s.StatusAt(ctx, row.ID, fold.Target, options.At); err != nil {
			return err
		}
		out.At = &options.At
	}
	out.Applied = replayed.Applied
	out.Made = replayed.Explain(options.Parties)
	out.Markdown = out.Made.Markdown()
	return nil
}
