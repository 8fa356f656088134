package evidence

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Bounds of free JSON objects.
const (
	maxFacets          = 50
	maxObjectBytes     = 64 << 10
	maxObjectDepth     = 32
	maxFacetRunes      = 200
	noteFacet          = "note"
	maxNoteFacetRunes  = 2000
	facetPairSeparator = "\x1f"
	facetKeySeparator  = "\x1e"
)

// facets normalises a context: scalars only, text in NFC. The key has keys and values in lower case, keys sorted,
// `note` left out, so that equal contexts aggregate together (specification v2, section 5).
func (p *problems) facets(path string, raw json.RawMessage) (normal json.RawMessage, key string) {
	values, ok := p.object(path, raw)
	if !ok {
		return nil, ""
	}
	if len(values) > maxFacets {
		p.addf(path, "max_facets", "must have at most %d facets", maxFacets)
	}
	var pairs []string
	out := make(map[string]any, len(values))
	for name, value := range values {
		at := path + "/" + pointer(name)
		limit := maxFacetRunes
		if name == noteFacet {
			limit = maxNoteFacetRunes
		}
		text, scalar := facetText(value)
		switch {
		case !scalar:
			p.addf(at, "scalar", "must be a string, a number or a boolean")
			continue
		case len([]rune(name)) > maxFacetRunes || len([]rune(text)) > limit:
			p.addf(at, "max_length", "is longer than %d characters", limit)
			continue
		}
		out[norm.NFC.String(name)] = value
		folded := strings.ToLower(norm.NFC.String(strings.TrimSpace(name)))
		if folded != noteFacet && value != nil {
			pairs = append(pairs, folded+facetKeySeparator+strings.ToLower(norm.NFC.String(strings.TrimSpace(text))))
		}
	}
	slices.Sort(pairs)
	normal, err := json.Marshal(out)
	if err != nil {
		p.addf(path, "json", "cannot be stored")
	}
	return normal, strings.Join(pairs, facetPairSeparator)
}

func facetText(value any) (string, bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		return canonicalNumber(v), true
	default:
		return "", false
	}
}

// canonicalNumber makes 1, 1.0 and 1e0 one facet value.
func canonicalNumber(n json.Number) string {
	if f, err := n.Float64(); err == nil && f == float64(int64(f)) && f < 1e15 && f > -1e15 {
		return strconv.FormatInt(int64(f), 10)
	}
	return n.String()
}

// object checks a free JSON object for size and nesting, and decodes it with numbers kept as they were written.
// Absent means empty.
func (p *problems) object(path string, raw json.RawMessage) (map[string]any, bool) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, true
	}
	if len(raw) > maxObjectBytes {
		p.addf(path, "max_bytes", "must have at most %d bytes", maxObjectBytes)
		return nil, false
	}
	if depthOf(raw) > maxObjectDepth {
		p.addf(path, "max_depth", "must not be nested deeper than %d", maxObjectDepth)
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var values map[string]any
	if err := decoder.Decode(&values); err != nil || values == nil {
		p.addf(path, "object", "must be a JSON object")
		return nil, false
	}
	return values, true
}

// canonical is a free JSON object in one form: keys sorted, no blanks, text in NFC.
func (p *problems) canonical(path string, raw json.RawMessage) json.RawMessage {
	values, ok := p.object(path, raw)
	if !ok {
		return nil
	}
	if len(values) == 0 {
		return json.RawMessage("{}")
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(values); err != nil {
		p.addf(path, "json", "cannot be stored")
		return nil
	}
	return json.RawMessage(norm.NFC.Bytes(bytes.TrimSpace(out.Bytes())))
}

// depthOf is how deep objects and lists are nested in a JSON text. What is not JSON is found when it is decoded.
func depthOf(raw json.RawMessage) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return deepest
}

// pointer escapes one segment of a JSON pointer (RFC 6901).
func pointer(segment string) string {
	return strings.ReplaceAll(strings.ReplaceAll(segment, "~", "~0"), "/", "~1")
}
