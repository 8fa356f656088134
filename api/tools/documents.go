package tools

import (
	"context"
	"fmt"

	"interai/api/guide"
	"interai/api/ops"
	"interai/evidence"
)

// Table is the operations of Inter-AI with the words that explain them.
type Table struct {
	// Operations is what every transport offers.
	Operations *ops.Registry
	// Resources is what resources are read with: `get` for whole documents, `complete` for the beginnings of IDs. It
	// needs the same scope as get.
	Resources *ops.Registry
	// Pages is what public pages are read with: `get` for whole documents, for anybody. A caller without any scope may
	// run it, and nothing else is in it.
	Pages *ops.Registry
	// Fetch is what hosts are offered that expect exactly two tools, search and fetch.
	Fetch *ops.Registry
	// Guide explains Operations, FetchGuide explains Fetch.
	Guide, FetchGuide *guide.Guide
}

// NewTable makes the registries of Inter-AI over a service at a site.
func NewTable(service *evidence.Service, site guide.Site) (*Table, error) {
	w := &words{}
	operations, err := operationsOf(service, w)
	if err != nil {
		return nil, err
	}
	if w.guide, err = guide.New(operations, site); err != nil {
		return nil, fmt.Errorf("make the guide: %w", err)
	}
	document := whole(w, service.Document)
	resources, err := ops.NewRegistry(
		ops.Define(documentSpec(ScopeRead), bind(document)), ops.Define(completeSpec(), bind(service.Complete)),
	)
	if err != nil {
		return nil, fmt.Errorf("build the registry of resources: %w", err)
	}
	pages, err := ops.NewRegistry(ops.Define(documentSpec(""), bind(document)))
	if err != nil {
		return nil, fmt.Errorf("build the registry of pages: %w", err)
	}
	table := &Table{Operations: operations, Resources: resources, Pages: pages, Guide: w.guide}
	if table.Fetch, table.FetchGuide, err = fetchOf(service, site); err != nil {
		return nil, err
	}
	return table, nil
}

// anonymousKind is the kind of a caller that is nobody.
const anonymousKind = "anonymous"

// Anonymous is the caller of public pages: nobody, without any scope. It sees what is public, since it is the author of
// nothing and in no space.
func Anonymous() *ops.Caller { return &ops.Caller{Kind: anonymousKind} }

// words answers for the words that name texts about the operations themselves. The guide is set once, after the
// registry that it explains, and before any call.
type words struct{ guide *guide.Guide }

func (w *words) text(id string) (*evidence.GetOutput, bool) {
	word, ok := evidence.Word(id)
	switch {
	case !ok:
		return nil, false
	case word == evidence.WordAbout:
		return evidence.Written(word, "About this server", w.guide.About()), true
	case word == evidence.WordInstructions:
		return evidence.Written(word, "How to work with Inter-AI", w.guide.Instructions()), true
	}
	return nil, false
}

type method[In, Out any] = func(context.Context, *evidence.Call, *In) (*Out, error)

// explained is get with the words that the guide answers.
func explained(w *words, get method[evidence.GetInput, evidence.GetOutput]) method[evidence.GetInput, evidence.GetOutput] {
	return func(ctx context.Context, call *evidence.Call, in *evidence.GetInput) (*evidence.GetOutput, error) {
		if out, ok := w.text(in.ID); ok {
			return out, nil
		}
		return get(ctx, call, in)
	}
}

// whole is the same for documents.
func whole(w *words, read method[evidence.DocumentInput, evidence.DocumentOutput]) method[evidence.DocumentInput, evidence.DocumentOutput] {
	return func(ctx context.Context, call *evidence.Call, in *evidence.DocumentInput) (*evidence.DocumentOutput, error) {
		if out, ok := w.text(in.ID); ok {
			return &evidence.DocumentOutput{GetOutput: *out}, nil
		}
		return read(ctx, call, in)
	}
}

// maxDocumentBytes fits a body or a file, structured data and all lists, with their characters escaped in JSON.
const maxDocumentBytes = 8 << 20

func documentSpec(scope string) ops.Spec {
	return ops.Spec{
		Name: "get", Title: "Read a document", Scope: scope, Effect: ops.Read,
		Description:    "Read any object whole, as resources and pages show it.",
		MaxOutputBytes: maxDocumentBytes, Hints: ops.Hints{Idempotent: true},
	}
}

func completeSpec() ops.Spec {
	return ops.Spec{
		Name: "complete", Title: "Complete an ID", Scope: ScopeRead, Effect: ops.Read,
		Description: "List IDs of visible objects that begin as given, or whose title does.",
		Hints:       ops.Hints{Idempotent: true},
	}
}
