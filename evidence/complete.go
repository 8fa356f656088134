package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"interai/store"
)

// CompleteInput asks how an ID may go on.
type CompleteInput struct {
	Beginning string   `json:"beginning" validate:"max=200" doc:"The beginning of an ID, or of a title or a name." pii:"none"`
	Kinds     []string `json:"kinds" validate:"max=20,dive,max=10" doc:"Prefixes of the IDs to look among; absent: all." pii:"none"`
}

// CompleteOutput lists what it may become.
type CompleteOutput struct {
	Values []string `json:"values" doc:"IDs of objects that the caller may see, newest first."`
	More   bool     `json:"has_more" doc:"Whether there are more."`
}

// AuditSummary is what the audit row keeps.
func (out *CompleteOutput) AuditSummary() string { return fmt.Sprintf("values=%d", len(out.Values)) }

// MaxCompletions is how many values one completion may have (MCP, completion/complete).
const MaxCompletions = 100

// SchemaKind asks for content types that have a schema, instead of IDs.
const SchemaKind = "schema"

func (s *Service) completeTypes(beginning string) *CompleteOutput {
	out := &CompleteOutput{Values: []string{}}
	for _, name := range s.schemas.Types() {
		if strings.HasPrefix(name, strings.ToLower(beginning)) {
			out.Values = append(out.Values, name)
		}
	}
	return out
}

// completable are the kinds that completions look among, those that readers look for first.
func completable() []store.Kind {
	return []store.Kind{
		store.KindContent, store.KindEntity, store.KindClaim, store.KindRevision,
		store.KindSpace, store.KindAgent, store.KindUser, store.KindOrg,
	}
}

// Complete lists the IDs of objects that the caller may see and whose ID, title or name begins as given.
func (s *Service) Complete(ctx context.Context, call *Call, in *CompleteInput) (*CompleteOutput, error) {
	if slices.Equal(in.Kinds, []string{SchemaKind}) {
		return s.completeTypes(in.Beginning), nil
	}
	q := store.CompletionQuery{Viewer: call.Actor, Limit: MaxCompletions + 1}
	for _, kind := range completable() {
		if len(in.Kinds) == 0 || slices.Contains(in.Kinds, string(kind)) {
			q.Kinds = append(q.Kinds, kind)
		}
	}
	q = narrowed(q, in.Beginning)
	out := &CompleteOutput{Values: []string{}}
	err := s.db.Read(ctx, func(v *store.Snapshot) error {
		ids, err := v.Complete(ctx, q)
		out.Values, out.More = out.Values[:0], len(ids) > MaxCompletions
		for _, id := range ids[:min(len(ids), MaxCompletions)] {
			out.Values = append(out.Values, id.String())
		}
		return err
	})
	if err != nil {
		return nil, readable(err)
	}
	return out, nil
}

// narrowed reads a beginning: that of an ID ("cnt", "cnt_01m8"), else that of a text.
func narrowed(q store.CompletionQuery, beginning string) store.CompletionQuery {
	beginning = strings.TrimSpace(beginning)
	prefix, rest, _ := strings.Cut(beginning, "_")
	if kind := store.Kind(prefix); kind.Known() {
		ids, ok := store.RangeOf(rest)
		if !ok || !slices.Contains(q.Kinds, kind) {
			q.Kinds = nil
			return q
		}
		q.Kinds, q.IDs = []store.Kind{kind}, ids
		return q
	}
	q.Text = line(beginning)
	return q
}
