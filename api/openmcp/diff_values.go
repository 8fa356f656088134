package openmcp

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What a schema of scalars allows is compared as a set of values, since keywords hide each other: a bound of a text or a
// pattern of a number changes nothing.

// scalar reports whether a schema is of one type without parts.
func scalar(s map[string]any) bool {
	return slices.Contains([]string{"string", "integer", "number", "boolean", "null"}, text(s["type"]))
}

// scalarKeywords are the keywords that decide about scalars.
func scalarKeywords() []string {
	return []string{"type", "enum", "const", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "multipleOf"}
}

// finite lists the values that a schema allows where they are few; ok is false where they are not listed.
func finite(s map[string]any) (values []any, ok bool) {
	var candidates []any
	low, high := span(s)
	switch {
	case s["const"] != nil:
		candidates = []any{s["const"]}
	case list(s["enum"]) != nil:
		candidates = list(s["enum"])
	case s["type"] == "boolean":
		candidates = []any{true, false}
	case s["type"] == "null":
		candidates = []any{nil}
	case numeric(s) && low != nil && high != nil && low.Cmp(high) > 0:
		return nil, true
	case numeric(s) && low != nil && high != nil && low.Cmp(high) == 0:
		candidates = []any{json.Number(low.FloatString(digits(low)))}
	default:
		return nil, false
	}
	compiled, err := compileScalar(s)
	if err != nil {
		return nil, false
	}
	for _, v := range candidates {
		if allows(compiled, v) {
			values = append(values, v)
		}
	}
	return values, true
}

// compileScalar compiles what of a schema decides about scalars: whatever else it holds may be large.
func compileScalar(s map[string]any) (*jsonschema.Schema, error) {
	own := map[string]any{}
	for _, keyword := range scalarKeywords() {
		if value, given := s[keyword]; given {
			own[keyword] = value
		}
	}
	return compile(own, jsonschema.Draft2020, true)
}

// digits is how many digits behind the point write a number exactly; numbers of JSON always have such a form.
func digits(n *big.Rat) int {
	places, _ := n.FloatPrec()
	return places
}

func numeric(s map[string]any) bool { return s["type"] == "integer" || s["type"] == "number" }

// span is the range of a number; of an integer, the least and the greatest integer in it. nil is infinite. Exclusive bounds
// of numbers that are not integers are told apart by tighter.
func span(s map[string]any) (low, high *big.Rat) {
	low, high = number(s["minimum"]), number(s["maximum"])
	exclusiveLow, exclusiveHigh := number(s["exclusiveMinimum"]), number(s["exclusiveMaximum"])
	if s["type"] != "integer" {
		return greater(low, exclusiveLow), less(high, exclusiveHigh)
	}
	one := big.NewRat(1, 1)
	if exclusiveLow != nil {
		low = greater(low, new(big.Rat).Add(floor(exclusiveLow), one))
	}
	if exclusiveHigh != nil {
		high = less(high, new(big.Rat).Neg(new(big.Rat).Add(floor(new(big.Rat).Neg(exclusiveHigh)), one)))
	}
	if low != nil {
		low = new(big.Rat).Neg(floor(new(big.Rat).Neg(low)))
	}
	if high != nil {
		high = floor(high)
	}
	return low, high
}

func floor(n *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(n.Num(), n.Denom())) // Div rounds down: the denominator is positive
}

func greater(a, b *big.Rat) *big.Rat {
	if a == nil || b != nil && b.Cmp(a) > 0 {
		return b
	}
	return a
}

func less(a, b *big.Rat) *big.Rat {
	if a == nil || b != nil && b.Cmp(a) < 0 {
		return b
	}
	return a
}

// empty reports whether a schema of scalars allows nothing.
func empty(s map[string]any) bool {
	if !scalar(s) {
		return false
	}
	values, few := finite(s)
	return few && len(values) == 0
}

// allows reports whether a schema allows a value; one that takes too long to tell does not.
func allows(s *jsonschema.Schema, value any) bool {
	return affordable(s, value) && s.Validate(value) == nil
}

// within reports whether everything that a allows is allowed by b, for schemas of scalars.
func within(a, b map[string]any) bool {
	if values, few := finite(a); few {
		compiled, err := compileScalar(b)
		return err == nil && !slices.ContainsFunc(values, func(v any) bool { return !allows(compiled, v) })
	}
	if _, few := finite(b); few {
		return false
	}
	switch {
	case a["type"] != b["type"] && (a["type"] != "integer" || b["type"] != "number"):
		return false
	case numeric(a):
		return rangeWithin(a, b)
	default:
		return textWithin(a, b)
	}
}

func rangeWithin(a, b map[string]any) bool {
	if step := number(b["multipleOf"]); step != nil && !same(a["multipleOf"], b["multipleOf"]) {
		return false
	}
	low, high := span(a)
	for _, bound := range []struct {
		given  *big.Rat
		limit  *big.Rat
		strict bool
		sign   int
	}{
		{low, number(b["minimum"]), false, 1},
		{high, number(b["maximum"]), false, -1},
		{low, number(b["exclusiveMinimum"]), true, 1},
		{high, number(b["exclusiveMaximum"]), true, -1},
	} {
		if bound.limit == nil {
			continue
		}
		if bound.given == nil {
			return false
		}
		order := bound.given.Cmp(bound.limit) * bound.sign
		if order < 0 || order == 0 && bound.strict && !excludes(a, bound.limit, bound.sign) {
			return false
		}
	}
	return true
}

// excludes reports whether a leaves the bound itself out too.
func excludes(a map[string]any, limit *big.Rat, sign int) bool {
	keyword := "exclusiveMinimum"
	if sign < 0 {
		keyword = "exclusiveMaximum"
	}
	own := number(a[keyword])
	return own != nil && own.Cmp(limit) == 0 && a["type"] != "integer"
}

// textWithin compares texts. Of two different patterns or formats none is known to contain the other.
func textWithin(a, b map[string]any) bool {
	for _, keyword := range []string{"pattern", "format"} {
		if b[keyword] != nil && !same(a[keyword], b[keyword]) {
			return false
		}
	}
	if pattern := text(b["pattern"]); pattern != "" {
		if _, err := regexp.Compile(pattern); err != nil && !same(a["pattern"], b["pattern"]) {
			return false
		}
	}
	return atLeast(a["minLength"], b["minLength"]) && atMost(a["maxLength"], b["maxLength"])
}

// atLeast reports whether a lower bound is as tight as another; atMost an upper one.
func atLeast(a, b any) bool {
	x, y := number(a), number(b)
	return y == nil || y.Sign() <= 0 || x != nil && x.Cmp(y) >= 0
}

func atMost(a, b any) bool {
	x, y := number(a), number(b)
	return y == nil || x != nil && x.Cmp(y) <= 0
}
