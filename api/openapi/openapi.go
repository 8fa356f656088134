// Package openapi owns the description of the operations for hosts that import OpenAPI, such as GPT Actions: the
// document, the origin that it may name, and the HTTP status of each failure.
//
// The document is derived from the registry alone, so that it cannot disagree with what is served, and knows nothing of
// the process: no address, path or credential of it can get in. Start reading at [Document].
package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"interai/api/ops"
)

// PathPrefix is what stands before an operation's name in its path.
const PathPrefix = "/actions/v1/"

// Options are what the registry does not know.
type Options struct {
	// Origin is where the world reaches the server, as ParseOrigin accepts it.
	Origin string
	// Title, Version and Description are those of the API; all are required.
	Title, Version, Description string
}

// Document is the OpenAPI 3.1.0 document of a registry, in compact form. The same input gives the same bytes. The error
// names the rule of importers that the document would break.
func Document(registry *ops.Registry, options Options) ([]byte, error) {
	origin, err := ParseOrigin(options.Origin)
	if err != nil {
		return nil, fmt.Errorf("build the OpenAPI document: %w", err)
	}
	if options.Title == "" || options.Version == "" || options.Description == "" {
		return nil, errors.New("build the OpenAPI document: title, version and description are required")
	}
	operations := registry.Operations()
	paths := object{}
	errs := []error{countOperations(len(operations))}
	for _, op := range operations {
		errs = append(errs, checkOperation(op))
		paths = append(paths, member{PathPrefix + op.Spec().Name, object{{"post", operation(op)}}})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("build the OpenAPI document: %w", err)
	}
	failure, err := ops.ErrorSchema()
	if err != nil {
		return nil, fmt.Errorf("build the OpenAPI document: %w", err)
	}
	raw, err := encode(object{
		{"openapi", "3.1.0"},
		{"info", object{{"title", options.Title}, {"version", options.Version}, {"description", options.Description}}},
		{"servers", []object{{{"url", origin}}}},
		{"security", []object{{{"bearer", []string{}}}}},
		{"paths", paths},
		{"components", components(failure)},
	})
	if err == nil {
		err = checkSize(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("build the OpenAPI document: %w", err)
	}
	return raw, nil
}

// Pretty is a document for people to read.
func Pretty(document []byte) ([]byte, error) {
	var out bytes.Buffer
	if err := json.Indent(&out, document, "", "  "); err != nil {
		return nil, fmt.Errorf("indent the OpenAPI document: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// operation describes one operation. Hosts ask their user before each call that is consequential.
func operation(op ops.Operation) object {
	spec := op.Spec()
	responses := object{{"200", object{
		{"description", "The answer."},
		{"content", jsonContent(answerSchema(op))},
	}}}
	for _, f := range failures(op) {
		responses = append(responses, member{strconv.Itoa(f.status), object{
			{"description", f.description},
			{"content", jsonContent(object{{"$ref", "#/components/schemas/Error"}})},
		}})
	}
	return object{
		{"operationId", spec.Name},
		{"summary", spec.Title},
		{"description", spec.Description},
		{"x-openai-isConsequential", spec.Effect == ops.Write},
		{"requestBody", object{{"required", true}, {"content", jsonContent(op.InputSchema())}}},
		{"responses", responses},
	}
}

func jsonContent(schema any) object {
	return object{{"application/json", object{{"schema", schema}}}}
}

func components(failure *ops.Schema) object {
	return object{
		{"schemas", object{{"Error", spelledOut(failure)}}},
		{"securitySchemes", object{{"bearer", object{{"type", "http"}, {"scheme", "bearer"}}}}},
	}
}

// answerSchema is the answer's schema as MCP publishes it, with every object's properties, and for writes with the
// members that stand for an answer too large to be sent.
func answerSchema(op ops.Operation) *ops.Schema {
	schema := spelledOut(op.OutputSchema())
	if op.Spec().Effect != ops.Write {
		return schema
	}
	for _, p := range omittedProperties() {
		if schema.Property(p.Name) == nil {
			schema.Properties = append(schema.Properties, p)
		}
	}
	return schema
}

// spelledOut is a copy in which every object says its properties, as the importer of GPT Actions demands: the schemas
// of answers leave that out where clients of MCP would only pay for it.
func spelledOut(s *ops.Schema) *ops.Schema {
	if s == nil {
		return nil
	}
	out := *s
	out.Properties = slices.Clone(s.Properties)
	for i, p := range out.Properties {
		out.Properties[i].Schema = spelledOut(p.Schema)
	}
	if out.Type == "object" && out.Properties == nil {
		out.Properties = []ops.Property{}
	}
	out.Items, out.Values = spelledOut(s.Items), spelledOut(s.Values)
	return &out
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		name, err := encode(m.name)
		if err != nil {
			return nil, err
		}
		value, err := encode(m.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// encode writes a value without escaping what only HTML minds.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
