//go:build conformance

package tools

import (
	"context"

	"interai/api/ops"
)

// fixtures are the tools of the conformance suite that are operations: they take the whole path of the executor, with
// scopes, limits, screen and audit.
func fixtures() []ops.Operation {
	describe := func(name string) ops.Spec {
		return ops.Spec{
			Name: name, Title: "Fixture", Scope: ScopeRead, Effect: ops.Read, Description: "For the conformance suite.",
			Hints: ops.Hints{Idempotent: true},
		}
	}
	return []ops.Operation{
		ops.Define(describe("test_simple_text"), func(context.Context, *ops.Call, *fixtureInput) (*fixtureOutput, error) {
			return &fixtureOutput{Said: "This is a simple text response for testing."}, nil
		}),
		ops.Define(describe("test_error_handling"), func(context.Context, *ops.Call, *fixtureInput) (*fixtureOutput, error) {
			return nil, ops.NewError(ops.InvalidTarget, "This tool intentionally returns an error for testing.")
		}),
	}
}

type fixtureInput struct{}

type fixtureOutput struct {
	Said string `json:"said" doc:"A text."`
}

// Text is the answer as the suite reads it.
func (out *fixtureOutput) Text() string { return out.Said }
