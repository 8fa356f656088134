// Package personal finds personal data in a text: what can harm somebody for good (payment cards, accounts, national
// identity numbers, travel documents, a dump of contacts, where somebody lives), how somebody is reached (mail, phone),
// and what a person had better look at. It is a scanner that stops at digits, at signs, double angle brackets and a few
// hundred words, and verifies by check digits, lists and the words around. It keeps nothing of what it reads.
//
// Start reading at [Engine.Scan].
package personal

import (
	"regexp"
	"slices"
	"strings"

	"interai/antiabuse/finding"
)

// Version names the set of rules: it changes with what they find.
const Version = "personal-1"

// Options are what is known of the caller.
type Options struct {
	// Own are addresses and domains that are verified to be the caller's own: these may stand.
	Own []string
}

// Engine finds personal data. It is immutable and may be used from many goroutines.
type Engine struct {
	words     *wordTable
	birthDate *regexp.Regexp
}

// New builds an engine.
func New() (*Engine, error) {
	words, err := newWordTable()
	if err != nil {
		return nil, err
	}
	return &Engine{words: words, birthDate: regexp.MustCompile(birthDatePattern)}, nil
}

// Scan finds personal data in a text, in the order of its places. It works on the budget of a call; when that is
// exceeded, what was found is not all there is.
func (e *Engine) Scan(b *finding.Budget, text string, o Options) []finding.Finding {
	own := make([]string, 0, len(o.Own))
	for _, address := range o.Own {
		own = append(own, strings.ToLower(address))
	}
	s := newScan(e, b, text, own)
	s.run()
	hits := s.hits
	if view, places, ok := decodeEscapes(b, text); ok {
		inner := newScan(e, b, view, own)
		inner.run()
		for _, h := range inner.hits {
			h.Start, h.End = places[h.Start], places[h.End]
			hits = append(hits, h)
		}
	}
	return report(b, settle(hits))
}

// report pays for the findings, until there are enough.
func report(b *finding.Budget, found []finding.Finding) []finding.Finding {
	for i, f := range found {
		if f.Action.Blocks() && !b.Found() {
			return slices.Clip(found[:i+1])
		}
	}
	return found
}
