package evidence

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"interai/evidence/retrieval"
	"interai/store"
)

// reasonDimensions are the dimensions that say whether something is better for a reason.
var reasonDimensions = map[string][]string{
	"simpler": {"complexity", "maintainability"}, "cheaper": {"cost"}, "faster": {"speed"}, "safer": {"safety"},
	"more_reliable": {"reliability"}, "more_open": {"openness"}, "more_available": {"availability"},
	"lower_resource_use": {"resource_use"}, "easier_to_integrate": {"integration_effort"},
}

// The figures of alternatives.
const (
	likeTerms     = 12  // words of the target that alternatives are looked for by
	statedBoost   = 1.5 // somebody says that it is an alternative, for this reason
	relatedBoost  = 1.2 // somebody says so for another reason
	ratedShare    = .5  // of the difference of the scores
	statedShare   = .8  // of the best relevance, for what is stated and says nothing alike
	relatedShare  = .5  // likewise, for what is about the same
	statedName    = "stated"
	subjectName   = "shared_subject"
	similarName   = "similar_text"
	scoreInterval = 100
)

// alternativeTo is what alternatives are looked for to.
type alternativeTo struct {
	store.AlternativeTarget

	reason    string
	dimension string
	scores    map[uuid.UUID]store.DimensionScore // by target, in the dimension
}

// findTarget reads what alternatives are wanted to, and asks for what is like it where nothing else was asked.
func (f *finder) findTarget(ctx context.Context) error {
	target, err := f.v.AlternativeTarget(ctx, f.q.alternatives, f.viewer)
	if err != nil {
		return err
	}
	f.to = &alternativeTo{AlternativeTarget: target, reason: f.q.reason}
	if f.q.text != "" {
		return nil
	}
	like := retrieval.AnalyzeQuery(strings.Join(append([]string{target.Title, target.Summary}, target.Tags...), "\n"), f.options.Languages)
	idf := func(t retrieval.Term) float64 { return retrieval.Idf(f.corpus.Documents(), f.corpus.DF(t.Lexemes[0])) }
	slices.SortStableFunc(like.Terms, func(a, b retrieval.Term) int { return cmp.Compare(idf(b), idf(a)) })
	like.Terms = like.Terms[:min(len(like.Terms), likeTerms)]
	f.query = like
	return nil
}

// known are the objects that are alternatives whatever they say.
func (a *alternativeTo) known() []uuid.UUID {
	out := make([]uuid.UUID, 0, len(a.Related))
	for id := range a.Related {
		out = append(out, id)
	}
	slices.SortFunc(out, func(x, y uuid.UUID) int { return slices.Compare(x[:], y[:]) })
	return out
}

// boost lets what is stated to be an alternative, and what is rated better for the reason, come first.
func (f *finder) boost(ctx context.Context, hits []store.SearchHit, candidates []retrieval.Candidate) error {
	if f.to == nil {
		return nil
	}
	if err := f.readScores(ctx, hits); err != nil {
		return err
	}
	best := 0.
	for i := range candidates {
		best = max(best, candidates[i].Rel)
	}
	if best == 0 {
		best = 1
	}
	for i := range candidates {
		c := &candidates[i]
		c.Boost, c.Limited = 1, true // what is merely alike has no place to be tried in
		if how, known := f.to.Related[hits[i].Object]; known {
			c.Limited = false
			switch {
			case !how.Stated:
				c.Rel = max(c.Rel, relatedShare*best)
			case f.to.reason == "" || how.Reason == f.to.reason:
				c.Boost, c.Rel = statedBoost, max(c.Rel, statedShare*best)
			default:
				c.Boost, c.Rel = relatedBoost, max(c.Rel, statedShare*best)
			}
		}
		c.Boost *= f.to.better(hits[i].Target)
	}
	return nil
}

// readScores reads how everybody is rated in the dimension of the reason: the first one in which the target is.
func (f *finder) readScores(ctx context.Context, hits []store.SearchHit) error {
	dimensions := reasonDimensions[f.to.reason]
	if len(dimensions) == 0 {
		return nil
	}
	targets := []uuid.UUID{f.to.Target}
	for i := range hits {
		targets = append(targets, hits[i].Target)
	}
	f.to.dimension = dimensions[0]
	for _, dimension := range dimensions {
		scores, err := f.v.DimensionScores(ctx, targets, dimension)
		if err != nil {
			return err
		}
		if _, rated := scores[f.to.Target]; rated || f.to.scores == nil {
			f.to.dimension, f.to.scores = dimension, scores
			if rated {
				return nil
			}
		}
	}
	return nil
}

// better is a factor of how much better something is rated, at least, than the target.
func (a *alternativeTo) better(target uuid.UUID) float64 {
	own, rated := a.scores[target]
	other, known := a.scores[a.Target]
	if !rated || !known {
		return 1
	}
	return 1 + ratedShare*min(1, max(-1, (own.Lower-other.Score)/scoreInterval))
}

func (a *alternativeTo) ref(card *store.SearchCard) *AlternativeRef {
	ref := &AlternativeRef{Relation: similarName}
	if how, known := a.Related[card.Object.UUID]; known {
		if ref.Relation = subjectName; how.Stated {
			ref.Relation, ref.Reason = statedName, how.Reason
		}
	}
	mean := func(target uuid.UUID) *DimensionMean {
		score, rated := a.scores[target]
		if !rated {
			return nil
		}
		return &DimensionMean{Score: score.Score, Lower: score.Lower, Upper: score.Upper, Raters: score.Raters}
	}
	ref.Dimension, ref.Own, ref.Target = a.dimension, mean(card.Target.UUID), mean(a.Target)
	return ref
}
