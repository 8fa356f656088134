package retrieval

import (
	"bytes"
	"cmp"
	"math"
	"strings"
)

// The words for Candidate.Kind and Candidate.Status that change a rank.
const (
	kindContent = "content"
	kindClaim   = "claim"

	statusUnverified = "unverified"
	statusSuperseded = "superseded"
)

// Candidate is a document that matches, with all that its rank depends on.
type Candidate struct {
	// Doc is the row of the index, ID the public object, Kind what it is: content, claim, entity.
	Doc  int64
	Kind string
	ID   [16]byte
	// Status is the word of the trust model: unverified, supported, high_confidence, disputed, outdated, superseded,
	// incorrect.
	Status string
	// Rel is the relevance as SQL has computed it, not negative. Lower and Upper are the interval of trust, in [0, 1].
	Rel, Lower, Upper float64
	// Parties is how many independent parties have given evidence.
	Parties int
	// UpdatedAt is in microseconds since 1970.
	UpdatedAt int64
	// Facets of the context that were asked for, that the document has, and for which it states another value.
	ContextMatched, ContextAsked, ContextDiffers int
	// Author is the root controller, zero for entities.
	Author [16]byte
	// Near is the content item that a claim stands in, Successor the item that supersedes this one; zero if none.
	Near, Successor [16]byte
	// Exact says that the title or name is the query.
	Exact bool
	// Boost is a factor of the caller's, 0 for none.
	Boost float64
	// Limited says that the author is rate-limited or quarantined.
	Limited bool
}

// The figures of the formula (SEARCH, section 3).
const (
	maxTrustWeight      = .7
	exactShare          = .5  // of the sum of idf: a title that is the query
	disputedFactor      = .8  // the value is contested
	outdatedFactor      = .6  // it was right once
	supersededFactor    = .5  // there is something newer
	displacedFactor     = .3  // and that is among the candidates
	incorrectFactor     = .25 // still to be found by who looks for it
	contextBonus        = .15 // all facets match
	contextOtherFactor  = .7  // a facet is stated, and differs
	nearDuplicateFactor = .6  // a claim below the item that it stands in
)

// ranked is a candidate with its score while the order is made.
type ranked struct {
	*Candidate
	index      int
	rel, score float64
}

// relevance is the relevance with the bonus of an exact title, 1 where nothing was asked.
func (r Ranking) relevance(c *Candidate) float64 {
	if !r.HasQuery {
		return 1
	}
	rel := amount(c.Rel)
	if c.Exact {
		rel += exactShare * amount(r.SumIDF)
	}
	return rel
}

// score is relevance times what trust, status and context make of it. Trust changes it by at most
// 1/(1-maxTrustWeight), and by a factor of two at the default weight.
func (r Ranking) score(c *Candidate, rel float64, displaced bool) float64 {
	w := math.Min(maxTrustWeight, amount(r.TrustWeight))
	score := rel * (1 - w + w*share(c.Lower)) * statusFactor(c.Status, displaced) * contextFactor(c)
	if c.Boost > 0 {
		score *= amount(c.Boost)
	}
	return amount(score)
}

func statusFactor(status string, displaced bool) float64 {
	switch status {
	case "disputed":
		return disputedFactor
	case "outdated":
		return outdatedFactor
	case statusSuperseded:
		if displaced {
			return displacedFactor
		}
		return supersededFactor
	case "incorrect":
		return incorrectFactor
	default:
		return 1
	}
}

func contextFactor(c *Candidate) float64 {
	factor := math.Pow(contextOtherFactor, float64(max(0, c.ContextDiffers)))
	if c.ContextAsked > 0 {
		factor *= 1 + contextBonus*share(float64(c.ContextMatched)/float64(c.ContextAsked))
	}
	return factor
}

// identity orders what is equal in everything else: the later ID first. An ID is unique, the rest is for callers who
// break that.
func identity(a, b *Candidate) int {
	return cmp.Or(bytes.Compare(b.ID[:], a.ID[:]), cmp.Compare(b.Doc, a.Doc), strings.Compare(a.Kind, b.Kind))
}

// amount is a number that is not negative and finite, 0 for anything else.
func amount(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		return 0
	}
	return x
}

// share is an amount of at most 1.
func share(x float64) float64 { return math.Min(1, amount(x)) }
