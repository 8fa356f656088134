package ops

import (
	"context"
	"log/slog"
	"time"
)

// Deadlines of one call, from its arrival to its answer (MCP.md section 7).
const (
	DefaultReadDeadline  = 10 * time.Second
	DefaultWriteDeadline = 30 * time.Second
)

// Option configures an Executor.
type Option func(*Executor)

// WithAuditor sets who records the calls that no transaction has audited. Without
// it nothing is audited, which only tests want.
func WithAuditor(a Auditor) Option { return func(x *Executor) { x.auditor = a } }

// WithLogger sets the logger for internal errors and panics; slog.Default() otherwise.
func WithLogger(l *slog.Logger) Option { return func(x *Executor) { x.log = l } }

// WithClock sets the clock for StartedAt and Duration; time.Now otherwise.
func WithClock(now func() time.Time) Option { return func(x *Executor) { x.now = now } }

// WithMasker sets how arguments are masked before they are stored.
func WithMasker(m Masker) Option { return func(x *Executor) { x.mask = m } }

// WithDeadlines sets the deadlines of reads and writes; zero keeps the default.
func WithDeadlines(read, write time.Duration) Option {
	return func(x *Executor) {
		if read > 0 {
			x.readDeadline = read
		}
		if write > 0 {
			x.writeDeadline = write
		}
	}
}

// WithMaxNesting bounds the depth of objects and lists in arguments; DefaultMaxNesting otherwise.
func WithMaxNesting(levels int) Option { return func(x *Executor) { x.nesting = levels } }

// WithAdmission sets a gate that a valid, permitted call passes before its handler
// runs. It may wait for a place as long as ctx allows; release is called when the
// handler has returned. Its error answers the call.
func WithAdmission(admit func(ctx context.Context, call *Call) (release func(), err error)) Option {
	return func(x *Executor) { x.admit = admit }
}

// WithObserver sets a function that sees every finished call, audited or not, for
// metrics. It must not block. The entry's Request is nil.
func WithObserver(observe func(ctx context.Context, entry Entry)) Option {
	return func(x *Executor) { x.observe = observe }
}
