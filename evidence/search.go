package evidence

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"interai/evidence/retrieval"
	"interai/jobs"
	"interai/store"
)

// How much one search looks at.
const (
	wideBudget  = 20_000 // where the first candidates were too few after filters
	keptHits    = 400    // the most relevant ones, whose trust is looked at
	walkTrusted = 300    // candidates in the order of trust, where nearly everything matches
	walkNewest  = 100
	maxFrozen   = 200 // results that can be paged through
	fewDocs     = 20_000
)

// SearchOptions are what operators may set.
type SearchOptions struct {
	// TrustWeight is how much of a score trust decides.
	TrustWeight float64
	// ExploreSlots is how many untried items a page may show; 0 turns them off.
	ExploreSlots int
	// Languages are those in which words of a question are stemmed.
	Languages []string
}

// Search finds content, claims and entities by relevance and trust.
func (s *Service) Search(ctx context.Context, call *Call, in *SearchInput) (*SearchOutput, error) {
	q, err := newSearchQuestion(in)
	if err != nil {
		return nil, err
	}
	if q.hasCursor {
		return s.nextPage(ctx, call, q)
	}
	known, err := s.corpora.load(ctx)
	if err != nil {
		return nil, readable(err)
	}
	var page *searchPage
	err = s.db.Read(ctx, func(v *store.Snapshot) error {
		f := &finder{v: v, viewer: call.Actor, q: q, corpus: known, options: s.search}
		page, err = f.first(ctx)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, notFound("alternatives_to.id")
	}
	if err != nil {
		return nil, readable(err)
	}
	if call.Withheld { // what must not be kept is not repeated either
		page.out.Note, page.out.DidYouMean = "", ""
	}
	if page.more {
		page.list.Actor, page.list.ID = call.Actor, newCursorID()
		if err := s.db.PutSearchCursor(ctx, &page.list); err != nil {
			return nil, readable(err)
		}
		page.out.NextCursor = searchCursor(page.list.ID, page.next)
	}
	// Where a filter was asked for, it may be what left nothing.
	if (len(page.out.Results) == 0 || page.beside) && q.text != "" && q.unfiltered() && !call.Withheld {
		s.countUnanswered(ctx, q.text)
	}
	return page.out, nil
}

// maxUnansweredRunes is how much of a question is kept for operators.
const maxUnansweredRunes = 200

// countUnanswered counts a question for operators. The answer does not depend on it.
func (s *Service) countUnanswered(ctx context.Context, text string) {
	key := []rune(retrieval.Normalise(text))
	if len(key) == 0 {
		return
	}
	if err := s.db.CountUnanswered(ctx, string(key[:min(len(key), maxUnansweredRunes)])); err != nil {
		s.logger.WarnContext(ctx, "an unanswered question was not counted", "error", err)
	}
}

// nextPage goes on in a frozen list: what has changed since shows in the results, and moves none of them.
func (s *Service) nextPage(ctx context.Context, call *Call, q *searchQuestion) (*SearchOutput, error) {
	list, err := s.db.SearchCursor(ctx, q.cursor, call.Actor, q.fingerprint)
	if errors.Is(err, store.ErrNotFound) {
		return nil, cursorExpired()
	}
	if err != nil {
		return nil, readable(err)
	}
	var page *searchPage
	err = s.db.Read(ctx, func(v *store.Snapshot) error {
		f := &finder{v: v, viewer: call.Actor, q: q}
		page, err = f.show(ctx, list, q.offset)
		return err
	})
	if err != nil {
		return nil, readable(err)
	}
	if page.more {
		page.out.NextCursor = searchCursor(q.cursor, page.next)
	} else if len(list.Docs) == maxFrozen {
		page.out.Note = fmt.Sprintf("These are the first %d results; narrower filters find more than further pages.", maxFrozen)
	}
	return page.out, nil
}

// searchPage is one page with the list that it was cut from.
type searchPage struct {
	out  *SearchOutput
	list store.SearchCursor
	// next is where the following page begins, if there is more.
	next int
	more bool
	// beside says that half of what was asked for stands nowhere: the results are about the rest.
	beside bool
}

// finder answers one question on one snapshot of the database.
type finder struct {
	v       *store.Snapshot
	viewer  store.ID
	q       *searchQuestion
	corpus  *corpus
	options SearchOptions

	query      retrieval.Query
	plan       retrieval.Plan
	didYouMean string
	matching   string // a tsquery of what was asked for
	few        bool   // whether all documents that pass the filters can be put in order
	to         *alternativeTo
}

// first finds, ranks and shows the first page.
func (f *finder) first(ctx context.Context) (*searchPage, error) {
	f.query = retrieval.AnalyzeQuery(f.q.text, f.options.Languages)
	if !f.q.alternatives.IsZero() {
		if err := f.findTarget(ctx); err != nil {
			return nil, err
		}
	}
	f.repair()
	hits, err := f.hits(ctx)
	if err != nil {
		return nil, err
	}
	order, err := f.rank(ctx, hits)
	if err != nil {
		return nil, err
	}
	list := store.SearchCursor{Fingerprint: f.q.fingerprint}
	for _, place := range order[:min(len(order), maxFrozen)] {
		doc := hits[place.Index].Doc
		list.Docs = append(list.Docs, doc)
		if place.Explore {
			list.Explored = doc
		}
	}
	page, err := f.show(ctx, &list, 0)
	if err != nil {
		return nil, err
	}
	page.list, page.out.DidYouMean = list, f.didYouMean
	if len(page.out.Results) == 0 {
		page.out.Note = f.tried()
		return page, nil
	}
	return page, f.noteAbsent(ctx, page)
}

// maxRepaired is how many words of one question are repaired: who mistypes more has mistyped something else.
const maxRepaired = 3

// repair adds what unknown words may have been meant to be.
func (f *finder) repair() {
	if f.corpus.Docs == 0 {
		return
	}
	text := f.q.text
	for i, word := range f.query.Unknown(f.corpus) {
		if i == maxRepaired {
			break
		}
		if guess, ok := retrieval.Repair(word, f.corpus.guesses(word)); ok {
			f.query = f.query.With(word, guess)
			text = replaceWord(text, word, guess.Word)
		}
	}
	if text != f.q.text {
		f.didYouMean = text
	}
}

// replaceWord replaces a word whatever its case.
func replaceWord(text, word, by string) string {
	fields := strings.Fields(text)
	for i, field := range fields {
		if trimmed := strings.TrimFunc(field, isMark); strings.EqualFold(trimmed, word) {
			fields[i] = strings.Replace(field, trimmed, by, 1)
		}
	}
	return strings.Join(fields, " ")
}

func isMark(r rune) bool { return strings.ContainsRune(`.,;:!?"'()[]{}`, r) }

// hits are the candidates with their relevance.
func (f *finder) hits(ctx context.Context) ([]store.SearchHit, error) {
	share := f.corpus.selectivity(&f.q.searchFilter)
	f.plan = f.query.Plan(f.corpus, retrieval.DefaultBudget, share)
	f.matching = f.plan.Candidates
	if f.plan.Candidates == "" {
		if f.to != nil && len(f.to.Related) > 0 {
			return f.search(ctx, "", store.MostRelevant, keptHits)
		}
		if f.to != nil {
			return nil, nil
		}
		f.few = share*float64(f.corpus.Docs) <= fewDocs
		return f.walk(ctx, "")
	}
	if f.plan.Walk {
		hits, err := f.walk(ctx, f.plan.Candidates)
		if err != nil || f.plan.Rare == "" {
			return hits, err
		}
		rare, err := f.search(ctx, f.plan.Rare, store.MostRelevant, keptHits)
		return distinctHits(rare, hits), err
	}
	hits, err := f.search(ctx, f.plan.Candidates, store.MostRelevant, keptHits)
	if err != nil || len(hits) >= f.q.limit || share == 1 {
		return hits, err
	}
	// Filters may leave less than their counts say; then more of the commoner words are looked up.
	wide := f.query.Plan(f.corpus, wideBudget, share)
	if wide.Candidates == f.plan.Candidates {
		return hits, nil
	}
	return f.search(ctx, wide.Candidates, store.MostRelevant, keptHits)
}

// walk takes documents in the order of trust, and the newest ones, of which nothing is known yet.
func (f *finder) walk(ctx context.Context, candidates string) ([]store.SearchHit, error) {
	newest := walkNewest
	if f.q.sort == retrieval.SortRecent {
		newest = maxFrozen + 1
	}
	latest, err := f.search(ctx, candidates, store.Newest, newest)
	if err != nil || f.q.sort == retrieval.SortRecent {
		return latest, err
	}
	trusted, err := f.search(ctx, candidates, store.MostTrusted, walkTrusted)
	return distinctHits(trusted, latest), err
}

func distinctHits(lists ...[]store.SearchHit) []store.SearchHit {
	var out []store.SearchHit
	seen := map[int64]bool{}
	for _, list := range lists {
		for i := range list {
			if !seen[list[i].Doc] {
				seen[list[i].Doc] = true
				out = append(out, list[i])
			}
		}
	}
	return out
}

func (f *finder) search(ctx context.Context, candidates string, order store.SearchOrder, limit int) ([]store.SearchHit, error) {
	q := &store.SearchQuery{
		Viewer: f.viewer, Candidates: candidates, Scored: f.plan.Scored, Lengths: f.corpus.Lengths, Exact: jobs.TitleKey(f.q.text),
		Kinds: f.q.kinds, ContentTypes: f.q.contentTypes, EntityTypes: f.q.entityTypes, Space: f.q.space, Tags: f.q.tags,
		Statuses: f.q.statuses, Order: order, Limit: limit, Few: f.few,
	}
	if f.to != nil {
		q.Not, q.Only = f.q.alternatives, f.to.known()
		if f.q.alternatives.Kind == store.KindEntity {
			q.NotAbout = f.q.alternatives // what tells how to use something is no alternative to it
		}
	}
	return f.v.Search(ctx, q)
}

// rank puts hits in order.
func (f *finder) rank(ctx context.Context, hits []store.SearchHit) ([]retrieval.Ranked, error) {
	prior, now, err := f.v.Unproven(ctx)
	if err != nil {
		return nil, err
	}
	candidates := make([]retrieval.Candidate, len(hits))
	for i := range hits {
		candidates[i] = f.candidate(&hits[i], prior.Lower, prior.Upper)
	}
	if err := f.boost(ctx, hits, candidates); err != nil {
		return nil, err
	}
	ranking := retrieval.Ranking{
		Sort: f.q.sort, TrustWeight: f.options.TrustWeight, ExploreSlots: f.options.ExploreSlots, Limit: f.q.limit, FirstPage: true,
		MinStatusAboveUnverified: f.q.minStatus == "supported" || f.q.minStatus == "high_confidence",
		Fingerprint:              binary.BigEndian.Uint64(f.q.fingerprint[:8]), Day: now.Unix() / int64(24*time.Hour/time.Second),
		SumIDF: f.plan.SumIDF, HasQuery: f.plan.Candidates != "",
	}
	return ranking.Order(candidates), nil
}

func (f *finder) candidate(hit *store.SearchHit, lower, upper float64) retrieval.Candidate {
	c := retrieval.Candidate{
		Doc: hit.Doc, Kind: hit.Kind, ID: hit.Object, Status: "unverified", Rel: hit.Relevance, Lower: lower, Upper: upper,
		UpdatedAt: hit.UpdatedAt.UnixMicro(), Exact: hit.Exact,
	}
	if hit.Status != nil {
		c.Status, c.Lower, c.Upper, c.Parties = *hit.Status, *hit.Lower, *hit.Upper, *hit.Parties
	}
	if hit.Root != nil && hit.Kind != store.FoundEntity {
		c.Author = *hit.Root
	}
	if hit.Near != nil {
		c.Near = *hit.Near
	}
	if hit.Successor != nil {
		c.Successor = *hit.Successor
	}
	c.ContextAsked = len(f.q.facets)
	for _, facet := range f.q.facets {
		name, _, _ := strings.Cut(facet, "=")
		matched, stated := false, false
		for _, own := range hit.Facets {
			if own == facet {
				matched = true
			} else if strings.HasPrefix(own, name+"=") {
				stated = true
			}
		}
		if matched {
			c.ContextMatched++
		} else if stated {
			c.ContextDiffers++
		}
	}
	return c
}

// show makes the page of a list from a place on. What is hidden or gone by now is passed over, and what follows takes
// its place, so that a page is full while there is more.
func (f *finder) show(ctx context.Context, list *store.SearchCursor, from int) (*searchPage, error) {
	page := &searchPage{out: &SearchOutput{Results: []SearchResult{}, UntrustedContent: true}, next: min(from, len(list.Docs))}
	var shown []store.SearchCard
	for page.next < len(list.Docs) && len(shown) < f.q.limit {
		docs := list.Docs[page.next:min(len(list.Docs), page.next+f.q.limit-len(shown))]
		found, err := f.v.SearchCards(ctx, docs, f.viewer)
		if err != nil {
			return nil, err
		}
		byDoc := map[int64]store.SearchCard{}
		for _, card := range found {
			byDoc[card.Doc] = card
		}
		for _, doc := range docs {
			if card, ok := byDoc[doc]; ok {
				shown = append(shown, card)
			}
		}
		page.next += len(docs)
	}
	page.more = page.next < len(list.Docs)
	results, err := f.results(ctx, shown, list.Explored)
	page.out.Results = results
	return page, err
}

// results shows objects with their trust of this moment.
func (f *finder) results(ctx context.Context, cards []store.SearchCard, explored int64) ([]SearchResult, error) {
	targets := make([]store.ID, 0, 2*len(cards))
	var items []uuid.UUID
	for i := range cards {
		targets = append(targets, cards[i].Target)
		if cards[i].Kind == store.FoundContent {
			items = append(items, cards[i].Object.UUID)
		}
	}
	matched, err := f.v.MatchedClaims(ctx, items, f.matching, f.viewer)
	if err != nil {
		return nil, err
	}
	for _, claim := range matched {
		targets = append(targets, claim.ID)
	}
	trust, err := f.v.Trust(ctx, targets)
	if err != nil {
		return nil, err
	}
	out := make([]SearchResult, len(cards))
	for i := range cards {
		card := &cards[i]
		t := trust[card.Target.UUID]
		out[i] = SearchResult{
			ID: card.Object.String(), Kind: card.Kind, Type: card.Type, Title: card.Title, Summary: summaryOf(card),
			Status: t.Status, Author: card.Author.String(), UpdatedAt: card.UpdatedAt, ResourceURI: resourceURI(card.Object),
			Explore: explored != 0 && card.Doc == explored, Labels: labelsOf(card.Type, card.Labels),
			Trust: SearchTrust{
				Value: t.Value, LowerBound: t.Lower, Confirmations: t.Confirmations, Contradict: t.Contradictions,
				RealWorld: t.RealWorldConfirmations,
			},
		}
		if claim, ok := matched[card.Object.UUID]; ok && card.Kind == store.FoundContent {
			out[i].MatchedBy = &MatchedClaim{ID: claim.ID.String(), Text: claim.Text, Status: trust[claim.ID.UUID].Status}
		}
		if f.to != nil {
			out[i].Alternative = f.to.ref(card)
		}
	}
	return out, nil
}

// resourceURI is the resource of an object (specification v2, section 11).
func resourceURI(id store.ID) string {
	if id.Kind == store.KindContent {
		return contentURI + id.String()
	}
	return uriScheme + id.String()
}

// noteAbsent says which words of the question nothing has: the results are about the others only.
func (f *finder) noteAbsent(ctx context.Context, page *searchPage) error {
	if f.q.text == "" {
		return nil
	}
	var words, forms []string
	for _, term := range f.query.Terms {
		rare := !slices.ContainsFunc(term.Lexemes, func(lexeme string) bool { return f.corpus.DF(lexeme) > retrieval.UnseenDF })
		if term.Weight != 1 || !rare {
			continue
		}
		quoted := make([]string, len(term.Lexemes))
		for i, lexeme := range term.Lexemes {
			quoted[i] = retrieval.TSQuery(lexeme)
		}
		words, forms = append(words, term.Surface), append(forms, strings.Join(quoted, " | "))
	}
	absent, err := f.v.Absent(ctx, forms, f.viewer)
	if err != nil || len(absent) == 0 {
		return err
	}
	missing := make([]string, len(absent))
	for i, at := range absent {
		missing[i] = words[at]
	}
	page.beside = 2*len(missing) >= len(f.query.Terms)
	page.out.Note = fmt.Sprintf("Nothing has: %s. The results have the other words only.",
		strings.Join(missing[:min(len(missing), maxTried)], ", "))
	return nil
}

// tried says what was looked for in vain.
func (f *finder) tried() string {
	var b strings.Builder
	b.WriteString("Nothing was found")
	if len(f.query.Terms) > 0 {
		words := make([]string, len(f.query.Terms))
		for i, term := range f.query.Terms {
			words[i] = term.Surface
		}
		fmt.Fprintf(&b, " for any of: %s", strings.Join(words[:min(len(words), maxTried)], ", "))
	}
	fmt.Fprintf(&b, ". Looked among: %s", strings.Join(f.q.kinds, ", "))
	for _, filter := range []struct {
		name   string
		values []string
	}{{"content types", f.q.contentTypes}, {"entity types", f.q.entityTypes}, {"tags", f.q.tags}, {"statuses", f.q.statuses}} {
		if len(filter.values) > 0 {
			fmt.Fprintf(&b, "; %s %s", filter.name, strings.Join(filter.values, ", "))
		}
	}
	if !f.q.space.IsZero() {
		fmt.Fprintf(&b, "; space %s", f.q.space)
	}
	b.WriteString(". Try fewer filters or other words; the question was noted as unanswered. If you find out, publish it.")
	return b.String()
}

// maxTried is how many words an empty answer repeats.
const maxTried = 20
