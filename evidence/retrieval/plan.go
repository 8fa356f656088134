package retrieval

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Plan is how a query is put to the index: which documents are scored, and how.
type Plan struct {
	// Candidates is a tsquery: a disjunction of conjunctions. It is empty for a query without words.
	Candidates string
	// Scored are the lexemes that count, the heaviest first.
	Scored []ScoredLexeme
	// Estimated is how many documents match Candidates, before any filter.
	Estimated float64
	// Walk says that Candidates match more than can be scored: the documents are walked in the order of their trust
	// until enough of them match. What also matches Rare must be scored whatever its trust.
	Walk bool
	// Rare is the part of Candidates that can be scored completely, empty unless Walk is set and there is one.
	Rare string
	// SumIDF is the sum of the weights, a bound of relevance before the curves of frequency and length.
	SumIDF float64
}

// DefaultBudget is how many documents a query scores. On the labelled sets the first ten are the same from 400 on; of
// the first hundred, 400 lose up to 2.4 points of recall, 1,000 up to .5 and 2,000 none, at costs in proportion.
const DefaultBudget = 1_200

// The figures of the planner (SEARCH, section 1: candidate planner, measured).
const (
	// correlation is how much more often two terms of one query meet than independent ones.
	correlation = 3
	// maxConjoined is how many of the remaining terms are combined.
	maxConjoined = 7
	// maxConjunction is how many terms stand in one conjunction.
	maxConjunction = 4
	// enoughCandidates is the number above which more candidates change nothing that a reader sees.
	enoughCandidates = 400
	// fewCandidates is the number below which a page may stay short although documents match a common term.
	fewCandidates = 20
	// maxBudget bounds the budget that a filter widens; up to as many documents are left by a filter that selects
	// more strongly, all terms are looked up.
	maxBudget = 20_000
	// minSelectivity keeps a wrong estimate from widening without bound.
	minSelectivity = 1e-6
)

// Plan chooses the candidates of a query: at most budget documents, counted after filters that leave the given share
// (0, 1] of all. Rarest terms come first, then conjunctions of the others. Every term is scored in any case.
func (q Query) Plan(s Statistics, budget int, selectivity float64) Plan {
	p := planner{documents: math.Max(1, float64(s.Documents()))}
	plan := Plan{}
	plan.Scored, plan.SumIDF = q.scored(s)
	for _, term := range q.Terms {
		p.terms = append(p.terms, p.element(term, s))
	}
	slices.SortFunc(p.terms, func(a, b element) int {
		return cmp.Or(cmp.Compare(a.documents, b.documents), strings.Compare(a.text, b.text))
	})
	p.terms = slices.CompactFunc(p.terms, func(a, b element) bool { return a.text == b.text })
	if len(p.terms) == 0 {
		return plan
	}
	p.budget = p.widened(float64(budget), selectivity)
	p.choose()
	plan.Candidates, plan.Estimated = p.text(), p.estimated
	if p.smallest.text != "" && p.estimated < min(fewCandidates, p.budget) {
		plan.Walk, plan.Rare = true, plan.Candidates
		p.chosen = append(p.chosen, p.smallest)
		plan.Candidates, plan.Estimated = p.text(), p.estimated+p.smallest.documents
	}
	plan.Estimated = math.Min(plan.Estimated, p.documents)
	return plan
}

// element is a part of a tsquery with the number of documents that match it.
type element struct {
	text      string
	documents float64
	of        uint64 // the terms of a conjunction, as bits
}

// planner holds one plan in the making.
type planner struct {
	documents, budget, estimated float64
	terms, chosen                []element
	smallest                     element // of what did not fit, the one with the fewest documents
}

// element is a term as a disjunction of its forms. Documents with one form mostly have the others: a document holds
// both the word and its stem.
func (p *planner) element(term Term, s Statistics) element {
	forms := make([]string, len(term.Lexemes))
	others := 0.
	for i, lexeme := range term.Lexemes {
		forms[i] = quote(lexeme)
		if i > 0 {
			others += s.DF(lexeme)
		}
	}
	e := element{text: strings.Join(forms, " | "), documents: math.Min(p.documents, math.Max(s.DF(term.Lexemes[0]), others))}
	if len(forms) > 1 {
		e.text = "(" + e.text + ")"
	}
	return e
}

// widened is the number of documents that may match before the filter.
func (p *planner) widened(budget, selectivity float64) float64 {
	selectivity = math.Min(1, math.Max(minSelectivity, selectivity))
	switch widened := budget / selectivity; {
	case selectivity == 1 || widened <= maxBudget:
		return widened
	case p.documents*selectivity <= maxBudget:
		return math.Inf(1)
	default:
		return math.Max(budget, maxBudget)
	}
}

// choose takes the rarest terms that fit, then conjunctions of the rarest of the others.
func (p *planner) choose() {
	n := 0
	for n < len(p.terms) && p.take(p.terms[n]) {
		n++
	}
	rest := p.terms[n:min(len(p.terms), n+maxConjoined)]
	for size := 2; size <= min(maxConjunction, len(rest)); size++ {
		for _, conjunction := range p.conjunctions(rest, size) {
			if !p.implied(conjunction) {
				p.take(conjunction)
			}
		}
		if p.estimated >= enoughCandidates {
			return
		}
	}
}

// take chooses an element if it fits.
func (p *planner) take(e element) bool {
	if p.estimated+e.documents > p.budget {
		if p.smallest.text == "" || e.documents <= p.smallest.documents { // of equals, the one with more terms
			p.smallest = e
		}
		return false
	}
	p.chosen = append(p.chosen, e)
	p.estimated += e.documents
	return true
}

// implied reports whether a chosen conjunction matches whatever this one matches.
func (p *planner) implied(c element) bool {
	return slices.ContainsFunc(p.chosen, func(chosen element) bool { return chosen.of != 0 && chosen.of&c.of == chosen.of })
}

// conjunctions are all combinations of so many terms, those with the fewest documents first.
func (p *planner) conjunctions(terms []element, size int) []element {
	var out []element
	for set := uint64(1); set < 1<<len(terms); set++ {
		var texts []string
		documents, share := math.Inf(1), 1.
		for i, term := range terms {
			if set&(1<<i) != 0 {
				texts = append(texts, term.text)
				documents = math.Min(documents, term.documents)
				share *= term.documents / p.documents
			}
		}
		if len(texts) == size {
			documents = math.Min(documents, p.documents*share*correlation)
			out = append(out, element{text: "(" + strings.Join(texts, " & ") + ")", documents: documents, of: set})
		}
	}
	slices.SortStableFunc(out, func(a, b element) int { return cmp.Compare(a.documents, b.documents) })
	return out
}

func (p *planner) text() string {
	texts := make([]string, len(p.chosen))
	for i, e := range p.chosen {
		texts[i] = e.text
	}
	return strings.Join(texts, " | ")
}
