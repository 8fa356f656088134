package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"interai/api/ops"
	"interai/evidence"
	"interai/store"
)

// includedMeta is the member of a result's _meta that says whether trust includes the evidence of the call.
const includedMeta = "interai/trust_included"

// bind makes an operation's handler of a service's method.
func bind[In, Out any](run func(context.Context, *evidence.Call, *In) (*Out, error)) func(context.Context, *ops.Call, *In) (*Out, error) {
	return func(ctx context.Context, call *ops.Call, in *In) (*Out, error) {
		inner, err := callOf(call)
		if err != nil {
			return nil, err
		}
		out, err := run(ctx, inner, in)
		if err != nil {
			return nil, errorOf(err)
		}
		return out, nil
	}
}

// party reads who a caller is; anonymous callers are nobody.
func party(caller *ops.Caller) (actor, root store.ID, err error) {
	if caller.Kind == anonymousKind {
		return actor, root, nil
	}
	if actor, err = store.ParseID(caller.Actor); err != nil {
		return actor, root, fmt.Errorf("read the caller's actor: %w", err)
	}
	if root, err = store.ParseID(caller.Root); err != nil {
		return actor, root, fmt.Errorf("read the caller's root controller: %w", err)
	}
	return actor, root, nil
}

// callOf is what the domain may know of a call.
func callOf(call *ops.Call) (*evidence.Call, error) {
	caller := call.Caller
	actor, root, err := party(caller)
	if err != nil {
		return nil, err
	}
	inner := &evidence.Call{
		ID: call.CorrelationID, Actor: actor, Root: root, Scopes: caller.Scopes, KeyID: caller.KeyID,
		Tool: call.Operation, Key: call.IdempotencyKey, Wait: call.Meta.Wait, Withheld: call.Withheld(),
		ReplayOnly: call.ReplayOnly, Committed: call.MarkAudited, Replayed: call.MarkReplayed,
		Included: func(included bool) { call.SetMeta(includedMeta, included) },
		Audit:    row(call.Entry()),
	}
	return inner, nil
}

// claims are what a client says of its call: the run behind it, and the IDs of its OpenMCPSpec envelope.
type claims struct {
	ops.Run

	EnvelopeID    string `json:"envelope_id,omitempty"`
	EnvelopeTrace string `json:"trace_id,omitempty"`
}

// row is the audit row of an entry.
func row(e ops.Entry) store.Call {
	out := store.Call{
		ID: e.CorrelationID, Tool: e.Operation, Adapter: e.Meta.Adapter, Client: e.Meta.Client,
		TraceParent: e.Meta.TraceParent, Request: e.Request, Result: e.Summary, Code: string(e.Code),
		Duration: e.Duration, StartedAt: e.StartedAt,
	}
	if e.Outcome == ops.OutcomeUnknown {
		out.Outcome = e.Outcome
	}
	if out.Client == "" {
		out.Client = e.Meta.UserAgent
	}
	if e.Caller != nil {
		// An actor that does not parse leaves the row without one; the call itself has failed before.
		out.Actor, _ = store.ParseID(e.Caller.Actor)
	}
	said := claims{Run: e.Meta.Run, EnvelopeID: e.Meta.EnvelopeID}
	if e.Meta.EnvelopeTrace != e.Meta.TraceParent {
		said.EnvelopeTrace = e.Meta.EnvelopeTrace
	}
	if said != (claims{}) {
		run, err := json.Marshal(said)
		if err == nil { // a struct of strings always encodes
			out.Run = run
		}
	}
	return out
}

// errorOf turns the domain's refusals into the errors of the interface; everything else stays internal.
func errorOf(err error) error {
	if errors.Is(err, evidence.ErrNotReplayed) {
		return ops.ErrNotReplayed
	}
	var refusal *evidence.Error
	if !errors.As(err, &refusal) {
		return err
	}
	out := ops.NewError(ops.Code(refusal.Code), sentence(refusal.Message)).WithHints(refusal.Hints...)
	if refusal.Reason != "" {
		out = out.WithReason(refusal.Reason)
	}
	if refusal.RetryAfter > 0 {
		out = out.WithRetryAfter(time.Duration(refusal.RetryAfter) * time.Second)
	}
	out.Details.Retryable = refusal.Retryable
	out.Details.Outcome = refusal.Outcome
	for _, p := range refusal.Problems {
		out.Details.Problems = append(out.Details.Problems, ops.Problem{Path: p.Path, Rule: p.Rule, Message: p.Message})
	}
	if refusal.Code == evidence.CodeInternalError {
		out = out.WithCause(err)
	}
	return out
}

// sentence writes a message as a sentence.
func sentence(message string) string {
	if message == "" {
		return message
	}
	if first := message[0]; first >= 'a' && first <= 'z' {
		message = string(first-'a'+'A') + message[1:]
	}
	if last := message[len(message)-1]; last != '.' {
		message += "."
	}
	return message
}
