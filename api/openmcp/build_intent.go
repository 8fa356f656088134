package openmcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"interai/api/ops"
)

// Categories of intents.
const (
	categoryDiscovery = "discovery"
	categoryRead      = "read"
	categoryEvidence  = "evidence"
	categoryIdentity  = "identity"
)

// categoryOf tells what an operation is for: by its effect and scope, and by name where these do not tell.
func categoryOf(spec ops.Spec) string {
	switch {
	case spec.Effect == ops.Write:
		return categoryEvidence
	case spec.Scope == "":
		return categoryIdentity
	case spec.Name == "search" || spec.Name == "compare":
		return categoryDiscovery
	default:
		return categoryRead
	}
}

// kinds of actors, each of which may call.
func roles() []string { return []string{"ai", "user", "organization"} }

func intentOf(op ops.Operation, site Site) (Intent, error) {
	spec := op.Spec()
	output, err := json.Marshal(op.OutputSchema())
	if err != nil {
		return Intent{}, fmt.Errorf("encode the answer's schema: %w", err)
	}
	intent := Intent{
		Name: spec.Name, Title: spec.Title, Description: spec.Description, Category: categoryOf(spec), Parameters: []Parameter{},
		MaxInputBytes: op.MaxInputBytes(), Closed: true, NullIsAbsent: true,
		Responses: Responses{Success: Success{Schema: output}, Error: intentFailure()},
		Metadata: &Metadata{
			Roles: roles(), Security: []string{"bearer_api_key"}, NLPHints: []string{strings.ToLower(spec.Title), firstSentence(spec.Description)},
			Version: site.Version, AuditHooks: []string{"mcp_calls"}, Annotations: annotationsOf(spec),
		},
	}
	if site.Issuer != "" {
		intent.Metadata.Security = append(intent.Metadata.Security, "jwt")
	}
	if spec.Scope != "" {
		intent.Metadata.RBACScopes = []string{spec.Scope}
	}
	in := op.InputSchema()
	for _, property := range in.Properties {
		p, err := parameterOf(property, slices.Contains(in.Required, property.Name))
		if err != nil {
			return Intent{}, err
		}
		intent.Parameters = append(intent.Parameters, p)
	}
	for _, rule := range op.FieldRules() {
		i := slices.IndexFunc(intent.Parameters, func(p Parameter) bool { return p.Name == rule.Field })
		if err := relate(&intent.Parameters[i], rule); err != nil {
			return Intent{}, err
		}
	}
	return intent, nil
}

// relate writes down a rule between parameters. One that the document has no place for must not be left out silently.
func relate(p *Parameter, rule ops.FieldRule) error {
	switch rule.Rule {
	case "required_without":
		p.RequiredWithout = append(p.RequiredWithout, rule.Others...)
	case "excluded_with":
		p.ExcludedWith = append(p.ExcludedWith, rule.Others...)
	default:
		return fmt.Errorf("parameter %s: the document has no place for the rule %s", rule.Field, rule.Rule)
	}
	return nil
}

func parameterOf(property ops.Property, required bool) (Parameter, error) {
	s := property.Schema
	whole, err := wholeSchema(s)
	if err != nil {
		return Parameter{}, fmt.Errorf("encode the schema of %s: %w", property.Name, err)
	}
	return Parameter{
		Name: property.Name, Type: s.Type, Description: s.Description, Required: required, Default: s.Default,
		PII: s.PII, GDPRSensitive: s.PII, Enum: s.Enum, Pattern: s.Pattern, Format: s.Format,
		Minimum: exact(s.Minimum), Maximum: exact(s.Maximum), Schema: whole, MaxBytes: s.MaxBytes, PIIScanned: hasFreeText(s),
	}, nil
}

// wholeSchema encodes a schema; bounds in bytes below its root, for which JSON Schema has no word, become x_max_bytes.
func wholeSchema(s *ops.Schema) (json.RawMessage, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller says what was encoded
	}
	inside := map[string]int{}
	s.Walk(func(path string, inner *ops.Schema) {
		if path != "" && inner.Type == "string" && inner.MaxBytes > 0 {
			inside[path] = inner.MaxBytes
		}
	})
	if len(inside) == 0 {
		return raw, nil
	}
	tree, _, err := decode(raw)
	if err != nil {
		return nil, err
	}
	for path, most := range inside {
		at := object(tree)
		for _, name := range strings.Split(path, "/")[1:] {
			at = object(at[name])
		}
		at["x_max_bytes"] = most
	}
	return json.Marshal(tree) //nolint:wrapcheck // the caller says what was encoded
}

// exact writes a bound as the schema does.
func exact(n *float64) json.Number {
	if n == nil {
		return ""
	}
	return json.Number(strconv.FormatFloat(*n, 'f', -1, 64))
}

// hasFreeText reports whether a value may carry words of its author: all of them are scanned.
func hasFreeText(s *ops.Schema) bool {
	free := false
	s.Walk(func(_ string, inner *ops.Schema) {
		free = free || inner.Type == "string" && len(inner.Enum) == 0 || inner.Type == "object" && !inner.Closed
	})
	return free
}

// firstSentence is how a description begins.
func firstSentence(text string) string {
	if head, _, more := strings.Cut(text, ". "); more {
		return head + "."
	}
	return text
}
