package openmcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Live is what a running MCP server tells of itself.
type Live struct {
	// URL is where it was reached over HTTP, "" for stdio.
	URL string
	// Name, Title and Version are what the server calls itself; Instructions is what it tells models.
	Name, Title, Version, Instructions string
	// Revision is the revision of MCP that was negotiated.
	Revision string
	Tools    []LiveTool
	// Truncated says that there were more tools than were read.
	Truncated bool
}

// LiveTool is one entry of tools/list. Schemas are "" where the server gives none.
type LiveTool struct {
	Name, Title, Description string
	Input, Output            json.RawMessage
	Annotations              *Annotations
}

// maxInstructionRunes bounds what is taken of a server's instructions as its description.
const maxInstructionRunes = 1000

// FromLive makes a document of what a server tells. What the specification has no place for, or what is wrong there, is left
// out, so that the document is always valid; the findings say what.
func FromLive(live Live) ([]byte, []Finding, error) {
	server := &Server{Hostname: "localhost", Protocol: "http"} // the specification knows no stdio
	if live.URL != "" {
		var err error
		if server, err = located(live.URL); err != nil {
			return nil, nil, fmt.Errorf("make a document of a server: %w", err)
		}
		server.Endpoints = []string{live.URL}
	}
	server.Name, server.Transport = either(live.Name, "unknown"), "stdio"
	if live.URL != "" {
		server.Transport = "streamable-http"
	}
	if live.Revision != "" {
		server.Revisions = []string{live.Revision}
	}
	m := maker{}
	d := Document{
		OpenMCPSpec: Version, Server: *server, Intents: []Intent{},
		Info:        Info{Title: either(live.Title, live.Name, "unknown"), Version: either(live.Version, "unknown"), Description: shortened(live.Instructions)},
		Enumeration: Enumeration{Enabled: true, Filters: &Filters{Categories: []string{}}, Versioning: &Versioning{SchemaVersion: Version}},
	}
	for i := range live.Tools {
		m.tool(&d, &live.Tools[i])
	}
	d.Enumeration.Pagination = &Pagination{Limit: len(d.Intents), HasMore: live.Truncated}
	raw, err := d.encode()
	if err != nil {
		return nil, nil, err
	}
	report, err := Validate(raw, Options{})
	if err != nil {
		return nil, nil, fmt.Errorf("make a document of a server: %w", err)
	}
	if !report.Valid {
		return nil, nil, fmt.Errorf("make a document of a server: %w: at %q: %s", ErrInvalidDocument, report.Findings[0].Pointer, report.Findings[0].Message)
	}
	return raw, append(m.left, report.Findings...), nil
}

// either is the first text that is not empty.
func either(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

func shortened(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD"))
	if utf8.RuneCountInString(s) > maxInstructionRunes {
		return string([]rune(s)[:maxInstructionRunes]) + "…"
	}
	return s
}

// maxCopied bounds in bytes what a document repeats of servers' definitions: each parameter that refers to some has all of
// them beside it, so that a small answer could become a document of any size.
const maxCopied = MaxDocumentBytes / 2

// maker notes what is left out.
type maker struct {
	left   []Finding
	copied int       // bytes of definitions that were repeated
	effort compiling // on the schemas of the whole server
}

// repeated are the definitions of a tool's schema, with their size in bytes.
type repeated struct {
	members map[string]any
	bytes   int
}

func repeatedOf(root map[string]any) repeated {
	out := repeated{members: map[string]any{}}
	for _, name := range []string{"$defs", "definitions"} {
		if defs := object(root[name]); defs != nil {
			raw, _ := json.Marshal(defs) // it was decoded
			out.members[name], out.bytes = defs, out.bytes+len(raw)
		}
	}
	return out
}

func (m *maker) leave(path []string, message string) {
	m.left = append(m.left, Finding{Pointer: pointer(path), Severity: Warning, Rule: "left-out", Message: message})
}

// tool makes an intent of a tool.
func (m *maker) tool(d *Document, tool *LiveTool) {
	path := []string{"intents", strconv.Itoa(len(d.Intents))}
	if tool.Name == "" || slices.ContainsFunc(d.Intents, func(i Intent) bool { return i.Name == tool.Name }) {
		m.leave(path, "a tool without a name, or with that of another one, is left out")
		return
	}
	intent := Intent{Name: tool.Name, Title: tool.Title, Description: tool.Description, Category: "write", Parameters: []Parameter{}}
	if a := tool.Annotations; a != nil {
		intent.Metadata = &Metadata{Annotations: a}
		if a.ReadOnly {
			intent.Category = categoryRead
		}
	}
	if !slices.Contains(d.Enumeration.Filters.Categories, intent.Category) {
		d.Enumeration.Filters.Categories = append(d.Enumeration.Filters.Categories, intent.Category)
	}
	root, _, err := decode(tool.Input)
	if err != nil && len(tool.Input) > 0 {
		m.leave(path, "the schema of the arguments cannot be read and is left out")
	}
	m.input(path, &intent, object(root))
	if output, _, err := decode(tool.Output); err == nil && object(output) != nil {
		if _, err := m.effort.compile(output); err == nil {
			intent.Responses.Success.Schema = tool.Output
		} else {
			m.leave(append(path, "responses", "success", "schema"), "the schema of the answer does not compile and is left out")
		}
	}
	d.Intents = append(d.Intents, intent)
}

// carried are the members of an input schema's root that a document has a place for, or that say nothing to callers.
func carried() []string {
	return []string{"type", "properties", "required", "additionalProperties", "$schema", "$id", "$defs", "definitions", "title", "description"}
}

func (m *maker) input(path []string, intent *Intent, root map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(root)) {
		if !slices.Contains(carried(), name) {
			m.leave(path, fmt.Sprintf("the keyword %q of the arguments' schema has no place in a document", bound(name)))
		}
	}
	intent.Closed = root["additionalProperties"] == false
	properties := object(root["properties"])
	names := map[string]bool{}
	for name := range properties {
		names[name] = true
	}
	required, defs := texts(root["required"]), repeatedOf(root)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		at := append(slices.Clone(path), "parameters", strconv.Itoa(len(intent.Parameters)))
		if name == "" {
			m.leave(at, "a parameter without a name is left out")
			continue
		}
		intent.Parameters = append(intent.Parameters, m.parameter(at, name, root, defs, object(properties[name]), slices.Contains(required, name), names))
	}
}

// parameter makes the flat form of a property, with its whole schema beside it.
func (m *maker) parameter(path []string, name string, root map[string]any, defs repeated, s map[string]any, required bool, names map[string]bool) Parameter {
	p := Parameter{Name: name, Type: flatType(target(root, s)), Description: text(s["description"]), Required: required, Pattern: text(s["pattern"]), Format: text(s["format"])}
	if values := texts(s["enum"]); len(values) == len(list(s["enum"])) {
		p.Enum = values
	}
	p.Minimum, _ = s["minimum"].(json.Number)
	p.Maximum, _ = s["maximum"].(json.Number)
	if value, given := s["default"]; given {
		p.Default, _ = json.Marshal(value) // it was decoded
	}
	whole := m.withDefinitions(path, s, defs)
	if whole != nil {
		p.Schema, _ = json.Marshal(whole) // it was decoded
	}
	m.mend(path, &p, names)
	return p
}

// withDefinitions is a copy of a schema with the definitions that it may refer to, nil where there is no room for them.
func (m *maker) withDefinitions(path []string, s map[string]any, defs repeated) map[string]any {
	whole := maps.Clone(s)
	if !hasReference(s) || len(defs.members) == 0 {
		return whole
	}
	if m.copied+defs.bytes > maxCopied {
		m.leave(append(slices.Clone(path), "x_schema"), "left out: with all definitions that it refers to, the document would be too large")
		return nil
	}
	m.copied += defs.bytes
	for name, members := range defs.members {
		if whole[name] == nil {
			whole[name] = members
		}
	}
	return whole
}

// target is what a schema refers to inside its root, else the schema itself.
func target(root, s map[string]any) map[string]any {
	if path, ok := strings.CutPrefix(text(s["$ref"]), "#/"); ok {
		if found := lookup(root, path); found != nil {
			return found
		}
	}
	return s
}

// flatType is the one type that the flat form has place for.
func flatType(s map[string]any) string {
	if one := text(s["type"]); one != "" {
		return one
	}
	some := texts(s["type"])
	for _, branch := range append(slices.Clone(list(s["anyOf"])), list(s["oneOf"])...) {
		some = append(some, text(object(branch)["type"]))
	}
	some = slices.DeleteFunc(some, func(t string) bool { return t == "null" })
	switch {
	case len(some) == 1:
		return some[0]
	case len(some) == 0 && len(list(s["enum"])) > 0 && len(texts(s["enum"])) == len(list(s["enum"])):
		return "string"
	case len(some) == 0 && s["properties"] != nil:
		return "object"
	default:
		return "any"
	}
}

// mend leaves out what would make the document invalid.
func (m *maker) mend(path []string, p *Parameter, names map[string]bool) {
	raw, err := json.Marshal(p)
	if err != nil {
		return
	}
	value, _, err := decode(raw)
	if err != nil {
		return
	}
	in := &inspector{embedded: &embedded{document: value, effort: m.effort}}
	in.parameter(nil, object(value), names)
	m.effort = in.embedded.effort
	for _, f := range in.found {
		if f.Severity != Error {
			continue
		}
		m.leave(append(slices.Clone(path), strings.TrimPrefix(f.Pointer, "/")), "left out: "+f.Message)
		switch f.Pointer {
		case "/default":
			p.Default = nil
		case "/minimum":
			p.Minimum, p.Maximum = "", ""
		case "/pattern":
			p.Pattern = ""
		case "/x_schema":
			p.Schema = nil
		}
	}
}
