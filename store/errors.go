package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var (
	// ErrNotFound says that a row does not exist or is not visible to the viewer.
	ErrNotFound = errors.New("not found")
	// ErrUnavailable says that the database could not do the work now, and that nothing was written.
	ErrUnavailable = errors.New("the database is unavailable")
	// ErrUnreachable is an ErrUnavailable of a call that got no connection in its waiting time.
	ErrUnreachable = fmt.Errorf("no connection in time: %w", ErrUnavailable)
	// ErrContended is an ErrUnavailable of work that waited too long for a lock, or lost against other work.
	ErrContended = fmt.Errorf("other work holds what this needs: %w", ErrUnavailable)
	// ErrOutcomeUnknown says that the connection broke during COMMIT: the work may or may not be durable.
	ErrOutcomeUnknown = errors.New("the outcome of the write is unknown")
	// ErrBusyTarget says that another worker holds a target's state.
	ErrBusyTarget = errors.New("another worker holds the target")
	// ErrExists says that an object of the same natural identity exists already.
	ErrExists = errors.New("already exists")
)

// ExistsError names the object that has the natural identity already.
type ExistsError struct{ Existing ID }

// Error says which object it is.
func (e *ExistsError) Error() string { return "already exists as " + e.Existing.String() }

// Is makes errors.Is(err, ErrExists) true.
func (e *ExistsError) Is(target error) bool { return target == ErrExists }

// Codes of PostgreSQL (appendix A of its manual) that callers branch on.
const (
	codeUniqueViolation   = "23505"
	codeCheckViolation    = "23514"
	codeForeignKey        = "23503"
	codeLockNotAvailable  = "55P03"
	codeSerialization     = "40001"
	codeDeadlock          = "40P01"
	codeQueryCanceled     = "57014"
	codeDiskFull          = "53100"
	codeOutOfMemory       = "53200"
	codeTooManyClients    = "53300"
	codeReadOnly          = "25006"
	codeIdleInTransaction = "25P03"
	classConnection       = "08"
	classData             = "22"
	classLimit            = "54"
	classOperator         = "57P"
)

// classify turns what the driver says into our errors: transient conditions become ErrUnavailable, a missing row
// ErrNotFound. Others pass unchanged.
func classify(err error) error {
	if err == nil || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrOutcomeUnknown) {
		return err
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	switch {
	case contended(err):
		return fmt.Errorf("%w: %w", ErrContended, err)
	case transient(err):
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

func contended(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == codeLockNotAvailable || pg.Code == codeSerialization || pg.Code == codeDeadlock)
}

func transient(err error) bool {
	// The time that making a connection may take ends with the error of a deadline too, which is not the caller's.
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) && !connecting {
		return false
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pg.Code {
		case codeLockNotAvailable, codeSerialization, codeDeadlock, codeQueryCanceled, codeDiskFull, codeOutOfMemory,
			codeTooManyClients, codeReadOnly, codeIdleInTransaction:
			return true
		}
		return strings.HasPrefix(pg.Code, classConnection) || strings.HasPrefix(pg.Code, classOperator)
	}
	var network net.Error
	return connecting || errors.As(err, &network) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err) ||
		strings.Contains(err.Error(), "conn closed")
}

// refusedByServer reports whether the server itself said that a statement failed, so that its transaction is
// surely rolled back. A FATAL or PANIC ends the session and proves nothing about a COMMIT under way.
func refusedByServer(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && pg.Severity == "ERROR"
}

// violates reports whether err is the violation of the named constraint.
func violates(err error, constraint string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.ConstraintName == constraint
}

// isForeignKey reports whether a row refers to one that does not exist.
func isForeignKey(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeForeignKey
}

// isUnstorable reports whether a value is one that the database's types cannot hold.
func isUnstorable(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (strings.HasPrefix(pg.Code, classData) || strings.HasPrefix(pg.Code, classLimit))
}

// IsConstraint reports whether the database refused a row for one of its rules.
func IsConstraint(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && strings.HasPrefix(pg.Code, "23")
}

// ConstraintMessage is the database's sentence for a refused row; it carries no row values.
func ConstraintMessage(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Message
	}
	return ""
}

// IsUnavailable reports whether err is a passing condition of the database, also when it was not met by a Store.
func IsUnavailable(err error) bool { return errors.Is(err, ErrUnavailable) || transient(err) }
