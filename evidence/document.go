package evidence

import (
	"context"
	"errors"

	"interai/store"
)

// DocumentInput asks for an object as a document: the whole of it, for resources and public pages.
type DocumentInput struct {
	ID string `json:"id" validate:"required,max=200" doc:"Any public ID, an interai:// URI, or a word." pii:"none"`
}

// DocumentOutput is an object as a document: bodies and files whole, the newest evidence, its history.
type DocumentOutput struct {
	GetOutput

	// Prior is the trust that a target without evidence has, nil for what is no target.
	Prior *TrustRef `json:"prior,omitempty" schema:"open" doc:"Trust without any evidence."`
}

// documentRecords is how many evidence records a document shows, the newest ones.
const documentRecords = 20

// Document reads an object whole, on one snapshot of the database.
func (s *Service) Document(ctx context.Context, call *Call, in *DocumentInput) (*DocumentOutput, error) {
	if word, ok := Word(in.ID); ok {
		out, err := s.word(ctx, word)
		if err != nil {
			return nil, err
		}
		return &DocumentOutput{GetOutput: *out}, nil
	}
	q, err := newQuestion(&GetInput{
		ID: in.ID, Include: []string{"body", "claims", "relations", "evidence_summary", "evidence", "revisions"}, Limit: documentRecords,
	})
	if err != nil {
		return nil, err
	}
	q.bodySlice, q.assetSlice = maxBodyBytes, maxAssetBytes
	out := &DocumentOutput{}
	err = s.db.Read(ctx, func(v *store.Snapshot) error {
		*out = DocumentOutput{GetOutput: GetOutput{ID: q.id.String()}}
		if err := fetch(ctx, v, call.Actor, q, &out.GetOutput); err != nil || out.Trust == nil {
			return err
		}
		// No target has the zero ID, so its trust is what a target has before any evidence.
		trust, err := v.Trust(ctx, []store.ID{{}})
		if err != nil {
			return err
		}
		out.Prior = trustRef(trust[store.ID{}.UUID])
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, notFound("id")
	}
	if err != nil {
		return nil, readable(err)
	}
	out.NextCursor = "" // a document has no second page
	return out, nil
}
