package evidence

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"interai/evidence/claimkey"
	"interai/evidence/retrieval"
	"interai/evidence/retrieval/words"
	"interai/store"
)

// Suggestions never link anything: wordings that are merely alike are often opposites. They are for the author, who
// adopts one by its ID.
const (
	suggestedClaims = 10  // claims of a publication that are looked up
	suggestBudget   = 400 // candidates that are scored for each
	suggestHits     = 10
	suggestMost     = 3
	// Idf-weighted Jaccard similarity of the words. At .6 the claim that is meant is among those shown for .43 and .50 of
	// paraphrases (QQP, MRPC), at .3 for .80 and .94, with two shown or fewer: what nobody sees, nobody adopts.
	minAlike   = .3
	minContent = 3 // words that say something; fewer are alike by chance
)

// SimilarClaim is an existing claim that may be meant.
type SimilarClaim struct {
	ID         string  `json:"id" doc:"The claim; adopt it as claims[].id if you mean the same."`
	Text       string  `json:"text" doc:"Its text."`
	Similarity float64 `json:"similarity" doc:"0 to 1."`
	Hint       string  `json:"relation_hint" doc:"near, possibly_opposite, different_numbers or different_subjects."`
}

// suggest looks for claims like those of a draft. It runs before the publication's transaction, so that nobody waits for
// it under a lock; that a publication goes through does not depend on it.
func (s *Service) suggest(ctx context.Context, call *Call, d *draft) {
	if !slices.ContainsFunc(d.Claims, func(c draftClaim) bool { return c.ID.IsZero() }) {
		return
	}
	known, err := s.corpora.load(ctx)
	if err == nil {
		err = s.db.Read(ctx, func(v *store.Snapshot) error { return d.suggest(ctx, v, known, call.Actor) })
	}
	if err != nil {
		s.logger.WarnContext(ctx, "no similar claims were looked for", "error", err)
	}
}

func (d *draft) suggest(ctx context.Context, v *store.Snapshot, known *corpus, viewer store.ID) error {
	language := d.languageOr(undetermined)
	for i := range d.Claims[:min(len(d.Claims), suggestedClaims)] {
		claim := &d.Claims[i]
		claim.similar = nil
		if !claim.ID.IsZero() || claimkey.ContentTokens(claim.Text, language) < minContent {
			continue
		}
		query := retrieval.AnalyzeQuery(claim.Text, []string{language})
		plan := query.Plan(known, suggestBudget, 1)
		hits, err := v.Search(ctx, &store.SearchQuery{
			Viewer: viewer, Candidates: plan.Candidates, Scored: plan.Scored, Lengths: known.Lengths, Language: words.Base(language),
			Kinds: []string{store.FoundClaim}, Limit: suggestHits,
		})
		if err != nil {
			return err
		}
		if claim.similar, err = alike(ctx, v, known, claim.Text, language, viewer, hits); err != nil {
			return err
		}
	}
	return nil
}

// alike are the hits whose words are nearly those of a claim, the nearest first.
func alike(ctx context.Context, v *store.Snapshot, known *corpus, text, language string, viewer store.ID, hits []store.SearchHit) ([]SimilarClaim, error) {
	docs := make([]int64, len(hits))
	for i := range hits {
		docs[i] = hits[i].Doc
	}
	cards, err := v.SearchCards(ctx, docs, viewer)
	if err != nil {
		return nil, err
	}
	idf := func(word string) float64 { return retrieval.Idf(known.Documents(), known.DF(word)) }
	var out []SimilarClaim
	for i := range cards {
		similarity := claimkey.Similarity(text, cards[i].Title, language, idf)
		if similarity < minAlike {
			continue
		}
		hint, _ := claimkey.Compare(text, cards[i].Title, language)
		if claimkey.Equivalent(text, cards[i].Title, language) != claimkey.None {
			hint = claimkey.DifferentSubjects // or it is linked, and then not shown
		}
		out = append(out, SimilarClaim{
			ID: cards[i].Object.String(), Text: cards[i].Title, Similarity: similarity, Hint: string(hint),
		})
	}
	slices.SortFunc(out, func(a, b SimilarClaim) int {
		switch {
		case a.Similarity != b.Similarity:
			if a.Similarity > b.Similarity {
				return -1
			}
			return 1
		case a.ID < b.ID:
			return -1
		default:
			return 1
		}
	})
	return out[:min(len(out), suggestMost)], nil
}

// similarTo are the suggestions for a claim that was made, by its ID.
func (d *draft) similarTo(pub *store.Publication) map[uuid.UUID][]SimilarClaim {
	out := map[uuid.UUID][]SimilarClaim{}
	for _, made := range pub.Claims {
		if made.Matched {
			continue
		}
		for _, claim := range d.Claims {
			if claim.Text == made.Wording && claim.ID.IsZero() {
				out[made.ID.UUID] = claim.similar
			}
		}
	}
	return out
}
