package evidence

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds and signs of a context.
const (
	maxFacets          = 50
	maxFacetRunes      = 200
	noteFacet          = "note"
	maxNoteFacetRunes  = 2000
	facetPairSeparator = "\x1f"
	facetKeySeparator  = "\x1e"
)

// facets normalises a context: scalars only, names and texts on one line in NFC. The key has names and values in
// lower case, sorted, `note` left out, so that equal contexts aggregate together (specification v2, section 5). Two
// names that are one in the key are refused: which of their values counts would be chance. The separators cannot
// stand in a name or a value, which lose their control characters.
func (p *problems) facets(raw json.RawMessage) (normal json.RawMessage, key string) {
	const path = "/context"
	values, ok := p.object(path, raw)
	if !ok {
		return nil, ""
	}
	if len(values) > maxFacets {
		p.addf(path, "max_facets", "must have at most %d facets", maxFacets)
	}
	var pairs []string
	seen, out := map[string]bool{}, make(map[string]any, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		at := path + "/" + pointer(name)
		facet := line(name)
		folded := fold(facet)
		value, text, ok := facetValue(values[name], folded == noteFacet)
		limit := maxFacetRunes
		if folded == noteFacet {
			limit = maxNoteFacetRunes
		}
		switch {
		case !ok:
			p.addf(at, "scalar", "must be a string, a number or a boolean")
		case !visible(facet):
			p.addf(at, "required", "must have a name with at least one visible character")
		case seen[folded]:
			p.addf(at, "duplicate", "is given twice: case, blanks and forms of Unicode make no other facet")
		case utf8.RuneCountInString(facet) > maxFacetRunes || utf8.RuneCountInString(text) > limit:
			p.addf(at, "max_length", "is longer than %d characters", limit)
		case folded != noteFacet && value != nil:
			pairs = append(pairs, folded+facetKeySeparator+fold(text))
		}
		seen[folded], out[facet] = true, value
	}
	slices.Sort(pairs)
	return p.encode(path, out), strings.Join(pairs, facetPairSeparator)
}

// fold makes texts equal that differ in case only. Lower case may be another form of Unicode, so the form is made anew.
func fold(text string) string { return norm.NFC.String(strings.ToLower(text)) }

// facetValue is a facet's value as it is stored, and its text as it is compared; false if it is no scalar.
func facetValue(value any, note bool) (stored any, text string, scalar bool) {
	switch v := value.(type) {
	case nil:
		return nil, "", true
	case string:
		if text = line(v); note {
			text = prose(v)
		}
		return text, text, true
	case bool:
		return v, strconv.FormatBool(v), true
	case json.Number:
		plain, ok := decimal(v.String())
		return json.Number(plain), shortest(plain), ok
	default:
		return nil, "", false
	}
}
