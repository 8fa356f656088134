package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/trustmodel"
)

// Compared is one object that is compared: what its evidence is about, and what others' relations are about.
type Compared struct {
	// Target is a rev_ or an ent_; the zero ID for what does not exist or is not visible.
	Target ID
	// Content is the item of a revision, zero for an entity.
	Content ID
	Title   string
}

// The title is that of the revision which is meant.
const comparedTitle = `
	select t.ord::int, t.target, t.content, coalesce(v.title, t.name)
	from (select q.ord, ` + targetID + ` as target, c.id as content, e.name` + targetRows + `) as t
	left join revisions v on v.id = t.target`

// Compared resolves what is to be compared, in order.
func (v *Snapshot) Compared(ctx context.Context, ids []ID, viewer ID) ([]Compared, error) {
	kinds, viewers := make([]string, len(ids)), make([]uuid.UUID, len(ids))
	for i, id := range ids {
		kinds[i], viewers[i] = string(id.Kind), viewer.UUID
	}
	out := make([]Compared, len(ids))
	var p pipeline
	scan(&p, func(row pgx.CollectableRow) error {
		var ord int
		var target uuid.UUID
		var content *uuid.UUID
		var title string
		if err := row.Scan(&ord, &target, &content, &title); err != nil {
			return err
		}
		out[ord-1] = Compared{
			Target: ID{Kind: resolvedKind(ids[ord-1].Kind), UUID: target}, Content: idOf(KindContent, content), Title: title,
		}
		return nil
	}, comparedTitle, uuids(ids), kinds, viewers)
	if err := p.send(ctx, v.tx); err != nil {
		return nil, fmt.Errorf("find what is compared: %w", err)
	}
	return out, nil
}

// ComparisonQuery asks what is known about objects in one context.
type ComparisonQuery struct {
	Objects []Compared
	Viewer  ID
	// ContextKey is that of the context, Facets its pairs one by one.
	ContextKey string
	Facets     []string
	// Dimensions are those asked for; none means those with the most raters, at most MaxDimensions.
	Dimensions    []string
	MaxDimensions int
}

// Comparison answers a ComparisonQuery; each list names its object by its place in the query.
type Comparison struct {
	Ratings []ComparedRating
	// Dimensions are those of the answer, in the order of their raters, MoreDimensions how many others there are.
	Dimensions     []string
	MoreDimensions int
	Claims         []ComparedClaim
	Issues         []ComparedIssue
	Experiences    []ComparedExperience
}

// ComparedRating is what the ratings of an object say in one dimension, in the context or, with Exact false, in all.
type ComparedRating struct {
	Of        int
	Dimension string
	Exact     bool
	trustmodel.RatingSnapshot
}

// ComparedClaim is a claim that an item states, or that is about an entity, and that is in doubt.
type ComparedClaim struct {
	Of     int
	ID     ID
	Text   string
	Status string
}

// ComparedIssue is content that documents a problem of an object, or corrects it.
type ComparedIssue struct {
	Of     int
	Type   string
	ID     ID
	Title  string
	Status string
}

// ComparedExperience is an experience with an object.
type ComparedExperience struct {
	Of        int
	ID        ID
	Title     string
	Author    ID
	Result    string
	RealWorld bool
	// Facets is how many facets it shares with the context.
	Facets int
	Status string
	Lower  float64
}

const (
	// maxDoubts bounds claims in doubt and issues, maxExperiences experiences, of one object.
	maxDoubts      = 20
	maxExperiences = 5
	// maxMentions bounds how many claims about an entity, and visible experiences with an object, are looked at, the newest
	// ones; maxUsedRevisions of how many revisions of an item.
	maxMentions      = 500
	maxUsedRevisions = 10
)

const (
	compareRatings = `
		with known as (
			select s.target_id, s.dimension, s.context_key, s.score, s.lower_bound, s.upper_bound, s.raters, s.weight
			from rating_snapshots s join trust_models m on m.id = s.model_id and m.state = 'active'
			where s.target_id = any ($1) and (cardinality($3::text[]) = 0 or s.dimension = any ($3))
			  and (s.context_key = '' or s.context_key = $2 and s.weight >= coalesce((m.parameters #>> '{ratings,exact_weight}')::float8, $5))
		), ranked as (
			select dimension, row_number() over (order by sum(raters) desc, dimension) as place, count(*) over () as dimensions
			from known where context_key = '' group by dimension
		)
		select o.ord::int - 1, r.dimension, r.place::int, r.dimensions::int, k.context_key <> '' as exact, k.score, k.lower_bound,
		       k.upper_bound, k.raters, k.weight
		from ranked r
		join known k on k.dimension = r.dimension
		join unnest($1::uuid[]) with ordinality as o (id, ord) on o.id = k.target_id
		where r.place <= $4
		order by r.place, o.ord, exact`

	compareClaims = `
		select o.ord::int - 1, found.*
		from unnest($1::uuid[]) with ordinality as o (id, ord)
		cross join lateral (
			select k.id, k.text, k.status
			from (
				(select rc.claim_id from revision_claims rc where rc.revision_id = o.id)
				union all
				(select cs.claim_id from claim_subjects cs where cs.entity_id = o.id order by cs.claim_id desc limit $3)
			) as said (claim_id)
			cross join lateral (
				select k.id, k.text, p.status
				from trust_snapshots p join claims k on k.id = p.target_id
				where p.target_id = said.claim_id and p.model_id = ` + activeModel + `
				  and p.status in ('disputed', 'incorrect', 'outdated') and space_visible(k.space_id, $2)
				limit 1
			) as k
			order by k.id desc limit $4
		) as found
		order by o.ord, found.id desc`

	// Of each type the newest visible ones are found from the end.
	compareIssues = `
		select o.ord::int - 1, found.type, found.id, found.title, coalesce(found.status, 'unverified')
		from unnest($1::uuid[], $3::uuid[]) with ordinality as o (entity, content, ord)
		cross join unnest(array['known_issue_of', 'corrects']) with ordinality as k (type, place)
		cross join lateral (
			(select ` + issuesOf + `x.target_content_id = o.content` + endIssues + `)
			union all
			(select ` + issuesOf + `x.target_entity_id = o.entity` + endIssues + `)
		) as found
		order by o.ord, k.place, found.revision_id desc`
	issuesOf = `x.type, s.id, s.title, x.revision_id, p.status
			 from (select x.revision_id, x.type from revision_relations x where x.type = k.type and `
	endIssues = `
			       order by x.revision_id desc offset 0) as x
			 cross join lateral (` + currentItem + `) as s
			 left join trust_snapshots p on p.target_id = x.revision_id and p.model_id = ` + activeModel + `
			 order by x.revision_id desc limit $4`

	activeModel = `(select m.id from trust_models m where m.state = 'active')`

	// An experience is about an entity if it names it as a subject, and about whatever it says was used.
	compareExperiences = `
		select o.ord::int - 1, found.id, found.title, found.kind, found.author, found.result, found.real, found.facets::int,
		       coalesce(found.status, 'unverified'), found.lower
		from unnest($1::uuid[], $3::uuid[]) with ordinality as o (id, content, ord)
		cross join lateral (
			select s.id, s.title, a.kind, a.id as author, s.experience ->> 'result' as result,
			       coalesce((s.experience ->> 'real_world_use')::boolean, false) as real,
			       (select count(*) from unnest(string_to_array(s.experience ->> 'context_key', chr(31))) as f (pair)
			        where f.pair = any ($4::text[])) as facets,
			       p.status, coalesce(p.lower_bound, 0) as lower
			from (
				(select x.revision_id
				 from (select x.revision_id from revision_subjects x where x.entity_id = o.id order by x.revision_id desc offset 0) as x
				 cross join lateral (` + currentItem + `) as s
				 where s.experience is not null
				 order by x.revision_id desc limit $5)
				union
				select u.current_revision_id
				from (select o.id as target where o.content is null
				      union all
				      (select r.id from revisions r where r.content_id = o.content order by r.no desc limit $6)) as t
				cross join lateral (
					select c.current_revision_id
					from (select e.experience_id, e.seq from evidence e
					      where e.target_id = t.target and e.experience_id is not null order by e.seq desc offset 0) as e
					cross join lateral (
						select c.current_revision_id from contents c
						where c.id = e.experience_id and (c.visibility = 'published' or c.author_id = $2) and space_visible(c.space_id, $2)
						limit 1) as c
					order by e.seq desc limit $5) as u
			) as x (revision_id)
			cross join lateral (` + currentItem + `) as s
			join actors a on a.id = s.author_id
			left join trust_snapshots p on p.target_id = x.revision_id and p.model_id = ` + activeModel + `
			where s.experience is not null
			order by facets desc, lower desc, s.id desc limit $7
		) as found
		order by o.ord, found.facets desc, found.lower desc, found.id desc`
)

// Comparison reads what is known about objects, in one round trip whatever their number.
func (v *Snapshot) Comparison(ctx context.Context, q ComparisonQuery) (Comparison, error) {
	var out Comparison
	var p pipeline
	targets, contents, viewer := make([]uuid.UUID, len(q.Objects)), make([]*uuid.UUID, len(q.Objects)), q.Viewer.UUID
	for i, o := range q.Objects {
		targets[i], contents[i] = o.Target.UUID, nullable(o.Content) // relations are to items, not to their revisions
	}
	scan(&p, out.scanRating, compareRatings, targets, q.ContextKey, append([]string{}, q.Dimensions...), q.MaxDimensions,
		trustmodel.V1().Ratings.ExactWeight)
	queue(&p, &out.Claims, func(row pgx.CollectableRow) (ComparedClaim, error) {
		c := ComparedClaim{ID: ID{Kind: KindClaim}}
		err := row.Scan(&c.Of, &c.ID.UUID, &c.Text, &c.Status)
		return c, err
	}, compareClaims, targets, viewer, maxMentions, maxDoubts)
	queue(&p, &out.Issues, func(row pgx.CollectableRow) (ComparedIssue, error) {
		c := ComparedIssue{ID: ID{Kind: KindContent}}
		err := row.Scan(&c.Of, &c.Type, &c.ID.UUID, &c.Title, &c.Status)
		return c, err
	}, compareIssues, targets, viewer, contents, maxDoubts)
	queue(&p, &out.Experiences, func(row pgx.CollectableRow) (ComparedExperience, error) {
		c := ComparedExperience{ID: ID{Kind: KindContent}}
		err := row.Scan(&c.Of, &c.ID.UUID, &c.Title, &c.Author.Kind, &c.Author.UUID, &c.Result, &c.RealWorld, &c.Facets, &c.Status, &c.Lower)
		return c, err
	}, compareExperiences, targets, viewer, contents, append([]string{}, q.Facets...), maxMentions, maxUsedRevisions, maxExperiences)
	if err := p.send(ctx, v.tx); err != nil {
		return Comparison{}, fmt.Errorf("compare: %w", err)
	}
	return out, nil
}

// scanRating reads one aggregate. Rows come dimension by dimension.
func (c *Comparison) scanRating(row pgx.CollectableRow) error {
	var r ComparedRating
	var place, dimensions int
	err := row.Scan(&r.Of, &r.Dimension, &place, &dimensions, &r.Exact, &r.Score, &r.Lower, &r.Upper, &r.Raters, &r.Weight)
	c.Ratings = append(c.Ratings, r)
	if place > len(c.Dimensions) {
		c.Dimensions = append(c.Dimensions, r.Dimension)
	}
	c.MoreDimensions = dimensions - len(c.Dimensions)
	return err
}
