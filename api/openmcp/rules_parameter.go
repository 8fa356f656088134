package openmcp

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// jsonTypes are the types of JSON Schema.
func jsonTypes() []string {
	return []string{"string", "integer", "number", "boolean", "object", "array", "null"}
}

// parameter looks at one parameter; names are those of all parameters of its intent.
func (in *inspector) parameter(path []string, p map[string]any, names map[string]bool) {
	at := func(member ...string) []string { return append(slices.Clone(path), member...) }
	in.described(path, p, "the parameter is not described")
	kind := text(p["type"])
	if kind != "" && !slices.Contains(jsonTypes(), kind) {
		in.add("parameter-type", at("type"), "is no type of JSON Schema, so that values cannot be checked against it")
	}
	if value, given := p["default"]; given {
		if slices.Contains(jsonTypes(), kind) && !isOf(kind, value) {
			in.add("default-type", at("default"), "the default is not of the type "+kind)
		}
		if enum := list(p["enum"]); enum != nil && !slices.Contains(texts(p["enum"]), text(value)) {
			in.add("default-enum", at("default"), "the default is not one of the enum")
		}
		if p["required"] == true {
			in.add("required-default", at("default"), "the parameter is required, so that its default is never used")
		}
	}
	low, high := number(p["minimum"]), number(p["maximum"])
	if low != nil && high != nil && low.Cmp(high) > 0 {
		in.add("range-empty", at("minimum"), "the minimum is greater than the maximum")
	}
	if pattern, ok := p["pattern"].(string); ok {
		in.pattern(at("pattern"), pattern)
	}
	for i, name := range list(p["dependencies"]) {
		if n, ok := name.(string); ok && (!names[n] || n == text(p["name"])) {
			in.add("dependency-unknown", at("dependencies", strconv.Itoa(i)), "is no other parameter of the intent")
		}
	}
	in.schema(at("x_schema"), p["x_schema"])
}

func (in *inspector) pattern(path []string, pattern string) {
	switch dialectsOf(pattern) {
	case neither:
		in.add("pattern-invalid", path, "the pattern does not compile")
	case onlyECMA:
		in.add("pattern-not-portable", path, "the pattern has what RE2 does not know, such as look-around or back references; it is not checked here")
	case onlyRE2:
		in.add("pattern-not-portable", path, "the pattern has what ECMA-262 does not know, such as inline flags")
	case everywhere:
	}
}

// isOf reports whether a value is of a type of JSON Schema.
func isOf(kind string, value any) bool {
	switch v := value.(type) {
	case nil:
		return kind == "null"
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case json.Number:
		return kind == "number" || kind == "integer" && number(v).IsInt()
	case []any:
		return kind == "array"
	default:
		return kind == "object"
	}
}

// number reads a number exactly, nil when the value is none.
func number(value any) *big.Rat {
	n, ok := value.(json.Number)
	if !ok || !bounded(n) {
		return nil
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return r
}

// placeholder finds texts that wait for their content: a whole text in angle brackets, or marks of unfinished work.
var placeholder = regexp.MustCompile(`^\s*<[A-Za-z][A-Za-z0-9 _./-]*>\s*$|\b(?:TODO|TBD|FIXME|XXX|CHANGEME|CHANGE_ME)\b|(?i)\b(?:[a-z0-9-]+\.)*example\.(?:com|org|net)\b|\blorem ipsum\b|^\s*(?:string|text) \((?:uuid|enum)`)

// placeholders looks at every text of the document for one that waits for its content. Names and descriptions that are
// empty are another rule's affair.
func (in *inspector) placeholders(path []string, value any, depth int) {
	if depth > maxDepth {
		return
	}
	at := func(name string) []string { return append(slices.Clone(path), name) }
	switch v := value.(type) {
	case string:
		switch {
		case placeholder.MatchString(v):
			in.add("placeholder", path, "the text waits for its content")
		case strings.TrimSpace(v) == "" && meant(path):
			in.add("placeholder", path, "the text is empty")
		}
	case []any:
		for i, item := range v {
			in.placeholders(at(strconv.Itoa(i)), item, depth+1)
		}
	case map[string]any:
		for name, member := range v {
			if name != "pattern" && name != "default" && name != "examples" {
				in.placeholders(at(name), member, depth+1)
			}
		}
	}
}

// meant reports whether an empty text at a place is a gap: defaults and cursors may be empty, descriptions have a rule of
// their own.
func meant(path []string) bool {
	last := ""
	if len(path) > 0 {
		last = path[len(path)-1]
	}
	return !slices.Contains([]string{"description", "cursor", "base_path", "default", "const"}, last)
}
