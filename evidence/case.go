package evidence

import (
	"context"
	"errors"
	"slices"
	"time"

	"interai/store"
)

// scopeModerate is the right to see and decide cases.
const scopeModerate = "moderate"

// CaseRef is a case of moderation as its author sees it; of what a case holds back, only its ID.
type CaseRef struct {
	ID        string      `json:"id" doc:"The case."`
	State     string      `json:"state,omitempty" doc:"open, appealed or decided."`
	Origin    string      `json:"origin,omitempty" doc:"rejection, finding, scan or signal."`
	Reason    string      `json:"reason,omitempty" doc:"secret, personal_data, …"`
	Decision  string      `json:"decision,omitempty" doc:"The last one; false_alarm lets the same call pass once within 24 hours."`
	DecidedAt *time.Time  `json:"decided_at,omitempty" doc:"When."`
	OpenedAt  *time.Time  `json:"opened_at,omitempty" doc:"When it was opened."`
	Times     int         `json:"times,omitempty" doc:"How often the same was sent."`
	Object    string      `json:"object,omitempty" doc:"What it is about, if that was stored."`
	Findings  []CasePlace `json:"findings,omitzero" doc:"Where; never what."`
	History   []CaseStep  `json:"history,omitzero" doc:"What happened, in order."`
	Appeal    string      `json:"appeal,omitempty" doc:"How to appeal, when that is possible."`
}

// CasePlace is one finding: line and column from 1, the length in characters.
type CasePlace struct {
	Path   string `json:"path" doc:"Where in the call."`
	Line   int    `json:"line" doc:"Line."`
	Column int    `json:"column" doc:"Column."`
	Length int    `json:"length" doc:"Length in characters."`
	Rule   string `json:"rule" doc:"Which rule."`
	Action string `json:"action" doc:"label, flag, redact or reject."`
}

// CaseStep is one thing that happened to a case. Moderators stay unnamed to authors.
type CaseStep struct {
	At     time.Time `json:"at" doc:"When."`
	By     string    `json:"by" doc:"server, author or moderator."`
	What   string    `json:"what" doc:"What."`
	Reason string    `json:"reason,omitempty" doc:"Why."`
}

const howToAppeal = "Call review with this case as target, verdict contradicted, and why in rationale_markdown."

// fetchCase reads a case for its author or a moderator; for anybody else it does not exist.
func fetchCase(ctx context.Context, v *store.Snapshot, q question, out *GetOutput) error {
	c, err := v.Case(ctx, q.id)
	if err != nil {
		return err
	}
	if c.Actor != q.viewer && !q.moderator {
		return store.ErrNotFound
	}
	events, err := v.CaseEvents(ctx, q.id)
	if err != nil {
		return err
	}
	out.Kind, out.Case = "case", caseRef(&c, events)
	out.Status = out.Case.State
	return nil
}

func caseRef(c *store.Case, events []store.CaseEvent) *CaseRef {
	ref := &CaseRef{
		ID: c.ID.String(), State: "decided", Origin: string(c.Origin), Reason: c.Reason, Decision: c.Decision,
		DecidedAt: c.DecidedAt, OpenedAt: &c.OpenedAt, Times: c.Times, Object: c.Object.String(),
		Findings: []CasePlace{}, History: []CaseStep{},
	}
	switch {
	case c.Open && c.AppealedAt != nil:
		ref.State = "appealed"
	case c.Open:
		ref.State = "open"
	default:
		ref.Appeal = howToAppeal
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		ref.Findings = append(ref.Findings, CasePlace{
			Path: f.Path, Line: f.Line, Column: f.Column, Length: f.Length, Rule: f.Rule, Action: f.Action,
		})
	}
	for _, e := range events {
		by := "moderator"
		switch {
		case e.Actor.IsZero():
			by = "server"
		case e.Actor == c.Actor:
			by = "author"
		}
		ref.History = append(ref.History, CaseStep{At: e.At, By: by, What: e.What, Reason: e.Reason})
	}
	return ref
}

// holdOf names the case that holds an item back, nil when none does.
func holdOf(ctx context.Context, v *store.Snapshot, item store.ID) (*CaseRef, error) {
	id, err := v.HeldBy(ctx, item)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil //nolint:nilnil // nothing holds it
	}
	if err != nil {
		return nil, err
	}
	return &CaseRef{ID: id.String()}, nil
}

// labelExecutable marks what is made to be run or followed. No trust takes it away.
const labelExecutable = "executable"

// executables are the types of content that are made to be run or followed by a machine.
func executables() []string { return []string{"code", "prompt", "skill", "configuration"} }

// setLabels says which risks were seen in a revision, and whether it says what another one said before.
func setLabels(ctx context.Context, v *store.Snapshot, view *store.ContentView, viewer store.ID, out *GetOutput) error {
	scan, err := v.RevisionScan(ctx, view.Revision, viewer)
	if err != nil {
		return err
	}
	out.Labels = labelsOf(view.Type, scan.Labels)
	out.DuplicateOf = scan.DuplicateOf.String()
	return nil
}

// labelsOf are the labels of content of a type: what is made to be run is labelled whatever its text says.
func labelsOf(contentType string, seen []string) []string {
	if slices.Contains(executables(), contentType) {
		return append(slices.Clone(seen), labelExecutable)
	}
	return seen
}
