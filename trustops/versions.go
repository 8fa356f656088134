package trustops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"interai/jobs"
	"interai/store"
	"interai/trustmodel"
)

// Versions are the versions of the trust model in operators' hands. Each step is one transaction; commands that change
// states wait for each other, and never for workers or readers.
type Versions struct {
	db      *store.Store
	enqueue *jobs.Enqueuer
}

// NewVersions makes them on a database; enqueue inserts the backfill's jobs.
func NewVersions(db *store.Store, enqueue *jobs.Enqueuer) *Versions {
	return &Versions{db: db, enqueue: enqueue}
}

// NewVersion says how a version differs from the one it comes from.
type NewVersion struct {
	Name string
	// From is the name of the version to start from, "" for the active one.
	From string
	// Set are changes of parameters by JSON path, each "path=value".
	Set  []string
	Note string
}

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,59}$`)

// maxNote is the length of a note in characters.
const maxNote = 1000

// Create makes a draft. Errors: InvalidError with every problem, UnknownError, TakenError, EqualError.
func (v *Versions) Create(ctx context.Context, wanted NewVersion) error {
	var problems []error
	if !nameForm.MatchString(wanted.Name) {
		problems = append(problems, fmt.Errorf("name: %q is not 1 to 60 of a-z, 0-9, '.' and '-', with a letter or digit first", wanted.Name))
	}
	if utf8.RuneCountInString(wanted.Note) > maxNote || !utf8.ValidString(wanted.Note) {
		problems = append(problems, fmt.Errorf("note: not at most %d characters", maxNote))
	}
	return v.change(ctx, "create the version", func(tx *store.Tx, models versions) error {
		parent, err := models.active()
		if wanted.From != "" {
			parent, err = models.find(wanted.From)
		}
		if err != nil {
			return err
		}
		params, err := parent.Params()
		if err != nil {
			return err
		}
		problems = append(problems, setTwice(wanted.Set), params.Apply(wanted.Set...))
		if err := errors.Join(problems...); err != nil {
			return &InvalidError{err}
		}
		if err := models.free(wanted.Name, params); err != nil {
			return err
		}
		encoded, err := json.Marshal(params)
		if err != nil {
			return fmt.Errorf("encode trust parameters: %w", err)
		}
		return tx.InsertModel(ctx, store.NewModel{
			Name: wanted.Name, Parameters: encoded, ParamsHash: params.Hash(), Parent: parent.Name, Note: wanted.Note,
		})
	})
}

// setTwice names the parameters that are set more than once: which value was meant is not ours to guess.
func setTwice(assignments []string) error {
	var problems []error
	seen := map[string]bool{}
	for _, assignment := range assignments {
		path, _, _ := strings.Cut(assignment, "=")
		if path = strings.TrimSpace(path); seen[path] {
			problems = append(problems, fmt.Errorf("%s: set twice", path))
		}
		seen[path] = true
	}
	return errors.Join(problems...)
}

// Shadow begins to compute a draft, or a retired version, beside the active one: live evidence feeds it from now on,
// and a backfill brings it all older evidence.
func (v *Versions) Shadow(ctx context.Context, name string) error {
	return v.change(ctx, "shadow the version", func(tx *store.Tx, models versions) error {
		model, err := models.find(name)
		if err != nil {
			return err
		}
		switch model.State {
		case store.ModelShadow:
			return &StateError{name, model.State, "it is computed already; `interai trust models` shows how far its backfill is"}
		case store.ModelActive:
			return &StateError{name, model.State, "it is computed already, and readers see it"}
		}
		// Workers prepare all live versions or none: one that cannot be prepared would stop them.
		params, err := model.Params()
		if err != nil {
			return err
		}
		if _, err := trustmodel.NewModel(params); err != nil {
			return &InvalidError{err}
		}
		if err := tx.SetModelState(ctx, model.ID, store.ModelShadow); err != nil {
			return err
		}
		if err := tx.StartBackfill(ctx, model.ID); err != nil {
			return err
		}
		return v.enqueue.Backfill(ctx, tx, model.ID)
	})
}

// Pause stops a backfill after the stretch it is at. Live evidence still feeds the version.
func (v *Versions) Pause(ctx context.Context, name string) error {
	return v.change(ctx, "pause the backfill", func(tx *store.Tx, models versions) error {
		model, err := models.find(name)
		if err != nil {
			return err
		}
		paused, err := tx.SetBackfillState(ctx, model.ID, store.BackfillRunning, store.BackfillPaused)
		if err == nil && !paused {
			err = &StateError{name, model.State, "it has no backfill that is running"}
		}
		return err
	})
}

// Resume goes on with a paused backfill, or with one that has lost its job.
func (v *Versions) Resume(ctx context.Context, name string) error {
	return v.change(ctx, "resume the backfill", func(tx *store.Tx, models versions) error {
		model, err := models.find(name)
		if err != nil {
			return err
		}
		if model.State != store.ModelShadow {
			return &StateError{name, model.State, "only a shadow version has a backfill to go on with"}
		}
		resumed, err := tx.SetBackfillState(ctx, model.ID, store.BackfillPaused, store.BackfillRunning)
		if err != nil {
			return err
		}
		if resumed {
			return v.enqueue.Backfill(ctx, tx, model.ID)
		}
		backfill, err := tx.Backfill(ctx, model.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && backfill.State == store.BackfillDone {
			return &StateError{name, model.State, "its backfill has ended; there is nothing to resume"}
		}
		if err != nil {
			return err
		}
		_, err = v.enqueue.ResumeLost(ctx, tx, model.ID)
		return err
	})
}

// Switch is what a promotion has changed.
type Switch struct {
	// Active is what readers see from now on, Former what they saw; it is a shadow version now.
	Active string `json:"active"`
	Former string `json:"former"`
}

// Promote makes a shadow version the active one, in one transaction: a reader sees all of the one or all of the other.
// The former one stays fed as a shadow version, so that promoting it again is instant and exact. Errors: UnknownError,
// StateError, IncompleteError, and RacedError when another promotion came first.
func (v *Versions) Promote(ctx context.Context, name string) (Switch, error) {
	live, err := v.db.LiveModels(ctx)
	if err != nil {
		return Switch{}, err
	}
	expected, err := versions(live).active()
	if err != nil {
		return Switch{}, err
	}
	done := Switch{Active: name, Former: expected.Name}
	return done, v.change(ctx, "promote the version", func(tx *store.Tx, models versions) error {
		active, err := models.active()
		if err != nil {
			return err
		}
		if active.ID != expected.ID {
			return &RacedError{Expected: expected.Name, Active: active.Name}
		}
		model, err := models.find(name)
		if err != nil {
			return err
		}
		if err := promotable(ctx, tx, model, active); err != nil {
			return err
		}
		// One version is active at a time: the order matters to the index that says so.
		if err := tx.SetModelState(ctx, active.ID, store.ModelShadow); err != nil {
			return err
		}
		return tx.SetModelState(ctx, model.ID, store.ModelActive)
	})
}

// promotable answers nil if a version covers all that the active one covers.
func promotable(ctx context.Context, tx *store.Tx, model, active *store.TrustModel) error {
	switch model.State {
	case store.ModelActive:
		return &StateError{model.Name, model.State, "it is what readers see already"}
	case store.ModelDraft, store.ModelRetired:
		return &StateError{model.Name, model.State, "shadow it first, and compare it: `interai trust shadow " + model.Name + "`"}
	}
	backfill, err := tx.Backfill(ctx, model.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		// A version that was active from the first day never had one.
		backfill.State = store.BackfillDone
	case err != nil:
		return err
	}
	gaps, err := tx.Gaps(ctx, model.ID, active.ID)
	if err != nil {
		return err
	}
	// Readers must not see every party become a newcomer. Going back is never held up.
	knowsParties := model.Epoch > 0 || active.Epoch == 0 || model.ActivatedAt != nil
	if backfill.State == store.BackfillDone && gaps.None() && knowsParties {
		return nil
	}
	return &IncompleteError{
		Name: model.Name, Active: active.Name, Backfill: backfill.State, Done: backfill.Done, Total: backfill.Total, Gaps: gaps,
		Epoch: model.Epoch, ActiveEpoch: active.Epoch,
	}
}

// Retire stops feeding a shadow version. Its snapshots stay and age; to come back it is shadowed again.
func (v *Versions) Retire(ctx context.Context, name string) error {
	return v.change(ctx, "retire the version", func(tx *store.Tx, models versions) error {
		model, err := models.find(name)
		if err != nil {
			return err
		}
		switch model.State {
		case store.ModelActive:
			return &StateError{name, model.State, "promote another version first; then this one is a shadow version, which can be retired"}
		case store.ModelDraft, store.ModelRetired:
			return &StateError{name, model.State, "nothing feeds it"}
		}
		if _, err := tx.SetBackfillState(ctx, model.ID, store.BackfillRunning, store.BackfillPaused); err != nil {
			return err
		}
		return tx.SetModelState(ctx, model.ID, store.ModelRetired)
	})
}

// change runs one step under the lock of all versions.
func (v *Versions) change(ctx context.Context, what string, step func(*store.Tx, versions) error) error {
	err := v.db.Write(ctx, func(tx *store.Tx) error {
		models, err := tx.LockModels(ctx)
		if err != nil {
			return err
		}
		return step(tx, models)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// versions are all versions there are.
type versions []store.TrustModel

func (v versions) find(name string) (*store.TrustModel, error) {
	known := make([]string, len(v))
	for i := range v {
		if v[i].Name == name {
			return &v[i], nil
		}
		known[i] = v[i].Name
	}
	return nil, &UnknownError{Name: name, Known: known}
}

func (v versions) active() (*store.TrustModel, error) {
	i := slices.IndexFunc(v, func(m store.TrustModel) bool { return m.State == store.ModelActive })
	if i < 0 {
		return nil, errors.New("no version is active: start the server once, which makes the first one")
	}
	return &v[i], nil
}

// free answers nil if a version of this name and these parameters would be new.
func (v versions) free(name string, params trustmodel.Params) error {
	for i := range v {
		if v[i].Name == name {
			return &TakenError{name}
		}
	}
	for i := range v {
		other, err := v[i].Params()
		if err != nil {
			return err
		}
		if other == params {
			return &EqualError{Existing: v[i].Name, State: v[i].State}
		}
	}
	return nil
}
