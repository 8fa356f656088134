package ops

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// BuiltinRules are the pattern rules that every operation may use in a
// `validate` tag.
func BuiltinRules() []Rule {
	return []Rule{
		{Name: "snake_case", Pattern: `^[a-z][a-z0-9_]*$`, Message: "must be lower_snake_case"},
		{Name: "language_tag", Pattern: `^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`, Message: "must be a language tag such as en or pt-BR"},
		{Name: "web_url", Pattern: `^https?://[^\s\x00-\x20/?#]+[^\s\x00-\x20]*$`, Message: "must be an absolute http or https URL"},
	}
}

// crossField are the tags of validator/v10 that look at other fields: a schema
// without conditions cannot say them, so they run after the decoder only.
func crossField(tag string) bool {
	return strings.HasPrefix(tag, "required_") || strings.HasPrefix(tag, "excluded_")
}

var oneofValues = regexp.MustCompile(`'[^']*'|\S+`)

// constrain reads the `validate` and `default` tags of a field into its node,
// and reports whether the field is required.
func (p *planner) constrain(where string, n *node, f reflect.StructField) (required bool) {
	var optional, restricted bool
	target := n
	tags := f.Tag.Get("validate")
	for tag := range strings.SplitSeq(tags, ",") {
		name, param, _ := strings.Cut(tag, "=")
		switch {
		case tag == "" && tags == "":
		case name == "dive":
			if target.kind != kindSlice && target.kind != kindMap {
				p.failf(where, "dive needs a list or a map")
				return required
			}
			target = target.elem
		case name == "required" && target == n:
			required = true
			p.require(where, n)
		case name == "required":
			p.apply(where, target, "min", "1")
		case name == "omitempty":
			optional = optional || target == n
		case crossField(name):
		default:
			restricted = restricted || target == n && (n.ptr || !absenceIsFine(n, name, param))
			p.apply(where, target, name, param)
		}
	}
	hasDefault := p.defaultValue(where, n, f)
	if required && (hasDefault || optional) {
		p.failf(where, "a required field has no default and no omitempty")
	}
	if restricted && !required && !optional && !hasDefault && !p.output {
		p.failf(where, "an optional field needs omitempty or a default, else its absence breaks its own rule")
	}
	return required
}

// absenceIsFine reports whether the zero value that an absent field has satisfies
// the rule.
func absenceIsFine(n *node, name, param string) bool {
	switch name {
	case "max", "maxbytes", "unique":
		return n.kind == kindString || n.kind == kindSlice || n.kind == kindMap || n.kind == kindRaw || !strings.HasPrefix(param, "-")
	case "lte":
		return !strings.HasPrefix(param, "-")
	case "min", "gte":
		return param == "0" || (n.kind != kindString && n.kind != kindSlice && strings.HasPrefix(param, "-"))
	default:
		return false
	}
}

// require checks that validator/v10 means presence too, not a value unlike zero.
func (p *planner) require(where string, n *node) {
	switch n.kind {
	case kindString:
		if !n.ptr {
			p.apply(where, n, "min", "1")
		}
	case kindInt, kindUint, kindFloat, kindBool, kindStruct, kindText:
		if !n.ptr && !p.output {
			p.failf(where, "a required %s must be a pointer, else its zero value counts as missing", n.schema.Type)
		}
	case kindRaw, kindMap, kindSlice:
	}
}

// apply puts one rule into the node's schema.
func (p *planner) apply(where string, n *node, name, param string) {
	switch name {
	case "oneof":
		if n.kind != kindString {
			p.failf(where, "oneof needs a string: enums of other types are not portable")
		}
		for _, v := range oneofValues.FindAllString(param, -1) {
			n.schema.Enum = append(n.schema.Enum, strings.Trim(v, "'"))
		}
	case "min", "gte", "max", "lte", "len", "gt", "lt":
		p.bound(where, n, name, param)
	case "maxbytes":
		limit, err := strconv.Atoi(param)
		if err != nil || limit <= 0 || (n.kind != kindString && n.kind != kindRaw) {
			p.failf(where, "maxbytes=%s needs a positive number and a string or a free object", param)
		}
		n.schema.MaxBytes = limit
	case "unique":
		n.schema.UniqueItems = n.kind == kindSlice
	case "url", "uri", "http_url":
		n.schema.Format = "uri"
	case "uuid", "email":
		n.schema.Format = name
	default:
		p.pattern(where, n, name)
	}
}

// pattern applies a named rule.
func (p *planner) pattern(where string, n *node, name string) {
	rule, ok := p.rules[name]
	if !ok {
		p.failf(where, "validate tag %q is unknown here", name)
		return
	}
	if n.kind != kindString {
		p.failf(where, "rule %q needs a string", name)
		return
	}
	re, err := regexp.Compile(rule.Pattern)
	if err != nil || !strings.HasPrefix(rule.Pattern, "^") || !strings.HasSuffix(rule.Pattern, "$") {
		p.failf(where, "rule %q needs an anchored regular expression", name)
		return
	}
	n.pattern, n.rule, n.schema.Pattern = re, rule, rule.Pattern
}

// bound applies a size or value rule by the node's kind.
func (p *planner) bound(where string, n *node, name, param string) {
	value, err := strconv.ParseFloat(param, 64)
	if err != nil {
		p.failf(where, "%s=%s is not a number", name, param)
		return
	}
	switch n.kind {
	case kindInt, kindUint, kindFloat:
		s := n.schema
		switch name {
		case "min", "gte":
			s.Minimum = &value
		case "max", "lte":
			s.Maximum = &value
		case "gt":
			s.ExclusiveMinimum = &value
		case "lt":
			s.ExclusiveMaximum = &value
		default:
			p.failf(where, "%s does not apply to numbers", name)
		}
	case kindString:
		p.size(where, name, int(value), &n.schema.MinLength, &n.schema.MaxLength)
	case kindSlice:
		p.size(where, name, int(value), &n.schema.MinItems, &n.schema.MaxItems)
	default:
		p.failf(where, "%s does not apply to %s", name, n.typ)
	}
}

// size sets the bounds of a length.
func (p *planner) size(where, name string, n int, low, high **int) {
	switch name {
	case "min", "gte":
		*low = &n
	case "max", "lte":
		*high = &n
	case "len":
		*low, *high = &n, &n
	default:
		p.failf(where, "%s does not apply to lengths", name)
	}
}

// defaultValue reads the `default` tag: a JSON value, or a bare word for strings.
func (p *planner) defaultValue(where string, n *node, f reflect.StructField) bool {
	text, ok := f.Tag.Lookup("default")
	if !ok {
		return false
	}
	raw := json.RawMessage(text)
	if n.kind == kindString && !strings.HasPrefix(text, `"`) {
		raw = appendString(nil, text)
	}
	d := decoder{scanner: scanner{data: raw}}
	d.document(n, reflect.New(f.Type).Elem())
	if len(d.problems.list) > 0 {
		p.failf(where, "default %s: %s", text, d.problems.list[0].Message)
		return true
	}
	n.schema.Default = raw
	return true
}
