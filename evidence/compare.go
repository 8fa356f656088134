package evidence

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"interai/store"
)

// Compare says what is known about several objects in one context, on one snapshot of the database: a fixed number of
// statements, whatever the number of objects. It states facts about each, in the caller's order, and names no winner.
func (s *Service) Compare(ctx context.Context, call *Call, in *CompareInput) (*CompareOutput, error) {
	c, err := newComparison(in)
	if err != nil {
		return nil, err
	}
	var out *CompareOutput
	err = s.db.Read(ctx, func(v *store.Snapshot) error {
		objects, err := v.Compared(ctx, c.ids, call.Actor)
		if err != nil {
			return err
		}
		if err := c.check(objects); err != nil {
			return err
		}
		known, err := v.Comparison(ctx, store.ComparisonQuery{
			Objects: objects, Viewer: call.Actor, ContextKey: c.contextKey, Facets: facetPairs(c.contextKey),
			Dimensions: c.dimensions, MaxDimensions: maxDimensions,
		})
		if err != nil {
			return err
		}
		targets := make([]store.ID, len(objects))
		for i, o := range objects {
			targets[i] = o.Target
		}
		trust, err := v.Trust(ctx, targets)
		if err != nil {
			return err
		}
		out = c.answer(objects, &known, trust)
		return nil
	})
	if err != nil {
		return nil, readable(err)
	}
	return out, nil
}

func (c *comparison) answer(objects []store.Compared, known *store.Comparison, trust map[uuid.UUID]store.Trust) *CompareOutput {
	out := &CompareOutput{Items: make([]ComparedItem, len(objects)), UntrustedContent: true}
	dimensions := c.dimensions
	if len(dimensions) == 0 {
		dimensions, out.DimensionsLeftOut = known.Dimensions, known.MoreDimensions
	}
	scores := scoresOf(len(objects), known.Ratings)
	for i, o := range objects {
		item := &out.Items[i]
		*item = ComparedItem{
			ID: c.ids[i].String(), Title: o.Title, Dimensions: map[string]DimensionRef{}, TradeOffs: []TradeOff{},
			Contradictions: against(o.Target, trust[o.Target.UUID]), Experiences: []ComparedExperienceLine{},
		}
		if o.Target.Kind == store.KindRevision {
			item.TargetRevision = o.Target.String()
		}
		for _, name := range dimensions {
			item.Dimensions[name] = scores[i][name].ref()
		}
	}
	c.addTradeOffs(out, scores, dimensions)
	for _, k := range known.Claims {
		item := &out.Items[k.Of]
		item.Contradictions = append(item.Contradictions, Contradiction{
			Kind: contradictionClaim, ID: k.ID.String(), Title: k.Text, Status: k.Status,
		})
	}
	for _, k := range known.Issues {
		item := &out.Items[k.Of]
		item.Contradictions = append(item.Contradictions, Contradiction{Kind: k.Type, ID: k.ID.String(), Title: k.Title, Status: k.Status})
	}
	for _, k := range known.Experiences {
		item := &out.Items[k.Of]
		item.Experiences = append(item.Experiences, ComparedExperienceLine{
			ID: k.ID.String(), Title: k.Title, Author: k.Author.String(), Result: k.Result, RealWorldUse: k.RealWorld,
			Facets: k.Facets, Status: k.Status, LowerBound: k.Lower,
		})
	}
	return out
}

// against is the evidence against an object itself.
func against(target store.ID, t store.Trust) []Contradiction {
	counts := summary(t)
	records := counts.Usage.Failure + counts.Reviews.Misleading + counts.Reviews.Contradicted + counts.Reviews.False
	if records == 0 && t.Contradictions == 0 {
		return []Contradiction{}
	}
	return []Contradiction{{
		Kind: contradictionEvidence, ID: target.String(), Status: t.Status, Parties: t.Contradictions, Records: records,
	}}
}

// score is what the ratings of an object say in one dimension: in the context if somebody has rated it there, and in all.
type score struct{ exact, all *store.ComparedRating }

func scoresOf(objects int, ratings []store.ComparedRating) []map[string]score {
	out := make([]map[string]score, objects)
	for i := range out {
		out[i] = map[string]score{}
	}
	for i := range ratings {
		r := &ratings[i]
		found := out[r.Of][r.Dimension]
		if r.Exact {
			found.exact = r
		} else {
			found.all = r
		}
		out[r.Of][r.Dimension] = found
	}
	return out
}

func (s score) ref() DimensionRef {
	rating, basis := s.exact, basisExact
	if rating == nil {
		rating, basis = s.all, basisAll
	}
	if rating == nil {
		return DimensionRef{Basis: basisNone}
	}
	return DimensionRef{Score: &rating.Score, Lower: &rating.Lower, Upper: &rating.Upper, Raters: rating.Raters, Basis: basis}
}

// above tells whether the interval of s lies wholly above that of t. Like is compared with like: scores of the context
// only if both have one.
func (s score) above(t score) bool {
	if s.exact != nil && t.exact != nil {
		return s.exact.Lower > t.exact.Upper
	}
	return s.all != nil && t.all != nil && s.all.Lower > t.all.Upper
}

// addTradeOffs finds pairs of objects that are apart in both directions: who is above in everything trades nothing off.
// The others of an object come in the order of their IDs, so that the caller's order changes nothing.
func (c *comparison) addTradeOffs(out *CompareOutput, scores []map[string]score, dimensions []string) {
	names := slices.Sorted(slices.Values(dimensions))
	for i := range out.Items {
		for k := range out.Items {
			t := TradeOff{With: out.Items[k].ID}
			for _, name := range names {
				switch {
				case scores[i][name].above(scores[k][name]):
					t.Higher = append(t.Higher, name)
				case scores[k][name].above(scores[i][name]):
					t.Lower = append(t.Lower, name)
				}
			}
			if len(t.Higher) > 0 && len(t.Lower) > 0 {
				out.Items[i].TradeOffs = append(out.Items[i].TradeOffs, t)
			}
		}
		slices.SortFunc(out.Items[i].TradeOffs, func(a, b TradeOff) int { return cmp.Compare(a.With, b.With) })
	}
}
