package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"interai/evidence/retrieval"
	"interai/trustmodel"
)

// SearchQuery says which documents may be hits, and how their texts are scored.
type SearchQuery struct {
	Viewer ID
	// Candidates is a tsquery; "" lets every document be a candidate.
	Candidates string
	// Scored are lexemes with their weights: what a document's relevance is the sum of.
	Scored []retrieval.ScoredLexeme
	// Lengths are mean lengths of documents by kind.
	Lengths map[string]float64
	// Exact is a normalised title; documents of that title come first.
	Exact string

	Kinds, ContentTypes, EntityTypes []string
	Space                            ID
	Tags                             []string
	Language                         string // "" for any
	// Statuses are those that may be found; nil for all.
	Statuses []string
	// Only are the objects that may be found; nil for all. Not is left out.
	Only []uuid.UUID
	Not  ID
	// NotAbout leaves out content about an entity, but for Only.
	NotAbout ID
	// Order says which candidates come first if there are more than Limit. Few says that the filters leave so few that
	// all of them can be put in order; otherwise they are met on a walk in the order of an index.
	Order SearchOrder
	Few   bool
	Limit int
}

// SearchOrder is the order in which candidates are taken.
type SearchOrder int

// The most relevant, the most trusted, or the newest first.
const (
	MostRelevant SearchOrder = iota
	MostTrusted
	Newest
)

// SearchHit is a candidate with all that ranking needs.
type SearchHit struct {
	Doc            int64
	Kind           string
	Object, Target uuid.UUID
	Relevance      float64
	Exact          bool
	// Lower, Upper and Parties are nil for what has no computed trust.
	Lower, Upper *float64
	Parties      *int
	Status       *string
	UpdatedAt    time.Time
	Facets       []string
	Author       *uuid.UUID
	// Root is the root controller of the author.
	Root *uuid.UUID
	// Near is the item that states a claim.
	Near *uuid.UUID
	// Successor is what supersedes an item, in effect or not.
	Successor *uuid.UUID
}

// lengthPart is how much of a document's score depends on its length; the rest does not.
const lengthPart = .2

// The weights of D, C, B and A: body, claims, summary with tags and names, title. They are those with which the
// expression equals BM25 on the labelled sets.
const fieldWeights = `'{.1,.1,.1,.13}'::float4[]`

// searchStatement is a statement in the making: placeholders are numbered as arguments come, so that no text of a
// caller is ever part of it.
type searchStatement struct {
	args []any
	b    strings.Builder
}

func (s *searchStatement) arg(value any) string {
	s.args = append(s.args, value)
	return "$" + strconv.Itoa(len(s.args))
}

func (s *searchStatement) addf(format string, args ...any) { fmt.Fprintf(&s.b, format, args...) }

// Search answers candidates, scored by their texts. What the viewer may not see is no candidate.
func (v *Snapshot) Search(ctx context.Context, q *SearchQuery) ([]SearchHit, error) {
	var s searchStatement
	s.hits(q)
	rows, err := v.tx.Query(ctx, s.b.String(), s.args...)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	hits, err := pgx.CollectRows(rows, pgx.RowToStructByPos[SearchHit])
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return hits, nil
}

func (s *searchStatement) hits(q *SearchQuery) {
	trusted := len(q.Statuses) > 0 || q.Order == MostTrusted
	s.addf(`with hits as (
		select d.doc_id, d.kind, d.object_id, d.target_id, d.type, d.author_id, d.facets, d.updated_at, d.title_key, %s as rel
		from `, s.relevance(q))
	s.documents(q, trusted)
	exact := s.arg(q.Exact)
	switch q.Order {
	case MostRelevant:
		s.addf(` order by (%s <> '' and d.title_key = %s) desc, rel desc, d.doc_id desc`, exact, exact)
	case MostTrusted:
		s.addf(` order by s.lower_bound desc, s.target_id`)
	case Newest:
		s.addf(` order by d.updated_at desc, d.doc_id desc`)
	}
	s.addf(` limit %s)
	select h.doc_id, h.kind, h.object_id, h.target_id, h.rel, %s <> '' and h.title_key = %s as exact,
	       t.lower_bound, t.upper_bound, t.independent_confirmations + t.contradictions, t.status, h.updated_at, h.facets,
	       h.author_id, a.root_controller_id,
	       case when h.kind = 'claim' then (
	           select v.content_id from revision_claims rc join revisions v on v.id = rc.revision_id
	           join contents c on c.current_revision_id = v.id where rc.claim_id = h.object_id order by v.id limit 1) end,
	       case when t.status = 'superseded' then (
	           select v.content_id from revision_relations rr join revisions v on v.id = rr.revision_id
	           join contents c on c.current_revision_id = v.id
	           where rr.target_content_id = h.object_id and rr.type = 'supersedes' order by v.id desc limit 1) end
	from hits h
	left join trust_snapshots t on t.target_id = h.target_id and t.model_id = `+activeModel+`
	left join actors a on a.id = h.author_id`,
		s.arg(q.Limit), exact, exact)
}

const docColumns = `d.doc_id, d.kind, d.object_id, d.target_id, d.type, d.author_id, d.facets, d.updated_at, d.title_key, d.terms, d.length, d.labels`

// documents are those that may be hits, d, with what is stored of their trust, s. Joins of other sorts than by key are
// switched off, so each side is laid down here: with a choice, the planner compares every document with every trust.
func (s *searchStatement) documents(q *SearchQuery, trusted bool) {
	if q.Order == MostTrusted && !q.Few { // in the order of an index, until enough match; who has no trust comes with the newest
		s.addf(`trust_snapshots s cross join lateral (select %s from search_docs d`, docColumns)
		s.filters(q, true)
		s.addf(` and d.target_id = s.target_id limit 1) d where s.model_id = ` + activeModel)
		return
	}
	s.addf(`(select %s from search_docs d`, docColumns)
	s.filters(q, false)
	if q.Few { // keeps the planner from walking after all
		s.addf(` offset 0`)
	}
	s.addf(`) d`)
	if !trusted {
		return
	}
	join := "left join"
	if q.Order == MostTrusted {
		join = "join"
	}
	s.addf(` %s lateral (select s.status, s.lower_bound, s.target_id from trust_snapshots s
		where s.target_id = d.target_id and s.model_id = %s limit 1) s on true`, join, activeModel)
	if len(q.Statuses) > 0 {
		s.addf(` where coalesce(s.status, 'unverified') = any (%s)`, s.arg(q.Statuses))
	}
}

// relevance is the sum over all words of their weight and of how often the document has them: PostgreSQL's rank of one
// word is a saturating curve of that number, so that with inverse frequencies as weights the sum is BM25.
func (s *searchStatement) relevance(q *SearchQuery) string {
	if len(q.Scored) == 0 {
		return "1::float8"
	}
	var sum strings.Builder
	for i, scored := range q.Scored {
		if i > 0 {
			sum.WriteString(" + ")
		}
		fmt.Fprintf(&sum, "%s::float8 * ts_rank(%s, d.terms, %s::tsquery)", s.arg(scored.Weight), fieldWeights, s.arg(retrieval.TSQuery(scored.Lexeme)))
	}
	mean := "1"
	if len(q.Lengths) > 0 {
		var of strings.Builder
		for _, kind := range []string{FoundContent, FoundClaim, FoundEntity} {
			fmt.Fprintf(&of, " when '%s' then %s::float8", kind, s.arg(max(q.Lengths[kind], 1)))
		}
		mean = "case d.kind" + of.String() + " end"
	}
	return fmt.Sprintf("(%s) / (%g + %g * d.length / (%s)) * %s", sum.String(), 1-lengthPart, lengthPart, mean, labelled)
}

// What carries a risk is found, a little behind its equals (ANTIABUSE section 3.3).
const labelled = `case when d.labels = '{}' then 1 else 0.9 end`

// filters are the conditions on documents; that on their status only where their trust is there to be looked at.
func (s *searchStatement) filters(q *SearchQuery, trusted bool) {
	// The spaces that the viewer sees are looked up once for a search, not for each document. They are an array, since the
	// planner charges for a set anew wherever it would look documents up one by one, and then compares all with all instead.
	viewer := s.arg(q.Viewer.UUID)
	s.addf(` where not d.hidden and (d.space_id is null or d.space_id = any (array(
		select id from spaces where visibility = 'public' union all select space_id from space_members where actor_id = %s)))`, viewer)
	switch {
	case q.Candidates != "" && len(q.Only) > 0:
		s.addf(` and (d.terms @@ %s::tsquery or d.object_id = any (%s))`, s.arg(q.Candidates), s.arg(q.Only))
	case q.Candidates != "":
		s.addf(` and d.terms @@ %s::tsquery`, s.arg(q.Candidates))
	case len(q.Only) > 0:
		s.addf(` and d.object_id = any (%s)`, s.arg(q.Only))
	}
	if len(q.Kinds) > 0 {
		s.addf(` and d.kind = any (%s)`, s.arg(q.Kinds))
	}
	if len(q.ContentTypes) > 0 {
		s.addf(` and (d.kind <> 'content' or d.type = any (%s))`, s.arg(q.ContentTypes))
	}
	if len(q.EntityTypes) > 0 {
		s.addf(` and (d.kind <> 'entity' or d.type = any (%s))`, s.arg(q.EntityTypes))
	}
	if !q.Space.IsZero() {
		s.addf(` and d.space_id = %s`, s.arg(q.Space.UUID))
	}
	if q.Language != "" {
		s.addf(` and d.language = %s`, s.arg(q.Language))
	}
	if len(q.Tags) > 0 {
		s.addf(` and d.tags @> %s`, s.arg(q.Tags))
	}
	if len(q.Statuses) > 0 && trusted {
		s.addf(` and coalesce(s.status, 'unverified') = any (%s)`, s.arg(q.Statuses))
	}
	if !q.NotAbout.IsZero() {
		s.addf(` and (d.object_id = any (%s) or not exists (
			select from revision_subjects rs where rs.revision_id = d.target_id and rs.entity_id = %s))`, s.arg(notNil(q.Only)), s.arg(q.NotAbout.UUID))
	}
	if !q.Not.IsZero() {
		s.addf(` and d.object_id <> %s`, s.arg(q.Not.UUID))
	}
}

// SearchCard is what a result shows of an object.
type SearchCard struct {
	Doc       int64
	Kind      string
	Object    ID
	Target    ID
	Type      string
	Title     string
	Summary   string
	Author    ID
	Space     ID
	UpdatedAt time.Time
	// Excerpt is the beginning of the body of an item without a summary.
	Excerpt string
	// Labels are the risks that were seen in it.
	Labels []string
}

// Cards are read by document, for those that still exist and that the viewer sees.
const searchCards = `
	select d.doc_id, d.kind, d.object_id, d.target_id, d.type, coalesce(v.title, k.text, e.name, ''), coalesce(v.summary, ''),
	       a.kind, a.id, d.space_id, d.updated_at,
	       case when v.summary = '' then left(v.body_markdown, $3) else '' end, d.labels
	from search_docs d
	left join contents c on d.kind = 'content' and c.id = d.object_id
	left join revisions v on v.id = c.current_revision_id
	left join claims k on d.kind = 'claim' and k.id = d.object_id
	left join entities e on d.kind = 'entity' and e.id = d.object_id
	left join actors a on a.id = d.author_id
	where d.doc_id = any ($1) and space_visible(d.space_id, $2) and (c.id is null or c.visibility = 'published')`

// excerptChars is how much of a body is read to show an item that has no summary.
const excerptChars = 2000

// SearchCards reads what results show, in no order; documents that are gone or hidden are absent.
func (v *Snapshot) SearchCards(ctx context.Context, docs []int64, viewer ID) ([]SearchCard, error) {
	rows, err := v.tx.Query(ctx, searchCards, docs, viewer.UUID, excerptChars)
	if err != nil {
		return nil, fmt.Errorf("read what was found: %w", err)
	}
	cards, err := pgx.CollectRows(rows, scanSearchCard)
	if err != nil {
		return nil, fmt.Errorf("read what was found: %w", err)
	}
	return cards, nil
}

var foundKinds = map[string][2]Kind{
	FoundContent: {KindContent, KindRevision}, FoundClaim: {KindClaim, KindClaim}, FoundEntity: {KindEntity, KindEntity},
}

func scanSearchCard(row pgx.CollectableRow) (SearchCard, error) {
	var out SearchCard
	var author, space *uuid.UUID
	var authorKind *Kind
	err := row.Scan(&out.Doc, &out.Kind, &out.Object.UUID, &out.Target.UUID, &out.Type, &out.Title, &out.Summary,
		&authorKind, &author, &space, &out.UpdatedAt, &out.Excerpt, &out.Labels)
	kinds := foundKinds[out.Kind]
	out.Object.Kind, out.Target.Kind = kinds[0], kinds[1]
	if author != nil && authorKind != nil {
		out.Author = ID{Kind: *authorKind, UUID: *author}
	}
	out.Space = idOf(KindSpace, space)
	return out, err
}

// MatchedClaim is a claim with its text.
type MatchedClaim struct {
	ID   ID
	Text string
}

// MatchedClaims answers, for items, the claim that fits a tsquery best.
func (v *Snapshot) MatchedClaims(ctx context.Context, items []uuid.UUID, candidates string, viewer ID) (map[uuid.UUID]MatchedClaim, error) {
	out := map[uuid.UUID]MatchedClaim{}
	if len(items) == 0 || candidates == "" {
		return out, nil
	}
	rows, err := v.tx.Query(ctx, `
		select i.id, m.object_id, m.text from unnest($1::uuid[]) as i (id) cross join lateral (
			select d.object_id, k.text from contents c join revision_claims rc on rc.revision_id = c.current_revision_id
			join claims k on k.id = rc.claim_id join search_docs d on d.object_id = k.id
			where c.id = i.id and d.terms @@ $2::tsquery and space_visible(d.space_id, $3)
			order by ts_rank(d.terms, $2::tsquery) desc, rc.position limit 1) m`, items, candidates, viewer.UUID)
	if err != nil {
		return nil, fmt.Errorf("find the claims that match: %w", err)
	}
	var item uuid.UUID
	claim := MatchedClaim{ID: ID{Kind: KindClaim}}
	if _, err := pgx.ForEachRow(rows, []any{&item, &claim.ID.UUID, &claim.Text}, func() error { out[item] = claim; return nil }); err != nil {
		return nil, fmt.Errorf("find the claims that match: %w", err)
	}
	return out, nil
}

// Unproven is the trust of what nobody has tried under the active version, and the moment of this snapshot.
func (v *Snapshot) Unproven(ctx context.Context) (prior trustmodel.Snapshot, now time.Time, err error) {
	var hash string
	if err := v.tx.QueryRow(ctx, `select params_hash, clock_timestamp() from trust_models where state = 'active'`).Scan(&hash, &now); err != nil {
		return prior, now, fmt.Errorf("read the active trust model: %w", err)
	}
	prior, err = v.prior(ctx, hash)
	return prior, now, err
}

// Absent answers which of the words stand in no document that the viewer sees; each is a tsquery of its forms.
func (v *Snapshot) Absent(ctx context.Context, words []string, viewer ID) ([]int, error) {
	if len(words) == 0 {
		return nil, nil
	}
	rows, err := v.tx.Query(ctx, `
		select w.ord::int - 1 from unnest($1::text[]) with ordinality as w (word, ord)
		where not exists (
			select from search_docs d left join contents c on d.kind = 'content' and c.id = d.object_id
			where d.terms @@ w.word::tsquery and space_visible(d.space_id, $2) and (c.id is null or c.visibility = 'published'))
		order by w.ord`, words, viewer.UUID)
	if err != nil {
		return nil, fmt.Errorf("look for words that nothing has: %w", err)
	}
	absent, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return nil, fmt.Errorf("look for words that nothing has: %w", err)
	}
	return absent, nil
}
