package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Call is the audit row of one call: what was asked, and a summary of what came out. It holds no free text of the
// caller beyond what the executor masked and bounded.
type Call struct {
	ID          uuid.UUID
	Actor       ID
	Tool        string
	Adapter     string
	Client      string
	Run         json.RawMessage
	TraceParent string
	Request     json.RawMessage
	Result      string
	Code        string
	Outcome     string
	Duration    time.Duration
	StartedAt   time.Time
}

var callColumns = []string{
	"id", "actor_id", "tool", "adapter", "client", "run", "trace_parent", "request", "result", "code", "outcome",
	"duration_us", "started_at",
}

const insertCall = `
	insert into mcp_calls (id, actor_id, tool, adapter, client, run, trace_parent, request, result, code, outcome,
	                       duration_us, started_at)
	values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

func (c Call) values() []any {
	var run any
	if len(c.Run) > 0 {
		run = c.Run
	}
	return []any{
		c.ID, nullable(c.Actor), c.Tool, c.Adapter, c.Client, run, c.TraceParent, c.Request, c.Result, c.Code,
		c.Outcome, c.Duration.Microseconds(), c.StartedAt,
	}
}

// RecordCalls stores audit rows of calls that wrote nothing themselves, in one COPY. A call whose commit nobody heard
// of may have left its row already: that row is the truth and stays.
func (s *Store) RecordCalls(ctx context.Context, calls []Call) error {
	err := s.retry(ctx, func() error {
		_, err := s.pool.CopyFrom(ctx, pgx.Identifier{"mcp_calls"}, callColumns,
			pgx.CopyFromSlice(len(calls), func(i int) ([]any, error) { return calls[i].values(), nil }))
		return err
	})
	if IsConstraint(err) || isUnstorable(err) {
		err = s.recordEach(ctx, calls)
	}
	if err != nil {
		return fmt.Errorf("record calls: %w", err)
	}
	return nil
}

// recordEach stores audit rows one by one, so that a row which the database cannot hold takes no other with it. Such a
// row is stored without what its caller sent.
func (s *Store) recordEach(ctx context.Context, calls []Call) error {
	var errs []error
	for _, call := range calls {
		err := s.recordOne(ctx, call)
		if isUnstorable(err) {
			call.Client, call.Run, call.Request = "", nil, json.RawMessage(`{"_unstorable":true}`)
			err = s.recordOne(ctx, call)
		}
		if errors.Is(err, ErrUnavailable) || errors.Is(err, ErrOutcomeUnknown) {
			return fmt.Errorf("%w: %w", ErrUnavailable, err) // to be tried again: rows that are there already stay
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (s *Store) recordOne(ctx context.Context, call Call) error {
	return s.Write(ctx, func(tx *Tx) error {
		_, err := tx.tx.Exec(ctx, insertCall+` on conflict do nothing`, call.values()...)
		return err
	})
}

// RecordCall stores the audit row of a write inside its transaction.
func (t *Tx) RecordCall(ctx context.Context, call Call) error {
	_, err := t.tx.Exec(ctx, insertCall, call.values()...)
	if err != nil {
		return fmt.Errorf("record call: %w", err)
	}
	return nil
}

// UnknownCalls lists writes whose outcome stayed unknown, newest first, for the operator.
func (s *Store) UnknownCalls(ctx context.Context, limit int) ([]Call, error) {
	var calls []Call
	err := s.Read(ctx, func(v *Snapshot) error {
		rows, err := v.tx.Query(ctx, `
			select id, tool, adapter, started_at, result from mcp_calls where outcome = 'unknown'
			order by id desc limit $1`, limit)
		if err != nil {
			return fmt.Errorf("list unknown outcomes: %w", err)
		}
		calls, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Call, error) {
			call := Call{Outcome: "unknown"}
			err := row.Scan(&call.ID, &call.Tool, &call.Adapter, &call.StartedAt, &call.Result)
			return call, err
		})
		return err
	})
	return calls, err
}

// EnsureCallPartitions makes the partitions of the audit log for this month and the two after it.
func (s *Store) EnsureCallPartitions(ctx context.Context) error {
	for ahead := range 3 {
		if _, err := s.pool.Exec(ctx, `
			select mcp_calls_ensure_month((date_trunc('month', now() at time zone 'UTC') + make_interval(months => $1))::date)`,
			ahead); err != nil {
			return fmt.Errorf("make the audit log's partition: %w", classify(err))
		}
	}
	return nil
}

// DropCallsBefore drops the whole months of the audit log that ended before moment, and answers how many.
func (s *Store) DropCallsBefore(ctx context.Context, moment time.Time) (int, error) {
	var dropped int
	if err := s.pool.QueryRow(ctx, `select mcp_calls_drop_before($1)`, moment).Scan(&dropped); err != nil {
		return 0, fmt.Errorf("drop old audit partitions: %w", classify(err))
	}
	return dropped, nil
}
