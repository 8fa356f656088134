package evidence

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"interai/store"
)

const (
	// auditBuffer is how many rows may wait; a call whose row finds no room waits itself.
	auditBuffer = 8192
	// auditBatch is how many rows one COPY takes; auditEvery how long a row waits at most.
	auditBatch = 512
	auditEvery = 500 * time.Millisecond
	// auditRetry is the pause after a failed COPY.
	auditRetry = time.Second
	// auditDrain bounds how long the last rows are tried at the end.
	auditDrain = 5 * time.Second
)

// AuditLog stores the audit rows of calls that wrote nothing themselves, many at once. It never drops a row while
// the process lives: when the database is down it holds up to its buffer, and then its callers.
type AuditLog struct {
	db     *store.Store
	logger *slog.Logger
	rows   chan store.Call
	ended  chan struct{}
}

// NewAuditLog makes the log; Run must be running for rows to be stored.
func NewAuditLog(db *store.Store, logger *slog.Logger) *AuditLog {
	return &AuditLog{
		db: db, logger: logger, rows: make(chan store.Call, auditBuffer),
		ended: make(chan struct{}),
	}
}

// Record hands a row over, waiting for room. Rows that come after the end of Run are logged instead.
func (l *AuditLog) Record(ctx context.Context, row store.Call) {
	select {
	case l.rows <- row:
	case <-l.ended:
		l.logger.ErrorContext(ctx, "audit row came after the end", "correlation_id", row.ID, "tool", row.Tool, "code", row.Code)
	}
}

// Run stores rows until ctx ends, then what waits already, and returns.
func (l *AuditLog) Run(ctx context.Context) {
	defer close(l.ended)
	batch := make([]store.Call, 0, auditBatch)
	for {
		batch = l.gather(ctx, batch[:0])
		if len(batch) == 0 {
			return
		}
		l.store(ctx, batch)
	}
}

// gather waits for a first row, then takes what comes within auditEvery.
func (l *AuditLog) gather(ctx context.Context, batch []store.Call) []store.Call {
	select {
	case row := <-l.rows:
		batch = append(batch, row)
	case <-ctx.Done():
		return l.drain(batch)
	}
	timer := time.NewTimer(auditEvery)
	defer timer.Stop()
	for len(batch) < auditBatch {
		select {
		case row := <-l.rows:
			batch = append(batch, row)
		case <-timer.C:
			return batch
		case <-ctx.Done():
			return l.drain(batch)
		}
	}
	return batch
}

func (l *AuditLog) drain(batch []store.Call) []store.Call {
	for len(batch) < auditBatch {
		select {
		case row := <-l.rows:
			batch = append(batch, row)
		default:
			return batch
		}
	}
	return batch
}

// store writes a batch, again and again while the database is down; after the end only for a bounded time.
func (l *AuditLog) store(ctx context.Context, batch []store.Call) {
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(auditDrain, cancel) })
	defer stop()
	for {
		err := l.db.RecordCalls(last, batch)
		if err == nil {
			return
		}
		if last.Err() != nil || !errors.Is(err, store.ErrUnavailable) {
			l.logger.ErrorContext(ctx, "audit rows are lost", "rows", len(batch), "error", err)
			return
		}
		select {
		case <-last.Done():
		case <-time.After(auditRetry):
		}
	}
}
