package trustops

import (
	"context"
	"errors"
	"fmt"

	"interai/jobs"
	"interai/store"
	"interai/trustmodel"
)

const (
	// verifyPage is how many targets are compared on one snapshot of the database.
	verifyPage = 256
	// maxFindings bounds what a verification lists; it counts all.
	maxFindings = 100
)

// Verification is what a comparison of stored trust with its raw evidence found.
type Verification struct {
	Name string `json:"name"`
	// Checked targets were compared, Wrong ones differ. Stale ones wait to be computed: there is nothing to compare yet.
	Checked  int64     `json:"checked"`
	Stale    int64     `json:"stale"`
	Wrong    int64     `json:"wrong"`
	Total    int64     `json:"total"`
	Finished bool      `json:"finished"`
	Findings []Finding `json:"findings"`
}

// Finding is one target whose stored trust is not what its raw evidence says.
type Finding struct {
	Target      string   `json:"target"`
	Differences []string `json:"differences"`
}

// Verify computes the trust of all targets of a live version from their raw evidence, and compares figures, counts and
// statistics with what is stored, bit for bit. It keeps how far it has come: with resume it goes on from there. progress
// may be nil. Workers may work meanwhile; what they have not computed yet is counted as stale.
func (v *Versions) Verify(ctx context.Context, name string, resume bool, progress func(done, total int64)) (Verification, error) {
	row, model, err := v.live(ctx, name)
	if err != nil {
		return Verification{}, err
	}
	state, err := v.db.Verification(ctx, row.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return Verification{}, err
	}
	if err != nil || !resume || state.FinishedAt != nil {
		if state, err = v.db.StartVerification(ctx, row.ID); err != nil {
			return Verification{}, err
		}
	}
	out := Verification{Name: row.Name, Total: state.Total, Findings: []Finding{}}
	for {
		heads, err := v.db.HeadsAfter(ctx, state.After, verifyPage)
		if err != nil {
			return out, err
		}
		findings, checked, err := v.compareStored(ctx, row, model, heads)
		if err != nil {
			return out, err
		}
		state.Checked, state.Wrong = state.Checked+checked, state.Wrong+int64(len(findings))
		state.Stale += int64(len(heads)) - checked
		if len(heads) > 0 {
			state.After = heads[len(heads)-1].UUID
		}
		out.Findings = append(out.Findings, findings[:min(len(findings), maxFindings-len(out.Findings))]...)
		out.Checked, out.Stale, out.Wrong, out.Finished = state.Checked, state.Stale, state.Wrong, len(heads) < verifyPage
		if err := v.db.SaveVerification(ctx, &state, out.Finished); err != nil {
			return out, err
		}
		if progress != nil {
			progress(state.Checked+state.Stale, max(state.Total, state.Checked+state.Stale))
		}
		if out.Finished {
			return out, nil
		}
	}
}

// Sample compares a few targets of the active version, others each time.
func (v *Versions) Sample(ctx context.Context, targets int) (Verification, error) {
	row, model, err := v.live(ctx, "")
	if err != nil {
		return Verification{}, err
	}
	heads, err := v.db.SampleHeads(ctx, targets)
	if err != nil {
		return Verification{}, err
	}
	findings, checked, err := v.compareStored(ctx, row, model, heads)
	return Verification{
		Name: row.Name, Checked: checked, Stale: int64(len(heads)) - checked, Wrong: int64(len(findings)),
		Total: int64(len(heads)), Finished: true, Findings: findings,
	}, err
}

// compareStored compares targets on one snapshot of the database, and answers how many there was something to compare of.
func (v *Versions) compareStored(ctx context.Context, row *store.TrustModel, model *trustmodel.Model, heads []store.ID) (findings []Finding, checked int64, err error) {
	if len(heads) == 0 {
		return nil, 0, nil
	}
	err = v.db.Read(ctx, func(s *store.Snapshot) error {
		findings, checked = nil, 0
		folds, err := s.Stored(ctx, row.ID, heads)
		if err != nil {
			return err
		}
		current := folds[:0]
		for _, fold := range folds {
			state := fold.States[0]
			if _, computed := fold.Published[row.ID]; computed && state.Applied == fold.LastSeq && state.Wakes == fold.Wakes {
				current = append(current, fold)
			}
		}
		replayed, err := jobs.Replay(ctx, s, model, row, current)
		if err != nil {
			return err
		}
		checked = int64(len(current))
		for i, fold := range current {
			if differences := replayed[i].Differences(fold, row.ID); len(differences) > 0 {
				findings = append(findings, Finding{Target: fold.Target.String(), Differences: differences})
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("compare stored trust with raw evidence: %w", err)
	}
	return findings, checked, nil
}

// live finds a version that workers compute, the active one if no name is given.
func (v *Versions) live(ctx context.Context, name string) (*store.TrustModel, *trustmodel.Model, error) {
	rows, err := v.db.Models(ctx)
	if err != nil {
		return nil, nil, err
	}
	var row *store.TrustModel
	if name == "" {
		row, err = versions(rows).active()
	} else {
		row, err = versions(rows).find(name)
	}
	if err != nil {
		return nil, nil, err
	}
	if !row.Live() {
		return nil, nil, &StateError{row.Name, row.State, "nothing computes it: `interai trust shadow " + row.Name + "` begins to"}
	}
	model, err := jobs.ModelOf(row)
	return row, model, err
}
