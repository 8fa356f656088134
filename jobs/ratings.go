package jobs

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"interai/store"
	"interai/trustmodel"
)

// rated gathers the targets of a group whose rating aggregates are to be computed anew: those with new ratings, and
// those with ratings whose parties may weigh differently now.
type rated struct {
	targets []store.ID
	models  map[uuid.UUID][]int16
}

// note looks at one target and one outcome of it.
func (r *rated) note(fold *store.Fold, state store.FoldState, out *store.Computed) {
	fresh := slices.ContainsFunc(fold.Rows, func(row store.FoldRow) bool {
		return row.Kind == store.EvidenceRating && row.Seq > state.Applied
	})
	aged := out.Wakes != state.Wakes || fold.Published[out.Model].Epoch != out.Epoch
	if !fresh && (!aged || out.Counts[store.CountKey(store.EvidenceRating, "")] == 0) {
		return
	}
	if r.models == nil {
		r.models = map[uuid.UUID][]int16{}
	}
	if len(r.models[fold.Target.UUID]) == 0 {
		r.targets = append(r.targets, fold.Target)
	}
	r.models[fold.Target.UUID] = append(r.models[fold.Target.UUID], out.Model)
}

// write computes the aggregates in the transaction of the fold.
func (r *rated) write(ctx context.Context, tx *store.Tx, models map[int16]*liveModel) error {
	if len(r.targets) == 0 {
		return nil
	}
	rows, err := tx.LatestRatings(ctx, r.targets)
	if err != nil {
		return err
	}
	byTarget := map[uuid.UUID][]store.RatingRow{}
	for _, row := range rows {
		byTarget[row.Target] = append(byTarget[row.Target], row)
	}
	var ids []int16
	var targets []uuid.UUID
	var aggregates []store.RatingAggregate
	for _, target := range r.targets {
		for _, id := range r.models[target.UUID] {
			ids, targets = append(ids, id), append(targets, target.UUID)
			aggregates = append(aggregates, aggregate(models[id], id, target.UUID, byTarget[target.UUID])...)
		}
	}
	return tx.ReplaceRatings(ctx, ids, targets, aggregates)
}

// aggregate combines the scores of a target, each dimension over all contexts and in each context of its own.
func aggregate(live *liveModel, id int16, target uuid.UUID, rows []store.RatingRow) []store.RatingAggregate {
	type place struct{ dimension, context string }
	raters := map[place]map[uuid.UUID]*trustmodel.Rater{}
	enter := func(at place, row *store.RatingRow) {
		if raters[at] == nil {
			raters[at] = map[uuid.UUID]*trustmodel.Rater{}
		}
		party := live.tracks.party(row.Root)
		w := live.tracks.weights(row.Root, row.Identity)
		rater := raters[at][party]
		if rater == nil {
			rater = &trustmodel.Rater{Key: trustmodel.PartyKey(party)}
			raters[at][party] = rater
		}
		rater.V = max(rater.V, w.V)
		rater.HasContext = rater.HasContext || row.ContextKey != ""
		rater.Ratings = append(rater.Ratings, row.Rating)
	}
	for i := range rows {
		enter(place{dimension: rows[i].Dimension}, &rows[i])
		if rows[i].ContextKey != "" {
			enter(place{rows[i].Dimension, rows[i].ContextKey}, &rows[i])
		}
	}
	// All contexts of a dimension come before each of its own, which leans on them.
	places := slices.SortedFunc(maps.Keys(raters), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.dimension, b.dimension), cmp.Compare(a.context, b.context))
	})
	all := map[string]trustmodel.RatingSnapshot{}
	out := make([]store.RatingAggregate, 0, len(places))
	for _, at := range places {
		list := make([]trustmodel.Rater, 0, len(raters[at]))
		for _, rater := range raters[at] {
			list = append(list, *rater)
		}
		var s trustmodel.RatingSnapshot
		if at.context == "" {
			s = live.model.RateAll(list, live.tracks.pool(at.dimension))
			all[at.dimension] = s
		} else {
			s = live.model.RateExact(list, all[at.dimension])
		}
		if s.Raters > 0 {
			out = append(out, store.RatingAggregate{
				Model: id, Target: target, Dimension: at.dimension, ContextKey: at.context, RatingSnapshot: s,
			})
		}
	}
	return out
}
