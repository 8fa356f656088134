package trustops

import (
	"context"
	"time"

	"interai/store"
	"interai/trustmodel"
)

// Version is a version as operators see it.
type Version struct {
	Name        string     `json:"name"`
	State       string     `json:"state"`
	Parent      string     `json:"parent"`
	Note        string     `json:"note"`
	ParamsHash  string     `json:"params_hash"`
	CreatedAt   time.Time  `json:"created_at"`
	ActivatedAt *time.Time `json:"activated_at"`
	// Epoch is the sealed epoch of reputations that it reads, 0 before the first.
	Epoch int32 `json:"epoch"`
	// Targets is how many there are, Computed how many have a snapshot of this version, Failed how many of its
	// computations were given up.
	Targets  int64 `json:"targets"`
	Computed int64 `json:"computed"`
	Failed   int64 `json:"failed"`
	// Lagging is how many targets wait to be computed again, Behind how many records of theirs are not included yet.
	Lagging int64 `json:"lagging"`
	Behind  int64 `json:"behind"`
	// Backfill is absent for a version that never had one.
	Backfill *Backfill `json:"backfill,omitempty"`
}

// Backfill is how far the computation of a version for all targets has come.
type Backfill struct {
	State string `json:"state"`
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
	// Percent is Done of Total, 0 to 100; 100 where there is nothing to do.
	Percent    float64    `json:"percent"`
	StartedAt  time.Time  `json:"started_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
	FinishedAt *time.Time `json:"finished_at"`
}

func backfillOf(b store.Backfill) *Backfill {
	out := &Backfill{
		State: b.State, Done: b.Done, Total: b.Total, Percent: 100,
		StartedAt: b.StartedAt, UpdatedAt: b.UpdatedAt, FinishedAt: b.FinishedAt,
	}
	if b.Total > 0 {
		out.Percent = min(100*float64(b.Done)/float64(b.Total), 100)
	}
	return out
}

// List shows all versions, oldest first. It looks at every target.
func (v *Versions) List(ctx context.Context) ([]Version, error) {
	progress, err := v.db.ModelsProgress(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Version, len(progress.Models))
	for i := range progress.Models {
		out[i] = versionOf(&progress.Models[i], &progress)
	}
	return out, nil
}

func versionOf(m *store.TrustModel, progress *store.ModelsProgress) Version {
	p := progress.Progress[m.ID]
	out := Version{
		Name: m.Name, State: m.State, Parent: m.Parent, Note: m.Note, ParamsHash: m.ParamsHash,
		CreatedAt: m.CreatedAt, ActivatedAt: m.ActivatedAt, Epoch: m.Epoch,
		Targets: progress.Targets, Computed: p.Computed, Failed: p.Failed, Lagging: p.Lagging, Behind: p.Behind,
	}
	if backfill, there := progress.Backfills[m.ID]; there {
		out.Backfill = backfillOf(backfill)
	}
	return out
}

// Change is one parameter that differs between two versions.
type Change struct {
	Path string  `json:"path"`
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// Shown is one version with its parameters, and what was changed from its parent.
type Shown struct {
	Version

	Parameters trustmodel.Params `json:"parameters"`
	Changes    []Change          `json:"changes"`
}

// Show shows one version. The error is an UnknownError if there is none of that name.
func (v *Versions) Show(ctx context.Context, name string) (Shown, error) {
	progress, err := v.db.ModelsProgress(ctx)
	if err != nil {
		return Shown{}, err
	}
	models := versions(progress.Models)
	model, err := models.find(name)
	if err != nil {
		return Shown{}, err
	}
	out := Shown{Version: versionOf(model, &progress), Changes: []Change{}}
	if out.Parameters, err = model.Params(); err != nil {
		return Shown{}, err
	}
	if model.Parent == "" {
		return out, nil
	}
	parent, err := models.find(model.Parent)
	if err != nil {
		return Shown{}, err
	}
	before, err := parent.Params()
	if err != nil {
		return Shown{}, err
	}
	out.Changes = changes(before, out.Parameters)
	return out, nil
}

// changes lists the parameters that differ, in the order of their fields.
func changes(from, to trustmodel.Params) []Change {
	before, after := from.Constants(), to.Constants()
	out := []Change{}
	for i, constant := range after {
		if before[i].Value != constant.Value {
			out = append(out, Change{Path: constant.Path, From: before[i].Value, To: constant.Value})
		}
	}
	return out
}

// Progress is how far one backfill is, cheaply.
type Progress struct {
	Name     string    `json:"name"`
	State    string    `json:"state"`
	Backfill *Backfill `json:"backfill,omitempty"`
	// WorkersRunning is false when no node works jobs: nothing moves then.
	WorkersRunning bool `json:"workers_running"`
}

// Progress looks at one version's backfill.
func (v *Versions) Progress(ctx context.Context, name string) (Progress, error) {
	models, err := v.db.Models(ctx)
	if err != nil {
		return Progress{}, err
	}
	model, err := versions(models).find(name)
	if err != nil {
		return Progress{}, err
	}
	out := Progress{Name: name, State: model.State}
	if out.WorkersRunning, err = v.db.WorkersRunning(ctx); err != nil {
		return Progress{}, err
	}
	backfill, err := v.db.Backfill(ctx, model.ID)
	switch {
	case err == nil:
		out.Backfill = backfillOf(backfill)
	case !isNotFound(err):
		return Progress{}, err
	}
	return out, nil
}
