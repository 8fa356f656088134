package trustops

import (
	"errors"
	"fmt"
	"strings"

	"interai/store"
)

// UnknownError says that no version has a name.
type UnknownError struct {
	Name  string
	Known []string
}

// Error lists the names there are.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no version %q; there are: %s", e.Name, strings.Join(e.Known, ", "))
}

// InvalidError says what is wrong with a version that was to be made, all of it.
type InvalidError struct{ Problems error }

// Error lists every problem on a line of its own.
func (e *InvalidError) Error() string { return "the version cannot be made:\n" + e.Problems.Error() }

// Unwrap gives the problems.
func (e *InvalidError) Unwrap() error { return e.Problems }

// TakenError says that a name belongs to another version.
type TakenError struct{ Name string }

// Error says what to do.
func (e *TakenError) Error() string {
	return fmt.Sprintf("there is a version %s already: a version never changes, so choose another name", e.Name)
}

// EqualError says that a version with the same parameters exists.
type EqualError struct{ Existing, State string }

// Error names the version to use.
func (e *EqualError) Error() string {
	return fmt.Sprintf("version %s (%s) has exactly these parameters: use it, or change one with --set", e.Existing, e.State)
}

// StateError says that a version is not in a state from which a step is possible.
type StateError struct {
	Name, State string
	// Advice says what would be possible.
	Advice string
}

// Error says what to do instead.
func (e *StateError) Error() string {
	return fmt.Sprintf("version %s (%s): %s", e.Name, e.State, e.Advice)
}

// IncompleteError says that a version cannot be promoted because it does not cover all that the active one covers.
type IncompleteError struct {
	Name, Active string
	// Backfill is the state of the version's backfill, Done of Total targets.
	Backfill    string
	Done, Total int64
	Gaps        store.Gaps
	// Epoch is the sealed epoch of reputations that the version reads, ActiveEpoch that of the active one. Without any,
	// all parties are newcomers to the version.
	Epoch, ActiveEpoch int32
}

// Error tells the numbers and what to do.
func (e *IncompleteError) Error() string {
	if e.Backfill == store.BackfillDone && e.Gaps.None() {
		return fmt.Sprintf("version %s has no epoch of reputations yet, and %s is at its epoch %d; one is sealed after each backfill: try again in a moment, with a server running",
			e.Name, e.Active, e.ActiveEpoch)
	}
	advice := "wait for it: `interai trust models` shows how far it is"
	switch {
	case e.Backfill == store.BackfillPaused:
		advice = "go on with `interai trust resume " + e.Name + "`"
	case e.Backfill == store.BackfillDone && e.Gaps.Missing > 0:
		advice = "targets whose computation failed are counted by `interai trust models`; the server's log says why"
	case e.Backfill == store.BackfillDone:
		advice = "workers are behind: try again in a moment, with a server running"
	}
	return fmt.Sprintf("version %s is incomplete: its backfill is %s (%d of %d targets); beside %s, %d targets are not computed and %d lack evidence; %s",
		e.Name, e.Backfill, e.Done, e.Total, e.Active, e.Gaps.Missing, e.Gaps.Behind, advice)
}

// RacedError says that another promotion came first.
type RacedError struct{ Expected, Active string }

// Error says which version is active now.
func (e *RacedError) Error() string {
	return fmt.Sprintf("another promotion came first: %s is active instead of %s; look at `interai trust models` and decide again",
		e.Active, e.Expected)
}

func isNotFound(err error) bool { return errors.Is(err, store.ErrNotFound) }
