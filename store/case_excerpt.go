package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// CaseCounts are how many cases a filter has, by their state.
type CaseCounts struct{ Open, Appealed, Decided, All int }

// CaseCounts counts the cases of a query in every state.
func (v *Snapshot) CaseCounts(ctx context.Context, q CaseQuery) (CaseCounts, error) {
	q.State, q.After = CasesAll, ID{}
	b := caseConditions(q)
	var n CaseCounts
	err := v.tx.QueryRow(ctx, `
		select count(*) filter (where c.open)::int, count(*) filter (where c.open and c.appealed_at is not null)::int,
		       count(*) filter (where not c.open)::int, count(*)::int
		from moderation_cases c`+b.where(), b.args...).Scan(&n.Open, &n.Appealed, &n.Decided, &n.All)
	if err != nil {
		return CaseCounts{}, fmt.Errorf("count cases: %w", classify(err))
	}
	return n, nil
}

// CaseExcerpt is what a list shows of a case beside its row.
type CaseExcerpt struct {
	// Text is a part of the masked text in which the first finding stands.
	Text string
	// Seen is how often the values of the case were met in all cases, SeenBy by how many parties: the largest of its values.
	Seen, SeenBy int
}

// The text is that at the path of the first finding, or the first one; the part begins shortly before the first mask in
// it. What a value was met by is counted over at most a thousand cases, as for one case.
const selectExcerpts = `
	select c.id, coalesce(substr(x.text, greatest(1, coalesce(nullif(strpos(x.text, '[' || f.kind || ':'), 0), 1) - 60), 240), ''),
	       coalesce(s.seen, c.times), coalesce(s.parties, 1)
	from moderation_cases c
	left join moderation_findings f on f.case_id = c.id and f.no = (select min(no) from moderation_findings m where m.case_id = c.id)
	left join lateral (
		select m ->> 'text' as text from jsonb_array_elements(c.masked) with ordinality as e (m, ord)
		order by (m ->> 'path' = f.path) desc nulls last, ord limit 1
	) x on true
	left join lateral (
		select max(seen) as seen, max(parties) as parties from (
			select sum(k.times)::int as seen, count(distinct k.root_id)::int as parties
			from (select distinct mark from moderation_findings g where g.case_id = c.id order by mark limit 20) g
			cross join lateral (select distinct case_id from moderation_findings o where o.mark = g.mark limit 1000) o
			join moderation_cases k on k.id = o.case_id
			group by g.mark
		) v
	) s on true
	where c.id = any ($1)`

// CaseExcerpts answers what a list shows of cases, by case.
func (v *Snapshot) CaseExcerpts(ctx context.Context, cases []ID) (map[ID]CaseExcerpt, error) {
	rows, err := v.tx.Query(ctx, selectExcerpts, uuids(cases))
	if err != nil {
		return nil, fmt.Errorf("read excerpts of cases: %w", classify(err))
	}
	out := make(map[ID]CaseExcerpt, len(cases))
	id, excerpt := ID{Kind: KindCase}, CaseExcerpt{}
	_, err = pgx.ForEachRow(rows, []any{&id.UUID, &excerpt.Text, &excerpt.Seen, &excerpt.SeenBy}, func() error {
		out[id] = excerpt
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read excerpts of cases: %w", classify(err))
	}
	return out, nil
}
