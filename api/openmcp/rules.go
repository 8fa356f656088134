package openmcp

import (
	"slices"
	"strconv"
	"strings"
)

// Rule is something that no schema can say.
type Rule struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	// Text says what a document must be like.
	Text string `json:"text"`
}

// Rules lists all rules.
func Rules() []Rule {
	return []Rule{
		{"duplicate-key", Error, "no object has two members of one name"},
		{"version-unknown", Error, "the version is 0.4.1, or its schema is given"},
		{"version-of-file", Warning, "the version in the file's name is that of the document"},
		{"intent-duplicate", Error, "no two intents have one name"},
		{"parameter-duplicate", Error, "no two parameters of an intent have one name"},
		{"parameter-type", Warning, "the type of a parameter is one of JSON Schema"},
		{"default-type", Error, "a default is of the parameter's type"},
		{"default-enum", Error, "a default is one of the parameter's enum"},
		{"required-default", Warning, "a required parameter has no default, which would never be used"},
		{"range-empty", Error, "a minimum is not greater than the maximum"},
		{"pattern-invalid", Error, "a pattern compiles"},
		{"pattern-not-portable", Warning, "a pattern means the same to ECMA-262 and RE2"},
		{"dependency-unknown", Error, "dependencies name other parameters of the intent"},
		{"embedded-schema", Error, "a schema in the document compiles, without anything from outside"},
		{"error-code-unknown", Error, "error codes are of the taxonomy"},
		{"placeholder", Warning, "no text waits for its content, such as <server-port>, TODO or example.com"},
		{"description-missing", Warning, "the server, every intent and every parameter is described"},
		{"definition-unused", Warning, "every definition is referred to"},
	}
}

// errorCodes are the taxonomy of version 0.4.1.
func errorCodes() []string {
	return []string{
		codeInvalid, codeAuth, codeQuota, "MCP-ERR-CANCELLED", "MCP-ERR-TIMEOUT", codeNotFound, codeUnsupported,
		"SQL-ERR-SYNTAX", "SQL-ERR-READONLY", "SQL-ERR-LOCKED", "SQL-ERR-CONSTRAINT",
	}
}

// inspector collects what the rules find in one document.
type inspector struct {
	embedded *embedded
	found    []Finding
}

// look runs all rules over a document.
func look(document any, name string) []Finding {
	in := &inspector{embedded: &embedded{document: document}}
	root := object(document)
	in.version(root, name)
	if strings.TrimSpace(text(object(root["info"])["description"])) == "" {
		in.add("description-missing", []string{"info"}, "the server is not described")
	}
	names := map[string]bool{}
	for i, value := range list(root["intents"]) {
		path, intent := []string{"intents", strconv.Itoa(i)}, object(value)
		if n := text(intent["name"]); n != "" {
			if names[n] {
				in.add("intent-duplicate", append(path, "name"), "another intent has this name")
			}
			names[n] = true
		}
		in.intent(path, intent)
	}
	in.failure([]string{"envelope", "response", "error"}, object(object(object(root["envelope"])["response"])["error"]))
	in.definitions(root)
	in.placeholders(nil, document, 0)
	return in.found
}

// add notes a finding with the severity of its rule.
func (in *inspector) add(rule string, path []string, message string) {
	f := Finding{Pointer: pointer(path), Severity: Error, Rule: rule, Message: message}
	if i := slices.IndexFunc(Rules(), func(r Rule) bool { return r.ID == rule }); i >= 0 {
		f.Severity = Rules()[i].Severity
	}
	in.found = append(in.found, f)
}

// version compares the document's version with that in its file's name.
func (in *inspector) version(root map[string]any, name string) {
	inName := fileVersion.FindStringSubmatch(name)
	own := strings.TrimPrefix(text(root["openmcpspec"]), "v")
	if inName == nil || own == "" || own == inName[1] || strings.HasPrefix(own, inName[1]+".") {
		return
	}
	in.add("version-of-file", []string{"openmcpspec"}, "the file's name says another version")
}

// intent looks at one intent.
func (in *inspector) intent(path []string, intent map[string]any) {
	in.described(path, intent, "the intent is not described")
	names := map[string]bool{}
	for _, p := range list(intent["parameters"]) {
		names[text(object(p)["name"])] = true
	}
	seen := map[string]bool{}
	for i, value := range list(intent["parameters"]) {
		at, parameter := append(slices.Clone(path), "parameters", strconv.Itoa(i)), object(value)
		if n := text(parameter["name"]); n != "" {
			if seen[n] {
				in.add("parameter-duplicate", append(at, "name"), "another parameter of the intent has this name")
			}
			seen[n] = true
		}
		in.parameter(at, parameter, names)
	}
	responses := object(intent["responses"])
	at := append(slices.Clone(path), "responses")
	in.schema(append(slices.Clone(at), "success", "schema"), object(responses["success"])["schema"])
	in.failure(append(slices.Clone(at), "error"), object(responses["error"]))
}

func (in *inspector) described(path []string, what map[string]any, message string) {
	if what != nil && strings.TrimSpace(text(what["description"])) == "" {
		in.add("description-missing", path, message)
	}
}

// failure looks at an error envelope; one that is a mere reference is the schema's affair.
func (in *inspector) failure(path []string, failure map[string]any) {
	if failure == nil {
		return
	}
	if code := text(failure["code"]); code != "" && !slices.Contains(errorCodes(), code) {
		in.add("error-code-unknown", append(slices.Clone(path), "code"), "the code is not of the taxonomy")
	}
	in.schema(append(slices.Clone(path), "payload_schema"), failure["payload_schema"])
}

// schema looks whether a schema in the document compiles.
func (in *inspector) schema(path []string, schema any) {
	if object(schema) == nil {
		return
	}
	if _, err := in.embedded.compile(schema, path); err != nil {
		in.add("embedded-schema", path, bound("is no usable JSON Schema: "+err.Error()))
	}
}

// definitions looks for definitions that nobody refers to.
func (in *inspector) definitions(root map[string]any) {
	used := map[string]bool{}
	references(root, used, 0)
	for name := range object(root["definitions"]) {
		if !used[escape(name)] {
			in.add("definition-unused", []string{"definitions", name}, "nothing refers to it")
		}
	}
}

func references(value any, used map[string]bool, depth int) {
	if depth > maxDepth {
		return
	}
	for name, member := range object(value) {
		if ref, ok := strings.CutPrefix(text(member), "#/definitions/"); ok && name == "$ref" {
			first, _, _ := strings.Cut(ref, "/")
			used[first] = true
		}
		references(member, used, depth+1)
	}
	for _, item := range list(value) {
		references(item, used, depth+1)
	}
}
