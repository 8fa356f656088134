package openapi

import (
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"

	"interai/api/ops"
)

// Limits of the importer of GPT Actions: descriptions and summaries (OpenAI, production notes), operations and bytes
// (what its users report; a megabyte is refused).
const (
	maxOperations       = 30
	maxDescriptionRunes = 300
	maxDocumentBytes    = 800_000
)

var operationID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// RuleError says which rule of importers a document would break, and where.
type RuleError struct {
	// Rule is a snake_case word; Place names the operation and the schema, "" is the whole document.
	Rule, Place string
	// Message says what is expected.
	Message string
}

// Error names the place, the rule and what is expected.
func (e *RuleError) Error() string {
	if e.Place == "" {
		return fmt.Sprintf("rule %s: %s", e.Rule, e.Message)
	}
	return fmt.Sprintf("%s: rule %s: %s", e.Place, e.Rule, e.Message)
}

func countOperations(n int) error {
	if n == 0 || n > maxOperations {
		return &RuleError{Rule: "operations", Message: fmt.Sprintf("importers take 1 to %d operations, not %d", maxOperations, n)}
	}
	return nil
}

// checkOperation holds one operation against the rules of importers.
func checkOperation(op ops.Operation) error {
	spec := op.Spec()
	var errs []error
	if !operationID.MatchString(spec.Name) {
		errs = append(errs, &RuleError{"operation_id", spec.Name, "an operationId matches " + operationID.String()})
	}
	errs = append(errs, checkText(spec.Name+" summary", spec.Title), checkText(spec.Name+" description", spec.Description),
		checkSchema(spec.Name+" request", op.InputSchema()), checkSchema(spec.Name+" answer", answerSchema(op)))
	return errors.Join(errs...)
}

func checkText(place, text string) error {
	if text == "" || utf8.RuneCountInString(text) > maxDescriptionRunes {
		return &RuleError{"description", place, fmt.Sprintf("it needs 1 to %d characters", maxDescriptionRunes)}
	}
	return nil
}

func checkSchema(place string, schema *ops.Schema) error {
	var errs []error
	schema.Walk(func(path string, s *ops.Schema) {
		at := place + " " + path
		if s.Description != "" {
			errs = append(errs, checkText(at, s.Description))
		}
		switch {
		case s.Type == "object" && s.Properties == nil && !s.Closed:
			errs = append(errs, &RuleError{"properties", at, "an object says its properties"})
		case s.Type == "array" && s.Items == nil:
			errs = append(errs, &RuleError{"items", at, "a list says what its items are"})
		}
	})
	return errors.Join(errs...)
}

// checkSize bounds both forms: who imports a document may get the one that is printed for people.
func checkSize(document []byte) error {
	pretty, err := Pretty(document)
	if err != nil {
		return err
	}
	if n := max(len(document), len(pretty)); n >= maxDocumentBytes {
		return &RuleError{Rule: "size", Message: fmt.Sprintf("importers take less than %d bytes, not %d", maxDocumentBytes, n)}
	}
	return nil
}
