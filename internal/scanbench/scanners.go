package scanbench

import (
	"interai/antiabuse/finding"
	"interai/antiabuse/secret"
)

// Secrets is our secret engine alone.
type Secrets struct{ Engine *secret.Engine }

// Name implements Scanner.
func (Secrets) Name() string { return "interai" }

// Scan implements Scanner.
func (s Secrets) Scan(text string) []Hit {
	budget := finding.NewBudget()
	found := s.Engine.Scan(budget, text)
	hits := make([]Hit, 0, len(found)+1)
	for _, f := range found {
		hits = append(hits, Hit{Start: f.Start, End: f.End, Blocks: f.Action.Blocks(), Rule: f.Rule})
	}
	if budget.Exceeded() {
		hits = append(hits, Hit{Start: 0, End: len(text), Blocks: true, Rule: "scan_budget"})
	}
	return hits
}
