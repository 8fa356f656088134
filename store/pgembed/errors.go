package pgembed

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNoBinaries is what errors.Is finds in a NoBinariesError.
var ErrNoBinaries = errors.New("no PostgreSQL server binaries")

// NoBinariesError says that no usable server binaries exist on this system.
type NoBinariesError struct {
	// Want is the major version an existing cluster needs; 0 means any from
	// MinMajor on.
	Want int
	// Looked lists the places that were searched.
	Looked []string
	// Found lists what was there and did not fit, as "version in directory".
	Found []string
	// Install is the one command that installs a server on this system.
	Install string
}

func (e *NoBinariesError) Error() string {
	var b strings.Builder
	if e.Want > 0 {
		fmt.Fprintf(&b, "%v %d, which the existing cluster needs", ErrNoBinaries, e.Want)
	} else {
		fmt.Fprintf(&b, "%v (postgres and initdb, version %d or newer)", ErrNoBinaries, MinMajor)
	}
	if len(e.Found) > 0 {
		fmt.Fprintf(&b, "; found only %s", strings.Join(e.Found, ", "))
	}
	fmt.Fprintf(&b, "; looked in %s", strings.Join(e.Looked, ", "))
	fmt.Fprintf(&b, "; install them with: %s (or set INTERAI_PG_BIN_DIR, or INTERAI_DATABASE_URL to use another server)", e.Install)
	return b.String()
}

// Unwrap makes errors.Is(err, ErrNoBinaries) true.
func (e *NoBinariesError) Unwrap() error { return ErrNoBinaries }

// AccountError says that the server cannot run as the OS account it should.
type AccountError struct {
	// User is the account's name or uid.
	User string
	// Reason is the sentence for the operator, with what to do.
	Reason string
}

func (e *AccountError) Error() string {
	return fmt.Sprintf("cannot run PostgreSQL as OS user %s: %s", e.User, e.Reason)
}

// TraverseError says that the server's account cannot reach its files.
type TraverseError struct {
	// Dir is the first directory on the way that the account may not enter.
	Dir string
	// Target is the path that was to be reached.
	Target string
	// User is the account.
	User string
}

func (e *TraverseError) Error() string {
	return fmt.Sprintf("OS user %s may not enter %s on the way to %s: "+
		"allow it (chmod o+x %s), choose another data directory (INTERAI_DATA_DIR), or run interai as an ordinary user",
		e.User, e.Dir, e.Target, e.Dir)
}

// InitError says that initdb failed.
type InitError struct {
	// Output is the end of what initdb printed.
	Output string
	Err    error
}

func (e *InitError) Error() string {
	return fmt.Sprintf("initdb failed: %v: %s", e.Err, e.Output)
}

// Unwrap gives the error of the process.
func (e *InitError) Unwrap() error { return e.Err }

// StartError says that the server ended instead of accepting connections.
type StartError struct {
	// Log is the end of what this start wrote to the server's log.
	Log string
	// Path is the log file.
	Path string
}

func (e *StartError) Error() string {
	return fmt.Sprintf("PostgreSQL ended while starting: %s (log: %s)", e.Log, e.Path)
}

// orphanBlocked reports that left-over backends of a killed server still hold
// its shared memory: it frees itself, so starting again is the cure.
func (e *StartError) orphanBlocked() bool {
	return strings.Contains(e.Log, "pre-existing shared memory block")
}
