package openmcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ErrInvalidDocument says that the document is not valid, so that nothing can be held against it.
var ErrInvalidDocument = errors.New("the document is not valid OpenMCPSpec 0.4.1")

// Sensitive is a parameter that a call fills although the document flags it.
type Sensitive struct {
	Parameter     string `json:"parameter"`
	PII           bool   `json:"pii"`
	GDPRSensitive bool   `json:"gdpr_sensitive"`
}

// CallReport is what is to be said of a call before it is sent.
type CallReport struct {
	// Intent is the name that the call gives.
	Intent string `json:"intent"`
	// Valid says that the server's own checks of the arguments would pass, as far as the document knows them.
	Valid    bool      `json:"valid"`
	Findings []Finding `json:"findings"`
	// Sensitive lists the filled parameters that are flagged as personal data.
	Sensitive []Sensitive `json:"sensitive"`
}

// Checker holds calls against one document. It is not for concurrent use.
type Checker struct {
	embedded

	root map[string]any
	// compiled are the schemas that were needed, by their place in the document.
	compiled map[string]*jsonschema.Schema
}

// NewChecker reads a document, which must be valid.
func NewChecker(document []byte) (*Checker, error) {
	root, err := validRoot(document)
	if err != nil {
		return nil, err
	}
	return &Checker{embedded: embedded{document: root}, root: root, compiled: map[string]*jsonschema.Schema{}}, nil
}

// schema compiles a schema that stands at a place of the document, once.
func (k *Checker) schema(schema map[string]any, path []string) (*jsonschema.Schema, error) {
	at := pointer(path)
	if known, ok := k.compiled[at]; ok {
		return known, nil
	}
	made, err := k.compile(schema, path)
	if err == nil {
		k.compiled[at] = made
	}
	return made, err
}

// Check looks at a call: {"intent" or "name": …, "parameters" or "arguments": {…}, "envelope": {…}}. Pointers of findings
// are into the call. Its error says that the call cannot be read.
func (k *Checker) Check(call []byte) (CallReport, error) {
	value, duplicates, err := decode(call)
	if err != nil {
		return CallReport{}, fmt.Errorf("the call: %w", err)
	}
	c := &caller{Checker: k, call: object(value), raw: call}
	for _, at := range duplicates {
		c.found = append(c.found, Finding{Pointer: at, Severity: Error, Rule: "duplicate-key", Message: "the member stands twice; only the last one counts"})
	}
	if c.call == nil {
		c.add("call-form", nil, "a call is an object with intent and parameters")
	} else {
		c.check()
	}
	r := CallReport{Intent: c.name, Sensitive: c.sensitive}
	var sorted Report
	sorted.conclude(c.found)
	r.Valid, r.Findings = sorted.Valid, sorted.Findings
	if r.Sensitive == nil {
		r.Sensitive = []Sensitive{}
	}
	return r, nil
}

// validRoot decodes a document that its schema accepts.
func validRoot(document []byte) (map[string]any, error) {
	report, err := Validate(document, Options{SchemaOnly: true})
	if err != nil {
		return nil, fmt.Errorf("the document: %w", err)
	}
	if !report.Valid {
		return nil, fmt.Errorf("%w: %d errors, the first at %q: %s", ErrInvalidDocument, report.Errors, report.Findings[0].Pointer, report.Findings[0].Message)
	}
	value, _, err := decode(document)
	if err != nil {
		return nil, fmt.Errorf("the document: %w", err)
	}
	return object(value), nil
}

// caller checks one call.
type caller struct {
	*Checker

	call      map[string]any
	raw       []byte
	name      string
	found     []Finding
	sensitive []Sensitive
}

func (c *caller) add(rule string, path []string, message string) {
	c.found = append(c.found, Finding{Pointer: pointer(path), Severity: Error, Rule: rule, Message: message})
}

// either takes a member that goes by two names.
func (c *caller) either(a, b string) (string, any) {
	first, isFirst := c.call[a]
	second, isSecond := c.call[b]
	if isFirst && isSecond {
		c.add("call-form", []string{b}, "say "+a+" or "+b+", not both")
	}
	if isSecond && !isFirst {
		return b, second
	}
	return a, first
}

func (c *caller) check() {
	for name := range c.call {
		if !slices.Contains([]string{"intent", "name", "parameters", "arguments", "envelope"}, name) {
			c.add("call-form", []string{name}, "is no member of a call")
		}
	}
	c.envelope()
	key, value := c.either("intent", "name")
	c.name = text(value)
	at, arguments := c.either("parameters", "arguments")
	i := slices.IndexFunc(list(c.root["intents"]), func(v any) bool { return text(object(v)["name"]) == c.name })
	if c.name == "" || i < 0 {
		c.add("intent-unknown", []string{key}, "the document has no intent of this name")
		return
	}
	given := map[string]any{}
	if arguments != nil {
		if given = object(arguments); given == nil {
			c.add("call-form", []string{at}, "must be an object")
			return
		}
	}
	intent := object(list(c.root["intents"])[i])
	c.size(at, intent)
	c.parameters([]string{"intents", strconv.Itoa(i), "parameters"}, at, intent, given)
}

// size holds the JSON text of the arguments against the server's bound.
func (c *caller) size(at string, intent map[string]any) {
	most, bounded := whole(intent["x_max_input_bytes"])
	var members map[string]json.RawMessage
	if bounded && json.Unmarshal(c.raw, &members) == nil && int64(len(members[at])) > most {
		c.add("too-large", []string{at}, fmt.Sprintf("has more bytes of JSON than the server takes: at most %d", most))
	}
}

// parameters holds every given argument against its parameter, and every parameter against what is given.
func (c *caller) parameters(path []string, at string, intent, given map[string]any) {
	if intent["x_null_is_absent"] == true {
		given = object(withoutNulls(given))
	}
	known := map[string]bool{}
	for i, value := range list(intent["parameters"]) {
		p := object(value)
		name := text(p["name"])
		known[name] = true
		argument, isGiven := given[name]
		if !isGiven {
			c.absent(at, p, given)
			continue
		}
		c.value(append(slices.Clone(path), strconv.Itoa(i)), []string{at, name}, p, argument)
		c.related([]string{at, name}, p, given)
		if p["pii"] == true || p["gdpr_sensitive"] == true {
			c.sensitive = append(c.sensitive, Sensitive{name, p["pii"] == true, p["gdpr_sensitive"] == true})
		}
	}
	for name := range given {
		if !known[name] {
			c.add("parameter-unknown", []string{at, name}, "the intent has no parameter of this name")
		}
	}
}

// absent looks whether a parameter may be left out.
func (c *caller) absent(at string, p, given map[string]any) {
	name := text(p["name"])
	if p["required"] == true {
		c.add("parameter-missing", []string{at}, fmt.Sprintf("the parameter %q is required", name))
	}
	if others := texts(p["x_required_without"]); len(others) > 0 && !anyOf(others, given) {
		c.add("parameter-missing", []string{at}, fmt.Sprintf("the parameter %q is required without %v", name, others))
	}
}

// related looks at what a given parameter says of the others.
func (c *caller) related(path []string, p, given map[string]any) {
	for _, other := range texts(p["dependencies"]) {
		if _, ok := given[other]; !ok {
			c.add("parameter-missing", path[:1], fmt.Sprintf("the parameter %q must be given together with %q", other, path[1]))
		}
	}
	if isZero(given[path[1]]) {
		if others := texts(p["x_required_without"]); len(others) > 0 && !anyOf(others, given) {
			c.add("parameter-missing", path, fmt.Sprintf("must not be empty without %v", others))
		}
		return
	}
	if others := texts(p["x_excluded_with"]); anyOf(others, given) {
		c.add("parameter-excluded", path, fmt.Sprintf("must not be given together with %v", others))
	}
}

// anyOf reports whether one of the parameters has a value.
func anyOf(names []string, given map[string]any) bool {
	return slices.ContainsFunc(names, func(n string) bool { return !isZero(given[n]) })
}

// isZero reports whether a value is as good as none for rules between parameters.
func isZero(value any) bool { return value == nil || value == "" || value == false }

// value holds an argument against the flat rules of its parameter, and against its whole schema.
func (c *caller) value(path, at []string, p map[string]any, value any) {
	flat := map[string]any{}
	for _, keyword := range flatKeywords() {
		if rule, ok := p[keyword]; ok && (keyword != "type" || flatTypeCounts(p)) {
			flat[keyword] = rule
		}
	}
	c.against(flat, append(slices.Clone(path), "x_flat"), at, value)
	if full := object(p["x_schema"]); full != nil {
		c.against(full, append(slices.Clone(path), "x_schema"), at, value)
		c.bytes(at, full, value, 0)
	}
	c.bytes(at, p, value, 0)
}

// flatTypeCounts reports whether the one type of a parameter's flat form says what its values are: not if it is none of JSON
// Schema's, nor if the whole schema tells the types, of which the flat form may have room for one only.
func flatTypeCounts(p map[string]any) bool {
	for _, keyword := range []string{"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"} {
		if object(p["x_schema"])[keyword] != nil {
			return false
		}
	}
	return slices.Contains(jsonTypes(), text(p["type"]))
}

// against holds a value against a schema that stands at a path of the document. What is known already is not said twice.
func (c *caller) against(schema map[string]any, path, at []string, value any) {
	s, err := c.schema(schema, path)
	if err != nil {
		c.add("embedded-schema", at, bound("cannot be checked: "+err.Error()))
		return
	}
	for _, f := range violations(s, value) {
		f.Pointer = pointer(at) + f.Pointer
		if !slices.ContainsFunc(c.found, func(g Finding) bool {
			return g.Pointer == f.Pointer && g.Keyword == f.Keyword && g.Message == f.Message
		}) {
			c.found = append(c.found, f)
		}
	}
}

// bytes holds texts against their bounds in bytes, for which JSON Schema has no word: x_max_bytes, at any depth.
func (c *caller) bytes(at []string, schema map[string]any, value any, depth int) {
	if depth > maxDepth {
		return
	}
	if s, isText := value.(string); isText {
		if most, ok := whole(schema["x_max_bytes"]); ok && int64(len(s)) > most {
			c.add("too-large", at, fmt.Sprintf("has more than %d bytes of UTF-8", most))
		}
	}
	for name, inner := range object(schema["properties"]) {
		if member, ok := object(value)[name]; ok {
			c.bytes(append(slices.Clone(at), name), object(inner), member, depth+1)
		}
	}
	if inner := object(schema["items"]); inner != nil {
		for i, item := range list(value) {
			c.bytes(append(slices.Clone(at), strconv.Itoa(i)), inner, item, depth+1)
		}
	}
}

// whole reads a whole number.
func whole(value any) (int64, bool) {
	n := number(value)
	if n == nil || !n.IsInt() || !n.Num().IsInt64() {
		return 0, false
	}
	return n.Num().Int64(), true
}

// envelope holds the envelope against the types of the specification, and against what the document says is read.
func (c *caller) envelope() {
	value, ok := c.call["envelope"]
	if !ok {
		return
	}
	members := map[string]any{}
	for _, name := range []string{"id", "idempotency_key", "trace_id", "session_id", "cancellation_token"} {
		members[name] = map[string]any{"type": "string"}
	}
	members["deadline_ms"] = map[string]any{"type": "integer", "minimum": json.Number("1")}
	value = withoutNulls(value)
	c.against(map[string]any{"type": "object", "properties": members}, []string{"envelope", "x_flat"}, []string{"envelope"}, value)
	if own := object(object(object(c.root["envelope"])["x_schemas"])["request"]); own != nil {
		c.against(own, []string{"envelope", "x_schemas", "request"}, []string{"envelope"}, value)
	}
}

// withoutNulls leaves out members that are null, at every depth.
func withoutNulls(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			if member != nil {
				out[name] = withoutNulls(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = withoutNulls(item)
		}
		return out
	default:
		return value
	}
}
