package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/trustmodel"
)

// RatingRow is the latest active score that an actor gave a target in one dimension and one context.
type RatingRow struct {
	Member

	Target     uuid.UUID
	Dimension  string
	ContextKey string
	Rating     trustmodel.Rating
}

// Latest of what is active: a retracted score gives way to the one before it.
const latestRatings = `
	select distinct on (e.target_id, e.dimension, e.actor_id, e.context_key)
	       e.target_id, e.dimension, coalesce(e.context_key, ''), e.score, coalesce(e.confidence, -1), e.based_on is not null,
	       a.id, p.id, p.verified_email, p.verified_domain, p.vouched
	from evidence e
	join actors a on a.id = e.actor_id
	join actors p on p.id = a.root_controller_id
	where e.kind = 'rating' and e.target_id = any ($1)
	  and not exists (select from evidence r where r.retracts = e.id)
	order by e.target_id, e.dimension, e.actor_id, e.context_key, e.seq desc`

// LatestRatings reads what counts of the ratings of targets.
func (t *Tx) LatestRatings(ctx context.Context, targets []ID) ([]RatingRow, error) {
	rows, err := t.tx.Query(ctx, latestRatings, uuids(targets))
	if err != nil {
		return nil, fmt.Errorf("read ratings: %w", err)
	}
	ratings, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (RatingRow, error) {
		var r RatingRow
		m := &r.Member
		err := row.Scan(&r.Target, &r.Dimension, &r.ContextKey, &r.Rating.Score, &r.Rating.Confidence, &r.Rating.Grounded,
			&m.Actor, &m.Root, &m.Identity.Email, &m.Identity.Domain, &m.Identity.Vouched)
		return r, err
	})
	if err != nil {
		return nil, fmt.Errorf("read ratings: %w", err)
	}
	return ratings, nil
}

// RatingPools reads the mean score of each dimension as of one epoch of a version.
func (s *Store) RatingPools(ctx context.Context, model int16, epoch int32) (map[string]float64, error) {
	rows, err := s.pool.Query(ctx, `
		select distinct on (dimension) dimension, mean from rating_pools where model_id = $1 and epoch <= $2
		order by dimension, epoch desc`, model, epoch)
	if err != nil {
		return nil, fmt.Errorf("read rating pools: %w", classify(err))
	}
	out := map[string]float64{}
	var dimension string
	var mean float64
	if _, err := pgx.ForEachRow(rows, []any{&dimension, &mean}, func() error {
		out[dimension] = mean
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read rating pools: %w", classify(err))
	}
	return out, nil
}

// RatingAggregate is what the ratings of a target say in one dimension; an empty ContextKey stands for all contexts.
type RatingAggregate struct {
	Model      int16
	Target     uuid.UUID
	Dimension  string
	ContextKey string
	trustmodel.RatingSnapshot
}

const (
	dropRatings = `
		delete from rating_snapshots s using unnest($1::smallint[], $2::uuid[]) as r (model_id, target_id)
		where s.model_id = r.model_id and s.target_id = r.target_id`

	writeRatings = `
		insert into rating_snapshots (model_id, target_id, dimension, context_key, score, lower_bound, upper_bound, raters, weight)
		select model_id, target_id, dimension, context_key, score, lower_bound, upper_bound, raters, weight
		from unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::float8[], $7::float8[], $8::int[], $9::float8[])
		         as r (model_id, target_id, dimension, context_key, score, lower_bound, upper_bound, raters, weight)`
)

// ReplaceRatings stores the aggregates of targets under their versions in place of what was there.
func (t *Tx) ReplaceRatings(ctx context.Context, models []int16, targets []uuid.UUID, aggregates []RatingAggregate) error {
	n := len(aggregates)
	ids, about, raters := make([]int16, n), make([]uuid.UUID, n), make([]int, n)
	dimensions, contexts := make([]string, n), make([]string, n)
	score, lower, upper, weight := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range aggregates {
		a := &aggregates[i]
		ids[i], about[i], dimensions[i], contexts[i], raters[i] = a.Model, a.Target, a.Dimension, a.ContextKey, a.Raters
		score[i], lower[i], upper[i], weight[i] = a.Score, a.Lower, a.Upper, a.Weight
	}
	var p pipeline
	p.exec(dropRatings, models, targets)
	if n > 0 {
		p.exec(writeRatings, ids, about, dimensions, contexts, score, lower, upper, raters, weight)
	}
	if err := p.send(ctx, t.tx); err != nil {
		return fmt.Errorf("write ratings: %w", err)
	}
	return nil
}

// RatingView is an aggregate as readers see it.
type RatingView struct {
	Dimension, ContextKey string
	trustmodel.RatingSnapshot
	ComputedAt time.Time
}

// maxRatingViews bounds what one read shows of a target.
const maxRatingViews = 200

// Ratings reads the aggregates of a target under the active version, all contexts first in each dimension.
func (v *Snapshot) Ratings(ctx context.Context, target ID) ([]RatingView, error) {
	rows, err := v.tx.Query(ctx, `
		select s.dimension, s.context_key, s.score, s.lower_bound, s.upper_bound, s.raters, s.weight, s.computed_at
		from rating_snapshots s join trust_models m on m.id = s.model_id
		where s.target_id = $1 and m.state = 'active' order by s.dimension, s.context_key limit $2`, target.UUID, maxRatingViews)
	if err != nil {
		return nil, fmt.Errorf("read ratings: %w", err)
	}
	views, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (RatingView, error) {
		var r RatingView
		err := row.Scan(&r.Dimension, &r.ContextKey, &r.Score, &r.Lower, &r.Upper, &r.Raters, &r.Weight, &r.ComputedAt)
		return r, err
	})
	if err != nil {
		return nil, fmt.Errorf("read ratings: %w", err)
	}
	return views, nil
}
