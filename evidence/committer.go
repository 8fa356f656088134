package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"interai/jobs"
	"interai/store"
)

const (
	// maxGroup is how many requests one transaction takes; maxWaiting how many may wait for it.
	maxGroup   = 128
	maxWaiting = 4096
	// groupTimeout bounds one transaction of a group, whatever its callers' deadlines are.
	groupTimeout = 10 * time.Second
)

// request is one evidence row on its way into the database.
type request struct {
	call     *Call
	digest   [32]byte
	target   store.ID  // as the caller gave it; zero for a retraction
	retracts store.ID  // zero unless a retraction
	judgment *judgment // nil unless a review or a rating
	evidence store.Evidence
	answer   func(resolved store.ID) *RecordOutput

	ctx  context.Context //nolint:containedctx // it travels with the request to the committer's goroutine
	done chan outcome
}

func (r *request) key() store.IdempotencyKey {
	return store.IdempotencyKey{Actor: r.call.Actor, Tool: r.call.Tool, Key: r.call.Key}
}

// claim ties the request's key to its answer.
func (r *request) claim(answer *RecordOutput) (*store.Claim, error) {
	encoded, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	return &store.Claim{IdempotencyKey: r.key(), Digest: r.digest, CorrelationID: r.call.ID, Answer: encoded}, nil
}

// committed is a request's success: its own row, or the answer of the earlier write under its key.
type committed struct {
	output *RecordOutput
	target store.ID
	seq    int64
	// written says that this request's own rows, its audit row among them, are in the transaction.
	written bool
	replay  *store.Replay
}

type outcome struct {
	committed
	err error
}

// committer is the group commit of one process: a single goroutine takes whatever waits, without a timer, and
// commits it in one transaction. Measured against one transaction a request it is 2 to 25 times as fast.
type committer struct {
	db     *store.Store
	jobs   *jobs.Enqueuer
	logger *slog.Logger
	queue  chan *request
	closed chan struct{}
}

func newCommitter(db *store.Store, enqueuer *jobs.Enqueuer, logger *slog.Logger) *committer {
	return &committer{
		db: db, jobs: enqueuer, logger: logger,
		queue: make(chan *request, maxWaiting), closed: make(chan struct{}),
	}
}

// submit waits until the request is committed or refused. A caller that gives up leaves a request behind that is
// dropped if the committer has not begun with it, and is committed otherwise.
func (c *committer) submit(ctx context.Context, r *request) (committed, error) {
	r.ctx, r.done = ctx, make(chan outcome, 1)
	select {
	case c.queue <- r:
	case <-c.closed:
		return committed{}, unavailable()
	default:
		return committed{}, overloaded()
	}
	select {
	case out := <-r.done:
		return out.committed, out.err
	case <-c.closed:
		select {
		case out := <-r.done:
			return out.committed, out.err
		default:
			return committed{}, unavailable()
		}
	}
}

func (c *committer) run(ctx context.Context) {
	defer close(c.closed)
	var later []*request
	for {
		group, rest := c.gather(ctx, later)
		if len(group) == 0 {
			return
		}
		later = rest
		if err := c.commit(ctx, group); err != nil {
			fail(later, err)
			later = nil
		}
	}
}

// gather takes what waits. Requests with a key that the group has already are left for the next group, where they
// find the stored answer. It answers nothing only when ctx has ended and nothing waits.
func (c *committer) gather(ctx context.Context, later []*request) (group, rest []*request) {
	keys := map[store.IdempotencyKey]bool{}
	retracted := map[store.ID]bool{}
	add := func(r *request) {
		switch {
		case r.ctx.Err() != nil:
			r.done <- outcome{err: r.ctx.Err()}
		case r.call.Key != "" && keys[r.key()], !r.retracts.IsZero() && retracted[r.retracts]:
			rest = append(rest, r)
		default:
			if r.call.Key != "" {
				keys[r.key()] = true
			}
			if !r.retracts.IsZero() {
				retracted[r.retracts] = true
			}
			group = append(group, r)
		}
	}
	for _, r := range later {
		add(r)
	}
	for len(group) == 0 {
		select {
		case r := <-c.queue:
			add(r)
		case <-ctx.Done():
			select {
			case r := <-c.queue:
				add(r)
			default:
				return nil, nil
			}
		}
	}
	for len(group) < maxGroup && len(rest) < maxWaiting {
		select {
		case r := <-c.queue:
			add(r)
		default:
			return group, rest
		}
	}
	return group, rest
}

// commit runs a group in one transaction and tells each request what became of it. It answers ErrUnreachable, with
// which all that wait have failed too: they have waited as long as the group.
func (c *committer) commit(ctx context.Context, group []*request) error {
	outcomes, err := c.attempt(ctx, group)
	switch {
	case err == nil:
		for i, r := range group {
			r.done <- outcomes[i]
		}
	case errors.Is(err, store.ErrUnreachable):
		fail(group, err)
		c.failWaiting(err)
		return err
	case errors.Is(err, store.ErrOutcomeUnknown):
		fail(group, err)
	default:
		c.logger.WarnContext(ctx, "a group of writes failed and is run one by one", "requests", len(group), "error", err)
		return c.commitAlone(ctx, group)
	}
	return nil
}

// commitAlone gives each request a transaction of its own, so that one bad request refuses only itself.
func (c *committer) commitAlone(ctx context.Context, group []*request) error {
	for i, r := range group {
		outcomes, err := c.attempt(ctx, []*request{r})
		if errors.Is(err, store.ErrUnreachable) {
			fail(group[i:], err)
			c.failWaiting(err)
			return err
		}
		if err != nil {
			outcomes = []outcome{{err: err}}
		}
		r.done <- outcomes[0]
	}
	return nil
}

func (c *committer) failWaiting(err error) {
	for {
		select {
		case r := <-c.queue:
			r.done <- outcome{err: err}
		default:
			return
		}
	}
}

func fail(group []*request, err error) {
	for _, r := range group {
		r.done <- outcome{err: err}
	}
}

func (c *committer) attempt(ctx context.Context, group []*request) ([]outcome, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), groupTimeout)
	defer cancel()
	var outcomes []outcome
	err := c.db.Write(ctx, func(tx *store.Tx) (err error) {
		outcomes, err = c.write(ctx, tx, group)
		return err
	})
	return outcomes, err
}

// write takes the steps of one transaction: what the requests depend on, then the sources that reviews cite, then keys,
// heads, evidence and audit rows in one statement, then the jobs of the heads that flipped.
func (c *committer) write(ctx context.Context, tx *store.Tx, group []*request) ([]outcome, error) {
	outcomes := make([]outcome, len(group))
	targets, err := decideAll(ctx, tx, group, outcomes)
	if err != nil {
		return nil, err
	}
	replays, err := keepKeys(ctx, tx, group, outcomes)
	if err != nil {
		return nil, err
	}
	replays = append(replays, refusedWithKey(group, outcomes)...)
	cited, err := cite(ctx, tx, group, outcomes)
	if err != nil {
		return nil, err
	}
	appends, at, err := prepare(group, targets, cited, outcomes)
	if err != nil {
		return nil, err
	}
	appended, wake, err := tx.AppendEvidence(ctx, appends)
	if err != nil {
		return nil, err
	}
	for i, a := range appended {
		if !a.Accepted {
			replays = append(replays, at[i])
			continue
		}
		outcomes[at[i]].seq, outcomes[at[i]].written = a.Seq, true
	}
	if err := answerReplays(ctx, tx, group, replays, outcomes); err != nil {
		return nil, err
	}
	return outcomes, c.jobs.Recompute(ctx, tx, wake)
}

// keepKeys takes the keys of retractions that were made before: the record gets no second row, but the key belongs
// to this request from now on. It answers the requests whose key another write holds.
func keepKeys(ctx context.Context, tx *store.Tx, group []*request, outcomes []outcome) (replays []int, err error) {
	for i, r := range group {
		o := &outcomes[i]
		if o.err != nil || o.output == nil || r.call.Key == "" {
			continue
		}
		claim, err := r.claim(o.output)
		if err != nil {
			return nil, err
		}
		taken, err := tx.ClaimKey(ctx, *claim)
		if err != nil {
			return nil, err
		}
		if !taken {
			replays = append(replays, i)
			continue
		}
		if err := tx.RecordCall(ctx, *r.call.audit(o.output.AuditSummary())); err != nil {
			return nil, err
		}
		o.written = true
	}
	return replays, nil
}

// refusedWithKey are the refused requests whose key may hold an answer: what was accepted once is answered the same
// way again, whatever has become of its target, its author or the use that it rests on.
func refusedWithKey(group []*request, outcomes []outcome) (at []int) {
	for i, r := range group {
		if outcomes[i].err != nil && r.call.Key != "" {
			at = append(at, i)
		}
	}
	return at
}

// prepare makes the rows of all requests that have a target, and remembers whose they are.
func prepare(group []*request, targets []store.ID, cited [][]store.PublishedSource, outcomes []outcome) (appends []store.Append, at []int, err error) {
	for i, r := range group {
		if outcomes[i].err != nil || outcomes[i].output != nil {
			continue
		}
		output := r.answer(targets[i])
		outcomes[i].committed = committed{output: output, target: targets[i]}
		row := store.Append{Evidence: r.evidence, Call: r.call.audit(output.AuditSummary()), Sources: cited[i]}
		row.Evidence.Target = targets[i]
		if r.call.Key != "" {
			if row.Claim, err = r.claim(output); err != nil {
				return nil, nil, err
			}
		}
		appends = append(appends, row)
		at = append(at, i)
	}
	return appends, at, nil
}

// decideAll finds the target of each request, and decides on it; a refused request gets its error as outcome.
func decideAll(ctx context.Context, tx *store.Tx, group []*request, outcomes []outcome) ([]store.ID, error) {
	var query store.EvidenceQuery
	var targetAt, recordAt, judgmentAt []int
	for i, r := range group {
		if !r.retracts.IsZero() {
			query.Records = append(query.Records, store.TargetQuery{ID: r.retracts, Viewer: r.call.Actor})
			recordAt = append(recordAt, i)
			continue
		}
		query.Targets = append(query.Targets, store.TargetQuery{ID: r.target, Viewer: r.call.Actor})
		targetAt = append(targetAt, i)
		if r.judgment != nil {
			query.Judgments = append(query.Judgments, r.judgment.query(r))
			judgmentAt = append(judgmentAt, i)
		}
	}
	facts, err := tx.LookUpEvidence(ctx, query)
	if err != nil {
		return nil, err
	}
	targets := make([]store.ID, len(group))
	for k, target := range facts.Targets {
		i := targetAt[k]
		if targets[i] = target; target.IsZero() {
			outcomes[i].err = notFound("target")
		}
	}
	for k, record := range facts.Records {
		i := recordAt[k]
		targets[i] = record.Target
		outcomes[i] = retractionOutcome(group[i], record)
	}
	for k := range facts.Judgments {
		switch i := judgmentAt[k]; {
		case !facts.Settled:
			outcomes[i].err = errUnsettled
		case outcomes[i].err == nil:
			outcomes[i].err = group[i].judgment.decide(group[i].call.Actor, &facts.Judgments[k])
		}
	}
	return targets, nil
}

// retractionOutcome refuses a retraction, answers one that was made before, or leaves it to be made.
func retractionOutcome(r *request, record store.RecordOwner) outcome {
	switch {
	case record.Target.IsZero(), record.Kind.IDKind() != r.retracts.Kind:
		return outcome{err: notFound("retract")}
	case record.Actor != r.call.Actor.UUID && !record.Seen:
		// That it is another's would say that there is something.
		return outcome{err: notFound("retract")}
	case record.Actor != r.call.Actor.UUID:
		return outcome{err: notAuthor("only the author of a record may retract it")}
	case record.RetractedSeq > 0:
		return outcome{committed: committed{output: r.answer(record.Target), target: record.Target, seq: record.RetractedSeq}}
	}
	return outcome{}
}

// answerReplays reads the stored answers of requests whose key another write holds.
func answerReplays(ctx context.Context, tx *store.Tx, group []*request, replays []int, outcomes []outcome) error {
	if len(replays) == 0 {
		return nil
	}
	keys := make([]store.IdempotencyKey, len(replays))
	for k, i := range replays {
		keys[k] = group[i].key()
	}
	stored, err := tx.Replays(ctx, keys)
	if err != nil {
		return err
	}
	for k, i := range replays {
		if stored[k].CorrelationID != uuid.Nil {
			outcomes[i] = outcome{committed: committed{replay: &stored[k]}}
		}
	}
	return nil
}
