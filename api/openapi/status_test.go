package openapi

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"interai/api/ops"
)

type keyedIn struct {
	Key string `json:"idempotency_key" validate:"max=10" doc:"Key."`
}

func (k *keyedIn) GetIdempotencyKey() string    { return k.Key }
func (k *keyedIn) SetIdempotencyKey(key string) { k.Key = key }

type textOut struct {
	Text string `json:"text"`
}

func TestEveryCodeHasAStatusThatTheDocumentLists(t *testing.T) {
	t.Parallel()
	op := ops.Define(ops.Spec{Name: "x", Title: "X", Description: "X.", Effect: ops.Write},
		func(context.Context, *ops.Call, *keyedIn) (*textOut, error) { return &textOut{}, nil })
	errors := []*ops.Error{ops.Unavailable("x", time.Second), ops.InvalidField("", "maxbytes", "is too large")}
	for _, code := range ops.Codes() {
		errors = append(errors, ops.NewError(code, "No."))
	}
	for _, e := range errors {
		listed := slices.ContainsFunc(failures(op), func(f failure) bool { return f.status == StatusOf(e) })
		require.True(t, listed, "%s: %d", e.Code, StatusOf(e))
	}
}

func TestStatusesOfCodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule string
		err  *ops.Error
		want int
	}{
		{"who is nobody", ops.NewError(ops.Unauthenticated, ""), 401},
		{"what is not there", ops.NewError(ops.NotFound, ""), 404},
		{"a target of a wrong kind", ops.NewError(ops.InvalidTarget, ""), 422},
		{"a wrong argument", ops.InvalidField("/id", "required", ""), 400},
		{"a field that is too long", ops.InvalidField("/body_markdown", "maxbytes", ""), 400},
		{"arguments that are too long", ops.InvalidField("", "maxbytes", ""), 413},
		{"one's own work", ops.NewError(ops.SelfReview, ""), 403},
		{"another's record", ops.NewError(ops.NotAuthor, ""), 403},
		{"a key with another request", ops.NewError(ops.IdempotencyConflict, ""), 409},
		{"a missing scope", ops.NewError(ops.ForbiddenScope, ""), 403},
		{"a limit", ops.LimitReached("", time.Second), 429},
		{"a secret", ops.NewError(ops.ContentRejected, ""), 422},
		{"a fault", ops.Internal(nil), 500},
		{"an outage", ops.Unavailable("database_unavailable", time.Second), 503},
	} {
		require.Equal(t, test.want, StatusOf(test.err), test.rule)
	}
}

func TestAnObjectWithoutPropertiesAndAListWithoutItemsAreRefused(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, checkSchema("x", &ops.Schema{Type: "object"}), "rule properties")
	require.ErrorContains(t, checkSchema("x", &ops.Schema{Type: "array"}), "rule items")
	require.NoError(t, checkSchema("x", spelledOut(&ops.Schema{Type: "object", Values: &ops.Schema{Type: "object"}})))
}
