package ops

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// ErrorKind describes the errors of one code, for documents about the interface. The executor fills errors from the same
// table.
type ErrorKind struct {
	Code Code
	// Meaning is one sentence for a reader.
	Meaning string
	// Retryable reports whether the same call may succeed later just because of the code; Sometimes, that only
	// details.retryable knows.
	Retryable, Sometimes bool
	// Hints are what the executor says to do next where an error brings no hints of its own; "{scope}" stands for the
	// operation's scope. With more than one, the outcome decides which of them is sent.
	Hints []string
	// Details is the closed schema of the code's details.
	Details *Schema
}

// Hints that the outcome of a call decides about.
const (
	hintCorrect   = "Correct every entry of details.problems, then call again."
	hintUnknown   = "The write may have happened. With an idempotency_key, send the same request again with the same key to learn the truth; without one, look with search or get before repeating."
	hintCommitted = "The write happened; do not repeat it."
	hintRepeat    = "Send the same call again."
	hintReport    = "Give details.correlation_id to the operator."

	// scopePlace stands for the operation's scope in a hint.
	scopePlace = "{scope}"
)

// errorKind is a row of the table: Members are the details beside retryable, correlation_id and recovery_hints.
type errorKind struct {
	code    Code
	meaning string
	members []string
	hints   []string
}

// errorTable is the one table of what comes with each code.
func errorTable() []errorKind {
	return []errorKind{
		{Unauthenticated, "The credential is missing, invalid, expired or revoked.", nil, []string{"Send the header Authorization: Bearer <API key>; an operator makes a key with: interai key create --actor ID"}},
		{NotFound, "The ID does not exist or is not visible to the caller.", nil, []string{"Check the ID; an object that is not visible to you answers not_found as well."}},
		{InvalidTarget, "The target is of a kind or in a state which the operation does not accept.", []string{"reason", "problems"}, []string{"Send an ID of a kind which the operation accepts; its description names them."}},
		{ValidationFailed, "The input does not match the schema or breaks a rule.", []string{"reason", "problems"}, []string{hintCorrect}},
		{SelfReview, "The judge shares a root controller with the author.", nil, []string{"To correct it, publish a new revision. To say how it worked for you, use report_usage."}},
		{NotAuthor, "The record to change or to build on is another actor's.", nil, nil},
		{IdempotencyConflict, "The same key came with a different request.", nil, []string{"Use a new idempotency_key for a new request, or send the first request again unchanged."}},
		{ForbiddenScope, "The credential lacks a scope or a role that the call needs.", nil, []string{"Use a key with the scope " + scopePlace + "; whoami lists the scopes that you have."}},
		{RateLimited, "A limit is reached.", []string{"reason", "retry_after"}, []string{"Wait details.retry_after seconds, then send the same call again."}},
		{ContentRejected, "A secret, personal data or disallowed content was found; nothing was stored.", []string{"reason", "case", "findings", "suggested"}, []string{"Remove the secret or personal data, then send it again."}},
		{InternalError, "An unexpected failure or an outage.", []string{"reason", "retry_after", "outcome"}, []string{hintUnknown, hintCommitted, hintRepeat, hintReport}},
	}
}

// rejectedPlace and rejectedPart are how content_rejected says where and how to mend it (the details' extra members).
type rejectedPlace struct {
	Path   string `json:"path" validate:"required" doc:"JSON pointer of the text in the arguments."`
	Line   int    `json:"line" validate:"required,min=1" doc:"Line of the text, from 1."`
	Column int    `json:"column" validate:"required,min=1" doc:"Column, in characters from 1."`
	Length int    `json:"length" validate:"required,min=0" doc:"Length in characters."`
	Rule   string `json:"rule" validate:"required" doc:"What was found there."`
	Hint   string `json:"hint,omitempty" doc:"What to do about it."`
}

type rejectedPart struct {
	Path        string `json:"path" validate:"required" doc:"JSON pointer of the text in the arguments."`
	Start       int    `json:"start" validate:"required,min=0" doc:"First character to replace, from 0."`
	End         int    `json:"end" validate:"required,min=0" doc:"The character behind the last one to replace."`
	Replacement string `json:"replacement" doc:"What to write instead."`
}

type rejectionDetails struct {
	Case      string          `json:"case" validate:"required" doc:"The cas_ ID under which moderators see it."`
	Findings  []rejectedPlace `json:"findings" validate:"min=1" doc:"Where it was found, never what."`
	Suggested []rejectedPart  `json:"suggested" validate:"min=1" doc:"Replacements that make the text acceptable."`
}

// ErrorKinds describes all eleven codes in the specification's order.
func ErrorKinds() ([]ErrorKind, error) {
	members, err := detailMembers()
	if err != nil {
		return nil, err
	}
	var out []ErrorKind
	for _, row := range errorTable() {
		s := &Schema{Type: "object", Closed: true, Required: []string{"retryable", "correlation_id"}}
		for _, m := range members {
			if slices.Contains([]string{"retryable", "correlation_id", "recovery_hints"}, m.Name) || slices.Contains(row.members, m.Name) {
				s.Properties = append(s.Properties, m)
			}
		}
		if row.code == ContentRejected {
			s.Required = append(s.Required, "case")
		}
		out = append(out, ErrorKind{
			Code: row.code, Meaning: row.meaning, Retryable: row.code.Retryable(), Sometimes: row.code == InternalError,
			Hints: slices.Clone(row.hints), Details: s,
		})
	}
	return out, nil
}

// ErrorSchema is the body of every failure, {"error": {code, message, details}}, with the details that come with any of the
// codes.
func ErrorSchema() (*Schema, error) {
	kinds, err := ErrorKinds()
	if err != nil {
		return nil, err
	}
	code := &Schema{Type: "string", Description: "The kind of the failure."}
	details := &Schema{
		Type: "object", Description: "What accompanies an error; which members come depends on the code.",
		Closed: true, Required: []string{"retryable", "correlation_id"},
	}
	for _, kind := range kinds {
		code.Enum = append(code.Enum, string(kind.Code))
		for _, p := range kind.Details.Properties {
			if details.Property(p.Name) == nil {
				details.Properties = append(details.Properties, p)
			}
		}
	}
	e := &Schema{
		Type: "object", Description: "The failure of a call.", Closed: true, Required: []string{"code", "message", "details"},
		Properties: []Property{
			{"code", code}, {"message", &Schema{Type: "string", Description: "One sentence for a reader."}}, {"details", details},
		},
	}
	return &Schema{Type: "object", Closed: true, Required: []string{"error"}, Properties: []Property{{"error", e}}}, nil
}

// detailMembers are the schemas of all members of details, derived from the structs that are sent.
func detailMembers() ([]Property, error) {
	fixed, err := compile(reflect.TypeFor[plainDetails](), nil, true)
	if err != nil {
		return nil, fmt.Errorf("describe details: %w", err)
	}
	fixed.schema.Property("problems").Items.Required = []string{"path", "rule", "message"}
	extra, err := compile(reflect.TypeFor[rejectionDetails](), nil, true)
	if err != nil {
		return nil, fmt.Errorf("describe details: %w", err)
	}
	return append(fixed.schema.Properties, extra.schema.Properties...), nil
}

// defaultHints are those of a code for one operation.
func defaultHints(code Code, op Operation) []string {
	for _, row := range errorTable() {
		if row.code != code {
			continue
		}
		hints := slices.Clone(row.hints)
		for i := range hints {
			hints[i] = strings.ReplaceAll(hints[i], scopePlace, op.spec.Scope)
		}
		return hints
	}
	return nil
}
