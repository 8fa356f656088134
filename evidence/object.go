package evidence

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Bounds of free JSON objects.
const (
	maxObjectBytes = 64 << 10
	maxObjectDepth = 32
)

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

// canonical is a free JSON object in one form: keys sorted, no blanks, text in NFC, numbers without exponents. The
// bound holds for this form as well, since it is what the database answers: six bytes of 1e308 become 309.
func (p *problems) canonical(path string, raw json.RawMessage) json.RawMessage {
	values, ok := p.object(path, raw)
	if !ok {
		return nil
	}
	found := len(p.list)
	normal := p.normal(path, values)
	if len(p.list) > found {
		return nil
	}
	encoded := p.encode(path, normal)
	if len(encoded) > maxObjectBytes {
		p.addf(path, "max_bytes", "must have at most %d bytes with its numbers written out", maxObjectBytes)
		return nil
	}
	return encoded
}

// normal is a decoded JSON value with all text in NFC and all numbers as plain decimals. The texts are normalised
// one by one: in the encoded object a combining mark may stand behind the letter of an escape such as \n.
func (p *problems) normal(path string, value any) any {
	switch v := value.(type) {
	case string:
		return prose(v)
	case json.Number:
		plain, ok := decimal(v.String())
		if !ok {
			p.addf(path, "range", "is a number out of range")
		}
		return json.Number(plain)
	case []any:
		for i, item := range v {
			v[i] = p.normal(path, item)
		}
		return v
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			same := prose(name)
			if _, twice := out[same]; twice {
				p.addf(path, "duplicate", "has a name twice, in two forms of Unicode")
			}
			out[same] = p.normal(path, v[name])
		}
		return out
	default:
		return v
	}
}

// encode writes a normal object; maps are written in the order of their names.
func (p *problems) encode(path string, normal any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(normal); err != nil {
		p.addf(path, "json", "cannot be stored")
		return nil
	}
	return json.RawMessage(bytes.TrimSpace(out.Bytes()))
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

// maxPointerBytes bounds one segment of a problem's path, since the name of a facet is the caller's text.
const maxPointerBytes = 64

// pointer is one segment of a JSON pointer (RFC 6901), on one line and bounded.
func pointer(segment string) string {
	segment = line(segment)
	if len(segment) > maxPointerBytes {
		segment = strings.ToValidUTF8(segment[:maxPointerBytes], "") + "…"
	}
	return strings.ReplaceAll(strings.ReplaceAll(segment, "~", "~0"), "/", "~1")
}
